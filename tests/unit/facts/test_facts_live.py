"""Live members against the declared ones: what counts as a difference, and what does not."""

from typing import Any

import pytest

from placement.facts.live import Snapshot
from placement.facts.live_difference import differences
from placement.federation import Federation
from placement.karmada.cluster import cluster_object, cluster_status
from tests.unit.federations import cluster, federation, node_class

NOW = "2026-11-30T12:00:00Z"
TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}


def declared() -> Federation:
    """A cluster of two classes, one of them with GPUs, and pods that are not ours."""
    return federation(
        [
            cluster(
                "a",
                node_class("p", count=2, inUse={"cpu": "1", "pods": "4"}),
                node_class("g", gpu=2, taints=[TAINT]),
                zones=["z1", "z2"],
                labels={"tier": "gpu"},
                taints=[TAINT],
            )
        ],
        [],
    )


def live(found: Federation) -> dict[str, Any]:
    """The ``Cluster`` object that Karmada would have of it, with what is in use."""
    (one,) = found.clusters
    status = cluster_status(one, now=NOW)
    status["resourceSummary"]["allocated"] = {"cpu": "1500m", "pods": "6"}
    return {**cluster_object(one), "status": status}


def told(item: dict[str, Any] | None) -> list[tuple[str, str, str]]:
    """What differs where the API has *item*, or nothing."""
    clusters = {} if item is None else {"a": item}
    found = differences(declared(), Snapshot("https://karmada", NOW, clusters))
    return [(each.fact, each.declared, each.live) for each in found]


def test_what_is_as_declared_is_no_difference() -> None:
    """Neither own workloads' use, nor what only Karmada knows, nor its own taints."""
    item = live(declared())
    assert told(item) == []
    item["metadata"]["labels"]["added-by"] = "somebody"
    item["status"]["resourceSummary"]["allocatable"]["ephemeral-storage"] = "10Gi"
    item["status"]["resourceSummary"]["allocatable"]["cpu"] = "12000m"
    item["spec"]["taints"].append(
        {"key": "cluster.karmada.io/remedy", "effect": "NoSchedule", "timeAdded": NOW}
    )
    assert told(item) == []


def changed(*path: str, to: Any) -> dict[str, Any]:
    """The object with another value under *path*."""
    item = live(declared())
    at: Any = item
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return item


SUMMARY = ("status", "resourceSummary")


@pytest.mark.parametrize(
    ("item", "difference"),
    [
        (None, ("member", "yes", "no")),
        (changed("spec", "region", to="other"), ("region", "a", "other")),
        (changed("spec", "zones", to=["z1"]), ("zones", "z1, z2", "z1")),
        (changed("metadata", "labels", to={}), ("label tier", "gpu", "-")),
        (changed("spec", "taints", to=[]), ("taints", "nvidia.com/gpu=present:NoSchedule", "-")),
        (
            changed("status", "nodeSummary", to={"totalNum": 2, "readyNum": 2}),
            ("nodes", "3", "2"),
        ),
        (
            changed("status", "nodeSummary", to={"totalNum": 3, "readyNum": 1}),
            ("nodes that are ready", "3", "1"),
        ),
        (changed(*SUMMARY, "allocatable", "cpu", to="8"), ("allocatable cpu", "12", "8")),
        (
            changed(*SUMMARY, "allocatable", "amd.com/gpu", to="4"),
            ("allocatable amd.com/gpu", "0", "4"),
        ),
        (
            changed(*SUMMARY, "allocated", to={"cpu": "1", "pods": "3"}),
            ("in use of pods", "4", "3"),
        ),
    ],
)
def test_what_is_not_as_declared_is_told_once(
    item: dict[str, Any] | None, difference: tuple[str, str, str]
) -> None:
    """One fact that differs is one difference, with both values."""
    assert told(item) == [difference]


def test_a_member_that_is_not_ready_says_why() -> None:
    """Karmada's own words stand where the file says that the cluster is ready."""
    item = live(declared())
    item["status"]["conditions"][0] |= {"status": "False", "message": "cluster is not reachable"}
    (found,) = told(item)
    assert found == ("ready", "yes", "Ready is not True (cluster is not reachable)")


def test_kinds_that_are_not_served_are_told() -> None:
    """The kinds that workloads are made of and the member does not serve."""
    item = live(declared())
    item["status"]["apiEnablements"] = [
        each for each in item["status"]["apiEnablements"] if each["groupVersion"] != "batch/v1"
    ]
    assert told(item) == [("kinds of batch/v1", "CronJob, Job", "-")]


def test_members_that_nobody_declared_come_last() -> None:
    """A live cluster that the file does not know is told."""
    found = live(declared())
    snapshot = Snapshot("https://karmada", NOW, {"stranger": found, "a": found})
    (last,) = differences(declared(), snapshot)
    assert (last.cluster, last.fact, last.declared, last.live) == (
        "stranger",
        "member",
        "no",
        "yes",
    )
