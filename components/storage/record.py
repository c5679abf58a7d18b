"""What the plane is made of, as the stack exports it for its own next run.

Owns the output ``storage`` and what is read of it. What may not change is for ``safety``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from components import outputs
from components.settings.storage import StorageSettings

SCHEMA = "federation/storage/v1"


@dataclass(frozen=True)
class Record:
    """What the plane was made of when it was last brought up.

    Attributes:
        cluster: the name of its cluster; empty where it was not written down yet.
        failure_domain: ``host`` or ``zone``.
        monitors: how many.
        zones: of each node; empty where it has none.
        devices: the paths on each node.
        pools: how each keeps its data: ``block 1+2`` is three copies.
        buckets: the pool of each.
        allow: what that run might take away.
    """

    cluster: str
    failure_domain: str
    monitors: int
    zones: Mapping[str, str]
    devices: Mapping[str, tuple[str, ...]]
    pools: Mapping[str, str]
    buckets: Mapping[str, str]
    allow: str


def record(spec: StorageSettings) -> Record:
    """What *spec* makes."""
    return Record(
        cluster=spec.cluster.name,
        failure_domain=spec.failure_domain,
        monitors=spec.monitors,
        zones={node.name: node.zone or "" for node in spec.nodes},
        devices={node.name: tuple(each.path for each in node.devices) for node in spec.nodes},
        pools={
            pool.name: f"{pool.kind} {kept.data}+{kept.width - kept.data}"
            for pool in spec.pools
            for kept in (pool.redundancy,)
        },
        buckets={bucket.name: bucket.pool for bucket in spec.buckets},
        allow=spec.allow or "",
    )


def document(made: Record, retained: Mapping[str, Any]) -> dict[str, Any]:
    """The output; *retained* is what a destroy would leave."""
    return {
        "schema": SCHEMA,
        "cluster": made.cluster,
        "failureDomain": made.failure_domain,
        "monitors": made.monitors,
        "zones": dict(made.zones),
        "devices": {name: list(paths) for name, paths in made.devices.items()},
        "pools": dict(made.pools),
        "buckets": dict(made.buckets),
        "allow": made.allow,
        "retained": dict(retained),
    }


async def last() -> Record | None:
    """What this stack exported last; None on the first run.

    Raises:
        FederationError: it speaks another schema.
    """
    found = await outputs.last("storage", SCHEMA, "pools")
    if found is None:
        return None
    return Record(
        cluster=found.get("cluster", ""),
        failure_domain=found["failureDomain"],
        monitors=int(found["monitors"]),
        zones=found["zones"],
        devices={name: tuple(paths) for name, paths in found["devices"].items()},
        pools=found["pools"],
        buckets=found["buckets"],
        allow=found["allow"],
    )
