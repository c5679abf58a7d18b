"""A second plane that keeps the block pools of a first one too.

Owns what each side says of it. The first takes mirror snapshots of its images on a schedule and
hands out a token; the second runs ``rbd-mirror``, which fetches what changed over the same
encrypted connections that the first demands of everybody. Whose law the data may be under goes
along with the token.

Source: Rook 1.20, "RBD Mirroring"; Ceph, "RBD Mirroring" (one way).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi

from components import outputs
from components.settings import fault
from components.settings.storage import StorageSettings
from components.storage.ceph import placement
from components.storage.names import NAMESPACE
from placement.faults import BadInputError, Fault


def token_secret(pool: str) -> str:
    """The Secret that Rook writes for a mirrored pool, with ``token``."""
    return f"pool-peer-token-{pool}"


@dataclass(frozen=True)
class Peer:
    """The original of a pool.

    Attributes:
        header_pool: the pool that is mirrored.
        token: by which its plane is reached; a secret.
    """

    header_pool: str
    token: pulumi.Output[str]


async def peers(spec: StorageSettings) -> dict[str, Peer]:
    """The original of each pool that is mirrored here.

    Raises:
        BadInputError: the first plane does not offer it, or its data may not be here.
    """
    if spec.mirror_of is None:
        return {}
    published = (await outputs.read(spec.mirror_of.stack)).storage.get("peers", {})
    wrong: list[Fault] = []
    found = {}
    for index, name in enumerate(spec.mirror_of.pools):
        reason = refusal(spec, name, published.get(name))
        if reason is not None:
            where = ("storage", "mirrorOf", "pools", index)
            wrong.append(fault(pulumi.get_stack(), where, reason))
        else:
            peer = published[name]
            found[name] = Peer(peer["headerPool"], pulumi.Output.secret(peer["token"]))
    if wrong:
        raise BadInputError(*wrong)
    return found


def refusal(spec: StorageSettings, name: str, peer: Mapping[str, Any] | None) -> str | None:
    """Why the pool *name*, as the first plane offers it, may not be mirrored here; None: it may."""
    stack = spec.mirror_of.stack if spec.mirror_of else ""
    if peer is None:
        return (
            f"read {name}, which stack {stack} does not offer; allowed a pool that has mirror "
            f"there: write it into Pulumi.{stack}.yaml and bring that stack up"
        )
    allowed = peer["residency"]
    if allowed and spec.cluster.jurisdiction not in allowed:
        return (
            f"read {name}, whose data may be in {', '.join(allowed)} alone; allowed in a plane "
            f"there, which {spec.cluster.name} "
            f"({spec.cluster.jurisdiction or 'no jurisdiction known'}) is not"
        )
    return None


def daemon(spec: StorageSettings) -> dict[str, Any]:
    """The ``CephRBDMirror``."""
    return {
        "apiVersion": "ceph.rook.io/v1",
        "kind": "CephRBDMirror",
        "metadata": {"name": "mirror", "namespace": NAMESPACE},
        "spec": {
            # One fetches, the other waits for it to fail.
            "count": 2,
            "priorityClassName": "system-cluster-critical",
            "placement": placement(spec, "rook-ceph-rbd-mirror"),
            "resources": {"requests": {"cpu": "1", "memory": "2Gi"}, "limits": {"memory": "2Gi"}},
        },
    }
