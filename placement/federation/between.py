"""What must hold between the workloads of a federation file: their neighbours, their budgets."""

from collections import Counter
from collections.abc import Iterator

from placement.faults import Location
from placement.federation.federation import Federation


def neighbours(federation: Federation) -> Iterator[tuple[Location, str]]:
    """A neighbour is another workload of the file."""
    known = {w.id for w in federation.workloads}
    for i, workload in enumerate(federation.workloads):
        for key, given in (
            ("workloadAffinity", workload.workload_affinity),
            ("workloadAntiAffinity", workload.workload_anti_affinity),
        ):
            for k, neighbour in enumerate(given):
                if neighbour.workload not in known - {workload.id}:
                    others = ", ".join(sorted(known - {workload.id})) or "none in this file"
                    yield (
                        ("workloads", i, key, k, "workload"),
                        f"read {neighbour.workload!r}; allowed another workload: {others}",
                    )


def budgets(federation: Federation) -> Iterator[tuple[Location, str]]:
    """A budget has a name of its own, workloads that exist, and money that is charged to them."""
    counts = Counter(b.name for b in federation.budgets)
    known = {w.id for w in federation.workloads}
    known |= {f"{w.namespace}/*" for w in federation.workloads}
    for i, budget in enumerate(federation.budgets):
        if counts[budget.name] > 1 and budget.name in [b.name for b in federation.budgets[:i]]:
            message = f"read {budget.name!r} a second time; allowed each name once"
            yield ("budgets", i, "name"), message
        for k, name in enumerate(budget.workloads):
            if name not in known:
                yield (
                    ("budgets", i, "workloads", k),
                    f"read {name!r}; allowed a workload or a namespace: {', '.join(sorted(known))}",
                )
        if budget.money and federation.objective.basis == "marginal":
            yield (
                ("budgets", i, "money"),
                (
                    "read money under objective.basis marginal, which charges nodes and not "
                    "workloads; allowed under basis allocated"
                ),
            )
