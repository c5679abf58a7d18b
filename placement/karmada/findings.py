"""What is wrong with a policy that Karmada accepts, and what must be known to tell.

Owns the two types that the rules of ``advice`` share.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A policy that Karmada accepts and that does not do what it says.

    Attributes:
        code: the rule, such as ``static-weights-ignore-spread``; stable.
        field: the path, such as ``spec.placement.spreadConstraints``.
        message: what happens, and the way out.
    """

    code: str
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


@dataclass(frozen=True)
class Facts:
    """What is known beside the policy; whatever is absent is unknown.

    Attributes:
        regions: the region of each cluster.
        counts: the replicas that the policy's weights give to each cluster.
        replicas: the replicas of the workload; without them the sum of ``counts``. With neither,
            every cluster that has a weight is taken to get a replica.
    """

    regions: Mapping[str, str] | None = None
    counts: Mapping[str, int] | None = None
    replicas: int | None = None

    @property
    def total(self) -> int | None:
        """The replicas of the workload, where known."""
        if self.replicas is None and self.counts is not None:
            return sum(self.counts.values())
        return self.replicas


NOTHING_KNOWN = Facts()
