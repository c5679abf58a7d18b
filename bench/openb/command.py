"""``python -m bench openb``: the trace, placed by the engine and by every baseline."""

import json
from collections.abc import Sequence
from typing import Any

import click

from bench.baselines import command as baselines
from bench.judge.judge import Verdict
from bench.openb.federation import federation
from bench.record import run
from placement.decision import Decision
from placement.faults import ExitCode
from placement.federation import Federation


@click.command()
@baselines.EFFORT
@click.option("--json", "as_json", is_flag=True, help="Print sizes and verdicts as JSON.")
def openb(effort: int, *, as_json: bool) -> int:
    """Place Alibaba's OpenB trace on twelve clusters; needs REFERENCE_DIR."""
    given = federation()
    decision, verdicts = baselines.compared(given, effort)
    if as_json:
        click.echo(
            json.dumps(document(given, decision, verdicts, effort), indent=2, sort_keys=True)
        )
    else:
        click.echo(baselines.table(verdicts), nl=False)
    return ExitCode.DONE


def document(
    given: Federation, decision: Decision, verdicts: Sequence[Verdict], effort: int
) -> dict[str, Any]:
    """The JSON form: the run, the size of the federation, and what came of it."""
    return {
        "run": run(effort),
        "clusters": len(given.clusters),
        "nodes": sum(k.count for c in given.clusters for k in c.node_classes),
        "workloads": len(given.workloads),
        **baselines.document(decision, verdicts),
    }
