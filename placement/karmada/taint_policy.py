"""ClusterTaintPolicy of policy.karmada.io/v1alpha1: taints from conditions of clusters.

Owns the model. Without such a policy with effect ``NoExecute`` Karmada moves nothing away from a
cluster that failed; the webhook admits it only with ``--allow-no-execute-taint-policy``.

Source: ``pkg/apis/policy/v1alpha1/clustertaint_types.go``.
"""

from typing import Literal

from pydantic import Field

from placement.karmada.affinity import ClusterAffinity
from placement.karmada.meta import ObjectMeta, WireModel


class MatchCondition(WireModel):
    """A condition of a cluster's status.

    Attributes:
        condition_type: such as ``Ready``.
        operator: ``In`` or ``NotIn``.
        status_values: ``True``, ``False``, ``Unknown``.
    """

    condition_type: str
    operator: str
    status_values: tuple[str, ...]


class PolicyTaint(WireModel):
    """A taint that the policy adds.

    Attributes:
        effect: ``NoSchedule`` or ``NoExecute``.
    """

    key: str
    effect: str
    value: str | None = None


class ClusterTaintPolicySpec(WireModel):
    """When taints come and go; the conditions of each list must all hold.

    Attributes:
        target_clusters: absent stands for every cluster.
        add_on_conditions: empty never adds.
        remove_on_conditions: empty never removes.
    """

    target_clusters: ClusterAffinity | None = None
    add_on_conditions: tuple[MatchCondition, ...] = ()
    remove_on_conditions: tuple[MatchCondition, ...] = ()
    taints: tuple[PolicyTaint, ...] = Field(min_length=1)


class ClusterTaintPolicy(WireModel):
    """Adds taints to clusters; deleting it leaves them there."""

    api_version: Literal["policy.karmada.io/v1alpha1"] = "policy.karmada.io/v1alpha1"
    kind: Literal["ClusterTaintPolicy"] = "ClusterTaintPolicy"
    metadata: ObjectMeta
    spec: ClusterTaintPolicySpec
