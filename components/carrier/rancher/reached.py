"""How Rancher's API is reached, by the plane that carries it and by those that join it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_rancher2 as rancher2


@dataclass(frozen=True)
class Reached:
    """What it takes to call Rancher.

    Attributes:
        url: of Rancher.
        token: an administrator's; a secret.
        authority: the certificate that signed Rancher's, in PEM.
    """

    url: pulumi.Input[str]
    token: pulumi.Input[str]
    authority: pulumi.Input[str]

    def published(self) -> dict[str, Any]:
        """As a plane publishes it, among its secrets."""
        return {"url": self.url, "token": self.token, "authority": self.authority}

    @classmethod
    def read(cls, published: Mapping[str, str]) -> "Reached":
        """As another plane published it."""
        secret = pulumi.Output.secret
        return cls(published["url"], secret(published["token"]), published["authority"])


def provider(name: str, reached: Reached, opts: pulumi.ResourceOptions) -> rancher2.Provider:
    """A provider that calls Rancher as its administrator."""
    return rancher2.Provider(
        name,
        api_url=reached.url,
        token_key=reached.token,
        ca_certs=reached.authority,
        opts=opts,
    )
