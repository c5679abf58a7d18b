"""Which instance acts, of a part whose others stand by.

Owns the two ways to know: the members of etcd say whom they follow; of the others the API keeps a
Lease, whose holder changes where the one that acted is gone.
"""

from drill.carrier.client import Client

LEASES = {
    "kube-controller-manager": ("kube-system", "kube-controller-manager"),
    "karmada-controller-manager": ("karmada-system", "karmada-controller-manager"),
    "karmada-scheduler": ("karmada-system", "karmada-scheduler"),
}
"""Namespace and name of the Lease of each part that has one."""


def holder(client: Client, part: str) -> str | None:
    """Who holds the Lease of *part*; None where nobody says."""
    namespace, name = LEASES[part]
    path = f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}"
    found = client.call("GET", path)
    return found.content()["spec"].get("holderIdentity") if found.ok else None


def leads(member: Client) -> bool:
    """Whether the member of etcd that *member* reaches is the one that others follow.

    Source: etcd, ``api/etcdserverpb/rpc.proto``, by its JSON gateway.
    """
    found = member.call("POST", "/v3/maintenance/status", {})
    status = found.content() if found.ok else {}
    return "leader" in status and status["leader"] == status["header"]["member_id"]
