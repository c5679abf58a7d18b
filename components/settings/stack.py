"""The configuration of the selected stack, validated, with faults that name file, line and key.

Owns the keys under ``federation:``. A secret is never part of a model: it is read by the plane
that needs it, under a key of its own.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

import pulumi
from pydantic import Field, ValidationError

from components.settings.carrier import CarrierSettings
from components.settings.federation import FederationSettings
from placement.document import Document, describe
from placement.faults import BadInputError, Fault
from placement.federation.base import Model

StackName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]+$", max_length=100)]


class Stacks(Model):
    """The stacks of the other planes, in the same project and organisation."""

    carrier: StackName
    compute: tuple[StackName, ...] = ()


class StackSettings(Model):
    """What ``federation:`` of a stack's configuration says."""

    plane: Literal["carrier", "federation"]
    environment: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")] = "production"
    file: str = "examples/global.yaml"
    stacks: Stacks | None = None
    carrier: CarrierSettings | None = None
    federation: FederationSettings = FederationSettings()


_TEXT = ("plane", "environment", "file")
_OBJECTS = ("stacks", "carrier", "federation")


def read(stack: str, root: Path) -> StackSettings:
    """The settings of *stack*.

    Args:
        stack: the selected stack.
        root: the project's folder, where ``Pulumi.<stack>.yaml`` is.

    Raises:
        BadInputError: with one fault for each thing that is wrong.
    """
    config = pulumi.Config("federation")
    values: dict[str, Any] = {}
    for key in _TEXT:
        if (text := config.get(key)) is not None:
            values[key] = text
    for key in _OBJECTS:
        try:
            content = config.get_object(key)
        except pulumi.ConfigTypeError:
            content = config.get(key)
        if content not in (None, {}):  # {} is the default that Pulumi.yaml gives
            values[key] = content
    try:
        settings = StackSettings.model_validate(values)
    except ValidationError as error:
        raise BadInputError(*_located(stack, root, error)) from None
    needed = {"carrier": settings.carrier, "federation": settings.stacks}[settings.plane]
    if needed is None:
        key = {"carrier": "carrier", "federation": "stacks"}[settings.plane]
        raise BadInputError(
            _fault(stack, root, (key,), f"missing; allowed a value, since plane is {settings.plane}")
        )
    return settings


def _located(stack: str, root: Path, error: ValidationError) -> list[Fault]:
    return [
        _fault(stack, root, location, message)
        for location, message in describe(error, StackSettings)
    ]


def _fault(stack: str, root: Path, location: tuple[str | int, ...], message: str) -> Fault:
    """A fault in the stack's file, or without a line where the value came from elsewhere."""
    path = root / f"Pulumi.{stack}.yaml"
    key, *rest = location
    full = ("config", f"federation:{key}", *rest)
    try:
        document = Document(path)
    except BadInputError:
        return Fault(path.name, 0, ".".join(str(part) for part in full[1:]), message)
    fault = document.fault(full, message)
    return Fault(path.name, fault.line, fault.key, fault.message)
