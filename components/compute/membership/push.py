"""Push mode: an account in the member, and its token in Karmada, which calls the member.

A token of a ServiceAccount token Secret does not expire by itself. It ends with that Secret:
another word under ``federation:rotate`` makes a Secret of another name beside it, and the engine
deletes the old one when all that uses the new one stands. Both tokens hold in between.

Source: Karmada ``pkg/karmadactl/join/join.go``, ``pkg/util/credential.go``.
"""

import base64
import hashlib
from collections.abc import Mapping

import pulumi
import pulumi_kubernetes as kubernetes

from components.compute.membership.side import NAMESPACE, SYSTEM, Joined, Side

FIRST = "first"
"""The word of a stack that has never rotated anything."""

_IMPERSONATOR = "karmada-impersonator"
_ANYTHING = (
    {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]},
    {"nonResourceURLs": ["*"], "verbs": ["get"]},
)
"""Karmada may do anything in the member, and needs to: it applies whatever users do."""


def push(member: Side, karmada: Side, cluster: str, rotate: str) -> Joined:
    """Declare the credentials of *cluster* on both sides.

    Args:
        member: the member.
        karmada: the Karmada API.
        cluster: the member's name.
        rotate: another text makes other tokens.
    """
    namespace = member.put(("v1", "Namespace"), NAMESPACE, {})
    identity = f"karmada-{cluster}"
    own = _token(member, identity, rotate, namespace)
    impersonator = _token(member, _IMPERSONATOR, rotate, namespace)
    subject = {"kind": "ServiceAccount", "name": identity, "namespace": NAMESPACE}
    rights = member.grant(
        f"karmada-controller-manager:{identity}", _ANYTHING, subject, after=[namespace]
    )
    kept = karmada.keep_namespace(NAMESPACE)
    contents = {
        "secretRef": (cluster, own.apply(_with_authority)),
        "impersonatorSecretRef": (f"{cluster}-impersonator", impersonator.apply(_alone)),
    }
    secrets = [_secret(karmada, name, content, kept) for name, content in contents.values()]
    return Joined(
        {key: {"namespace": NAMESPACE, "name": name} for key, (name, _) in contents.items()},
        [*secrets, rights],
        own.apply(_digest),
    )


def _token(
    member: Side, account: str, rotate: str, namespace: pulumi.Resource
) -> pulumi.Output[Mapping[str, str]]:
    """A ServiceAccount with a token Secret; the Secret's data."""
    made = member.put(("v1", "ServiceAccount"), account, {}, namespace=NAMESPACE, after=[namespace])
    # The provider waits until the token controller has filled it.
    secret = kubernetes.core.v1.Secret(
        f"{member.prefix}-{account}-token",
        metadata={
            "name": _name(account, rotate),
            "namespace": NAMESPACE,
            "labels": SYSTEM,
            "annotations": {"kubernetes.io/service-account.name": account},
        },
        type="kubernetes.io/service-account-token",
        opts=member.options([made]),
    )
    return pulumi.Output.secret(secret.data)


def _name(account: str, rotate: str) -> str:
    """The name of the token Secret: the account's own, as ``karmadactl`` has it, until rotated."""
    if rotate == FIRST:
        return account
    return f"{account}-{hashlib.sha256(rotate.encode()).hexdigest()[:8]}"


def _secret(
    karmada: Side, name: str, content: pulumi.Output[dict[str, str]], namespace: pulumi.Resource
) -> pulumi.Resource:
    """The Secret in Karmada from which its controllers take a token of the member."""
    return kubernetes.core.v1.Secret(
        f"{karmada.prefix}-{name}",
        metadata={"name": name, "namespace": NAMESPACE, "labels": SYSTEM},
        string_data=content,
        opts=karmada.options([namespace]),
    )


def _alone(found: Mapping[str, str]) -> dict[str, str]:
    return {"token": _decoded(found["token"])}


def _with_authority(found: Mapping[str, str]) -> dict[str, str]:
    return {**_alone(found), "caBundle": _decoded(found["ca.crt"])}


def _digest(found: Mapping[str, str]) -> str:
    return hashlib.sha256(f"{found['token']}\n{found['ca.crt']}".encode()).hexdigest()


def _decoded(text: str) -> str:
    return base64.b64decode(text).decode()
