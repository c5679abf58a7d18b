"""The upgrades that a cluster that lives allows."""

import pytest

from components.cluster.hetzner.versions import refused, versions
from tests.unit.cluster.clusters import cluster, pool

OLD, NEXT, FAR = "v1.35.9+k3s1", "v1.36.3+k3s1", "v1.37.0+k3s1"
SERVERS = tuple(f"alpha-control-{index}" for index in (1, 2, 3))

BEHIND = "since servers run v1.35, and an agent is never newer: name them first"
SKIPPED = "since servers run v1.35, and no minor is skipped"


def said(wanted: str, last: dict[str, str], replace: str | None) -> list[str]:
    """What is refused of an upgrade to *wanted*, in a cluster of three servers and one agent."""
    sums = {"amd64": "a" * 64}
    spec = cluster(k3s={"version": wanted, "sha256": sums}, pools=[pool("web", 1)])
    return list(refused(spec, last, versions(spec, last, replace), replace))


RUNNING = dict.fromkeys((*SERVERS, "alpha-web-1"), OLD)


def test_a_new_version_alone_changes_no_node() -> None:
    """Nodes run what they were made with until they are named."""
    spec = cluster(pools=[pool("web", 1)])
    assert versions(spec, RUNNING, None) == RUNNING
    assert versions(spec, RUNNING, SERVERS[1]) == {**RUNNING, SERVERS[1]: NEXT}
    assert said(FAR, RUNNING, None) == []


def test_servers_go_first_one_minor_at_a_time() -> None:
    """A server may be one minor ahead of the oldest; an agent only as new as every server."""
    assert said(NEXT, RUNNING, SERVERS[0]) == []
    assert said(NEXT, RUNNING, "alpha-web-1") == [
        f"read {NEXT} for alpha-web-1; allowed v1.35 at most, {BEHIND}"
    ]
    upgraded = {**RUNNING, **dict.fromkeys(SERVERS, NEXT)}
    assert said(NEXT, upgraded, "alpha-web-1") == []


def test_no_minor_is_skipped() -> None:
    """Not by the first server, and not while one is still behind."""
    expected = [f"read {FAR} for {SERVERS[0]}; allowed v1.36 at most, {SKIPPED}"]
    assert said(FAR, RUNNING, SERVERS[0]) == expected
    assert said(FAR, {**RUNNING, SERVERS[0]: NEXT}, SERVERS[0]) == expected


def test_a_node_does_not_go_back() -> None:
    """An older minor cannot read what a newer one wrote."""
    assert said(OLD, {**RUNNING, SERVERS[0]: NEXT}, SERVERS[0]) == [
        f"read {OLD} for {SERVERS[0]}; allowed {NEXT} or later: etcd does not go back"
    ]


@pytest.mark.parametrize("wanted", [OLD, NEXT, FAR])
def test_a_cluster_that_is_not_there_may_run_any_version(wanted: str) -> None:
    """There is nothing to fit to."""
    assert said(wanted, {}, None) == []


def test_a_new_agent_is_no_newer_than_the_servers() -> None:
    """A pool that grows while the servers are behind is refused too."""
    assert len(said(NEXT, dict.fromkeys(SERVERS, OLD), None)) == 1


def upgrade(wanted: str, last: dict[str, str], replace: str | None = None) -> list[str]:
    """What is refused of *wanted* in such a cluster with add-ons, whose nodes are upgraded."""
    sums = {"amd64": "a" * 64}
    changes = {"k3s": {"version": wanted, "sha256": sums}, "addOns": True}
    spec = cluster(**changes, pools=[pool("web", 1)])
    after = versions(spec, last, replace)
    assert set(after.values()) == {wanted}
    return list(refused(spec, last, after, replace))


def test_with_add_ons_nodes_that_live_are_upgraded_by_one_minor() -> None:
    """All of them at once as far as settings go, whatever is named; the plans keep the order."""
    assert upgrade(OLD, RUNNING) == []
    assert upgrade(NEXT, RUNNING) == []
    assert upgrade(NEXT, RUNNING, SERVERS[0]) == []
    assert upgrade(FAR, RUNNING) == [f"read {FAR}; allowed v1.36 at most, {SKIPPED}"]


def test_with_add_ons_no_patch_goes_back() -> None:
    """The image that upgrades refuses it on the node, and the run would wait for it in vain."""
    running = {**RUNNING, SERVERS[2]: "v1.35.10+k3s1"}
    assert upgrade(OLD, running) == [
        f"read {OLD}; allowed v1.35.10+k3s1 or later: what runs does not go back"
    ]


def test_with_add_ons_a_new_agent_waits_for_the_servers() -> None:
    """It joins before they are upgraded, so a minor and a larger pool are two runs."""
    servers = dict.fromkeys(SERVERS, OLD)
    way = "an agent is never newer: upgrade them first, in a run of its own"
    assert upgrade(NEXT, servers) == [
        f"read {NEXT} for alpha-web-1; allowed v1.35 at most, since servers run v1.35, and {way}"
    ]
    assert upgrade("v1.35.11+k3s1", servers) == []
