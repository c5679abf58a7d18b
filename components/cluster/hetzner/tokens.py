"""The tokens by which nodes join: one for servers, another for agents, who can do less with it.

Who joins holds a token in k3s's secure form, which carries the digest of the cluster's authority:
it joins this cluster or none.

Source: k3s documentation, "k3s token"; k3s ``pkg/clientaccess/token.go``.
"""

import hashlib
from dataclasses import dataclass

import pulumi
import pulumi_random as random

from components.certificates import Authority

_LENGTH = 48


@dataclass(frozen=True)
class Tokens:
    """The tokens of a cluster; all secrets.

    Attributes:
        server: with which a server joins. It also encrypts what k3s keeps in etcd for new servers.
        agent: with which an agent joins.
        agent_password: the part of it that servers compare.
    """

    server: pulumi.Output[str]
    agent: pulumi.Output[str]
    agent_password: pulumi.Output[str]


def tokens(name: str, authority: Authority, opts: pulumi.ResourceOptions) -> Tokens:
    """The tokens of the cluster *name* whose API shows certificates of *authority*."""
    server, agent = (
        random.RandomPassword(f"{name}-{kind}-token", length=_LENGTH, special=False, opts=opts)
        for kind in ("server", "agent")
    )

    def token(user: str, password: pulumi.Output[str]) -> pulumi.Output[str]:
        parts = pulumi.Output.all(authority.certificate, password)
        return pulumi.Output.secret(parts.apply(lambda found: secure(found[0], user, found[1])))

    return Tokens(token("server", server.result), token("node", agent.result), agent.result)


def secure(certificate: str, user: str, password: str) -> str:
    """``K10<SHA-256 of the authority's file>::<user>:<password>``."""
    return f"K10{hashlib.sha256(certificate.encode()).hexdigest()}::{user}:{password}"
