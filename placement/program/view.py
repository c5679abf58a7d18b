"""A workload within the program being built: what the modules of rows have in common."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from placement.federation.base import Level
from placement.federation.intent import Groups
from placement.federation.workload import Workload
from placement.filter import Candidate
from placement.program.matrix import Builder, Requirement, sum_of

PLACES = 8
"""The places of a workload's columns and rows, see ``Builder``: its replicas and the clusters that
it uses, a place for each level of its spread, and the rest."""


@dataclass(frozen=True)
class View:
    """A workload with its columns.

    Attributes:
        builder: of the program.
        index: of the workload in the federation.
        candidates: the clusters that may hold it.
        place: of its first columns and rows in the program; ``PLACES`` of them are its own.
        slots: where the replica columns of each candidate begin, and where the last one's end.
        raised: replicas that a seat at the minimum asks for beyond what it must, as cuts say.
    """

    builder: Builder
    index: int
    workload: Workload
    candidates: Sequence[Candidate]
    place: int
    slots: Sequence[int]
    raised: int = 0
    _given: list[int] = field(default_factory=list)
    _groups: dict[Level, dict[str, int]] = field(default_factory=dict)

    @cached_property
    def spread(self) -> dict[Level, Groups]:
        """The spread of the workload with what ``survive`` needs besides."""
        return self.workload.all_groups

    @cached_property
    def columns(self) -> tuple[range, ...]:
        """By candidate, its replica columns: one for each node class that fits."""
        return tuple(map(range, self.slots, self.slots[1:]))

    @property
    def every(self) -> range:
        """All replica columns of the workload."""
        return range(self.slots[0], self.slots[-1])

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

        Given, where the workload has such rules itself; made when first asked for, where others
        ask for it.
        """
        return tuple(self._given) or tuple(map(self._used, self.columns))

    def give_used(self, indicators: Sequence[int]) -> None:
        """The indicators, where they were made for many workloads at once."""
        self._given.extend(indicators)

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
    def most_each(self) -> int:
        """The most replicas of a cluster."""
        workload = self.workload
        return min(workload.per_cluster.max or workload.size, workload.size)

    @property
    def bounds(self) -> tuple[Requirement | None, Requirement | None]:
        """What the rows stand for that tie an indicator to the most and the least replicas."""
        workload, given = self.workload, self.workload.per_cluster
        upper = lower = None
        if given.max is not None:
            upper = Requirement(workload.id, f"perCluster.max {self.most_each}", "replicas")
        if given.min > 1:
            lower = Requirement(workload.id, f"perCluster.min {given.min}", "replicas")
        return upper, lower

    @property
    def most_used(self) -> int:
        """The most clusters that may be used."""
        cluster_groups = self.spread.get("cluster")
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

    def give_groups(self, level: Level, indicators: dict[str, int]) -> None:
        """The indicators of a level's groups, where they were made for many workloads at once."""
        self._groups[level] = indicators

    def place_of(self, level: Level) -> int:
        """Where in the program the columns and rows of a level of the spread belong."""
        return self.place + 1 + list(self.spread).index(level)

    def members(self, level: Level) -> dict[str, list[int]]:
        """The places of the candidates in each group of *level*, groups in order of names."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, candidate in enumerate(self.candidates):
            for group in candidate.cluster.groups(level):
                found[group].append(place)
        return dict(sorted(found.items()))

    def groups(self, level: Level) -> dict[str, int]:
        """By group of *level*, the indicator that it is used; made when first asked for."""
        if level == "cluster":
            names = [candidate.cluster.name for candidate in self.candidates]
            return dict(sorted(zip(names, self.used, strict=True)))
        if level not in self._groups:
            self._groups[level] = {
                group: self._group([self.used[place] for place in places])
                for group, places in self.members(level).items()
            }
        return self._groups[level]

    def _used(self, of_cluster: Sequence[int]) -> int:
        indicator = self.builder.column(0, 1, integer=True, owner=self.index)
        upper, lower = self.bounds
        row = {**sum_of(of_cluster), indicator: -float(self.most_each)}
        self.builder.row(row, upper=0, requirement=upper)
        row = {**sum_of(of_cluster), indicator: -float(self.workload.per_cluster.min)}
        self.builder.row(row, lower=0, requirement=lower)
        return indicator

    def _seated(self, used: int, of_cluster: Sequence[int]) -> int:
        indicator = self.builder.column(0, 1, integer=True, owner=self.index)
        self.builder.row({indicator: 1.0, used: -1.0}, upper=0)
        self.seat(of_cluster, 1, indicator)
        return indicator

    def _group(self, members: Sequence[int]) -> int:
        indicator = self.builder.column(0, 1, integer=True, owner=self.index)
        self.builder.row({**sum_of(members, -1.0), indicator: 1.0}, upper=0)
        for member in members:
            self.builder.row({member: 1.0, indicator: -1.0}, upper=0)
        return indicator
