"""One federation: its static split, its optimum, and the least that anything could cost.

The objective is cost alone, so that nothing is given away for users or carbon. The static split is
what Karmada makes of weight 1 for each cluster that will do, and each replica of it is charged the
cheapest node class there, whether the nodes hold it or not: that favours the split. The floor puts
every workload whole on its cheapest cluster, with no look at capacity, spread or promises: no
placement is cheaper, so that it says how much of a difference there is to be had.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from bench.baselines.eligible import Eligible, eligible
from bench.baselines.karmada import divided
from placement.faults import InfeasibleError
from placement.federation.federation import Federation
from placement.federation.objective import Objective
from placement.federation.workload import Workload
from placement.filter import Candidate
from placement.packing import left_over
from placement.plan import decide

HEADLINE = 0.30
"""The saving that the sources of the project promise over a static split."""


@dataclass(frozen=True)
class Share:
    """A workload: EUR a month of its static split, its optimum and its floor."""

    workload: str
    clusters: int
    static: float
    optimum: float
    floor: float

    @property
    def saving(self) -> float:
        """The part of the static split's cost that the optimum saves."""
        return 1 - self.optimum / self.static if self.static else 0.0


@dataclass(frozen=True)
class Price:
    """A federation.

    Attributes:
        status: of the engine's answer; ``gap`` where its optimum is not proven.
        bound: what no placement is below.
        crowded: replicas of the static split that find no node.
        replicas: in all.
    """

    name: str
    status: str
    bound: float
    crowded: int
    replicas: int
    shares: tuple[Share, ...]

    @property
    def static(self) -> float:
        """The cost of the static split."""
        return sum(s.static for s in self.shares)

    @property
    def saving(self) -> float:
        """The part of it that the optimum saves."""
        return 1 - sum(s.optimum for s in self.shares) / self.static

    @property
    def possible(self) -> float:
        """The part of it that could be saved at most, were there neither capacity nor rules."""
        return 1 - sum(s.floor for s in self.shares) / self.static

    @property
    def pinned(self) -> float:
        """The part of it that is of workloads with one cluster, where there is no choice."""
        return sum(s.static for s in self.shares if s.clusters == 1) / self.static

    def document(self) -> dict[str, Any]:
        """The JSON form."""
        shares = [asdict(s) | {"saving": round(s.saving, 4)} for s in self.shares]
        for share in shares:
            share |= {k: round(share[k], 2) for k in ("static", "optimum", "floor")}
        return {
            "name": self.name,
            "status": self.status,
            "bound": round(self.bound, 2),
            "static": round(self.static, 2),
            "saving": round(self.saving, 4),
            "possible": round(self.possible, 4),
            "pinned": round(self.pinned, 4),
            "crowded": self.crowded,
            "replicas": self.replicas,
            "workloads": shares,
        }


def price(name: str, federation: Federation, effort: int) -> Price:
    """The price of a static split of *federation*.

    Raises:
        InfeasibleError: there is no placement at all.
    """
    objective = federation.objective
    alone = Objective(currency=objective.currency, vat=objective.vat)
    given = federation.model_copy(update={"objective": alone})
    decision = decide(given, effort=effort, present=None)
    if decision.status == "infeasible":
        raise InfeasibleError(f"{name}: there is no placement")
    can = eligible(given)
    split = divided(given, can, None)
    counts = decision.counts
    return Price(
        name=name,
        status=decision.status,
        bound=decision.objective[0].bound or 0.0,
        crowded=_crowded(given, split),
        replicas=sum(w.size for w in given.workloads),
        shares=tuple(
            Share(
                workload=w.id,
                clusters=len(can[w.id]),
                static=_cost(can, w, split[w.id]),
                optimum=_cost(can, w, counts[w.id]),
                floor=w.size * min(_each(c) for c in can[w.id]),
            )
            for w in given.workloads
        ),
    )


def _cost(can: Eligible, workload: Workload, counts: Mapping[str, int]) -> float:
    each = {c.cluster.name: _each(c) for c in can[workload.id]}
    return sum(each[name] * n for name, n in counts.items())


def _each(candidate: Candidate) -> float:
    """A replica on the cheapest node class that it fits there."""
    return min(fit.terms["cost"] or 0.0 for fit in candidate.fits)


def _crowded(federation: Federation, counts: Mapping[str, Mapping[str, int]]) -> int:
    workloads = {w.id: w for w in federation.workloads}
    return sum(
        n
        for cluster in federation.clusters
        for n in left_over(
            cluster,
            [(workloads[i], c[cluster.name]) for i, c in counts.items() if cluster.name in c],
        ).values()
    )
