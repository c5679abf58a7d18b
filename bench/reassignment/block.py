"""A block: some machines with all processes on them, placed anew by an exact program.

Owns the program, as a matrix for the engine's branch and bound (``placement/solve/highs.py``):
everything outside the block stays. Of the whole instance as one block it is the problem itself.

The columns are x[p, m], process p on machine m of the block; what machine m uses of a resource
above its safety capacity; its balance cost; the most moves of a service; and for services that
must spread, whether a location is used. All but x need not be whole: the costs push them down,
and locations follow from x.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.reassignment.instance import Instance, Numbers
from placement.solve.highs import Floats, Model, branch_and_bound


@dataclass(frozen=True)
class Improved:
    """What a block's program found.

    Attributes:
        place: of all processes; None where nothing was found within the limit.
        bound: what the block cannot cost less than, with the moves of its processes and the most
            moves of any service.
    """

    place: Numbers | None
    bound: float


def solve_block(
    instance: Instance, place: Numbers, machines: Numbers, nodes: int, gap: float
) -> Improved:
    """Place the processes of *machines* anew, within *nodes* nodes and to a relative *gap*."""
    program = _Program(instance, place, machines)
    found = branch_and_bound(program.model(), nodes, gap, presolve=True)
    if found.columns is None:
        return Improved(None, found.bound)
    size = len(program.processes) * len(machines)
    chosen = found.columns[:size].reshape(-1, len(machines)).argmax(axis=1)
    result = place.copy()
    result[program.processes] = machines[chosen]
    return Improved(result, found.bound)


class _Program:
    """The rows and columns of a block, gathered kind by kind."""

    def __init__(self, instance: Instance, place: Numbers, machines: Numbers) -> None:
        self._instance, self._place, self._machines = instance, place, machines
        inside = np.isin(place, machines)
        self.processes = np.flatnonzero(inside)
        self._x = np.arange(len(self.processes) * len(machines)).reshape(-1, len(machines))
        self._cost: list[float] = []
        self._lower: list[float] = []
        self._upper: list[float] = []
        self._rows: list[tuple[Numbers, Floats, float, float]] = []
        self._moves()
        self._outside: dict[int, list[int]] = defaultdict(list)
        for process in np.flatnonzero(~inside).tolist():
            self._outside[int(instance.service[process])].append(process)
        self._inside: dict[int, Numbers] = defaultdict(lambda: np.zeros(0, dtype=np.int64))
        services = instance.service[self.processes]
        for service in np.unique(services).tolist():
            self._inside[service] = np.flatnonzero(services == service)
        for row in self._x:
            self._row(row, np.ones(len(row)), 1, 1)
        self._resources()
        self._service_moves()
        for service, members in sorted(self._inside.items()):
            self._conflict(members)
            self._spread(service, members)
        self._dependencies()

    def model(self) -> Model:
        """The program as a matrix."""
        counts = [len(row[0]) for row in self._rows]
        width = len(self._cost)
        return Model(
            cost=np.array(self._cost),
            lower=np.array(self._lower),
            upper=np.array(self._upper),
            integer=np.arange(width) < self._x.size,
            start=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)]),
            index=np.concatenate([row[0] for row in self._rows]),
            value=np.concatenate([row[1] for row in self._rows]),
            row_lower=np.array([row[2] for row in self._rows]),
            row_upper=np.array([row[3] for row in self._rows]),
        )

    def _column(self, cost: float, lower: float, upper: float) -> int:
        self._cost.append(cost)
        self._lower.append(lower)
        self._upper.append(upper)
        return len(self._cost) - 1

    def _row(self, index: Numbers, value: Floats, lower: float, upper: float) -> None:
        """A row; entries of 0 are left out."""
        used = value != 0
        self._rows.append((index[used], value[used], lower, upper))

    def _moves(self) -> None:
        instance, home = self._instance, self._instance.start[self.processes]
        cost = instance.machine_weight * instance.move_cost[np.ix_(home, self._machines)]
        away = home[:, None] != self._machines
        cost = cost + away * instance.process_weight * instance.process_cost[self.processes, None]
        self._cost.extend(cost.ravel().tolist())
        self._lower.extend([0.0] * cost.size)
        self._upper.extend([1.0] * cost.size)

    def _resources(self) -> None:
        """Capacity, transient use, load and balance of each machine of the block."""
        instance = self._instance
        need = instance.requirement[self.processes].astype(np.float64)
        home = instance.start[self.processes]
        for place, machine in enumerate(self._machines.tolist()):
            x = self._x[:, place]
            native = instance.requirement[instance.start == machine].sum(axis=0)
            for resource, weight in enumerate(instance.load_weight.tolist()):
                capacity = float(instance.capacity[machine, resource])
                uses = need[:, resource]
                if instance.transient[resource]:
                    # What started here uses it here, be it here or elsewhere now.
                    comes = np.where(home == machine, 0.0, uses)
                    self._row(x, comes, -np.inf, capacity - float(native[resource]))
                else:
                    self._row(x, uses, -np.inf, capacity)
                self._above(x, uses, float(instance.safety[machine, resource]), weight)
            for b in instance.balances:
                room = instance.capacity[machine]
                value = need[:, b.want] - b.target * need[:, b.have]
                least = float(room[b.want] - b.target * room[b.have])
                self._above(x, value, least, b.weight)

    def _above(self, index: Numbers, value: Floats, limit: float, weight: float) -> None:
        """Charge *weight* for each unit by which a row is above its *limit*."""
        if weight:
            excess = self._column(weight, 0.0, np.inf)
            self._row(np.append(index, excess), np.append(value, -1.0), -np.inf, limit)

    def _service_moves(self) -> None:
        instance = self._instance
        away = self._place != instance.start
        away[self.processes] = False
        moved = np.bincount(instance.service[away], minlength=len(instance.spread))
        most = self._column(instance.service_weight, float(moved.max(initial=0)), np.inf)
        for service, members in sorted(self._inside.items()):
            if moved[service] + len(members) <= moved.max(initial=0):
                continue
            home = instance.start[self.processes[members]]
            index = self._x[members][home[:, None] == self._machines]
            index = np.append(index, most)
            least = float(moved[service] + len(members))
            self._row(index, np.ones(len(index)), least, np.inf)

    def _conflict(self, members: Numbers) -> None:
        if len(members) > 1:
            for place in range(len(self._machines)):
                self._row(self._x[members, place], np.ones(len(members)), -np.inf, 1)

    def _spread(self, service: int, members: Numbers) -> None:
        instance = self._instance
        out = np.unique(instance.location[self._place[self._outside[service]]])
        least = int(instance.spread[service]) - len(out)
        if least <= 0:
            return
        location = instance.location[self._machines]
        used = []
        for other in sorted(set(location.tolist()) - set(out.tolist())):
            used.append(self._column(0.0, 0.0, 1.0))
            x = self._x[members][:, location == other].ravel()
            self._row(np.append(x, used[-1]), np.append(np.ones(len(x)), -1.0), 0, np.inf)
        self._row(np.array(used, dtype=np.int64), np.ones(len(used)), least, np.inf)

    def _dependencies(self) -> None:
        instance = self._instance
        around = instance.neighbourhood[self._machines]
        for service, others in enumerate(instance.depends):
            for other in others:
                if other == service or not (len(self._inside[service]) or len(self._inside[other])):
                    continue
                there = self._around(other)
                for group in np.unique(around).tolist():
                    if group not in there:
                        self._need(service, other, around == group, group)

    def _need(self, service: int, other: int, there: NDArray[np.bool_], group: int) -> None:
        """What is of *service* in a neighbourhood needs one of *other*, all of which are inside."""
        gives = self._x[self._inside[other]][:, there].ravel()
        if group in self._around(service):
            self._row(gives, np.ones(len(gives)), 1, np.inf)
            return
        for member in self._inside[service]:
            takes = self._x[member, there]
            value = np.append(np.ones(len(gives)), -np.ones(len(takes)))
            self._row(np.append(gives, takes), value, 0, np.inf)

    def _around(self, service: int) -> set[int]:
        """The neighbourhoods where processes of *service* outside the block are."""
        outside = self._place[self._outside[service]]
        return set(self._instance.neighbourhood[outside].tolist())
