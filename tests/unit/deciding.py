"""Decisions on small federations, each after the independent check."""

from typing import Any

from placement.check import violations
from placement.decision import Decision
from placement.plan import plan
from tests.unit.federations import Plain, cluster, federation, node_class

BIG: Plain = {"cpu": 64, "memory": "256Gi"}


def decide(clusters: list[Plain], workloads: list[Plain], **changes: Any) -> Decision:
    """Return the decision, after the independent check."""
    present = changes.pop("present", None)
    given = federation(clusters, workloads, **changes)
    decision = plan(given, present=present)
    if decision.status != "infeasible":
        assert not violations(given, decision.counts)
    return decision


def counts_of(decision: Decision, name: str = "w") -> dict[str, int]:
    """Return where a workload runs, which must be proven optimal."""
    assert decision.status == "optimal", decision.conflicts
    return decision.counts[f"default/{name}"]


def cheap_and_dear(**changes: Any) -> list[Plain]:
    """Room for all on *cheap* and on *dear*."""
    return [
        cluster("dear", node_class(**BIG), price=200, **changes),
        cluster("cheap", node_class(**BIG), price=100, **changes),
    ]


WORLD = [
    cluster(
        name,
        node_class(cpu=16),
        price=amount,
        region=region,
        continent=continent,
        provider=provider,
        zones=zones,
    )
    for name, amount, region, continent, provider, zones in (
        ("fr-1", 10, "fr", "europe", "ovh", ["x", "y"]),
        ("fr-2", 20, "fr", "europe", "aws", ["z"]),
        ("de-1", 30, "de", "europe", "ovh", []),
        ("us-1", 40, "us", "north-america", "aws", ["u"]),
    )
]
