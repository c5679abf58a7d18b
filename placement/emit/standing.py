"""What stands on the Karmada API once for all workloads: priorities, and what marks a loss.

Owns the PriorityClasses and their way into every member, since after a loss workloads of all
classes share the nodes that are left, and a pod whose class a member does not know is refused
there. And the taint policies without which Karmada evicts nothing from a lost cluster.
"""

from collections.abc import Iterator

from placement.emit.accepted import accepted
from placement.emit.tolerations import LOST_KEYS, lost_for
from placement.emit.vocabulary import Manifest
from placement.federation import Federation
from placement.federation.workload import ServiceClass
from placement.karmada.findings import Facts
from placement.karmada.meta import ObjectMeta, Toleration
from placement.karmada.placement_spec import Placement, ReplicaSchedulingStrategy
from placement.karmada.propagation import (
    ClusterPropagationPolicy,
    PropagationSpec,
    ResourceSelector,
)
from placement.karmada.taint_policy import (
    ClusterTaintPolicy,
    ClusterTaintPolicySpec,
    MatchCondition,
    PolicyTaint,
)

PRIORITIES: dict[ServiceClass, int] = {"critical": 1_000_000, "standard": 100_000, "batch": 10_000}
"""The value of each class; far below those of Kubernetes' own system classes."""

_SHARED = "federation-priority-classes"
_LOST_STATUS = {"not-ready": "False", "unreachable": "Unknown"}


def priority_class_name(class_: ServiceClass) -> str:
    """The name of the PriorityClass of a class."""
    return f"federation-{class_}"


def priority_classes(federation: Federation) -> Iterator[Manifest]:
    """The PriorityClasses, and the policy that copies them to every member."""
    for class_, value in PRIORITIES.items():
        yield {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": priority_class_name(class_)},
            "value": value,
            "globalDefault": False,
            "preemptionPolicy": "PreemptLowerPriority",
            "description": f"Workloads of the class {class_}.",
        }
    body = ClusterPropagationPolicy(
        metadata=ObjectMeta(name=_SHARED),
        spec=PropagationSpec(
            resource_selectors=tuple(
                ResourceSelector(
                    api_version="scheduling.k8s.io/v1",
                    kind="PriorityClass",
                    name=priority_class_name(class_),
                )
                for class_ in PRIORITIES
            ),
            placement=Placement(
                cluster_tolerations=(*_every_taint(federation), *lost_for(None)),
                replica_scheduling=ReplicaSchedulingStrategy(replica_scheduling_type="Duplicated"),
            ),
        ),
    )
    yield accepted(body, "the priority classes")


def _every_taint(federation: Federation) -> Iterator[Toleration]:
    """Tolerations of all taints of the clusters: some workload tolerates each of them."""
    taints = {(t.key, t.value or "", t.effect) for c in federation.clusters for t in c.taints}
    for key, value, effect in sorted(taints):
        yield Toleration(key=key, operator="Equal", value=value, effect=effect)


def taint_policies() -> Iterator[Manifest]:
    """What puts the taint of a lost cluster on it, and takes it away when the cluster is back."""
    for key in LOST_KEYS:
        state = key.rpartition("/")[2]
        body = ClusterTaintPolicy(
            metadata=ObjectMeta(name=f"federation-{state}"),
            spec=ClusterTaintPolicySpec(
                add_on_conditions=(_ready(_LOST_STATUS[state]),),
                remove_on_conditions=(_ready("True"),),
                taints=(PolicyTaint(key=key, effect="NoExecute"),),
            ),
        )
        yield accepted(body, f"clusters that are {state}", Facts(gates=frozenset({"Failover"})))


def _ready(status: str) -> MatchCondition:
    return MatchCondition(condition_type="Ready", operator="In", status_values=(status,))
