"""What happens to a workload whose application or cluster fails: ``spec.failover``.

Owns the models. Cluster failover needs four switches of the control plane besides.

Source: ``FailoverBehavior`` in ``pkg/apis/policy/v1alpha1/propagation_types.go``.
"""

from typing import Literal

from placement.karmada.meta import Int32, WireModel


class StatePreservationRule(WireModel):
    """A value of the old application that the new one gets as a label.

    Attributes:
        json_path: where the value stands in the status, such as ``{.lastSavepoint}``.
    """

    alias_label_name: str
    json_path: str


class StatePreservation(WireModel):
    """What of the state goes along."""

    rules: tuple[StatePreservationRule, ...]


class DecisionConditions(WireModel):
    """When an application has failed.

    Attributes:
        toleration_seconds: seconds of being unhealthy that are tolerated.
    """

    toleration_seconds: Int32 = 300


class ApplicationFailoverBehavior(WireModel):
    """Moving an unhealthy application to another cluster; needs ``propagateDeps``.

    Attributes:
        purge_mode: ``Immediately`` and ``Graciously`` are the old names, gone in 1.19.
        grace_period_seconds: seconds to wait for the new application; with ``Gracefully`` only,
            filled with 600 there.
    """

    decision_conditions: DecisionConditions
    purge_mode: Literal["Directly", "Gracefully", "Never", "Immediately", "Graciously"] = (
        "Gracefully"
    )
    grace_period_seconds: Int32 | None = None
    state_preservation: StatePreservation | None = None


class ClusterFailoverBehavior(WireModel):
    """How replicas leave a cluster that failed."""

    purge_mode: Literal["Directly", "Gracefully"] = "Gracefully"
    state_preservation: StatePreservation | None = None


class FailoverBehavior(WireModel):
    """Failover of applications and of clusters."""

    application: ApplicationFailoverBehavior | None = None
    cluster: ClusterFailoverBehavior | None = None
