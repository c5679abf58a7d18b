"""Filling nodes by runs against filling them one by one."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from placement.federation.cluster import NodeClass
from placement.federation.workload import Workload
from placement.packing import Nodes, request_of
from placement.quantity import parse_quantity
from tests.unit.federations import cluster, federation, node_class, workload

# ruff: noqa: S311 - the numbers make instances, no secrets


def test_runs_of_equal_nodes_are_first_fit_node_by_node() -> None:
    """On 200 random clusters as many replicas are left as where each node is looked at alone."""
    random = Random(5)
    for _ in range(200):
        count, used = random.randint(1, 6), random.randint(0, 5)
        nodes = node_class(count=count, cpu=random.randint(2, 5), inUse={"cpu": str(used)})
        given = [
            workload(f"w{i}", random.randint(1, 9), cpu=f"{random.randint(1, 30) * 100}m")
            for i in range(4)
        ]
        world = federation([cluster("a", nodes)], given)
        replicas = [(w, w.size) for w in world.workloads]
        expected = _one_by_one(world.clusters[0].node_classes[0], replicas)
        assert Nodes(world.clusters[0]).put(replicas) == expected


def test_a_copy_is_filled_by_itself() -> None:
    """What is put on a copy of the nodes takes no room on the nodes themselves."""
    world = federation([cluster("a", node_class(cpu=4))], [workload("w", 4)])
    nodes = Nodes(world.clusters[0])
    everything = [(world.workloads[0], 4)]
    assert nodes.copy().put(everything) == {}
    assert nodes.copy().put(everything) == {}
    assert nodes.put(everything) == {}
    assert nodes.put(everything) == {"default/w": 4}


def _one_by_one(given: NodeClass, replicas: Sequence[tuple[Workload, int]]) -> dict[str, int]:
    """Replicas without a node: the largest first, each on the first node that has room."""
    one = {
        r: Fraction(parse_quantity(amount))
        - Fraction(parse_quantity(given.in_use.get(r, "0"))) / given.count
        for r, amount in given.allocatable.items()
    }
    free = [dict(one) for _ in range(given.count)]
    requests = {w.id: {r: Fraction(a) for r, a in request_of(w).items()} for w, _ in replicas}
    share = {
        name: max(a / one[r] for r, a in request.items() if one[r])
        for name, request in requests.items()
    }
    left: dict[str, int] = {}
    for item, n in sorted(replicas, key=lambda entry: (-share[entry[0].id], entry[0].id)):
        request = requests[item.id]
        for _ in range(n):
            host = next((f for f in free if all(f[r] >= a for r, a in request.items())), None)
            if host is None:
                left[item.id] = left.get(item.id, 0) + 1
                continue
            for r, a in request.items():
                host[r] -= a
    return left
