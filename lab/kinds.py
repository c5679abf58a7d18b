"""``python -m lab.kinds``: the kind ``Cluster`` against the real API server, measured and kept.

Owns the lab that the comparison runs in and the form of ``docs/measured/cluster-kind.json``. How
objects are compared is in ``measure``. Leaves nothing running.
"""

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from lab.karmada import installation
from lab.lifecycle import Lab
from lab.measure import record
from lab.measure.cluster_kind import Disagreement, Verdicts, compare
from lab.measure.random_clusters import cluster
from placement import console
from placement.faults import ExitCode

OUTPUT = record.FOLDER / "cluster-kind.json"


@click.command()
@click.option("--count", default=500, show_default=True, help="How many random objects.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=OUTPUT,
    help="Where the result goes.  [default: docs/measured/cluster-kind.json]",
)
def main(count: int, output: Path) -> ExitCode:
    """Compare what the project says of random Cluster objects with what the API server says.

    Needs KARMADA_DIR. Exit code 3 where they differ.
    """
    real = installation.required()
    with (
        tempfile.TemporaryDirectory(prefix="federation-kinds-") as folder,
        Lab(Path(folder), "kinds") as lab,
    ):
        lab.up(Path("examples/three.yaml"), members="none", report=click.echo)
        found = compare(lab.api(), (cluster(seed) for seed in range(count)))
    record.write(output, "Cluster", {**record.run(real.version), **_plain(found)})
    click.echo(
        f"{found.objects} objects, {found.accepted} accepted; {len(found.disagreements)} "
        f"disagreements; {found.same_words} of {found.errors} errors in the same words"
    )
    click.echo(f"written: {output}")
    return ExitCode.INFEASIBLE if found.disagreements else ExitCode.DONE


def _plain(found: Verdicts) -> dict[str, Any]:
    return {
        "seeds": [0, found.objects - 1],
        "objects": found.objects,
        "acceptedByServer": found.accepted,
        "errors": found.errors,
        "errorsInTheSameWords": found.same_words,
        "compared": "accepted or refused, and field and type of every error",
        "disagreements": [_disagreement(one) for one in found.disagreements],
    }


def _disagreement(one: Disagreement) -> dict[str, Any]:
    return {
        "cluster": one.cluster,
        "predicted": [asdict(error) for error in one.predicted],
        "actual": [asdict(error) for error in one.actual],
    }


if __name__ == "__main__":
    console.run(main, "lab.kinds")
