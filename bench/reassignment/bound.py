"""What no assignment costs less than: every resource summed over all machines.

Owns the bound. The sum over machines of what is above their safety capacity is at least what all
processes use less all safety capacities; the same holds for balance, since the positive part of a
sum is at most the sum of the positive parts. Moves cost 0 or more.
"""

import numpy as np

from bench.reassignment.instance import Instance


def bound(instance: Instance) -> int:
    """The least that any assignment can cost, and often less than that."""
    used = instance.requirement.sum(axis=0)
    over = np.maximum(0, used - instance.safety.sum(axis=0))
    free = instance.capacity.sum(axis=0) - used
    unbalanced = [
        b.weight * max(0, b.target * int(free[b.have]) - int(free[b.want]))
        for b in instance.balances
    ]
    return int(instance.load_weight @ over) + sum(unbalanced)
