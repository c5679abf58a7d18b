"""FederatedResourceQuota of policy.karmada.io/v1alpha1: what a namespace may use in all members.

Owns the model. The static assignments become a ResourceQuota in each member; the sum over all
members is held only with the gate ``FederatedQuotaEnforcement``.

Source: ``pkg/apis/policy/v1alpha1/federatedresourcequota_types.go`` (Karmada 1.18).
"""

from typing import Literal

from pydantic import Field

from placement.karmada.meta import ObjectMeta, Quantity, WireModel


class StaticClusterAssignment(WireModel):
    """The quota of one member.

    Attributes:
        hard: quantities by resource name, such as ``requests.cpu``.
    """

    cluster_name: str
    hard: dict[str, Quantity]


class FederatedResourceQuotaSpec(WireModel):
    """What is allowed.

    Attributes:
        overall: quantities by resource name over all members together.
        static_assignments: the scheduler does not look at them.
    """

    overall: dict[str, Quantity]
    static_assignments: tuple[StaticClusterAssignment, ...] = ()


class ClusterQuotaStatus(WireModel):
    """What one member allows and uses."""

    cluster_name: str
    hard: dict[str, Quantity] = Field(default_factory=dict)
    used: dict[str, Quantity] = Field(default_factory=dict)


class FederatedResourceQuotaStatus(WireModel):
    """What is allowed and used in sum and by member."""

    overall: dict[str, Quantity] = Field(default_factory=dict)
    overall_used: dict[str, Quantity] = Field(default_factory=dict)
    aggregated_status: tuple[ClusterQuotaStatus, ...] = ()


class FederatedResourceQuota(WireModel):
    """Limits what a namespace uses."""

    api_version: Literal["policy.karmada.io/v1alpha1"] = "policy.karmada.io/v1alpha1"
    kind: Literal["FederatedResourceQuota"] = "FederatedResourceQuota"
    metadata: ObjectMeta
    spec: FederatedResourceQuotaSpec
    status: FederatedResourceQuotaStatus | None = None
