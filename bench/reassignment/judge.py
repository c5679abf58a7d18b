"""What an assignment costs and which rules it breaks, from the definition alone.

Owns the last word: it shares nothing with the search, sums from the beginning, in whole numbers.
Source: Google ROADEF/EURO challenge 2011-2012, problem definition v1, sections 2 and 3.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np

from bench.reassignment.instance import Instance, Numbers


@dataclass(frozen=True)
class Cost:
    """The parts of the cost, each with its weight."""

    load: int
    balance: int
    process: int
    service: int
    machine: int

    @property
    def total(self) -> int:
        """What is minimised."""
        return self.load + self.balance + self.process + self.service + self.machine


def cost(instance: Instance, place: Numbers) -> Cost:
    """What it costs to have each process on the machine ``place[process]``."""
    used = _usage(instance, place)
    over = np.maximum(0, used - instance.safety).sum(axis=0)
    free = instance.capacity - used
    balance = sum(
        b.weight * int(np.maximum(0, b.target * free[:, b.have] - free[:, b.want]).sum())
        for b in instance.balances
    )
    moved = np.flatnonzero(place != instance.start)
    by_service = Counter(instance.service[moved].tolist())
    return Cost(
        load=int(instance.load_weight @ over),
        balance=balance,
        process=instance.process_weight * int(instance.process_cost[moved].sum()),
        service=instance.service_weight * max(by_service.values(), default=0),
        machine=instance.machine_weight
        * int(instance.move_cost[instance.start[moved], place[moved]].sum()),
    )


def violations(instance: Instance, place: Numbers) -> list[str]:
    """The rules that *place* breaks, in words; none where it may be."""
    found = []
    used = _usage(instance, place)
    for process in np.flatnonzero(place != instance.start).tolist():
        stays = np.where(instance.transient, instance.requirement[process], 0)
        used[instance.start[process]] += stays
    for machine, resource in np.argwhere(used > instance.capacity).tolist():
        found.append(f"machine {machine}: more of resource {resource} than its capacity")
    machines: dict[int, list[int]] = defaultdict(list)
    for process, machine in enumerate(place.tolist()):
        machines[int(instance.service[process])].append(machine)
    around = {s: {int(instance.neighbourhood[m]) for m in at} for s, at in machines.items()}
    for service, at in sorted(machines.items()):
        if len(set(at)) < len(at):
            found.append(f"service {service}: two processes on one machine")
        found.extend(
            f"service {service}: in a neighbourhood without service {other}"
            for other in instance.depends[service]
            if not around[service] <= around.get(other, set())
        )
    for service, least in enumerate(instance.spread.tolist()):
        if len({int(instance.location[m]) for m in machines.get(service, [])}) < least:
            found.append(f"service {service}: in fewer than {least} locations")
    return found


def _usage(instance: Instance, place: Numbers) -> Numbers:
    used = np.zeros_like(instance.capacity)
    np.add.at(used, place, instance.requirement)
    return used
