"""A decision as a person reads it in a terminal, at most 100 columns wide."""

from rich.console import Console
from rich.table import Table

from placement.decision import Decision, PlacedWorkload
from placement.federation import Federation, Workload

WIDTH = 100


def show(federation: Federation, decision: Decision, console: Console) -> None:
    """Print *decision*: the totals, a row a workload, what is lost with any cluster, the moves."""
    if decision.status == "infeasible":
        console.print("[bold]infeasible[/bold]: no placement meets all requirements", highlight=False)
        for conflict in decision.conflicts:
            console.print(f"  {conflict}", highlight=False, markup=False, soft_wrap=True)
        return
    total = sum(sum(w.replicas.values()) for w in decision.workloads)
    console.print(
        f"[bold]{decision.status}[/bold]: {len(decision.workloads)} workloads, {total} replicas on "
        f"{len(federation.clusters)} clusters   input {decision.input_hash[:12]}",
        highlight=False,
    )
    console.print(_objective(federation, decision))
    console.print(_workloads(federation, decision))
    _notes(federation, decision, console)
    _moves(decision, console)


def _objective(federation: Federation, decision: Decision) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("objective")
    for title in ("value", "bound", "above", "allowed"):
        table.add_column(title, justify="right")
    table.add_column("unit")
    within = {goal.term: f"{float(goal.within):.1%}" for goal in federation.objective.goals}
    for item in decision.objective:
        above = ""
        if item.value is not None and item.bound is not None:
            difference = max(0.0, item.value - item.bound)
            above = f"{difference / abs(item.value):.2%}" if item.value else "0.00%"
        allowed = next((text for term, text in within.items() if term == item.term), "")
        table.add_row(item.term, _number(item.value), _bound(item.bound), above, allowed, item.unit)
    return table


def _workloads(federation: Federation, decision: Decision) -> Table:
    table = Table(box=None, pad_edge=False, width=WIDTH)
    table.add_column("workload", overflow="fold", width=22)
    table.add_column("replicas by cluster", overflow="fold", width=23)
    table.add_column(f"{federation.objective.currency}/mo", justify="right", width=10)
    table.add_column("ms", justify="right", width=6)
    table.add_column("kgCO2e", justify="right", width=8)
    table.add_column("why", overflow="fold", width=26)
    workloads = {w.id: w for w in federation.workloads}
    for placed in decision.workloads:
        terms = placed.terms or {}
        workload = workloads[placed.id]
        table.add_row(
            f"{placed.id}\n  {workload.class_}",
            "\n".join(f"{n:>3} {name}" for name, n in placed.replicas.items()),
            _number(terms.get("cost")),
            _number(terms.get("latency")) if workload.demand else "-",
            _number(terms.get("carbon")),
            why(workload, placed),
        )
    return table


def why(workload: Workload, placed: PlacedWorkload) -> str:
    """In a few words: how the chosen clusters rank, what was demanded, what refused the others."""
    ranks = sorted(c.rank for c in placed.candidates if c.cluster in placed.replicas)
    parts = [f"rank {', '.join(map(str, ranks))} of {len(placed.candidates)}"]
    if workload.weights and workload.deviation_price is None:
        parts = ["wanted ratio"]
    groups = [
        f"{g.min_groups} {level}s" + (" (default)" if placed.spread_defaulted else "")
        for level, g in workload.groups.items()
        if g.min_groups > 1
    ]
    parts += [" and ".join(groups)] if groups else []
    if placed.refused:
        filters = sorted({r.filter for r in placed.refused})
        parts.append(f"{len(placed.refused)} refused: {', '.join(filters)}")
    return "; ".join(parts)


def _notes(federation: Federation, decision: Decision, console: Console) -> None:
    """What a loss leaves without a place, worst first."""
    pending: dict[str, list[str]] = {}
    for workload in decision.workloads:
        for entry in workload.after_loss:
            if entry.pending:
                pending.setdefault(entry.lost, []).append(f"{entry.pending} of {workload.id}")
    promised = sum(1 for w in federation.workloads if w.survive is not None)
    console.print(f"{promised} workloads promise to survive a loss: each holds.", highlight=False)
    single = {c.name for c in federation.clusters if sum(
        o.region == c.region for o in federation.clusters) == 1}
    for lost, entries in pending.items():
        kind, _, name = lost.partition("/")
        if kind == "region" and any(
            c.region == name and c.name in single for c in federation.clusters
        ):
            continue  # the same as the loss of its one cluster
        console.print(
            f"loss of {lost}: without a place: {', '.join(entries)}", highlight=False, markup=False
        )


def _moves(decision: Decision, console: Console) -> None:
    for move in decision.moves:
        console.print(
            f"moves: {move.workload} on {move.cluster}: {move.before} -> {move.after}",
            highlight=False,
            markup=False,
        )


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.2f}"


def _bound(value: float | None) -> str:
    return "" if value is None else _number(value)
