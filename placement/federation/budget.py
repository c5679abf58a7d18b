"""What a federation file says of budgets: the most that some workloads may cost or emit."""

from pydantic import model_validator

from placement.federation.base import Model, Money, PositiveAmount
from placement.federation.workload import Workload


class Budget(Model):
    """A hard limit on the money, the carbon, or both of some workloads together, a month."""

    name: str
    workloads: tuple[str, ...] = ()
    """The workloads, each ``namespace/name`` or, for a whole namespace, ``namespace/*``; none: all
    of the federation."""
    money: Money | None = None
    """The most that they may cost a month, on the objective's basis."""
    carbon: PositiveAmount | None = None
    """The most that they may emit a month, in kgCO2e."""

    @model_validator(mode="after")
    def _limits_something(self) -> "Budget":
        if self.money is None and self.carbon is None:
            raise ValueError("read neither money nor carbon; allowed one of them or both")
        return self

    def covers(self, workload: Workload) -> bool:
        """Whether *workload* counts against the budget."""
        return not self.workloads or any(
            named in (workload.id, f"{workload.namespace}/*") for named in self.workloads
        )
