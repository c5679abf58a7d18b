"""An assignment that changes move by move, with what each move costs at hand.

Owns the sums that moves change: what each machine uses, has free and costs. A move takes a process
to another machine, or lets two trade places: then *back* is the second one, else ``nobody``. Of the
rules, capacity, spread and dependencies may be broken at a price; two processes of a service are
never on one machine. The service move cost, a maximum over all services, is left out.

In two dimensions resources are rows and machines or processes columns: numpy adds rows faster.
"""

import numpy as np
from numpy.typing import NDArray

from bench.reassignment.instance import Instance, Numbers
from bench.reassignment.together import Floats, Together

# Amounts are whole numbers in floats: their sums stay below 2**53 and are exact.


class State:
    """The assignment *place* and all that follows from it.

    Attributes:
        place: [process] its machine; one more for ``nobody``.
        nobody: the process that uses nothing and is nowhere.
    """

    def __init__(self, instance: Instance, place: Numbers) -> None:
        """Sum up *place*; breaking a rule has no price yet."""
        processes, machines = len(instance.start), len(instance.location)
        self.nobody = processes
        self.place = np.append(place, -1)
        self._home = np.append(instance.start, -1)
        self._service = np.append(instance.service, len(instance.spread))
        self._present = np.zeros((len(instance.spread) + 1, machines), dtype=bool)
        self._present[instance.service, place] = True
        self._together = Together(instance, place)
        self._weight = instance.load_weight.astype(np.float64)
        self._need = np.zeros((len(self._weight), processes + 1))
        self._need[:, :-1] = instance.requirement.T
        self._held = self._need * instance.transient[:, None]
        """What a process goes on using at home after it left."""
        used = _sums(self._need[:, :-1], place, machines)
        free = instance.capacity.T - used
        self._over = used - instance.safety.T
        away = place != instance.start
        self._room = free - _sums(self._held[:, :-1] * away, instance.start, machines)
        """What is free and not held by processes that left."""
        self._gives = self._need - np.append(~away, False) * self._held
        """What a process gives back where it leaves."""
        self._pairs = [(b.have, b.want, float(b.target)) for b in instance.balances]
        self._balance = np.array([float(b.weight) for b in instance.balances])
        self._lean = self._leaning(free)
        """By balance, what should be free beside what is."""
        self._leans = self._leaning(self._need)
        # The last row is that of nobody's home.
        self._move = np.zeros((machines + 1, machines))
        self._move[:-1] = instance.machine_weight * instance.move_cost
        self._any = np.append(instance.process_weight * instance.process_cost, 0).astype(np.float64)
        self._paid = np.append(self._moved(np.arange(processes), place), 0.0)
        self.charge(np.zeros(machines), np.zeros(len(instance.spread) + 1))

    def charge(self, penalty: Floats, price: Floats) -> None:
        """Set the prices of breaking rules.

        Args:
            penalty: [machine] for each unit above a capacity, times its resource's load weight.
            price: [service, one more for nobody's] for each location or dependency that it lacks.
        """
        self._penalty = penalty
        self._machine = self._machines(self._over, self._lean, self._room, penalty)
        self._together.charge(price)

    @property
    def machines(self) -> Floats:
        """[machine] what it costs: load, balance, and what is above its capacity."""
        return self._machine

    @property
    def crowded(self) -> NDArray[np.bool_]:
        """[machine] whether a capacity is exceeded."""
        return np.asarray((self._room < 0).any(axis=0))

    @property
    def lacking(self) -> NDArray[np.bool_]:
        """[service, one more for nobody's] whether it lacks a location or a dependency."""
        return self._together.broken > 0

    @property
    def legal(self) -> bool:
        """Whether no rule is broken."""
        return not self._together.wrong and bool((self._room >= 0).all())

    @property
    def cost(self) -> float:
        """Load, balance, process and machine moves, and what is charged for broken rules."""
        rules = self._together.cost if self._together.wrong else 0.0
        return float(self._machine.sum() + self._paid.sum()) + rules

    def changes(self, process: int, to: Numbers, back: Numbers) -> Floats:
        """By how much each move changes the cost; infinite where a conflict forbids it.

        Args:
            process: that is moved.
            to: the machine of each move.
            back: the process that comes from there; ``nobody`` for none.
        """
        here = int(self.place[process])
        own, other = int(self._service[process]), self._service.take(back)
        barred = (self._present[own].take(to) | self._present[other, here]) & (other != own)
        barred |= to == here
        mine, theirs = self._need[:, process, None], self._need.take(back, axis=1)
        more = mine - theirs
        leans = self._leans[:, process, None] - self._leans.take(back, axis=1)
        there = self._room.take(to, axis=1) - mine + self._gives.take(back, axis=1)
        there[:, to == self._home[process]] += self._held[:, process, None]
        at = self._room[:, here, None] + self._gives[:, process, None] - theirs
        returns = self._home.take(back) == here
        at[:, returns] += self._held[:, back[returns]]
        change = self._machines(
            self._over.take(to, axis=1) + more,
            self._lean.take(to, axis=1) - leans,
            there,
            self._penalty.take(to),
        )
        change += self._machines(
            self._over[:, here, None] - more,
            self._lean[:, here, None] + leans,
            at,
            self._penalty[here],
        )
        change -= self._machine.take(to) + self._machine[here]
        change += self._moved(process, to) - self._paid[process]
        change += self._moved(back, here) - self._paid.take(back)
        change += self._together.changes(own, here, to, other)
        change[barred] = np.inf
        return change

    def make(self, process: int, to: int, back: int) -> None:
        """Make a move."""
        here = int(self.place[process])
        self._take(process, here, to)
        if back != self.nobody:
            self._take(back, to, here)
            self._present[self._service[process], to] = True  # where both are of one service

    def _take(self, process: int, here: int, to: int) -> None:
        need, held = self._need[:, process], self._held[:, process]
        home, service = self._home[process], int(self._service[process])
        self._over[:, here] -= need
        self._over[:, to] += need
        self._lean[:, here] += self._leans[:, process]
        self._lean[:, to] -= self._leans[:, process]
        self._room[:, here] += self._gives[:, process]
        self._gives[:, process] = need - held if to == home else need
        self._room[:, to] -= self._gives[:, process]
        both = [here, to]
        self._machine[both] = self._machines(
            self._over[:, both], self._lean[:, both], self._room[:, both], self._penalty[both]
        )
        self._present[service, here] = False
        self._present[service, to] = True
        self._together.take(service, here, to)
        self._paid[process] = self._moved(process, to)
        self.place[process] = to

    def _machines(
        self, over: Floats, lean: Floats, room: Floats, penalty: Floats | float
    ) -> Floats:
        """What each column costs: load, balance, and what is above the capacity."""
        cost: Floats = self._weight @ np.maximum(over, 0.0)
        cost -= penalty * (self._weight @ np.minimum(room, 0.0))
        if self._pairs:
            cost += self._balance @ np.maximum(lean, 0.0)
        return cost

    def _leaning(self, amount: Floats) -> Floats:
        pairs = [target * amount[have] - amount[want] for have, want, target in self._pairs]
        return np.array(pairs).reshape(len(pairs), amount.shape[1])

    def _moved(self, process: Numbers | int, machine: Numbers | int) -> Floats:
        """What it costs in moves to have *process* on *machine*."""
        home = self._home[process]
        paid: Floats = self._move[home, machine] + self._any[process] * (machine != home)
        return paid


def _sums(amounts: Floats, place: Numbers, machines: int) -> Floats:
    sums = np.zeros((len(amounts), machines))
    np.add.at(sums.T, place, amounts.T)
    return sums
