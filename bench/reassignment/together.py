"""Where services are: how far their processes are spread, and which others are near.

Owns the two rules that look at a service as a whole, spread over locations and dependencies within
neighbourhoods. Both may be broken at a price: of each location that is missing, and of each
neighbourhood in which a service is without one that it depends on.
"""

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from bench.reassignment.instance import Instance, Numbers

Floats = NDArray[np.float64]


class Together:
    """The services of an assignment that changes.

    Attributes:
        wrong: locations and dependencies that are missing.
    """

    def __init__(self, instance: Instance, place: Numbers) -> None:
        """Count *place*; nothing has a price yet."""
        self._location, self._group = instance.location, instance.neighbourhood
        # The last service is that of nobody: it needs nothing.
        self._spread = np.append(instance.spread, 0)
        many = len(self._spread)
        self._at = _counts(many, instance.service, instance.location[place])
        self._around = _counts(many, instance.service, instance.neighbourhood[place])
        pairs = [(s, o) for s, others in enumerate(instance.depends) for o in others if s != o]
        self._pairs = np.array(sorted(set(pairs)), dtype=np.int64).reshape(-1, 2)
        needs, users = defaultdict(list), defaultdict(list)
        for service, other in self._pairs.tolist():
            needs[service].append(other)
            users[other].append(service)
        self._needs, self._users = _arrays(needs), _arrays(users)
        self._missing = np.zeros_like(self._around)
        np.add.at(self._missing, self._pairs[:, 0], self._around[self._pairs[:, 1]] == 0)
        self._used = np.count_nonzero(self._at, axis=1)
        self._depending, self._spreading = bool(len(self._pairs)), bool(instance.spread.any())
        self.wrong = int(self.broken.sum())
        self.charge(np.zeros(many))

    @property
    def broken(self) -> Numbers:
        """[service] how many locations and dependencies it lacks; the last is nobody's."""
        short = np.maximum(0, self._spread - self._used)
        lacking: Numbers = short + (self._missing * (self._around > 0)).sum(axis=1)
        return lacking

    @property
    def cost(self) -> float:
        """What is charged for all that is missing."""
        return float(self._price @ self.broken)

    def charge(self, price: Floats) -> None:
        """Charge *price* [service] for each thing that a service lacks."""
        self._price = price
        needed = np.zeros(self._around.shape)
        service, other = self._pairs.T
        np.add.at(needed, other, price[service, None] * (self._around[service] > 0))
        self._value = needed - price[:, None] * self._missing
        """What it would cost to have no process of a service in a neighbourhood."""
        self._leave = np.where(self._around == 1, self._value, 0.0)
        self._enter = np.where(self._around == 0, -self._value, 0.0)
        slack = self._used - self._spread
        self._tighter = np.where(slack <= 0, price, 0.0)
        self._looser = np.where(slack < 0, -price, 0.0)

    def changes(self, own: int, here: int, to: Numbers, other: Numbers) -> Floats:
        """What it costs more if one of service *own* goes from *here* to each of *to*.

        And if one of *other* comes back from there. Right but where the two are of one service or
        one needs the other: then it is an estimate.
        """
        change = np.zeros(len(to))
        if self._depending:
            group, now, width = self._group.take(to), self._group[here], self._around.shape[1]
            each = self._enter[own] + self._leave[own, now]
            each[now] = 0.0
            change += each.take(group)
            back = self._leave.take(other * width + group) + self._enter.take(other * width + now)
            change += back * (group != now)
        if self._spreading:
            location, now, width = self._location.take(to), self._location[here], self._at.shape[1]
            lost, gained = self._at[own, now] == 1, self._at[own] == 0
            each = self._tighter[own] * (lost > gained) + self._looser[own] * (gained > lost)
            each[now] = 0.0
            change += each.take(location)
            lost = self._at.take(other * width + location) == 1
            gained = self._at.take(other * width + now) == 0
            back = self._tighter.take(other) * (lost > gained)
            back += self._looser.take(other) * (gained > lost)
            change += back * (location != now)
        return change

    def take(self, service: int, here: int, to: int) -> None:
        """A process of *service* has gone from *here* to *to*."""
        before, after = self._location[here], self._location[to]
        if before != after:
            short = max(0, self._spread[service] - self._used[service])
            self._at[service, before] -= 1
            self._used[service] -= self._at[service, before] == 0
            self._used[service] += self._at[service, after] == 0
            self._at[service, after] += 1
            slack = self._used[service] - self._spread[service]
            self.wrong += max(0, -slack) - short
            self._tighter[service] = self._price[service] if slack <= 0 else 0.0
            self._looser[service] = -self._price[service] if slack < 0 else 0.0
        before, after = self._group[here], self._group[to]
        if before != after:
            self._around[service, after] += 1
            if self._around[service, after] == 1:
                self._changed(service, after, 1)
            self._around[service, before] -= 1
            if self._around[service, before] == 0:
                self._changed(service, before, -1)
            self._refresh(service, before)
            self._refresh(service, after)

    def _changed(self, service: int, group: int, sign: int) -> None:
        """*service* has come to the neighbourhood *group*, or has left it."""
        self.wrong += sign * int(self._missing[service, group])
        if service in self._users:
            users = self._users[service]
            self.wrong -= sign * int(np.count_nonzero(self._around[users, group]))
            self._missing[users, group] -= sign
            self._value[users, group] += sign * self._price[users]
            self._refresh(users, group)
        if service in self._needs:
            needs = self._needs[service]
            self._value[needs, group] += sign * self._price[service]
            self._refresh(needs, group)

    def _refresh(self, services: Numbers | int, group: int) -> None:
        count, value = self._around[services, group], self._value[services, group]
        self._leave[services, group] = np.where(count == 1, value, 0.0)
        self._enter[services, group] = np.where(count == 0, -value, 0.0)


def _counts(services: int, service: Numbers, group: Numbers) -> Numbers:
    counts = np.zeros((services, int(group.max()) + 1), dtype=np.int64)
    np.add.at(counts, (service, group), 1)
    return counts


def _arrays(lists: dict[int, list[int]]) -> dict[int, Numbers]:
    return {key: np.array(values) for key, values in lists.items()}
