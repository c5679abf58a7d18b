"""Karmada on the carrier's cluster."""

from components.carrier.karmada.control_plane import (
    KarmadaArgs,
    KarmadaControlPlane,
    values,
)
from components.carrier.karmada.resource import DIGEST, PORT, Login, components, resource_spec
from components.carrier.karmada.subjects import digest_of, subjects

__all__ = [
    "DIGEST",
    "PORT",
    "KarmadaArgs",
    "KarmadaControlPlane",
    "Login",
    "components",
    "digest_of",
    "resource_spec",
    "subjects",
    "values",
]
