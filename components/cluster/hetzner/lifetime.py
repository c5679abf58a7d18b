"""What a cluster keeps for as long as it lives, and what would break it."""

import json
from collections.abc import Mapping

import pulumi

from components import outputs
from components.cluster.hetzner.versions import refused
from components.outputs import LastServers
from components.settings import HetznerCluster, StackSettings, fault
from components.settings.hetzner.pools import CONTROL
from placement.faults import BadInputError, Location

_BEFORE = {"addOns": False}
"""What clusters have that were founded before a setting was there."""


async def refuse_losses(settings: StackSettings) -> None:
    """Refuse what would take a whole cluster away, and a name of nothing under ``replace``.

    Raises:
        BadInputError: a cluster that the stack made is in its settings no more, under its name or
            at all, and is not named under ``federation:replace``; or that names nothing.
    """
    stack, named = pulumi.get_stack(), settings.replace
    made = [each for each in settings.clusters if isinstance(each, HetznerCluster)]
    nodes = [node.name for each in made for node in each.nodes()]
    gone = sorted(set(await outputs.founded()) - {each.name for each in made})
    wrong = [
        fault(
            stack,
            (settings.plane,),
            f"read no cluster {name}, which this stack made; allowed with it, or once with "
            f"federation:replace: {name}, which deletes it whole and all that is on it",
        )
        for name in gone
        if name != named
    ]
    if named is not None and named not in (*nodes, *gone):
        known = ", ".join((*nodes, *gone))
        allowed = f"one of {known}" if known else "nothing: no cluster is made here"
        wrong.append(fault(stack, ("replace",), f"read {named!r}; allowed {allowed}"))
    if wrong:
        raise BadInputError(*wrong)


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
