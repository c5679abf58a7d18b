"""The instances of the scale benchmark: what is promised of them."""

from typing import Any

import numpy as np
import pytest

from bench.scale.command import SIZES
from bench.scale.generate import Size, generate
from placement.solve.highs import Linear, Model

_GPU = "nvidia.com/gpu"


@pytest.mark.parametrize("seed", range(1, 7))
def test_stocked_accelerators_hold_those_that_ask_for_them(seed: int) -> None:
    """Whatever the seed, workloads with accelerators fit the few clusters that they name."""
    size = Size(200, 900, candidates=3, load=0.5, stocked=True)
    assert _fits(generate(size, seed)[0])


def test_accelerators_by_chance_do_not_always_do() -> None:
    """Without that promise some seeds have no placement: the test before can tell."""
    size = Size(200, 900, candidates=3, load=0.5)
    assert not all(_fits(generate(size, seed)[0]) for seed in range(1, 7))


def test_largest_instance_has_the_replicas_of_the_reference() -> None:
    """A thousand workloads of the largest instance have a tenth of some 468,000 replicas."""
    largest = SIZES["1000x10000"]
    size = Size(100, 3000, largest.candidates, largest.mean, load=largest.load)
    replicas = [
        sum(workload["replicas"] for workload in generate(size, seed)[0]["workloads"])
        for seed in (1, 2, 3)
    ]
    assert sum(replicas) / 9 == pytest.approx(46_800, rel=0.03)


def _fits(document: dict[str, Any]) -> bool:
    """Whether replicas of workloads with accelerators, split at will, find one each."""
    room = {
        cluster["name"]: 8 * node_class["count"] * (1 - float(cluster["headroom"]))
        for cluster in document["clusters"]
        for node_class in cluster["nodeClasses"]
        if node_class["name"] == "g8"
    }
    asking = [w for w in document["workloads"] if _GPU in w["request"]]
    pairs = [(i, c) for i, w in enumerate(asking) for c in w["affinity"]["clusterNames"]]
    clusters = {name: len(asking) + i for i, name in enumerate(room)}
    row = np.array([*(i for i, _ in pairs), *(clusters[c] for _, c in pairs)])
    column = np.tile(np.arange(len(pairs)), 2)
    order = np.argsort(row, kind="stable")
    height, width = len(asking) + len(room), len(pairs)
    size = np.array([float(w["replicas"]) for w in asking])
    model = Model(
        cost=np.zeros(width),
        lower=np.zeros(width),
        upper=np.full(width, np.inf),
        integer=np.zeros(width, dtype=bool),
        start=np.concatenate([[0], np.cumsum(np.bincount(row, minlength=height))]),
        index=column[order],
        value=np.ones(2 * width),
        row_lower=np.concatenate([size, np.full(len(room), -np.inf)]),
        row_upper=np.concatenate([size, list(room.values())]),
    )
    return Linear(model).solve()
