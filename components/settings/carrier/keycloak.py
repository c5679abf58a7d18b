"""Keycloak: who people are, for the Karmada API, Rancher and Grafana."""

from typing import Annotated

from pydantic import Field

from placement.federation.base import Model, Resources

Hostname = Annotated[
    str, Field(pattern=r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?\.)+[a-z][-a-z0-9]*[a-z0-9]$")
]
"""A DNS name of at least two labels."""

GroupName = Annotated[str, Field(pattern=r"^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$")]


class Keycloak(Model):
    """Three instances behind a load balancer of their own, which only passes TLS on."""

    hostname: Hostname
    """Under which browsers, the control plane and this program reach it."""
    annotations: dict[str, str] = Field(default={})
    """Of its load balancer: what the cluster's implementation reads, such as a fixed address."""
    request: Resources = Field(default={"cpu": "1", "memory": "1700Mi"})
    """What each instance asks for; of memory it gets no more."""
    realm: GroupName = "federation"
    administrators: GroupName = "administrators"
    """The group that administers the realm, Rancher and Grafana."""
    groups: tuple[GroupName, ...] = ("operators", "viewers")
    """Groups beside it, for the rules that RBAC gives them."""
    redirects: tuple[str, ...] = ("http://localhost:8000", "http://localhost:18000")
    """Where a login to the Karmada API may return to: what ``kubectl oidc-login`` listens on."""
