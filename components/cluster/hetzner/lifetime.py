"""What a cluster keeps for as long as it lives, and what would break it."""

import json
from collections.abc import Mapping

import pulumi

from components.cluster.hetzner.versions import refused
from components.outputs import LastServers
from components.settings import HetznerCluster, fault
from components.settings.hetzner.pools import CONTROL
from placement.faults import BadInputError, Location

_BEFORE = {"addOns": False}
"""What clusters have that were founded before a setting was there."""


def refuse_changes(
    spec: HetznerCluster,
    where: Location,
    last: LastServers,
    after: Mapping[str, str],
    replace: str | None,
) -> None:
    """Refuse what would break a cluster that lives.

    Args:
        spec: its settings.
        where: where they stand under the stack's configuration.
        last: what the stack published of its servers last.
        after: the version of each node after this run.
        replace: the node that may change in this run.

    Raises:
        BadInputError: a setting that holds for its life is another one, servers are to go, or an
            upgrade skips a version.
    """
    if spec.name not in last.fixed:
        return
    wrong = [
        fault(pulumi.get_stack(), (*where, "k3s", "version"), message)
        for message in refused(spec, last.versions, after, replace)
    ]
    for key, now in spec.fixed().items():
        before = {**_BEFORE, **last.fixed[spec.name]}.get(key)
        if before != now:
            message = (
                f"read {json.dumps(now)}; allowed {json.dumps(before)}, which {spec.name} was "
                "founded with and keeps: make a second cluster and move to it"
            )
            wrong.append(fault(pulumi.get_stack(), (*where, key), message))
    kept = {node.name for node in spec.servers()}
    running = [name for name in last.types if name.startswith(f"{spec.name}-{CONTROL}-")]
    if set(running) - kept:
        message = (
            f"read {len(kept)}, where {len(running)} run; allowed {len(running)} or more: etcd "
            "would count the servers that are gone for its majority"
        )
        wrong.append(fault(pulumi.get_stack(), (*where, "controlPlane", "servers"), message))
    if wrong:
        raise BadInputError(*wrong)
