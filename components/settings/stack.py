"""The configuration of the selected stack, validated, with faults that name file, line and key.

Owns the keys under ``federation:``. A secret is never part of a model: it is read by the plane
that needs it, under a key of its own.
"""

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import pulumi
from pydantic import Field, ValidationError, model_validator

from components.settings.carrier import CarrierSettings, ExistingCluster
from components.settings.compute import ComputeCluster, ComputeSettings
from components.settings.federation import FederationSettings
from components.settings.hetzner import HetznerCluster
from components.settings.mirror import Mirror
from components.settings.storage import StorageSettings
from placement.document import Document, Location, describe
from placement.faults import BadInputError, Fault
from placement.federation.base import Model

StackName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]+$", max_length=100)]


class Stacks(Model):
    """The stacks of the other planes, in the same project and organisation."""

    carrier: StackName
    compute: tuple[StackName, ...] = ()
    storage: StackName | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return (self.carrier, *self.compute, *((self.storage,) if self.storage else ()))

    @model_validator(mode="after")
    def _distinct(self) -> "Stacks":
        names = self.names
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"read {', '.join(twice)} more than once; allowed each stack once")
        return self


class StackSettings(Model):
    """What ``federation:`` of a stack's configuration says."""

    plane: Literal["carrier", "compute", "storage", "federation"]
    environment: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")] = "production"
    file: str = "examples/global.yaml"
    stacks: Stacks | None = None
    replace: str | None = None
    """The one node of a cluster made here that may be replaced or rescaled in this run, or the
    cluster made here that is in the settings no more and may be deleted."""
    rotate: str = "first"
    """Any text; another text renews the administrators' certificates of clusters made here, and the
    credentials by which Karmada and the clusters of a compute plane know each other."""
    mirror: Mirror | None = None
    """Where charts, manifests and images come from, if not from their makers."""
    carrier: CarrierSettings | None = None
    compute: ComputeSettings | None = None
    storage: StorageSettings | None = None
    federation: FederationSettings = FederationSettings()

    @property
    def clusters(self) -> tuple[ExistingCluster | ComputeCluster | HetznerCluster, ...]:
        """The clusters of the plane."""
        if self.plane == "carrier" and self.carrier is not None:
            return (self.carrier.cluster,)
        if self.plane == "storage" and self.storage is not None:
            return (self.storage.cluster,)
        return self.compute.clusters if self.plane == "compute" and self.compute else ()


_PROJECT = "federation"
_TEXT = ("plane", "environment", "file", "replace", "rotate")
_OBJECTS = ("stacks", "mirror", "carrier", "compute", "storage", "federation")
_SECRETS = ("kubeconfig", "kubeconfigs", "backup", "metricsToken")
_NEEDED = {
    "carrier": ("carrier",),
    "compute": ("compute", "stacks"),
    "storage": ("storage",),
    "federation": ("stacks",),
}
"""The keys without which a plane cannot be built."""


def read(stack: str) -> StackSettings:
    """The settings of *stack*, whose file is in the present folder.

    Raises:
        BadInputError: with one fault for each thing that is wrong.
    """
    wrong = list(_unknown(stack))
    try:
        settings = StackSettings.model_validate(_values(), by_alias=True, by_name=False)
    except ValidationError as error:
        wrong += [fault(stack, *found) for found in describe(error, StackSettings)]
        raise BadInputError(*wrong) from None
    for key in _NEEDED[settings.plane]:
        if getattr(settings, key) is None:
            message = f"missing; allowed a value, since plane is {settings.plane}"
            wrong.append(fault(stack, (key,), message))
    if settings.stacks is not None and stack in settings.stacks.names:
        wrong.append(fault(stack, ("stacks",), f"read {stack}, this stack; allowed others"))
    if wrong:
        raise BadInputError(*wrong)
    return settings


def _values() -> dict[str, Any]:
    """What the engine read, by key."""
    config = pulumi.Config(_PROJECT)
    values: dict[str, Any] = {key: config.get(key) for key in _TEXT}
    for key in _OBJECTS:
        try:
            values[key] = config.get_object(key)
        except pulumi.ConfigTypeError:
            values[key] = config.get(key)
    # {} is the default that Pulumi.yaml gives.
    return {key: value for key, value in values.items() if value not in (None, {})}


def _unknown(stack: str) -> Iterator[Fault]:
    """A fault for each key that nobody reads: the engine itself lets any pass."""
    allowed = (*_TEXT, *_OBJECTS, *_SECRETS)
    written = _document(stack)
    for key in (written.plain.get("config") or {}) if written else ():
        namespace, _, name = key.rpartition(":")
        if namespace in ("", _PROJECT) and name not in allowed:
            close = difflib.get_close_matches(name, allowed, n=1)
            hint = f", did you mean {close[0]}?" if close else ""
            yield fault(stack, (name,), f"unknown key{hint}; allowed {', '.join(sorted(allowed))}")


def fault(stack: str, location: Location, message: str) -> Fault:
    """A fault at *location* under ``federation:`` in the file of *stack*.

    It has no line where the value came from elsewhere.
    """
    key, *rest = location
    full = ("config", f"{_PROJECT}:{key}", *rest)
    written = _document(stack)
    if written is None:
        return Fault(_file(stack).name, 0, ".".join(map(str, full[1:])), message)
    return written.fault(full, message)


def _document(stack: str) -> Document | None:
    """The stack's file; None where its settings came from elsewhere (``--config-file``)."""
    try:
        return Document(_file(stack))
    except BadInputError:
        return None


def _file(stack: str) -> Path:
    return Path(f"Pulumi.{stack}.yaml")
