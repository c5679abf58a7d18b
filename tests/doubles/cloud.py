"""All doubles that a cluster on Hetzner Cloud needs, served for as long as a test uses them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.doubles.gate import Gate
from tests.doubles.hetzner import Hetzner
from tests.doubles.keys import Keys
from tests.doubles.provider import Double
from tests.doubles.serving import served
from tests.doubles.small import command_package, random_package


@dataclass(frozen=True)
class Cloud:
    """What a test sees of the doubles.

    Attributes:
        hetzner: the state behind Hetzner Cloud's API.
        providers: the doubles by package.
        attach: what ``PULUMI_DEBUG_PROVIDERS`` is to be.
    """

    hetzner: Hetzner
    providers: dict[str, Double]
    attach: str

    @property
    def hcloud(self) -> Double:
        """The provider of Hetzner Cloud."""
        return self.providers["hcloud"]

    def done(self) -> list[tuple[str, str, str]]:
        """What was done since the last call, by all providers: operation, type and name."""
        found = [entry for double in self.providers.values() for entry in double.log]
        for double in self.providers.values():
            double.log.clear()
        return sorted(found)


@contextmanager
def cloud(front: Gate | None = None) -> Iterator[Cloud]:
    """Serve the doubles; a skip where the published schemas are not there.

    Args:
        front: where the cluster answers that is made; None: it does not.
    """
    reference = os.environ.get("REFERENCE_DIR")
    schemas = Path(reference or "/nowhere") / "schemas"
    if not schemas.is_dir():
        pytest.skip("no published schemas (set REFERENCE_DIR)")
    hetzner = Hetzner(schemas, front.address if front else None)
    packages = [
        hetzner.package,
        Keys(schemas).package,
        random_package(schemas),
        command_package(front.told if front else lambda _: None),
    ]
    with served(packages) as doubles:
        yield Cloud(hetzner, doubles.providers, doubles.attach)
