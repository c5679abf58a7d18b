"""What could cost data, between what a plane was made of and what it is to be."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from components.storage.ceph import ceph_cluster
from components.storage.record import record
from components.storage.safety import erases, gone_with, kept, losses, stays
from tests.unit.storage.plans import Plain, plan, read


def _losses(before: Plain, after: Plain) -> list[str | None]:
    return [loss.word for loss in losses(record(read(before)), record(read(after)))]


def _grow(content: Plain) -> None:
    node: dict[str, Any] = dict(content["nodes"][0])
    content["nodes"].append({**node, "name": "node-4"})
    disk = {"path": "/dev/disk/by-id/more", "size": "4Ti"}
    content["nodes"][0]["devices"].append(disk)
    content["monitors"] = 5
    content["pools"].append({"name": "more", "kind": "filesystem", "holds": "1Gi"})


def _raise(content: Plain) -> None:
    content["pools"][0]["holds"] = "1100Gi"


@pytest.mark.parametrize("change", [_grow, _raise])
def test_more_is_no_loss(change: Callable[[Plain], object]) -> None:
    """Nodes, devices, monitors, pools and room may be added without a word."""
    assert _losses(plan(), plan(change)) == []


@pytest.mark.parametrize("change", [_grow])
def test_less_is(change: Callable[[Plain], object]) -> None:
    """The same taken away again needs a word for each thing."""
    assert _losses(plan(change), plan()) == [
        "monitors/3",
        "device/node-0/more",
        "node/node-4",
        "pool/more",
    ]


def test_no_word_gives_the_cluster_another_name() -> None:
    """All objects are told apart by it: under another one each of them would be replaced."""
    after = plan(lambda content: content["cluster"].update(name="another"))
    assert _losses(plan(), after) == [None]
    unwritten = dataclasses.replace(record(read(plan())), cluster="")
    assert list(losses(unwritten, record(read(plan())))) == []


def test_consumers_are_no_loss() -> None:
    """A consumer that goes takes nothing along that is another's."""
    assert _losses(plan(), plan(lambda content: content.update(consumers=[]))) == []


def test_no_word_changes_a_pools_redundancy() -> None:
    """Neither more copies nor other chunks: Ceph cannot change the one, and Rook not the other."""
    code = {"erasure": {"data": 2, "coding": 2}}
    assert _losses(plan(), plan(lambda content: content["pools"][0].update(code))) == [None]


HELD = {
    # (protected, stays when it goes) of a pool, the cluster, a consumer's part of that pool, an
    # identity
    None: ((True, True), (True, True), (None, True), (None, False)),
    "pool/block": ((False, False), (True, True), (None, False), (None, False)),
    "pool/other": ((True, True), (True, True), (None, True), (None, False)),
    "leave/auxiliary": ((False, True), (False, True), (None, True), (None, True)),
    "erase/auxiliary": ((False, False), (False, False), (None, False), (None, False)),
}


@pytest.mark.parametrize("word", HELD)
def test_a_word_lets_go_of_what_it_names(word: str | None) -> None:
    """Of one pool, of all and nothing deleted, or of all: and of nothing else."""
    spec = read(plan(lambda content: content.update({"allow": word} if word else {})))
    found = (kept(spec, "pool/block"), kept(spec), stays(spec, "block"), gone_with(spec))
    assert tuple((each.protect, each.retain_on_delete) for each in found) == HELD[word]
    policy = ceph_cluster(spec, "image", erase=erases(spec))["spec"]["cleanupPolicy"]
    assert (policy["confirmation"] != "") == (word == "erase/auxiliary")
