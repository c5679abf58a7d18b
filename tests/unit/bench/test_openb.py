"""The OpenB trace as a federation: nothing of it is lost, and every figure has its source."""

import os

import pytest

from bench.openb.federation import GPU, federation
from bench.openb.prices import accelerators, parts
from bench.openb.trace import kinds, shapes
from placement.federation.consistency import faults
from placement.quantity import parse_quantity

pytestmark = pytest.mark.skipif(
    "REFERENCE_DIR" not in os.environ, reason="needs REFERENCE_DIR with the published trace"
)


def test_every_node_and_every_running_pod_is_in_it() -> None:
    """1,523 nodes in twelve clusters on four continents, 5,193 replicas in 140 workloads."""
    given = federation()
    assert sum(k.count for c in given.clusters for k in c.node_classes) == 1523
    assert len({c.name for c in given.clusters}) == 12
    assert len({c.continent for c in given.clusters}) == 4
    assert (sum(w.size for w in given.workloads), len(given.workloads)) == (5193, 140)


def test_no_resource_is_lost_on_the_way() -> None:
    """CPU, memory and parts of accelerators add up to those of the trace."""
    given = federation()
    nodes = [(k, k.count) for c in given.clusters for k in c.node_classes]
    cpu = sum(parse_quantity(k.allocatable["cpu"]) * n for k, n in nodes)
    assert cpu * 1000 == sum(s.cpu * n for s, n in shapes().items())
    gpus = sum(parse_quantity(k.allocatable.get(GPU, "0")) * n for k, n in nodes)
    assert gpus == 1000 * sum(s.gpus * n for s, n in shapes().items())
    asked = sum(parse_quantity(w.request.get(GPU, "0")) * w.size for w in given.workloads)
    assert asked == sum(k.gpu_milli * n for k, n in kinds().items())


def test_it_is_a_right_federation_file() -> None:
    """No fault between its parts, every node class priced, every cluster's users and grid known."""
    given = federation()
    assert not list(faults(given))
    assert len(given.prices) == sum(len(c.node_classes) for c in given.clusters)
    assert {i.region for i in given.carbon.intensity} == {c.region for c in given.clusters}
    assert given.latency is not None
    assert {c.region for c in given.clusters} <= set(given.latency.sites)


def test_hetzner_is_net() -> None:
    """The gross list is divided by 1.19: a machine like ccx33 is about its net 138.99."""
    assert parts("hetzner").of(8, 32) == pytest.approx(138.99, rel=0.1)
    assert all(a.price > 0 for a in accelerators().values())
