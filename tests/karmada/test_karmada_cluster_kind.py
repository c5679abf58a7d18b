"""What the project says of a ``Cluster`` object is what the real aggregated API server says."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from lab import Lab
from lab.measure.cluster_kind import compare
from lab.measure.random_clusters import cluster

RECORDED = (
    Path(__file__).parents[1] / "unit" / "karmada" / "data" / "karmada-1.18.2-admission.jsonl.gz"
)


def recorded() -> list[dict[str, Any]]:
    """The Cluster objects whose verdicts by Karmada's validation alone are recorded."""
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    return [case["object"] for case in cases if case["kind"] == "Cluster"]


@pytest.mark.parametrize("objects", [recorded(), [cluster(seed) for seed in range(300)]])
def test_the_server_refuses_what_the_project_refuses(
    lab: Lab, objects: Iterable[dict[str, Any]]
) -> None:
    """Acceptance, fields and types of error are the same, for recorded and for random objects.

    Both kinds of verdict occur: neither side could pass by always saying the same.
    """
    found = compare(lab.api(), objects)
    assert found.disagreements == ()
    assert 0 < found.accepted < found.objects
