"""What is wrong with an object that Karmada accepts, and what must be known to tell.

Owns the types, and the one rule, that the rules of ``advice`` share.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """An object that Karmada accepts and that does not do what it says.

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
    """What is known beside the object; whatever is absent is unknown, and taken to be in the way.

    Attributes:
        regions: the region of each cluster.
        counts: the replicas that the policy's weights give to each cluster.
        replicas: the replicas of the workload; without them the sum of ``counts``. With neither,
            every cluster that has a weight is taken to get a replica.
        gates: the feature gates of Karmada that are on, such as ``MultiClusterService``.
        fixed: the templates whose replicas somebody writes, as ``NAMESPACE/KIND/NAME``.
        acted: the names of the rebalancers that are there already.
    """

    regions: Mapping[str, str] | None = None
    counts: Mapping[str, int] | None = None
    replicas: int | None = None
    gates: frozenset[str] | None = None
    fixed: frozenset[str] | None = None
    acted: frozenset[str] | None = None

    @property
    def total(self) -> int | None:
        """The replicas of the workload, where known."""
        if self.replicas is None and self.counts is not None:
            return sum(self.counts.values())
        return self.replicas


def gate_findings(gate: str, effect: str, facts: Facts) -> Iterator[Finding]:
    """Yield a finding for a kind that needs a feature gate, unless the gate is known to be on.

    Args:
        gate: the feature gate.
        effect: what does not happen without it.
        facts: what is known of the control plane.
    """
    if gate not in (facts.gates or ()):
        yield Finding(
            "gate-off",
            "spec",
            f"{effect} without the feature gate {gate}, which is off by default; turn it on in "
            "the control plane",
        )


NOTHING_KNOWN = Facts()
