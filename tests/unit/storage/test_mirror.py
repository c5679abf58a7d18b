"""What a second plane may take, and what is said of how far it is behind."""

from typing import Any

from components.storage.alerts import LAG_METRIC, rule
from components.storage.mirror import refusal
from components.storage.pools import manifests
from tests.unit.storage.plans import Plain, plan, read


def _second(content: Plain) -> None:
    content["mirrorOf"] = {"stack": "first", "pools": ["block"]}


def test_a_mirror_is_refused_where_the_data_may_not_be() -> None:
    """Residency goes along with the pool, whatever the second plane says of its own."""
    spec = read(plan(_second))
    offered: dict[str, Any] = {"headerPool": "block", "token": "t", "residency": ["us"]}
    assert refusal(spec, "block", offered) is None
    said = refusal(spec, "block", {**offered, "residency": ["de", "fr"]})
    assert said == (
        "read block, whose data may be in de, fr alone; allowed in a plane there, which auxiliary "
        "(us) is not"
    )


def test_a_mirror_needs_an_original() -> None:
    """A pool that the first plane does not offer is named, with where to write it."""
    said = refusal(read(plan(_second)), "block", None)
    assert said is not None
    assert "which stack first does not offer" in said
    assert "Pulumi.first.yaml" in said


def test_the_second_plane_reaches_the_first_and_measures_the_lag() -> None:
    """The pool names the peer's Secret; the lag is recorded and alerts after an hour."""
    spec = read(plan(_second))
    (pool,) = manifests(spec, spec.pool("block"))
    assert pool["spec"]["mirroring"]["peers"] == {"secretNames": ["block-peer"]}
    rules = rule(spec)["spec"]["groups"][0]["rules"]
    assert [each["expr"] for each in rules if each.get("record") == LAG_METRIC]
    assert [each for each in rules if each.get("expr") == f"{LAG_METRIC} > 3600"]
    assert LAG_METRIC not in str(rule(read(plan())))


def test_the_first_plane_takes_snapshots_on_schedule() -> None:
    """A pool with `mirror` is mirrored image by image, on that interval."""
    spec = read(plan(lambda content: content["pools"][0].update(mirror="6h")))
    (pool,) = manifests(spec, spec.pool("block"))
    assert pool["spec"]["mirroring"]["snapshotSchedules"] == [{"interval": "6h"}]
