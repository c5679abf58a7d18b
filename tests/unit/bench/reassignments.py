"""Small instances of the machine reassignment problem, with every kind of rule and cost."""

import gzip
from itertools import product
from pathlib import Path

import numpy as np

from bench.reassignment.instance import Balance, Instance, Numbers
from bench.reassignment.judge import cost, violations


def random_instance(
    seed: int, machines: int = 4, processes: int = 6, services: int = 3
) -> Instance:
    """An instance whose start breaks no rule and whose rules, each of them, can be broken."""
    random = np.random.default_rng(seed)
    service = np.sort(np.append(np.arange(services), random.integers(services, size=processes)))
    service = service[:processes]
    start = np.zeros(processes, dtype=np.int64)
    for each in range(services):
        members = np.flatnonzero(service == each)
        # A service has no more processes than there are machines.
        service[members[machines:]] = -1
        start[members[:machines]] = random.permutation(machines)[: len(members)]
    kept = service >= 0
    service, start = service[kept], start[kept]
    location = random.integers(3, size=machines)
    neighbourhood = random.integers(2, size=machines)
    requirement = random.integers(1, 9, size=(len(start), 2))
    used = np.zeros((machines, 2), dtype=np.int64)
    np.add.at(used, start, requirement)
    spread = [len(set(location[start[service == s]].tolist())) for s in range(services)]
    around = [set(neighbourhood[start[service == s]].tolist()) for s in range(services)]
    met = [
        [o for o in range(services) if o != s and around[s] <= around[o]] for s in range(services)
    ]
    depends = [tuple(o for o in others if random.random() < 0.5) for others in met]
    moves = random.integers(0, 3, size=(machines, machines))
    return Instance(
        name=f"random {seed}",
        transient=np.array([False, True]),
        load_weight=np.array([10, 3]),
        neighbourhood=neighbourhood,
        location=location,
        capacity=used + random.integers(2, 16, size=used.shape),
        safety=random.integers(4, 16, size=used.shape),
        move_cost=moves * ~np.eye(machines, dtype=bool),
        spread=np.array([max(0, s - int(random.integers(2))) for s in spread]),
        depends=tuple(depends),
        service=service,
        requirement=requirement,
        process_cost=random.integers(0, 4, size=len(start)),
        balances=(Balance(0, 1, 2, 5),),
        process_weight=1,
        service_weight=2,
        machine_weight=3,
        start=start,
    )


def optimum(instance: Instance) -> int:
    """The least cost of all assignments that break no rule, each of them tried."""
    machines, processes = len(instance.location), len(instance.start)
    costs = []
    for place in product(range(machines), repeat=processes):
        chosen: Numbers = np.array(place)
        if not violations(instance, chosen):
            costs.append(cost(instance, chosen).total)
    return min(costs)


def write(folder: Path, name: str, model: str, assignment: str) -> None:
    """The two files of an instance."""
    for kind, text in (("model", model), ("assignment", assignment)):
        (folder / f"{kind}_{name}.txt.gz").write_bytes(gzip.compress(text.encode()))
