"""The list of what is compared: each way to place, and what it makes of a loss."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bench.baselines.eligible import Eligible
from bench.baselines.greedy import best_fit
from bench.baselines.karmada import AGGREGATED, DYNAMIC, Strategy, divided
from bench.baselines.mip import least_cost
from placement.failure import Counts, Loss, divided_after
from placement.federation.federation import Federation

Place = Callable[[Federation, Eligible], Counts]
Replace = Callable[[Federation, Eligible, Counts, Loss], Counts]


@dataclass(frozen=True)
class Method:
    """A way to place.

    Attributes:
        name: in tables.
        place: where replicas run.
        replace: where they run after a loss.
    """

    name: str
    place: Place
    replace: Replace


def _by_weights(federation: Federation, _: Eligible, counts: Counts, loss: Loss) -> Counts:
    """Counts that went out as static weights: Karmada divides the same weights over the rest."""
    return {
        w.id: divided_after(w, counts.get(w.id, {}), loss.clusters) for w in federation.workloads
    }


def _again(
    strategy: Strategy | None,
    federation: Federation,
    eligible: Eligible,
    counts: Counts,
    loss: Loss,
) -> Counts:
    """Karmada divides anew, by what it then sees."""
    return divided(federation, eligible, strategy, counts, loss)


def _karmada(name: str, strategy: Strategy | None) -> Method:
    return Method(name, lambda f, e: divided(f, e, strategy), partial(_again, strategy))


BASELINES: tuple[Method, ...] = (
    Method("greedy best fit", best_fit, _by_weights),
    _karmada("even static split", None),
    _karmada("dynamic weight", DYNAMIC),
    _karmada("aggregated", AGGREGATED),
    Method("plain MIP", least_cost, _by_weights),
)


def engine(place: Callable[[Federation], Counts]) -> Method:
    """The engine's own answer, as a method among the others."""
    return Method("engine", lambda federation, _: place(federation), _by_weights)
