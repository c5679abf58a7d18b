"""FederatedHPA of autoscaling.karmada.io/v1alpha1: replicas from metrics of all members.

Owns the model. It writes the replicas of the template, and the scheduler divides them anew: nobody
else may write them. It reads through karmada-metrics-adapter.

Sources: ``pkg/apis/autoscaling/v1alpha1/federatedhpa_types.go`` (Karmada 1.18) and
``k8s.io/api/autoscaling/v2/types.go``.
"""

from typing import Literal

from placement.karmada.meta import (
    ATOMIC_LIST,
    CrossVersionObjectReference,
    Int32,
    ObjectMeta,
    Quantity,
    WireModel,
)
from placement.karmada.metric_status import AutoscalerStatus
from placement.karmada.metrics import MetricSpec


class ScalingPolicy(WireModel):
    """How much the replicas may change.

    Attributes:
        type: ``Pods`` or ``Percent``.
        value: pods, or per cent of the present replicas.
        period_seconds: seconds for which the change counts, 1 to 1800.
    """

    type: str
    value: Int32
    period_seconds: Int32


class ScalingRules(WireModel):
    """How the replicas change in one direction.

    Attributes:
        stabilization_window_seconds: seconds of past answers that are kept in mind, 0 to 3600;
            filled with 0 upwards, left to a flag of the controller downwards.
        select_policy: which policy counts: ``Max`` (filled in), ``Min``, or ``Disabled`` for no
            change at all.
        policies: filled in where absent.
        tolerance: what share of the target is no reason for a change.
    """

    stabilization_window_seconds: Int32 | None = None
    select_policy: str | None = None
    policies: tuple[ScalingPolicy, ...] = ATOMIC_LIST
    tolerance: Quantity | None = None


class ScalingBehavior(WireModel):
    """How the replicas change."""

    scale_up: ScalingRules | None = None
    scale_down: ScalingRules | None = None


class FederatedHPASpec(WireModel):
    """What is scaled, by what.

    Attributes:
        min_replicas: filled with 1; 0 is refused.
        metrics: filled with 80 per cent of the requested CPU.
    """

    scale_target_ref: CrossVersionObjectReference
    min_replicas: Int32 | None = None
    max_replicas: Int32
    metrics: tuple[MetricSpec, ...] = ()
    behavior: ScalingBehavior | None = None


class FederatedHPA(WireModel):
    """Scales a template by metrics."""

    api_version: Literal["autoscaling.karmada.io/v1alpha1"] = "autoscaling.karmada.io/v1alpha1"
    kind: Literal["FederatedHPA"] = "FederatedHPA"
    metadata: ObjectMeta
    spec: FederatedHPASpec
    status: AutoscalerStatus | None = None
