"""The Pareto front between two terms."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from placement.__main__ import placement
from placement.check import violations
from placement.faults import BadInputError, FederationError, InfeasibleError
from placement.federation import Federation
from placement.pareto import document, front
from placement.pareto.front import efficient
from tests.unit.federations import cluster, federation, latency, plain, workload, write

_FAR = latency({"users": {"far": 90, "mid": 40, "near": 5}})
_CLUSTERS = [
    cluster("far", price=40),
    cluster("mid", price=60),
    cluster("near", price=100),
]
_USERS = [{"region": "users", "share": 1}]


def _federation() -> Federation:
    return federation(_CLUSTERS, [workload("w", 4, demand=_USERS)], latency=_FAR)


def test_front_against_all_placements() -> None:
    """Each point is efficient among all fifteen placements, and both ends are on it."""
    given = _federation()
    every = {
        (10 * a + 15 * b + 25 * c, (90 * a + 40 * b + 5 * c) / 4)
        for a in range(5)
        for b in range(5 - a)
        for c in [4 - a - b]
    }
    best = {p for p in every if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in every)}
    found = efficient(list(front(given, ("cost", "latency"), points=7)))
    assert {(round(c, 3), round(ms, 3)) for c, ms in (p.values for p in found)} <= best
    assert [p.values for p in (found[0], found[-1])] == [(40, 90), (100, 5)]
    assert len(found) >= 5
    for point in found:
        assert violations(given, point.decision.counts) == []


def test_each_price_is_that_between_neighbours() -> None:
    """The price of a point times the step in the second term is the step in the first."""
    given = _federation()
    points = list(front(given, ("cost", "latency"), points=4))
    shown = document(given, ("cost", "latency"), points)
    for one, following in pairwise(shown["points"]):
        step = following["values"]["cost"] - one["values"]["cost"]
        gained = one["values"]["latency"] - following["values"]["latency"]
        assert one["price"] * gained == pytest.approx(step, abs=1e-3)
    assert shown["points"][-1]["price"] is None


def test_one_point_where_the_terms_agree() -> None:
    """Where the cheapest is the nearest too, there is one point."""
    given = federation(
        [cluster("near", price=1), cluster("far", price=2)],
        [workload("w", 2, demand=_USERS)],
        latency=_FAR,
    )
    found = efficient(list(front(given, ("cost", "latency"))))
    assert [p.values for p in found] == [(0.5, 5)]


def test_a_term_that_is_zero_at_its_best_is_not_the_one_that_is_held() -> None:
    """Data at home moves 0 GB: the front is solved by holding the cost instead."""
    data = [{"name": "set", "region": "near", "gigabytesPerMonth": "10"}]
    given = federation(_CLUSTERS, [workload("w", 4, data=data)])
    found = efficient(list(front(given, ("cost", "locality"), points=5)))
    assert [p.values for p in (found[0], found[-1])] == [(40, 40), (100, 0)]
    assert len(found) > 2


def test_infeasible_is_said() -> None:
    """No front where there is no placement; an error where both terms can be 0."""
    with pytest.raises(InfeasibleError):
        list(front(federation(_CLUSTERS, [workload("w", 99)]), ("cost", "fit")))
    clusters = [cluster("a", price=0), cluster("near", price=9)]
    data = [{"name": "set", "region": "near", "gigabytesPerMonth": "10"}]
    with pytest.raises(FederationError, match="can each be 0"):
        list(front(federation(clusters, [workload("w", 1, data=data)]), ("cost", "locality")))


def test_command(tmp_path: Path) -> None:
    """``plan --pareto`` prints a table, with --json a document; progress goes to stderr."""
    content = plain(_CLUSTERS, [workload("w", 4, demand=_USERS)], latency=_FAR)
    file = str(write(tmp_path / "f.yaml", content))
    run = CliRunner().invoke(placement, ["plan", file, "--pareto", "cost,latency", "--points", "3"])
    assert run.exit_code == 0, run.output
    assert "40.00" in run.stdout
    assert "cost EUR/month" in run.stdout
    assert "point 3 of at most 3" in run.stderr
    run = CliRunner().invoke(placement, ["plan", file, "--pareto", "cost,latency", "--json"])
    assert json.loads(run.stdout)["schema"] == "placement/pareto/v1"


@pytest.mark.parametrize("text", ["cost", "cost,cost", "cost,speed", "cost,latency,fit"])
def test_wrong_terms_are_refused(text: str, tmp_path: Path) -> None:
    """Anything but two different terms is bad input that names the terms."""
    file = str(write(tmp_path / "f.yaml", plain(_CLUSTERS, [workload("w", 4)])))
    with pytest.raises(BadInputError, match="allowed two different ones of cost, latency"):
        CliRunner().invoke(placement, ["plan", file, "--pareto", text], catch_exceptions=False)
