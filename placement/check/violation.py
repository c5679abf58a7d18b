"""A requirement that a placement does not meet."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Violation:
    """A requirement that a placement does not meet.

    Attributes:
        subject: the workload's id, the cluster's or the budget's name.
        rule: the requirement, by the key of the federation file.
        detail: what was found.
        cluster: where it was found, for violations that are about one cluster.
        workloads: those whose counts make the violation: the workloads that crowd the cluster,
            or that fall short below the maximum of a range.
        left: replicas that find no node there, by workload id.
    """

    subject: str
    rule: str
    detail: str
    cluster: str | None = None
    workloads: tuple[str, ...] = ()
    left: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.subject}: {self.rule}: {self.detail}"
