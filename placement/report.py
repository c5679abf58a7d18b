"""A decision as a person reads it in a terminal, at most 100 columns wide."""

import textwrap
from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.table import Table

from placement.check.budget import spent
from placement.conflicts import words
from placement.conflicts.words import Where, by_key
from placement.decision import Decision, PlacedWorkload
from placement.federation import Federation, Workload
from placement.federation.objective import SHOWN, UNITS
from placement.reasons import better, note, sentence
from placement.score import Facts

WIDTH = 100
_LEGEND = (
    "refused, full, left: the clusters that the objective prefers to the worst one used, with what",
    "a replica would cost less there; left: for other workloads, the spread or a later goal.",
)


def show(
    federation: Federation, decision: Decision, console: Console, where: Where = by_key
) -> None:
    """Print *decision*: totals, a block for each workload, what a loss leaves, the moves.

    Args:
        federation: what was decided on.
        decision: the decision.
        console: where to print.
        where: puts file and line before what is said of a key of the file.
    """
    if decision.status == "infeasible":
        _print(console, _infeasible(decision, where))
        return
    total = sum(sum(w.replicas.values()) for w in decision.workloads)
    head = (
        f"{decision.status}: {len(decision.workloads)} workloads, {total} replicas on "
        f"{len(federation.clusters)} clusters   input {decision.input_hash[:12]}"
    )
    _print(console, [head, ""])
    console.print(_objective(federation, decision))
    _print(console, ["", *_workloads(federation, decision), ""])
    _print(console, [*_LEGEND, *_notes(federation, decision), *_moves(decision)])
    _print(console, _prices(decision))


def _print(console: Console, lines: Iterable[str]) -> None:
    for line in lines:
        console.print(line, highlight=False, markup=False, emoji=False, soft_wrap=True)


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
            # Relative to the bound, as what a level allows is relative to its optimum.
            difference = max(0.0, item.value - item.bound)
            above = f"{difference / abs(item.bound):.2%}" if item.bound else _number(difference)
        allowed = next((text for term, text in within.items() if term == item.term), "")
        table.add_row(item.term, _number(item.value), _bound(item.bound), above, allowed, item.unit)
    return table


def _workloads(federation: Federation, decision: Decision) -> Iterator[str]:
    """A block of lines for each workload: where it is and what that means, then why."""
    currency = f"{federation.objective.currency}/mo"
    yield f"{'workload':<42}{'replicas on':<28}{currency:>12}{'ms':>8}{'kgCO2e':>10}"
    facts = Facts.of(federation)
    workloads = {w.id: w for w in federation.workloads}
    for placed in decision.workloads:
        workload = workloads[placed.id]
        yield from _workload(workload, placed)
        why = sentence(federation, facts, decision, workload)
        yield from textwrap.wrap(
            why, WIDTH, initial_indent="    ", subsequent_indent="      ", break_on_hyphens=False
        )
        for at in placed.totals[:-1]:
            where = ", ".join(f"{n} {name}" for name, n in at.replicas.items())
            yield from textwrap.wrap(f"    at {at.total} replicas: {where}", WIDTH)
        yield from (f"    {line}" for line in _delivered(placed))


def _delivered(placed: PlacedWorkload) -> Iterator[str]:
    """What Karmada is left to do by itself."""
    if placed.estimate:
        yield "estimate: on these clusters Karmada divides by what is free when it looks"
    if placed.backups:
        yield f"backup: {', then '.join(placed.backups)}, if all of these are lost"


def _workload(workload: Workload, placed: PlacedWorkload) -> Iterator[str]:
    terms = placed.terms or {}
    figures = (
        f"{_number(terms.get('cost')):>12}"
        f"{_number(terms.get('latency')) if workload.demand else '-':>8}"
        f"{_number(terms.get('carbon')):>10}"
    )
    order = sorted(placed.replicas.items(), key=lambda item: (-item[1], item[0]))
    where = [f"{count:>4} {name}" for name, count in order]
    name = f"{placed.id} ({workload.class_})"
    if len(name) > 41:
        yield from textwrap.wrap(name, WIDTH)
        name = ""
    for index, line in enumerate(where):
        if len(line) > 27:
            yield f"{name:<42}{line}"
            name, line = "", ""  # noqa: PLW2901 - the figures go below a name that is too long
        left = name if index == 0 else ""
        yield f"{left:<42}{line:<28}{figures if index == 0 else ''}".rstrip()


def _notes(federation: Federation, decision: Decision) -> Iterator[str]:
    """What is promised of a loss, and what each loss leaves without a place."""
    promised = [w.id for w in federation.workloads if w.survive is not None]
    broken = {
        w.id
        for w in federation.workloads
        if w.survive is not None and not _kept(federation, w, decision.workload(w.id))
    }
    if promised:
        kept = "each holds" if not broken else f"broken for {', '.join(sorted(broken))}"
        count = f"{len(promised)} workload{'s' * (len(promised) > 1)}"
        yield f"{count} must survive a loss: {kept} under Karmada's own division."
    for each in spent(federation, decision.counts):
        unit = f"{federation.objective.currency}/month" if each.kind == "money" else "kgCO2e/month"
        used = None if each.used is None else float(each.used)
        yield f"budget {each.budget}: {_number(used)} of {_number(float(each.limit))} {unit}."
    alone = federation.lone_regions
    pending: dict[str, list[str]] = {}
    for workload in decision.workloads:
        for entry in workload.after_loss:
            kind, _, name = entry.lost.partition("/")
            if entry.pending and not (kind == "region" and name in alone):
                pending.setdefault(entry.lost, []).append(f"{entry.pending} of {workload.id}")
    for lost, entries in sorted(pending.items()):
        line = f"with {lost} lost, no place for: {', '.join(entries)}"
        yield from textwrap.wrap(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _kept(federation: Federation, workload: Workload, placed: PlacedWorkload) -> bool:
    """Whether what the workload promises to survive leaves all its replicas a place."""
    survive = workload.survive
    for entry in placed.after_loss:
        if survive is None or not entry.lost.startswith(f"{survive.loss}/"):
            continue
        if entry.pending:
            return False
        clusters = [federation.cluster(name) for name in entry.replicas]
        for level, wanted in workload.groups.items():
            reached = {group for cluster in clusters for group in cluster.groups(level)}
            if survive.keep == "spread" and len(reached) < wanted.min_groups:
                return False
    return True


def _infeasible(decision: Decision, where: Where) -> Iterator[str]:
    """What cannot hold together, who says so, and the ways out."""
    yield f"infeasible: no placement meets all requirements   input {decision.input_hash[:12]}"
    found = decision.infeasibility
    if found is None:
        yield from decision.conflicts
        return
    yield ""
    yield "These cannot hold together; without any one of them there is a placement:"
    yield from _indented(words.conflicting(found, where), "  ")
    yield ""
    yield from _indented([*found.details, words.verdict(found)], "")
    if found.relaxations:
        yield ""
        yield "Ways out, each planned, the best objective first:"
    for way in found.relaxations:
        yield from _indented([words.outcome(way)], "  ")
        yield from _indented(words.changes(way, where), "    ")


def _prices(decision: Decision) -> Iterator[str]:
    """What the binding requirements cost."""
    if decision.prices:
        yield ""
        yield "What a little less of a requirement saves, at the best then:"
    for price in decision.prices:
        saves = f"{price.saves:,.2f} {price.unit}"
        about = " (estimate of the relaxation)" if price.estimated else ""
        yield from _indented([f"{saves:>12}  {words.change(price.change)}{about}"], "  ")


def _indented(lines: Iterable[str], indent: str) -> Iterator[str]:
    """The lines, within the width."""
    for line in lines:
        yield from textwrap.wrap(
            line,
            WIDTH,
            initial_indent=indent,
            subsequent_indent=f"{indent}  ",
            break_on_hyphens=False,
            break_long_words=False,
        )


def _moves(decision: Decision) -> Iterator[str]:
    for move in decision.moves:
        yield f"moves: {move.workload} on {move.cluster}: {move.before} -> {move.after}"


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.2f}"


def _bound(value: float | None) -> str:
    return "" if value is None else _number(value)


def explain(federation: Federation, decision: Decision, name: str, console: Console) -> None:
    """Print of one workload why each cluster was taken, refused or left out."""
    facts = Facts.of(federation)
    workload = next(w for w in federation.workloads if w.id == name)
    placed = decision.workload(name)
    _print(
        console, [f"{name} ({workload.class_}): {sentence(federation, facts, decision, workload)}"]
    )
    preferred = {b.cluster: b for b in better(federation, facts, decision, workload)}
    for candidate in placed.candidates:
        count = placed.replicas.get(candidate.cluster, 0)
        found = preferred.get(candidate.cluster)
        why = note(found, count)
        figures = ", ".join(
            f"{'unknown' if v is None else f'{v:g}'} {_unit(federation, term)}"
            for term, v in candidate.terms.items()
            if term in SHOWN
        )
        _print(
            console,
            [
                f"{'taken' if count else 'left':<8}{count:>5} {candidate.cluster}: rank "
                f"{candidate.rank}, score {candidate.score:g}; a replica: {figures}"
                + (f"; {why}" if why else "")
            ],
        )
    for refused in placed.refused:
        _print(console, [f"refused     0 {refused.cluster}: {refused.filter}: {refused.detail}"])
    _print(console, _delivered(placed))
    for entry in placed.after_loss:
        left = ", ".join(f"{n} {cluster}" for cluster, n in entry.replicas.items()) or "nowhere"
        pending = f"; {entry.pending} without a place" if entry.pending else ""
        _print(console, [f"with {entry.lost} lost: {left}{pending}"])


def _unit(federation: Federation, term: str) -> str:
    units = {
        str(t): unit.format(currency=federation.objective.currency) for t, unit in UNITS.items()
    }
    return units[term]
