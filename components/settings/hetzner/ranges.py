"""The address ranges of a cluster, and the form that each must have."""

import ipaddress
import itertools
from typing import Annotated, Any

from pydantic import AfterValidator, model_validator

from placement.federation.base import Model


def _network(text: str) -> ipaddress.IPv4Network:
    try:
        return ipaddress.IPv4Network(text)
    except ValueError:
        raise ValueError(
            f"read {text!r}; allowed an IPv4 range such as 10.64.0.0/20, with no bits set behind "
            "its prefix"
        ) from None


def _private(text: str) -> str:
    if not _network(text).is_private:
        raise ValueError(f"read {text!r}; allowed a private range, such as one in 10.0.0.0/8")
    return text


def _outside(text: str) -> str:
    if _network(text).prefixlen == 0:
        raise ValueError(
            f"read {text!r}, which is everybody; allowed the ranges that your runs come from"
        )
    return text


PrivateRange = Annotated[str, AfterValidator(_private)]
"""A private range in CIDR form."""

SourceRange = Annotated[str, AfterValidator(_outside)]
"""A range from which a server may be reached."""

SMALLEST = {"management": 23, "workload": 23, "pods": 17, "services": 24}
"""The longest prefix of each range: two subnets of 256 addresses, a /24 for each of 100 nodes."""


class AddressRanges(Model):
    """The ranges of a cluster's addresses, none of which may overlap another.

    Attributes:
        management: of the private network of etcd, the API and the kubelets.
        workload: of the private network that pods' traffic goes over.
        pods: of the pods themselves.
        services: of the cluster's services.
    """

    management: PrivateRange = "10.64.0.0/20"
    workload: PrivateRange = "10.64.16.0/20"
    pods: PrivateRange = "10.42.0.0/16"
    services: PrivateRange = "10.43.0.0/16"

    @model_validator(mode="after")
    def _apart(self) -> "AddressRanges":
        ranges: dict[str, Any] = {name: _network(getattr(self, name)) for name in SMALLEST}
        for name, found in ranges.items():
            if found.prefixlen > SMALLEST[name]:
                raise ValueError(
                    f"read {name} {found}; allowed a prefix of at most /{SMALLEST[name]}"
                )
        for one, other in itertools.combinations(ranges, 2):
            if ranges[one].overlaps(ranges[other]):
                raise ValueError(
                    f"read {one} {ranges[one]} and {other} {ranges[other]}, which overlap; "
                    "allowed ranges apart from each other"
                )
        return self
