"""What a storage plan survives, held against what may really be where."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st
from ortools.graph.python.max_flow import SimpleMaxFlow

from components.settings.storage import StorageSettings
from components.settings.storage.survival import (
    FILL,
    Redundancy,
    Stored,
    erasure_coded,
    replicated,
    room,
)
from components.storage.ceph import ceph_cluster
from components.storage.pools import manifests
from placement.quantity import parse_quantity
from tests.unit.storage.plans import Plain, plans, read, refusal

ANY = settings(deadline=None, derandomize=True, max_examples=200)


@ANY
@given(plans())
def test_an_accepted_plan_survives_the_loss_of_any_failure_domain(plan: Plain) -> None:
    """No data under its least copies, a majority of monitors, and room to make anew what is lost.

    Read from the objects that Rook is given, whatever domains CRUSH chooses.
    """
    if refusal(plan):
        event("refused")
        return
    event("accepted")
    spec = read(plan)
    monitors = ceph_cluster(spec, "image", erase=False)["spec"]["mon"]
    assert not monitors["allowMultiplePerNode"]
    domains = spec.domains()
    assert monitors["count"] - 1 > monitors["count"] // 2
    assert monitors["count"] <= len(domains)
    for pool in spec.pools:
        for content in manifests(spec, pool):
            width, least = _read(content["spec"])
            assert content["spec"]["failureDomain"] == spec.failure_domain
            for chosen in combinations(domains, width):
                for lost in domains:
                    assert len(set(chosen) - {lost}) >= least
    for lost in domains:
        left = {name: size for name, size in domains.items() if name != lost}
        assert _fits(list(left.values()), spec)


def _read(content: dict[str, Any]) -> tuple[int, int]:
    """How many domains a pool is over, and with how few it goes on."""
    if "replicated" in content:
        assert content["replicated"]["requireSafeReplicaSize"]
        width = content["replicated"]["size"]
    else:
        coded = content["erasureCoded"]
        width = coded["dataChunks"] + coded["codingChunks"]
    return width, int(content["parameters"]["min_size"])


def _fits(capacities: Sequence[int], spec: StorageSettings) -> bool:
    """Whether all pools fit over *capacities*, one domain lost, by a flow in units of a MiB.

    A pool that has no domain for every chunk any more keeps one less.
    """
    chunks = []
    for pool in spec.pools:
        kept = pool.redundancy
        size = int(parse_quantity(pool.holds)) // kept.data // 2**20
        chunks.append((size, min(kept.width, len(capacities))))
    return _flows([int(each * FILL) // 2**20 for each in capacities], chunks)


def _flows(capacities: Sequence[int], chunks: Sequence[tuple[int, int]]) -> bool:
    """Whether each of *chunks* (size, how many) finds that many domains, by maximum flow."""
    flow = SimpleMaxFlow()
    source, sink = 0, 1 + len(chunks) + len(capacities)
    for index, (size, width) in enumerate(chunks, 1):
        flow.add_arc_with_capacity(source, index, size * width)
        for domain in range(len(capacities)):
            flow.add_arc_with_capacity(index, 1 + len(chunks) + domain, size)
    for domain, capacity in enumerate(capacities):
        flow.add_arc_with_capacity(1 + len(chunks) + domain, sink, capacity)
    assert flow.solve(source, sink) == flow.OPTIMAL
    return bool(flow.optimal_flow() == sum(size * width for size, width in chunks))


SCHEMES = st.sampled_from([replicated(3), replicated(4), erasure_coded(2, 2), erasure_coded(4, 2)])


@ANY
@given(
    st.lists(st.integers(0, 50), min_size=6, max_size=8),
    st.lists(st.tuples(st.integers(0, 40), SCHEMES), min_size=1, max_size=3),
)
def test_room_is_what_a_flow_finds(sizes: list[int], wanted: list[tuple[int, Redundancy]]) -> None:
    """The bound is exact: there is room if and only if a maximum flow places every chunk."""
    capacities = [100 * size for size in sizes]
    pools = [Stored("any", kept, size * kept.data) for size, kept in wanted]
    chunks = [(size, kept.width) for size, kept in wanted]
    assert (room(capacities, pools) >= 0) == _flows([85 * size for size in sizes], chunks)


def test_ceph_stops_where_it_says() -> None:
    """The least copies are Ceph's own: half of the copies, or one chunk more than the data."""
    assert [replicated(copies).least for copies in (3, 4, 5)] == [2, 2, 3]
    assert erasure_coded(4, 2).least == 5
    assert erasure_coded(4, 1).least == 4
