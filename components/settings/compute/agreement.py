"""Whether a cluster is declared as its accelerators will be: kept apart, and shared.

Owns the agreement of two things that are written apart: a cluster's taints, labels and resources,
which the placement counts on, and the settings, which make them so.
"""

from collections.abc import Iterator

from components.settings.compute.accelerators import (
    DISABLED,
    GPU,
    MIG_LABEL,
    SHARING_LABEL,
    WHOLE,
    Accelerators,
)
from placement.federation import Cluster
from placement.federation.cluster import NodeClass
from placement.quantity import parse_quantity


def disagreements(cluster: Cluster, accelerators: Accelerators) -> Iterator[str]:
    """What is wrong with the node classes of *cluster*, a message each."""
    with_any = [each for each in cluster.node_classes if resources(each)]
    if not with_any:
        yield (
            f"read accelerators beside cluster {cluster.name}, none of whose node classes has any; "
            f"allowed beside classes with {GPU}"
        )
    if not cluster.taints:
        yield (
            f"read cluster {cluster.name} without taints; allowed one beside accelerators, such "
            f"as {GPU}: NoSchedule, without which Karmada divides CPU workloads over it too"
        )
    for node_class in cluster.node_classes:
        for found in (
            *_apart(node_class),
            *_time(node_class, accelerators),
            *_partitions(node_class, accelerators),
        ):
            yield f"node class {node_class.name} of cluster {cluster.name}: {found}"


def resources(node_class: NodeClass) -> tuple[str, ...]:
    """The accelerators of a node by resource name: extended resources have a domain."""
    return tuple(
        name
        for name, amount in sorted(node_class.allocatable.items())
        if "/" in name and parse_quantity(amount) > 0
    )


def _apart(node_class: NodeClass) -> Iterator[str]:
    if resources(node_class) and not node_class.taints:
        yield f"read no taints; allowed one, such as {GPU}: NoSchedule, that keeps its nodes free"


def _time(node_class: NodeClass, accelerators: Accelerators) -> Iterator[str]:
    name = node_class.labels.get(SHARING_LABEL, WHOLE)
    if name == WHOLE:
        return
    if name not in accelerators.time_slicing:
        known = ", ".join(sorted({WHOLE, *accelerators.time_slicing}))
        yield f"read label {SHARING_LABEL}: {name}; allowed {known}"
        return
    slices, count = accelerators.time_slicing[name], node_class.allocatable.get(GPU, "0")
    if parse_quantity(count) == 0 or parse_quantity(count) % slices:
        yield (
            f"read {GPU}: {count} beside {SHARING_LABEL}: {name}; allowed a multiple of {slices}, "
            "since each GPU is offered that often"
        )


def _partitions(node_class: NodeClass, accelerators: Accelerators) -> Iterator[str]:
    name = node_class.labels.get(MIG_LABEL, DISABLED)
    devices = accelerators.mig.get(name, {})
    if name != DISABLED and not devices:
        known = ", ".join(sorted({DISABLED, *accelerators.mig}))
        yield f"read label {MIG_LABEL}: {name}; allowed {known}"
        return
    wanted = {f"nvidia.com/mig-{_resource(profile)}" for profile in devices}
    declared = {r for r in resources(node_class) if r.startswith("nvidia.com/mig-")}
    if declared != wanted:
        yield (
            f"read {', '.join(sorted(declared)) or 'no MIG resource'} beside {MIG_LABEL}: {name}; "
            f"allowed {', '.join(sorted(wanted)) or 'none'}, which is what such a node offers"
        )


def _resource(profile: str) -> str:
    """A profile as the device plugin names it: a resource name holds no ``+``."""
    return profile.replace("+", ".")
