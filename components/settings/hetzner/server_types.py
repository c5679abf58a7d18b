"""The server types that may be named: what each has, and what it costs by a dated price list.

Owns the reading of ``server_types.yaml``. Whether a type can be ordered today is the API's to say.
"""

import functools
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import AfterValidator, Field

from placement.federation.base import Amount, Model, Sourced


class ServerType(Model):
    """A server type.

    Attributes:
        memory: in GB.
        month: EUR a month, net, by network zone; a zone that is missing is unknown.
    """

    architecture: Literal["amd64", "arm64"]
    cores: int
    memory: int
    month: dict[str, Amount]


class PriceList(Sourced):
    """What Hetzner Cloud asks for what a cluster is made of, in EUR a month net of VAT.

    Attributes:
        load_balancer: one of the smallest type, by network zone.
        address: a public IPv4 address.
    """

    load_balancer: dict[str, Amount]
    address: Amount
    types: dict[str, ServerType]

    def server(self, name: str, zone: str) -> Decimal | None:
        """EUR a month for a server of type *name* with its address in *zone*; None: unknown."""
        kind = self.types.get(name)
        amount = None if kind is None else kind.month.get(zone)
        return None if amount is None else amount + self.address


@functools.cache
def price_list() -> PriceList:
    """The price list that the project ships."""
    text = Path(__file__).with_suffix(".yaml").read_text("utf-8")
    return PriceList.model_validate(yaml.safe_load(text), by_alias=True, by_name=False)


def server_types() -> dict[str, ServerType]:
    """The server types by name."""
    return price_list().types


def _known(name: str) -> str:
    if name.lower().startswith(("gex", "gpu")):
        raise ValueError(
            f"read {name!r}: Hetzner Cloud has no GPU servers, and those of Hetzner's Robot can be "
            "made by no cloud API; allowed a cluster with GPUs that exists: maker existing"
        )
    if name not in server_types():
        raise ValueError(f"read {name!r}; allowed {', '.join(server_types())}")
    return name


ServerTypeName = Annotated[str, AfterValidator(_known)]

ServerTypes = Annotated[tuple[ServerTypeName, ...], Field(min_length=1)]
"""Server types in order of preference: the first that can be ordered is taken."""
