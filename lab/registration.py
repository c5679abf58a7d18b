"""A member joins the federation, and is waited for.

Owns the objects of a registration in push mode, as ``karmadactl join`` makes them: an account with
all rights and its token in the member, the token and the ``Cluster`` on the Karmada API. A first
form, for the lab alone: the compute planes' own component takes its place.

Source: ``pkg/karmadactl/join/join.go`` and ``pkg/util/credential.go`` (Karmada 1.18).
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.access import encoded
from lab.client import Api
from lab.waiting import NotYetError, wait
from placement.federation import Cluster
from placement.karmada.cluster import cluster_object

NAMESPACE = "karmada-cluster"
"""Where the account is in the member, and the credentials are on the Karmada API."""

_LABELS = {"karmada.io/system": "true"}
_IMPERSONATOR = "karmada-impersonator"
_READY_SECONDS = 90
_TOKEN_SECONDS = 30
_TOKEN_LIFE = 10 * 365 * 24 * 3600
"""Seconds that a requested token holds: longer than any lab is kept."""

_CLUSTER = ("cluster.karmada.io/v1alpha1", "Cluster")
_RBAC = "rbac.authorization.k8s.io/v1"


@dataclass(frozen=True)
class Member:
    """A cluster that answers.

    Attributes:
        cluster: what the federation file says of it.
        endpoint: its address, such as ``https://127.0.0.1:6443``.
        api: a client of its administrator.
        bare: whether nothing fills a token secret there.
    """

    cluster: Cluster
    endpoint: str
    api: Api
    bare: bool


def register(karmada: Api, member: Member, ca: Path) -> None:
    """Register *member* with Karmada; again without any change.

    Args:
        karmada: a client of the Karmada API's administrator.
        member: the member.
        ca: the file of the authority that signed the member's certificate.

    Raises:
        FederationError: one of the two API servers is not reached, or refuses.
    """
    name = member.cluster.name
    account = f"karmada-{name}"
    for manifest in _in_member(account):
        member.api.apply(manifest)
    for secret, owner in ((name, account), (f"{name}-impersonator", _IMPERSONATOR)):
        if karmada.get("v1", "Secret", secret, NAMESPACE) is None:
            karmada.apply(_credential(secret, _token(member, owner), ca))
    karmada.apply(_cluster(member))


def wait_ready(karmada: Api, names: Sequence[str]) -> None:
    """Wait until Karmada finds every one of *names* ready and knows what it serves.

    Before that the scheduler leaves it out, and a division that is once made stays.

    Raises:
        FederationError: it does not in time; the message says what it says instead.
    """
    wait(lambda: _all_ready(karmada, names), _READY_SECONDS, "these members are not ready")


def _all_ready(karmada: Api, names: Sequence[str]) -> None:
    there = {item["metadata"]["name"]: item for item in karmada.list(*_CLUSTER)}
    wrong = [f"{name}: {why}" for name in names if (why := _unready(there.get(name)))]
    if wrong:
        raise NotYetError("; ".join(wrong))


def _unready(cluster: dict[str, Any] | None) -> str:
    """What keeps *cluster* from being used; empty where nothing does."""
    if cluster is None:
        return "no Cluster object"
    conditions = {c["type"]: c for c in cluster.get("status", {}).get("conditions", ())}
    for kind in ("Ready", "CompleteAPIEnablements"):
        condition = conditions.get(kind)
        if condition is None or condition["status"] != "True":
            return f"{kind} is {condition['message'] if condition else 'not known'}"
    taints = {taint["key"] for taint in cluster["spec"].get("taints", ())}
    return "still tainted not-ready" if "cluster.karmada.io/not-ready" in taints else ""


def _in_member(account: str) -> list[dict[str, Any]]:
    """The objects in the member: two accounts with their secrets, and all rights for the first."""
    role = f"karmada-controller-manager:{account}"
    everything = [
        {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]},
        {"nonResourceURLs": ["*"], "verbs": ["get"]},
    ]
    subject = {"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}
    ref = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role}
    objects: list[dict[str, Any]] = [_object("v1", "Namespace", NAMESPACE, None)]
    for name in (account, _IMPERSONATOR):
        objects.append(_object("v1", "ServiceAccount", name, NAMESPACE))
        secret = _object("v1", "Secret", name, NAMESPACE)
        secret["type"] = "kubernetes.io/service-account-token"
        secret["metadata"]["annotations"] = {"kubernetes.io/service-account.name": name}
        objects.append(secret)
    objects.append({**_object(_RBAC, "ClusterRole", role, None), "rules": everything})
    binding = _object(_RBAC, "ClusterRoleBinding", role, None)
    objects.append({**binding, "subjects": [subject], "roleRef": ref})
    return objects


def _object(api_version: str, kind: str, name: str, namespace: str | None) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": name, "labels": dict(_LABELS)}
    if namespace is not None:
        metadata["namespace"] = namespace
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata}


def _token(member: Member, account: str) -> str:
    """The token of *account*: of its secret, or a requested one where nothing fills secrets."""
    if member.bare:
        return member.api.token(account, NAMESPACE, _TOKEN_LIFE)
    found: list[str] = []

    def look() -> None:
        secret = member.api.get("v1", "Secret", account, NAMESPACE) or {}
        token = secret.get("data", {}).get("token")
        if token is None:
            raise NotYetError(f"the secret {account} of {member.cluster.name} is empty")
        found.append(base64.b64decode(token).decode())

    wait(look, _TOKEN_SECONDS, "no token")
    return found[0]


def _credential(name: str, token: str, ca: Path) -> dict[str, Any]:
    secret = _object("v1", "Secret", name, NAMESPACE)
    secret["data"] = {
        "caBundle": encoded(ca),
        "token": base64.b64encode(token.encode()).decode(),
    }
    return secret


def _cluster(member: Member) -> dict[str, Any]:
    name = member.cluster.name
    manifest = cluster_object(member.cluster, endpoint=member.endpoint)
    kube_system = member.api.get("v1", "Namespace", "kube-system")
    if kube_system is not None:
        manifest["spec"]["id"] = kube_system["metadata"]["uid"]
    for field, secret in (("secretRef", name), ("impersonatorSecretRef", f"{name}-impersonator")):
        manifest["spec"][field] = {"namespace": NAMESPACE, "name": secret}
    return manifest
