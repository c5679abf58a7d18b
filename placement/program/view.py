"""A workload within the program being built: what the modules of rows have in common."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from placement.federation.base import Level
from placement.federation.workload import Workload
from placement.filter import Candidate
from placement.program.matrix import Builder, Requirement, sum_of


@dataclass(frozen=True)
class View:
    """A workload with its columns.

    Attributes:
        builder: of the program.
        index: of the workload in the federation.
        candidates: the clusters that may hold it.
        columns: by candidate, its replica columns: one for each node class that fits.
        raised: replicas that a seat at the minimum asks for beyond what it must, as cuts say.
    """

    builder: Builder
    index: int
    workload: Workload
    candidates: Sequence[Candidate]
    columns: Sequence[Sequence[int]]
    raised: int = 0
    _groups: dict[Level, dict[str, int]] = field(default_factory=dict)

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

    @cached_property
    def used(self) -> tuple[int, ...]:
        """By candidate, the indicator that it is used, and with it the bounds on its replicas.

        Made when first asked for: a workload without such rules has none.
        """
        return tuple(self._used(of_cluster) for of_cluster in self.columns)

    @cached_property
    def seated(self) -> tuple[int, ...]:
        """By candidate, the indicator that it holds a replica at every total of the range.

        It may be set where the replicas at the maximum are those that a seat at the minimum needs.
        Where one replica may do, and no cut says otherwise, it is that the candidate is used.
        """
        anew = self.workload.divided_anew
        if not anew or (not self.raised and self.needed(1, self.most_used) < 1):
            return self.used
        return tuple(
            self._seated(used, of_cluster)
            for used, of_cluster in zip(self.used, self.columns, strict=True)
        )

    @property
    def most_used(self) -> int:
        """The most clusters that may be used."""
        cluster_groups = self.workload.all_groups.get("cluster")
        most = (cluster_groups and cluster_groups.max_groups) or len(self.candidates)
        return min(most, len(self.candidates), self.workload.size)

    def needed(self, seats: int, clusters: int) -> Fraction:
        """What the replicas at the maximum R must exceed for *seats* at the minimum n.

        Of k clusters with x_i replicas each, cluster i has its m-th seat at n only if the others
        have at most n - m quotients before it:

            sum over j of floor((x_j (2m - 1) / x_i + 1) / 2) <= n - m

        Since floor(y) > y - 1, that needs x_i > (2m - 1) R / (2n + k - 2). It does not suffice:
        the exact check divides anew. For k = 1 the bound of k = 2 holds as well.
        """
        workload = self.workload
        below = 2 * workload.smallest + max(2, clusters) - 2
        return Fraction((2 * seats - 1) * workload.size, below)

    def seat(
        self,
        of_cluster: Sequence[int],
        seats: int,
        indicator: int | None = None,
        requirement: Requirement | None = None,
    ) -> None:
        """The rows without which a cluster has fewer than *seats* at the minimum.

        ``needed`` is convex in k, so the lines through its neighbouring points bound it from below
        for each number of clusters that are used.

        Args:
            of_cluster: its replica columns.
            seats: at the minimum.
            indicator: where it is 0, the rows say nothing; None: they hold.
            requirement: that they stand for.
        """
        most = max(2, self.most_used)
        more = Fraction(1, 2 * self.workload.smallest + most - 2) + self.raised
        lines = [(Fraction(0), self.needed(seats, most))]
        for k in range(2, most):
            slope = self.needed(seats, k + 1) - self.needed(seats, k)
            lines.append((slope, self.needed(seats, k) - slope * k))
        for slope, at_none in lines:
            row = sum_of(of_cluster)
            if slope:
                row |= sum_of(self.used, -float(slope))
            least = min(float(at_none + more), float(self.workload.size))
            if indicator is None:
                self.builder.row(row, lower=least, requirement=requirement)
            else:
                row[indicator] = row.get(indicator, 0.0) - least
                self.builder.row(row, lower=0, requirement=requirement)

    def members(self, level: Level) -> dict[str, list[int]]:
        """The places of the candidates in each group of *level*, groups in order of names."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, candidate in enumerate(self.candidates):
            for group in candidate.cluster.groups(level):
                found[group].append(place)
        return dict(sorted(found.items()))

    def groups(self, level: Level) -> dict[str, int]:
        """By group of *level*, the indicator that it is used; made when first asked for."""
        if level not in self._groups:
            self._groups[level] = {
                group: self._group(level, [self.used[place] for place in places])
                for group, places in self.members(level).items()
            }
        return self._groups[level]

    def _used(self, of_cluster: Sequence[int]) -> int:
        workload = self.workload
        bounds = workload.per_cluster
        indicator = self.builder.column(0, 1, integer=True, owner=self.index)
        most = min(bounds.max or workload.size, workload.size)
        requirement = None
        if bounds.max is not None:
            requirement = Requirement(workload.id, f"perCluster.max {most}", "replicas")
        row = {**sum_of(of_cluster), indicator: -float(most)}
        self.builder.row(row, upper=0, requirement=requirement)
        requirement = None
        if bounds.min > 1:
            requirement = Requirement(workload.id, f"perCluster.min {bounds.min}", "replicas")
        row = {**sum_of(of_cluster), indicator: -float(bounds.min)}
        self.builder.row(row, lower=0, requirement=requirement)
        return indicator

    def _seated(self, used: int, of_cluster: Sequence[int]) -> int:
        indicator = self.builder.column(0, 1, integer=True, owner=self.index)
        self.builder.row({indicator: 1.0, used: -1.0}, upper=0)
        self.seat(of_cluster, 1, indicator)
        return indicator

    def _group(self, level: Level, members: Sequence[int]) -> int:
        if level == "cluster":
            return members[0]
        indicator = self.builder.column(0, 1, integer=True, owner=self.index)
        self.builder.row({**sum_of(members, -1.0), indicator: 1.0}, upper=0)
        for member in members:
            self.builder.row({member: 1.0, indicator: -1.0}, upper=0)
        return indicator
