"""What a storage stack may say, and how it is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.unit.storage.plans import Plain, plan, read, refusal


def _set(*path: str | int, value: object) -> Callable[[Plain], object]:
    def change(content: Plain) -> None:
        found = content
        for key in path[:-1]:
            found = found[key]  # type: ignore[index]
        found[path[-1]] = value  # type: ignore[index]

    return change


def _both(*changes: Callable[[Plain], object]) -> Callable[[Plain], object]:
    return lambda content: [change(content) for change in changes]


REFUSED: dict[str, tuple[Callable[[Plain], object], str]] = {
    "too-few-domains": (
        _set("monitors", value=5),
        "read 5 monitors and 4 failure domains (node-0, node-1, node-2, node-3); allowed a domain",
    ),
    "even-monitors": (_set("monitors", value=4), "Input should be 3 or 5"),
    "no-zones": (
        _set("failureDomain", value="zone"),
        "read failureDomain zone and node-0, node-1, node-2, node-3 without one; allowed a zone",
    ),
    "unstable-device": (
        _set("nodes", 0, "devices", 0, "path", value="/dev/sdb"),
        "String should match pattern",
    ),
    "too-wide": (
        _set("pools", 0, "erasure", value={"data": 4, "coding": 2}),
        "read pool block over 6 failure domains, where there are 4",
    ),
    "one-coding-chunk": (
        _set("pools", 0, "erasure", value={"data": 2, "coding": 1}),
        "greater than or equal to 2",
    ),
    "two-copies": (_set("pools", 0, "replicas", value=2), "greater than or equal to 3"),
    "too-full": (
        _set("pools", 0, "holds", value="3Ti"),
        "of which the loss of node-0 would leave",
    ),
    "much-too-full": (
        _set("pools", 0, "holds", value="5Ti"),
        "more than 4 failure domains take at 85% full",
    ),
    "far-mount": (
        _set("consumers", 0, "roundTrip", "milliseconds", value=95),
        (
            "read mounts block of near, which is 95 ms away; allowed at most 10 ms (mountLimit), "
            "or buckets (models)"
        ),
    ),
    "unknown-distance": (
        lambda content: content["consumers"][0].pop("roundTrip"),
        "read mounts block of near and no roundTrip; allowed with a measured one",
    ),
    "plane-abroad": (
        _set("pools", 0, "residency", value=["de"]),
        "read pool block with residency de and auxiliary in us; allowed only there",
    ),
    "consumer-abroad": (
        _set("pools", 1, "residency", value=["us"]),
        "read pool objects with residency us and far in de; allowed only there",
    ),
    "write-elsewhere": (
        _set("consumers", 0, "mounts", value=[{"pool": "block", "owner": "far"}]),
        "read access write to the part of far; allowed read: each writes into its own alone",
    ),
    "no-such-bucket": (
        _set("consumers", 1, "buckets", value=[{"name": "other"}]),
        "read bucket other of far; allowed models",
    ),
    "no-gateway": (lambda content: content.pop("gateway"), "kind objects and no gateway"),
    "keys-backwards": (
        _set("consumers", 0, "keys", value=[2, 1]),
        "read keys [2, 1]; allowed one, or during a change two",
    ),
    "made-on-hetzner": (
        _set("cluster", value={"maker": "hetzner", "name": "auxiliary", "locations": ["ash"]}),
        "read maker hetzner; allowed existing: Ceph knows its disks by the names of nodes",
    ),
    "original-and-copy": (
        _both(
            _set("pools", 0, "mirror", value="1h"),
            _set("mirrorOf", value={"stack": "first", "pools": ["block"]}),
        ),
        "read pool block with mirror and in mirrorOf; allowed one of the two",
    ),
    "mirror-of-objects": (
        _set("pools", 1, "mirror", value="1h"),
        "read mirror for objects; allowed for kind block alone",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    """Each fault says what was read and what is allowed."""
    change, said = REFUSED[name]
    assert not refusal(plan())
    assert said in refusal(plan(change))


def test_a_bucket_has_no_distance() -> None:
    """The object store is what a consumer over the limit is offered, and it is taken there."""
    assert [used.name for used in read(plan()).consumers[1].buckets] == ["models"]


def test_the_shipped_stack_file_is_taken() -> None:
    """What users start from is a plan that holds."""
    file = Path(__file__).parents[3] / "Pulumi.auxiliary.yaml"
    config = yaml.safe_load(file.read_text("utf-8"))["config"]
    assert len(read(config["federation:storage"]).nodes) == 4
