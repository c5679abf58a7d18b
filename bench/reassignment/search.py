"""The search: one exact program for what is small, else annealing and then blocks.

Owns the order of these steps and their limits, all of them counts. The choice of blocks is drawn
with a fixed seed, the first machine of each in proportion to what it costs.
"""

from dataclasses import dataclass

import numpy as np

from bench.reassignment.anneal import anneal
from bench.reassignment.block import solve_block
from bench.reassignment.bound import bound
from bench.reassignment.instance import Instance, Numbers
from bench.reassignment.state import State

_WHOLE = 2_000
"""Processes times machines of what is solved as one program."""

_WHOLE_NODES = 100_000

_NEAR = 1e-4
"""The part of the cost at the start by which an answer may be above the bound."""

STEPS = {1: 30_000, 2: 150_000, 3: 500_000, 4: 2_000_000, 5: 10_000_000}
"""Steps of the annealing, by effort."""

_BLOCKS = {1: 10, 2: 20, 3: 40, 4: 200, 5: 1_000}
"""The most blocks, by effort."""

_COLUMNS, _NODES, _GAP = 400, 20, 1e-5
"""Of a block: processes times machines at most, and the limits of its program."""


@dataclass(frozen=True)
class Found:
    """The answer.

    Attributes:
        place: [process] its machine.
        bound: what no assignment costs less than.
    """

    place: Numbers
    bound: int


def search(instance: Instance, effort: int, seed: int) -> Found:
    """A good assignment, the same for the same arguments.

    Args:
        instance: whose start breaks no rule.
        effort: 1 to 5, see ``STEPS``.
        seed: of everything that is drawn.
    """
    machines = np.arange(len(instance.location))
    if len(instance.start) * len(machines) <= _WHOLE:
        whole = solve_block(instance, instance.start, machines, _WHOLE_NODES, 0.0)
        if whole.place is not None and State(instance, whole.place).legal:
            return Found(whole.place, int(np.ceil(whole.bound - 1e-3)))
    least = bound(instance)
    enough = least + _NEAR * _cost(State(instance, instance.start), instance)
    place = anneal(instance, STEPS[effort], seed, enough)
    return Found(_by_blocks(instance, place, _BLOCKS[effort], seed, enough), least)


def _by_blocks(
    instance: Instance, place: Numbers, blocks: int, seed: int, enough: float
) -> Numbers:
    """*place*, or a better answer from its blocks."""
    random = np.random.default_rng(seed)
    state = State(instance, place)
    for _ in range(blocks):
        if _cost(state, instance) <= enough:
            break
        found = solve_block(instance, place, _block(state, random), _NODES, _GAP).place
        if found is None:
            continue
        other = State(instance, found)
        # Rounding may break a capacity by a unit.
        if other.legal and _cost(other, instance) < _cost(state, instance):
            place, state = found, other
    return place


def _block(state: State, random: np.random.Generator) -> Numbers:
    """Some machines, as many as the program may have columns for."""
    weight = 1.0 + state.machines
    first = random.choice(len(weight), p=weight / weight.sum())
    order = random.permutation(len(weight))
    chosen = [first, *order[order != first].tolist()]
    many = np.bincount(state.place[:-1], minlength=len(weight))[chosen]
    fits = np.cumsum(many) * np.arange(1, len(chosen) + 1) <= _COLUMNS
    return np.sort(np.array(chosen[: max(2, int(fits.sum()))]))


def _cost(state: State, instance: Instance) -> float:
    moved = state.place[:-1] != instance.start
    most = np.bincount(instance.service[moved], minlength=1).max()
    return state.cost + instance.service_weight * float(most)
