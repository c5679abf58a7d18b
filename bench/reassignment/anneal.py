"""Simulated annealing over single moves and exchanges, a whole neighbourhood at a time.

Owns the schedule. A process is drawn; of its moves to every machine, its exchanges with some other
processes, and of staying, one is chosen with probability in proportion to exp(-change /
temperature) (heat bath: Glauber, J. Math. Phys. 1963), as the least of change less temperature
times a Gumbel variable. Half of the partners are of about the process's size. That single moves
and exchanges do well here is known: Portal, Ritt, Borba and Buriol, *Simulated annealing for the
machine reassignment problem*, Annals of Operations Research 242 (2016).

Machines are so full that a large process finds no room until small ones have gone, so rules may be
broken on the way at a price, which rises for a machine or service as long as it breaks one and
falls when it does not (strategic oscillation: Glover, Decision Sciences 8, 1977). What counts is
the best assignment on the way that breaks none.
"""

import numpy as np

from bench.reassignment.instance import Instance, Numbers
from bench.reassignment.state import State

_BATCH = 500
"""Steps at the same temperature and prices, whose random numbers are drawn together."""

_PARTNERS = 100
"""Processes that are tried for an exchange in a step."""

_NEAR = 20
"""A partner of about the same size is within one in so many of the processes, by size."""

_HOT, _COLD = 0.7, 0.006
"""The first and the last temperature, in the load cost of the median process."""

_DOUBLES, _HALVES = 0.04, 0.08
"""The part of all steps in which the price of a rule doubles while it is broken, and in which it
halves at first while it is not: towards the end it falls more and more slowly."""

_CAPACITY, _SERVICE = (1.0, 0.3), (1.0, 0.1)
"""The first and the least price: of a machine's capacities in load weights, and of what a service
lacks in the load cost of the median process."""


def anneal(instance: Instance, steps: int, seed: int, enough: float) -> Numbers:
    """The best assignment that was found.

    Args:
        instance: whose start breaks no rule.
        steps: draws of a process at most.
        seed: of the draws.
        enough: the cost, without the service move cost, at which it ends.
    """
    random = np.random.default_rng(seed)
    state = State(instance, instance.start)
    best, least = instance.start, state.cost
    size = instance.requirement @ instance.load_weight
    unit = float(np.median(size))
    penalty = np.full(len(instance.location), _CAPACITY[0])
    price = np.full(len(instance.spread) + 1, unit * _SERVICE[0])
    dearer, cheaper = 2 ** (_BATCH / steps / _DOUBLES), 2 ** (-_BATCH / steps / _HALVES)
    by_size = np.argsort(size, kind="stable")
    machines = np.arange(len(penalty))
    alone = np.full(len(machines), state.nobody)
    for first in range(0, steps, _BATCH):
        if least <= enough:
            break
        temperature = unit * _HOT * (_COLD / _HOT) ** (first / steps)
        state.charge(penalty, price)
        drawn, others = _draws(random, by_size)
        for process, partners in zip(drawn, others, strict=True):
            to = np.concatenate([machines, state.place[partners]])
            back = np.concatenate([alone, partners])
            noise = temperature * random.gumbel(size=len(to) + 1)
            score = state.changes(process, to, back) - noise[1:]
            chosen = int(score.argmin())
            if score[chosen] < -noise[0]:
                state.make(process, int(to[chosen]), int(back[chosen]))
                if state.legal and state.cost < least:
                    best, least = state.place[:-1].copy(), state.cost
        eased = cheaper ** (1 - first / steps) ** 2
        penalty *= np.where(state.crowded, dearer, eased)
        price *= np.where(state.lacking, dearer, eased)
        np.maximum(penalty, _CAPACITY[1], out=penalty)
        np.maximum(price, unit * _SERVICE[1], out=price)
    return best


def _draws(random: np.random.Generator, by_size: Numbers) -> tuple[list[int], Numbers]:
    """The processes of a batch, and [step, partner] those tried for an exchange."""
    many = len(by_size)
    drawn = random.integers(many, size=_BATCH)
    others = random.integers(many, size=(_BATCH, _PARTNERS))
    reach = -(-many // _NEAR)
    near = drawn[:, None] + random.integers(-reach, reach + 1, size=(_BATCH, _PARTNERS // 2))
    others[:, : _PARTNERS // 2] = by_size[near % many]
    return by_size[drawn].tolist(), others
