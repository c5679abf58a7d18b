"""From a decision to the objects on the Karmada API that reproduce it to the replica.

Owns which objects there are, and their order. Each kind has a module of its own here.
``components/federation`` makes resources of them and ``render`` writes them as files: both take the
same objects from here, and every one has passed the rules of ``placement.karmada``.
"""

from collections.abc import Iterator
from pathlib import Path

from placement.decision import Decision
from placement.emit.autoscaler import federated_hpa
from placement.emit.overrides import override_policy
from placement.emit.own import own_object, template_of
from placement.emit.propagation import policy
from placement.emit.rebalance import rebalancers
from placement.emit.standing import priority_classes, taint_policies
from placement.emit.tolerations import DETECTION
from placement.emit.vocabulary import (
    REPLICAS_ANNOTATION,
    SKIP_AWAIT,
    WORKLOAD_LABEL,
    Manifest,
)
from placement.federation import Federation
from placement.federation.workload import Range, Template

__all__ = [
    "DETECTION",
    "REPLICAS_ANNOTATION",
    "SKIP_AWAIT",
    "WORKLOAD_LABEL",
    "Manifest",
    "objects",
]


def objects(
    federation: Federation,
    decision: Decision,
    directory: Path,
    *,
    failover: bool = True,
    rebalance: str = "",
) -> Iterator[Manifest]:
    """The objects of *decision*, each after those that it needs.

    First what stands for all workloads; then for each workload what differs by cluster, its
    policy, its own object if it has a manifest, its autoscaler; at last what divides anew.

    Args:
        federation: what was decided on.
        decision: a decision with a placement.
        directory: where the federation file is; manifests are relative to it.
        failover: whether lost clusters are tainted, so that Karmada evicts from them.
        rebalance: any word; where it is another than before, every workload is divided anew, and
            those that went to a backup come back.

    Raises:
        FederationError: an object that Karmada would refuse or not carry out.
        BadInputError: a manifest cannot be read.
    """
    yield from priority_classes(federation)
    if failover:
        yield from taint_policies()
    templates: dict[str, Template] = {}
    for workload in federation.workloads:
        own = own_object(workload, directory)
        template = templates[workload.id] = template_of(workload, own)
        if workload.overrides:
            yield override_policy(workload, template, _claims(own))
        yield policy(federation, workload, template, decision.workload(workload.id), rebalance)
        if own is not None:
            yield own
        if workload.autoscaler is not None and isinstance(workload.replicas, Range):
            yield federated_hpa(workload, template, workload.replicas, workload.autoscaler)
    yield from rebalancers(decision, templates, rebalance)


def _claims(own: Manifest | None) -> int:
    """How many volume claims a replica makes; an object of the user's is taken to make one."""
    if own is None:
        return 1
    return len((own.get("spec") or {}).get("volumeClaimTemplates") or ())
