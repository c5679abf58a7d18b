"""``python -m lab.verify``: predicted = actual on the real Karmada, measured and written down.

Owns the labs that the comparison runs in and the sections of ``docs/measured/division.json``. How
a federation is compared is in ``measure``. Leaves nothing running.
"""

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click
import yaml

from lab.karmada import installation
from lab.lifecycle import Lab
from lab.measure import losses, record
from lab.measure import random_federations as drawn
from lab.measure.agreement import Agreement, Comparison, compare
from lab.measure.bindings import Mismatch
from lab.measure.random_agreement import Tally, compare_random
from placement import console
from placement.faults import ExitCode

Found = TypeVar("Found")

OUTPUT = record.FOLDER / "division.json"


@click.command()
@click.option(
    "--only", type=click.Choice(["example", "random"]), help="One of the two.  [default: both]"
)
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=Path("examples/global.yaml"),
    show_default=True,
    help="The federation file of the example.",
)
@click.option("--count", default=500, show_default=True, help="How many random federations.")
@click.option("--minutes", default=10.0, show_default=True, help="No new one after this time.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=OUTPUT,
    help="Where the result goes.  [default: docs/measured/division.json]",
)
def main(only: str | None, file: Path, count: int, minutes: float, output: Path) -> ExitCode:
    """Compare every division that the engine predicts with the one that Karmada makes.

    Needs KARMADA_DIR. Exit code 3 where they differ.
    """
    real = installation.required()
    equal = True
    with tempfile.TemporaryDirectory(prefix="federation-verify-") as folder:
        if only != "random":
            found = _in_lab(
                Path(folder), file, lambda lab: compare(lab.api(), file.resolve(), click.echo)
            )
            equal &= not any(c.mismatches for c in found.comparisons)
            record.write(output, "example", _example(found, file, real.version))
        if only != "example":
            base = Path(folder) / "random.yaml"
            base.write_text(yaml.safe_dump(drawn.base()), "utf-8")
            tally = _in_lab(
                Path(folder),
                base,
                lambda lab: compare_random(lab.api(), count, minutes * 60, click.echo),
            )
            equal &= not tally.mismatches
            record.write(output, "random", _random(tally, real.version))
    click.echo(f"written: {output}")
    return ExitCode.DONE if equal else ExitCode.INFEASIBLE


def _in_lab(root: Path, file: Path, compared: Callable[[Lab], Found]) -> Found:
    """What *compared* finds in a lab of its own, whose members are bare."""
    with Lab(root, "verify") as lab:
        lab.up(file, members="all", bare=True, report=click.echo)
        return compared(lab)


def _example(found: Agreement, file: Path, version: str) -> dict[str, Any]:
    decided, *after = (_comparison(c) for c in found.comparisons)
    return {
        **record.run(version),
        "file": f"{file.parent.name}/{file.name}",
        "inputHash": found.decision.input_hash,
        "status": found.decision.status,
        "members": "bare",
        "howLost": losses.HOW,
        "decided": decided,
        "afterLoss": after,
        "rebalanced": found.rebalanced,
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        **({"lost": comparison.lost} if comparison.lost else {}),
        "workloads": comparison.workloads,
        "touched": comparison.touched,
        "equal": comparison.workloads - len(comparison.mismatches),
        "seconds": round(comparison.seconds, 1),
        "mismatches": list(_mismatches(comparison.mismatches)),
    }


def _random(tally: Tally, version: str) -> dict[str, Any]:
    return {
        **record.run(version),
        "members": "2 to 8, bare",
        "policies": "as emitted, with suspension.dispatching",
        "seeds": [0, tally.last_seed],
        "federations": tally.federations,
        "infeasible": tally.infeasible,
        "workloads": tally.workloads,
        "onSeveralClusters": tally.divided,
        "equal": tally.equal,
        "seconds": round(tally.seconds),
        "mismatches": [
            {"seed": seed, **one}
            for seed, mismatch in tally.mismatches
            for one in _mismatches([mismatch])
        ],
    }


def _mismatches(found: Iterable[Mismatch]) -> Iterable[dict[str, Any]]:
    for one in found:
        yield {
            "workload": one.workload,
            "predicted": one.predicted,
            "actual": one.actual,
            "message": one.message,
        }


if __name__ == "__main__":
    console.run(main, "lab.verify")
