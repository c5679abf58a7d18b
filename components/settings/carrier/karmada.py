"""Karmada's control plane: how it is reached, who may log in, and how fast it evicts."""

from decimal import Decimal
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from placement.federation.base import Model, ObjectName, PositiveAmount


def _endpoint(text: str) -> str:
    parts = urlsplit(text)
    try:
        whole = parts.hostname and parts.port
    except ValueError:
        whole = None
    if parts.scheme != "https" or not whole or parts.path.strip("/") or parts.query:
        raise ValueError("allowed https://HOST:PORT, such as https://karmada.example.com:5443")
    return text.rstrip("/")


Endpoint = Annotated[str, AfterValidator(_endpoint)]
"""The URL of an API server, without a path."""

HttpsUrl = Annotated[str, Field(pattern=r"^https://[^\s/]+")]


class Service(Model):
    """The Service before Karmada's API servers: management traffic alone."""

    type: Literal["ClusterIP", "NodePort", "LoadBalancer"] = "LoadBalancer"
    load_balancer_class: ObjectName | None = None
    annotations: dict[str, str] = Field(default={})
    """For the cloud's controller: which load balancer, in which network, for whom it is open."""

    @model_validator(mode="after")
    def _read(self) -> "Service":
        if self.load_balancer_class is not None and self.type != "LoadBalancer":
            raise ValueError(
                f"read loadBalancerClass with type {self.type}; allowed with LoadBalancer alone"
            )
        return self


class Oidc(Model):
    """Who issues the tokens with which people log in to the Karmada API."""

    issuer: HttpsUrl
    client: str = "karmada"
    username_claim: str = "preferred_username"
    groups_claim: str = "groups"


class Karmada(Model):
    """Karmada, three replicas of each of its components."""

    endpoint: Endpoint
    """Where the API is reached from outside; its host is in the API server's certificate."""
    service: Service = Service()
    eviction_rate: PositiveAmount = Decimal("0.5")
    """Bindings a second that leave a lost cluster, once three have left it at once."""
    oidc: Oidc | None = None
    """Absent: the plane's own Keycloak where it has one, else certificates alone."""
    crds: HttpsUrl | None = None
    """Where the operator fetches Karmada's CRDs from; absent: the release page, or the mirror."""

    @property
    def host(self) -> str:
        """The host under which the API is reached."""
        return str(urlsplit(self.endpoint).hostname)

    @property
    def port(self) -> int:
        """The port at which the API is reached."""
        return int(urlsplit(self.endpoint).port or 0)
