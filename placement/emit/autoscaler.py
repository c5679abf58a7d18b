"""The FederatedHPA of an autoscaled workload.

Owns its form. It writes the replicas of the template within the range that was decided on, and the
policy's weights divide every total of that range; nobody else may write them.
"""

from placement.emit.accepted import accepted
from placement.emit.vocabulary import Manifest, metadata
from placement.federation import Workload
from placement.federation.delivery import Autoscaler
from placement.federation.workload import Range, Template
from placement.karmada.autoscaler import FederatedHPA, FederatedHPASpec
from placement.karmada.findings import Facts
from placement.karmada.meta import CrossVersionObjectReference


def federated_hpa(
    workload: Workload, template: Template, bounds: Range, autoscaler: Autoscaler
) -> Manifest:
    """The autoscaler of *workload* between *bounds*.

    Raises:
        FederationError: Karmada would refuse it, or not carry it out.
    """
    body = FederatedHPA(
        metadata=metadata(workload, template),
        spec=FederatedHPASpec(
            scale_target_ref=CrossVersionObjectReference(
                api_version=template.api_version, kind=template.kind, name=template.name
            ),
            min_replicas=bounds.min,
            max_replicas=bounds.max,
            metrics=autoscaler.metrics,
            behavior=autoscaler.behavior,
        ),
    )
    return accepted(body, workload.id, Facts(fixed=frozenset()))
