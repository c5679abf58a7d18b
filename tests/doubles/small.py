"""The providers of random values and of remote commands."""

import importlib.metadata
import itertools
import json
import secrets
from collections.abc import Callable
from pathlib import Path

from tests.doubles.provider import Package
from tests.doubles.schema import Plain, Schema

_numbers = itertools.count(1)


def random_package(schemas: Path) -> Package:
    """The random provider; any change makes another value."""

    def make(_: str, inputs: Plain) -> tuple[str, Plain]:
        return "none", {
            "result": secrets.token_hex(int(inputs["length"]))[: int(inputs["length"])],
            "bcryptHash": "",
        }

    schema = Schema.published(schemas / "random-4.21.1.json.gz")
    token = "random:index/randomPassword:RandomPassword"
    return Package(
        name="random",
        version=importlib.metadata.version("pulumi-random"),
        schema=schema,
        make=make,
        replacing={"RandomPassword": schema.inputs(token)},
    )


def command_package(told: Callable[[Plain], None]) -> Package:
    """The command provider. Its typed arguments are what its inputs are held against.

    Args:
        told: is given the order that each machine gets.
    """

    def make(_: str, inputs: Plain) -> tuple[str, Plain]:
        told(json.loads(inputs["stdin"]))
        return f"command{next(_numbers)}", {"stdout": "", "stderr": ""}

    return Package(
        name="command",
        version=importlib.metadata.version("pulumi-command"),
        schema=None,
        make=make,
        replacing={"Command": {"triggers"}},
    )
