"""Pull mode: an agent in the member reaches Karmada, and takes its Works from there.

Owns the agent's rights on both sides. Nothing reports a credential of the member to Karmada
(``--report-secrets=None``), so nobody gets into the member through Karmada's proxy, and Karmada's
unified authentication leaves it out.

Source: Karmada ``pkg/karmadactl/register/register.go`` (``GenerateRBACResources``, without the role
for the secrets that are not reported).
"""

import hashlib

import pulumi
import pulumi_kubernetes as kubernetes

from components.compute.membership.agent import NAMESPACE, SECRET, Agent, agent
from components.compute.membership.certificate import kubeconfig, user
from components.compute.membership.side import NAMESPACE as CREDENTIALS
from components.compute.membership.side import SYSTEM, Joined, Side

_ACCOUNT = "karmada-agent-sa"
_WATCH = ["get", "list", "watch"]


def pull(
    member: Side, karmada: Side, wanted: Agent, administrator: pulumi.Output[str], rotate: str
) -> Joined:
    """Declare the agent and its rights on both sides.

    Args:
        member: the member.
        karmada: the Karmada API.
        wanted: the agent.
        administrator: a kubeconfig of the Karmada API.
        rotate: another text makes another certificate.
    """
    cluster = wanted.cluster
    karmada.keep_namespace(CREDENTIALS)  # there the agent renews the Lease of its member
    rights = _in_karmada(karmada, cluster)
    identity = kubeconfig(karmada, cluster, administrator, rotate)
    namespace = member.put(("v1", "Namespace"), NAMESPACE, {})
    # The agent makes it even if it has nothing to put there, and would leave it behind.
    empty = member.put(("v1", "Namespace"), CREDENTIALS, {})
    account = member.put(
        ("v1", "ServiceAccount"), _ACCOUNT, {}, namespace=NAMESPACE, after=[namespace]
    )
    subject = {"kind": "ServiceAccount", "name": _ACCOUNT, "namespace": NAMESPACE}
    anything = (
        {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]},
        {"nonResourceURLs": ["*"], "verbs": ["get"]},
    )
    may = member.grant("karmada-agent", anything, subject, after=[account])
    secret = kubernetes.core.v1.Secret(
        f"{member.prefix}-karmada-kubeconfig",
        metadata={"name": SECRET, "namespace": NAMESPACE, "labels": SYSTEM},
        string_data={SECRET: identity},
        opts=member.options([namespace]),
    )
    credentials = identity.apply(lambda text: hashlib.sha256(text.encode()).hexdigest())
    running = agent(member, wanted, _ACCOUNT, credentials, [*rights, may, secret, empty])
    return Joined({}, [running], credentials)


def _in_karmada(karmada: Side, cluster: str) -> list[pulumi.Resource]:
    """What the agent may do on the Karmada API: with its own cluster, and what is for it."""
    space = f"karmada-es-{cluster}"
    namespace = karmada.put(("v1", "Namespace"), space, {})
    subject = {
        "apiGroup": "rbac.authorization.k8s.io",
        "kind": "User",
        "name": user(cluster),
    }
    clusters = {"apiGroups": ["cluster.karmada.io"], "resources": ["clusters"]}
    name = f"system:karmada:{cluster}:agent"
    everywhere = (
        {**clusters, "resourceNames": [cluster], "verbs": ["get", "delete"]},
        {**clusters, "verbs": ["create", "list", "watch"]},
        {
            "apiGroups": ["cluster.karmada.io"],
            "resources": ["clusters/status"],
            "resourceNames": [cluster],
            "verbs": ["update"],
        },
        {
            "apiGroups": ["config.karmada.io"],
            "resources": [
                "resourceinterpreterwebhookconfigurations",
                "resourceinterpretercustomizations",
            ],
            "verbs": _WATCH,
        },
        {"apiGroups": [""], "resources": ["namespaces"], "verbs": ["get"]},
        {
            "apiGroups": ["coordination.k8s.io"],
            "resources": ["leases"],
            "verbs": ["get", "create", "update"],
        },
        {"apiGroups": [""], "resources": ["services"], "verbs": ["list", "watch"]},
        {"apiGroups": [""], "resources": ["events"], "verbs": ["patch", "create", "update"]},
    )
    works = (
        {
            "apiGroups": ["work.karmada.io"],
            "resources": ["works"],
            "verbs": [*_WATCH, "create", "update", "delete"],
        },
        {
            "apiGroups": ["work.karmada.io"],
            "resources": ["works/status"],
            "verbs": ["patch", "update"],
        },
    )
    return [
        karmada.grant(name, everywhere, subject),
        karmada.grant(f"{name}-work", works, subject, namespace=space, after=[namespace]),
    ]
