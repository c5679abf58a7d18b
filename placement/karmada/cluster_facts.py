"""What this package needs to know of a cluster of the federation file.

Owns the shape alone, so that any source of facts fits: the federation file, a snapshot, a test.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol


class TaintFact(Protocol):
    """A taint on a whole cluster."""

    @property
    def key(self) -> str:
        """The key, such as ``example.com/maintenance``."""

    @property
    def value(self) -> str | None:
        """The value, where there is one."""

    @property
    def effect(self) -> str:
        """``NoSchedule`` or ``NoExecute``."""


class ApiFact(Protocol):
    """A served API."""

    @property
    def group_version(self) -> str:
        """Group and version, such as ``apps/v1``."""

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds served of it, such as ``Deployment``."""


class NodeClassFact(Protocol):
    """A number of equal nodes."""

    @property
    def count(self) -> int:
        """How many nodes."""

    @property
    def allocatable(self) -> Mapping[str, str]:
        """What one node offers: quantities by resource name."""


class ClusterFact(Protocol):
    """A cluster."""

    @property
    def name(self) -> str:
        """The name of the member."""

    @property
    def provider(self) -> str:
        """Who runs it, such as ``hetzner``."""

    @property
    def region(self) -> str:
        """The region."""

    @property
    def zones(self) -> Sequence[str]:
        """The zones that its nodes are in."""

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of the Cluster object."""

    @property
    def taints(self) -> Sequence[TaintFact]:
        """The taints on the whole cluster."""

    @property
    def apis(self) -> Sequence[ApiFact]:
        """The APIs that it serves."""

    @property
    def node_classes(self) -> Sequence[NodeClassFact]:
        """Its nodes, by class."""

    @property
    def ready(self) -> bool:
        """Whether it answers."""
