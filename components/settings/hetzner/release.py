"""Which k3s runs on the nodes: a version, and the checksum that its binary must have."""

from typing import Annotated

from pydantic import Field

from placement.federation.base import Model

Checksum = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Checksums(Model):
    """SHA-256 of the binary by architecture, from ``sha256sum-<architecture>.txt`` of the release.

    Only the architectures of the server types that are named need one.
    """

    amd64: Checksum | None = None
    arm64: Checksum | None = None


class K3s(Model):
    """A release of k3s."""

    version: Annotated[str, Field(pattern=r"^v1\.\d+\.\d+\+k3s\d+$")]
    sha256: Checksums
