"""A workload within the program being built: what the modules of rows have in common."""

from collections.abc import Sequence
from dataclasses import dataclass

from placement.federation.workload import Workload
from placement.filter import Candidate


@dataclass(frozen=True)
class View:
    """A workload with its columns.

    Attributes:
        index: of the workload in the federation.
        candidates: the clusters that may hold it.
        columns: by candidate, its replica columns: one for each node class that fits.
    """

    index: int
    workload: Workload
    candidates: Sequence[Candidate]
    columns: Sequence[Sequence[int]]

    @property
    def every(self) -> list[int]:
        """All replica columns of the workload."""
        return [column for of_cluster in self.columns for column in of_cluster]

    @property
    def by_cluster(self) -> list[tuple[str, Sequence[int]]]:
        """The name of each candidate with its columns."""
        return [
            (candidate.cluster.name, of_cluster)
            for candidate, of_cluster in zip(self.candidates, self.columns, strict=True)
        ]
