"""``python -m placement profile``: what a federation has, in sums that add up."""

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from placement.__main__ import placement
from placement.federation import Federation, load
from placement.plan import plan
from placement.profile.profile import LEVELS, Group, profile
from tests.unit.federations import cluster, federation, node_class, plain, price, workload, write

GPU = "nvidia.com/gpu"


def group(groups: tuple[Group, ...], level: str, name: str) -> Group:
    """The group of that name."""
    (found,) = [each for each in groups if (each.level, each.name) == (level, name)]
    return found


def small(*workloads: dict[str, object]) -> Federation:
    """Two European clusters in one region, one of them with GPUs of two models, and one in Asia."""
    plain_node = node_class("p", count=2, cpu=8, inUse={"cpu": "3", "pods": "5"})
    big = node_class("big", count=2, cpu=64, gpu=8, model="H100")
    little = node_class("little", count=3, cpu=16, gpu=1, model="L40S")
    return federation(
        [
            cluster("a", plain_node, price=100, region="eu-1"),
            cluster("b", big, little, price=1000, region="eu-1"),
            cluster("c", price=None, region="asia-1", continent="asia"),
        ],
        list(workloads),
        prices=[price("b", 200, "little", date="2026-01-01")],
        carbon={
            "intensity": [
                {"region": r, "gramsPerKilowattHour": g, "basis": "average",
                 "source": "by hand", "date": "2025-06-01"}
                for r, g in (("eu-1", 300), ("asia-1", 400))
            ]
        },
    )  # fmt: skip


def test_sums_by_place() -> None:
    """Capacity, use and price of a region or a continent are those of its clusters."""
    groups = profile(small())
    europe = group(groups, "continent", "europe")
    assert europe.clusters == ("a", "b")
    assert europe.nodes == 7
    assert europe.stocks["cpu"].capacity == 2 * 8 + 2 * 64 + 3 * 16
    assert europe.stocks["cpu"].used == 3
    assert europe.stocks["cpu"].headroom == 189
    assert europe.stocks[GPU].capacity == 19
    assert europe.price == 2 * 100 + 2 * 1000 + 3 * 200
    assert europe.intensity == (Decimal(300), Decimal(300))
    assert replace(group(groups, "region", "eu-1"), level="continent", name="europe") == europe


def test_accelerators_by_model() -> None:
    """A model's capacity and price are those of the nodes that have it, wherever they are."""
    groups = profile(small())
    assert {g.name for g in groups if g.level == "accelerator"} == {"H100", "L40S"}
    h100 = group(groups, "accelerator", "H100")
    assert (h100.nodes, h100.price) == (2, Decimal(2000))
    assert h100.stocks[GPU].capacity == 16


def test_what_is_unknown_is_unknown_of_the_whole() -> None:
    """A price that nobody knows is no zero: neither of the cluster nor of what it is part of."""
    found = group(profile(small()), "continent", "asia")
    assert found.price is None
    assert found.oldest == date(2025, 6, 1)


def test_age_is_that_of_the_oldest_fact() -> None:
    """Days from the oldest price or intensity to the day that is given."""
    found = group(profile(small()), "cluster", "b")
    assert found.oldest == date(2025, 6, 1)
    assert found.age(date(2025, 6, 11)) == 10


def test_a_decision_is_use() -> None:
    """Replicas count where they are placed; on which model of a cluster they run, nobody says."""
    asks = {GPU: "1", "cpu": "2"}
    wanted = small(workload("train", 4, request=asks), workload("web", 2, cpu=1))
    decision = plan(wanted)
    found = group(profile(wanted, decision), "cluster", "b")
    on_b = sum(counts.get("b", 0) for counts in decision.counts.values())
    assert found.stocks["pods"].used == on_b
    assert found.stocks[GPU].used == 4
    assert group(profile(wanted, decision), "accelerator", "H100").stocks[GPU].used is None
    everything = sum(
        (group(profile(wanted, decision), "cluster", c).stocks["cpu"].used or 0 for c in "abc"),
        Decimal(0),
    )
    assert everything == 3 + 4 * 2 + 2 * 1


@settings(derandomize=True, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["europe", "asia"]),
            st.sampled_from(["r1", "r2"]),
            st.integers(0, 5),
            st.integers(1, 64),
            st.integers(0, 4),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_every_level_counts_every_node_once(parts: list[tuple[str, str, int, int, int]]) -> None:
    """Continents, regions and clusters add up to the same nodes, cores and money."""
    made = federation(
        [
            cluster(
                f"c{index}",
                node_class("n", count=count, cpu=cpu, **({"gpu": gpu} if gpu else {})),
                price=10 * cpu,
                region=f"{continent}-{region}",
                continent=continent,
            )
            for index, (continent, region, count, cpu, gpu) in enumerate(parts)
        ],
        [],
    )
    groups = profile(made)
    sums = {
        (
            sum(g.nodes for g in groups if g.level == level),
            sum((g.stocks["cpu"].capacity for g in groups if g.level == level), Decimal(0)),
            sum((g.price or Decimal(0) for g in groups if g.level == level), Decimal(0)),
        )
        for level in LEVELS
        if level != "accelerator"
    }
    assert len(sums) == 1


def test_the_command_prints_both_forms(tmp_path: Path) -> None:
    """A table with every group, and the same as JSON; ages against the day that is given."""
    path = write(tmp_path / "f.yaml", plain([cluster("a", price=100)], []))
    runner = CliRunner()
    arguments = ["profile", str(path), "--now", "2026-08-24"]
    table = runner.invoke(placement, arguments, standalone_mode=False)
    assert table.exception is None
    assert "100.00" in table.output
    assert "10 d" in table.output
    shown = runner.invoke(placement, [*arguments, "--json"], standalone_mode=False)
    found = json.loads(shown.output)
    assert [g["level"] for g in found["groups"]] == ["continent", "region", "cluster"]
    assert found["groups"][0]["resources"]["cpu"] == {"capacity": 4, "used": 0, "headroom": 4}
    assert found["groups"][0]["ageDays"] == 10


@pytest.mark.parametrize("level", ["continent", "region", "cluster"])
def test_the_example_has_no_unknown(level: str) -> None:
    """Every price and intensity of the shipped example is known."""
    groups = profile(load(Path(__file__).parents[3] / "examples" / "global.yaml"))
    assert all(g.price is not None and g.intensity for g in groups if g.level == level)
