"""What a federation file says of the objective: the terms that count, in order or at a price."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, model_validator

from placement.federation.base import Amount, Currency, Model, Money, PositiveAmount
from placement.federation.workload import ServiceClass

Term = Literal["cost", "latency", "locality", "carbon", "fit", "churn", "balance"]

UNITS: dict[Term, str] = {
    "cost": "{currency}/month",
    "latency": "ms",
    "locality": "GB/month",
    "carbon": "kgCO2e/month",
    "fit": "misfit",
    "churn": "replicas",
    "balance": "part of the fullest cluster",
}
"""The unit of each term; all are to be small."""

SHOWN: tuple[Term, ...] = ("cost", "latency", "locality", "carbon")
"""The terms that mean something for one workload, and are shown for each."""

Basis = Literal["allocated", "marginal", "sunk"]
"""What a replica is charged: its share of a node, the nodes opened for it, or nothing."""


class Goal(Model):
    """A level of a lexicographic objective."""

    term: Term
    within: Amount = Decimal(0)
    """How much of its optimum later levels may give up: 0.02 is two per cent."""


class Moves(Model):
    """What replicas that run may be moved for. A replica more than there are now is no move."""

    at_most: Annotated[int, Field(strict=True, ge=0)] | None = None
    """The most replicas that are moved, over all workloads."""
    threshold: Money | None = None
    """What the move of a replica must save a month; it is charged to ``cost``."""


class Objective(Model):
    """Either levels in order of importance, or prices that turn every term into money."""

    currency: Currency = "EUR"
    vat: Literal["net", "gross"] = "net"
    basis: Basis = "allocated"
    lexicographic: tuple[Goal, ...] = ()
    weighted: dict[Term, PositiveAmount] = {}
    """Money per unit of each term, in the objective's currency; cost itself usually 1."""
    moves: Moves = Moves()

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The levels in order; cost alone where nothing is written."""
        return self.lexicographic or (() if self.weighted else (Goal(term="cost"),))

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms that are weighed, in order."""
        return (*(goal.term for goal in self.goals), *self.weighted)

    @model_validator(mode="after")
    def _one_form(self) -> "Objective":
        if self.lexicographic and self.weighted:
            raise ValueError("read both lexicographic and weighted; allowed one of them")
        terms = [goal.term for goal in self.lexicographic]
        if len(set(terms)) < len(terms):
            raise ValueError("lexicographic names a term twice; allowed each once")
        if self.moves.threshold is not None and "cost" not in self.terms:
            raise ValueError(
                "read moves.threshold where the objective does not weigh cost; allowed beside cost"
            )
        return self


class ServiceClassSettings(Model):
    """What all workloads of a class share."""

    failover_threshold: Annotated[int, Field(strict=True, ge=30, le=86_400)] = 300
    """Seconds from the last heartbeat of a lost cluster until Karmada evicts."""


Classes = dict[ServiceClass, ServiceClassSettings]
