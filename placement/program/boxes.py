"""Rows that shut out the boxes of ``forbid.py``: one of the ranges must be left."""

from collections.abc import Sequence

from placement.forbid import Box
from placement.program.matrix import Builder, sum_of
from placement.program.view import View


def boxes(builder: Builder, views: Sequence[View], forbidden: Sequence[Box]) -> None:
    """The rows of every box.

    Each range [a, b] of a sum X of at most U replicas gets two binaries: X <= a - 1 if *below* is
    1, X >= b + 1 if *above* is 1. Over the box they add up to 1 or more.
    """
    if not forbidden:
        return
    columns = {
        (view.workload.id, name): (of_cluster, view.workload.size)
        for view in views
        for name, of_cluster in view.by_cluster
    }
    for box in forbidden:
        ways: list[int] = []
        for key, (low, high) in box.ranges.items():
            of_cluster, most = columns[key]
            if low > 0:
                below = builder.column(0, 1, integer=True)
                builder.row({**sum_of(of_cluster), below: float(most - low + 1)}, upper=most)
                ways.append(below)
            if high < most:
                above = builder.column(0, 1, integer=True)
                builder.row({**sum_of(of_cluster), above: -float(high + 1)}, lower=0)
                ways.append(above)
        builder.row(sum_of(ways), lower=1)
