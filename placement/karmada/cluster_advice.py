"""Clusters that Karmada accepts and then does not watch, or changes under the writer's hands.

Sources: ``cmd/controller-manager/app/controllermanager.go``, ``pkg/util/cluster.go`` and
``pkg/controllers/cluster/cluster_controller.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from placement.karmada.findings import Finding


def cluster_findings(spec: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield every finding about a Cluster.

    Args:
        spec: the spec in wire form; its values must have the right types.
    """
    if spec["syncMode"] == "Push":
        if not spec.get("id"):
            yield Finding(
                "cluster-without-id",
                "spec.id",
                "nothing fills the id of a Push cluster, so a member that joined twice is not "
                "found; write the UID of its namespace kube-system",
            )
        if spec.get("secretRef") is None:
            yield Finding(
                "cluster-without-secret",
                "spec.secretRef",
                "without a secret no status is collected and the cluster never becomes Ready; "
                "name the secret with its token",
            )
    if spec.get("taints"):
        yield Finding(
            "cluster-taints-shared",
            "spec.taints",
            "controllers write this list too, and it is replaced whole: whoever declares it takes "
            "away the taint of a cluster that is down; leave it out, or cordon",
        )
