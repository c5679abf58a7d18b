"""Rows of whole nodes: what the sum over a node class says too little of.

With s the part of a node that a replica takes, each of the functions

    u_k(s) = s if (k + 1) s is whole, else floor((k + 1) s) / k

adds up to at most 1 over the replicas of one node (dual feasible functions: Fekete and Schepers,
New classes of fast lower bounds for bin packing problems, 2001, theorem 2). For k = 1: at most one
replica of over half a node on each; for k = 2: at most two of over a third. What others use is
spread evenly over the nodes, so a replica may fit none although it fits what is free in all.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from placement.program.matrix import Integers, Limit, Requirement

_DEEPEST = 3
"""Replicas of less than a quarter of a node leave too little over for a row of their own."""

_EXACT = 2**53
"""Whole numbers below it are exact as floats too."""


def whole_nodes(
    slots: Integers,
    needs: NDArray[np.int64] | NDArray[np.object_],
    free: int,
    count: int,
    nodes: int | None,
    requirement: Requirement,
) -> Iterator[Limit]:
    """The rows of a resource of a node class that hold for every packing of whole replicas.

    Args:
        slots: replica columns on the class.
        needs: of a replica, by slot, in whole units.
        free: what is free of all nodes, in the same units.
        count: the nodes.
        nodes: the column of nodes opened, where these are charged.
        requirement: that the rows belong to.
    """
    if (_DEEPEST + 1) * count * int(needs.max()) <= free:
        return  # more of them fit a node than any of the rows counts
    rule = f"{requirement.rule} on whole nodes"
    whole = Requirement(requirement.subject, rule, "nodes")
    if (_DEEPEST + 1) * count * int(needs.max()) >= _EXACT or free >= _EXACT:
        needs = needs.astype(object)
    taken = needs * count  # a replica takes the part taken/free of a node
    larger = taken > free
    if larger.any():
        yield Limit(slots[larger], np.ones(np.count_nonzero(larger)), 0.0, whole)
    slots, taken = slots[~larger], taken[~larger]
    if not len(slots) or free == 0:
        return
    seen: set[bytes] = set()
    for k in range(1, _DEEPEST + 1):
        times = (k + 1) * taken // free
        rest = (k + 1) * taken - times * free
        parts = np.where(rest > 0, times / k, taken / free).astype(np.float64)
        if parts.tobytes() in seen or not np.any((rest > 0) & (times * free > k * taken)):
            continue  # the row of sums says as much
        seen.add(parts.tobytes())
        used = parts != 0
        yield Limit(slots[used], parts[used], float(count), whole)
        if nodes is not None:
            yield Limit(np.append(slots[used], nodes), np.append(parts[used], -1.0), 0.0)
