"""OpenCost's default prices (JSON): text by the hour of a core, a GiB and an accelerator.

They price a node by its parts. Storage and egress stand in the same file and are not read: they are
no part of a node's price.

Source: https://www.opencost.io/docs/configuration/on-prem, ``default.json``.
"""

from pathlib import Path
from typing import Literal

from pydantic import Field

from placement.document import Document
from placement.facts.given import Given
from placement.facts.read import Published
from placement.facts.rows import Origin, PriceRow, Rows, Tariff
from placement.federation.base import Amount


class _File(Published):
    core: Amount = Field(alias="CPU")
    gibibyte: Amount = Field(alias="RAM")
    accelerator: Amount | None = Field(default=None, alias="GPU")
    spot_core: Amount | None = Field(default=None, alias="spotCPU")
    spot_gibibyte: Amount | None = Field(default=None, alias="spotRAM")


def read(path: Path, given: Given) -> Rows:
    """The hourly prices of the parts of a node."""
    document = Document(path)
    content = document.validate(_File)
    source, day = given.named("OpenCost default prices"), given.day(None)
    money, vat = given.money(None), given.basis(None)
    parts: tuple[tuple[str, Literal["core", "gibibyte", "accelerator"], Amount | None, Tariff], ...]
    parts = (
        ("CPU", "core", content.core, "on-demand"),
        ("RAM", "gibibyte", content.gibibyte, "on-demand"),
        ("GPU", "accelerator", content.accelerator, "on-demand"),
        ("spotCPU", "core", content.spot_core, "spot"),
        ("spotRAM", "gibibyte", content.spot_gibibyte, "spot"),
    )
    return Rows(
        prices=tuple(
            PriceRow(
                Origin(given.file, document.fault((key,), "").line, key, source, day),
                of, None, None, amount, money, vat, "hour", tariff,
            )
            for key, of, amount, tariff in parts
            if amount is not None
        )
    )  # fmt: skip
