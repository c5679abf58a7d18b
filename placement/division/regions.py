"""Which regions are used, and which clusters in them.

Owns the score of a region, the search over combinations of regions and the choice of clusters
from the regions found. Capacity does not limit the choice here; a shortage shows at assignment.

Source: ``pkg/scheduler/core/spreadconstraint/group_clusters.go``, ``select_groups.go`` and
``select_clusters_by_region.go``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from placement.division.binding import Candidate, RefusalError
from placement.division.types import SpreadConstraint

_WEIGHT_UNIT: Final = 1000
"""What a replica (or a cluster, when duplicated) counts against a mean score of 0 to 100."""

_NO_CONSTRAINT: Final = SpreadConstraint(min_groups=0, max_groups=0)


@dataclass(frozen=True)
class Region:
    """A region with its feasible clusters in standard order, never empty."""

    name: str
    clusters: tuple[Candidate, ...]
    score: int

    @property
    def rank(self) -> tuple[int, str]:
        """Best score first, then by name."""
        return (-self.score, self.name)


def select_by_region(
    candidates: Sequence[Candidate],
    replicas: int,
    region_constraint: SpreadConstraint,
    cluster_constraint: SpreadConstraint | None,
    *,
    divided: bool,
) -> list[Candidate]:
    """Return the best cluster of each chosen region, then more clusters of these regions.

    Args:
        candidates: the feasible clusters in standard order; each has a region.
        replicas: the total wanted.
        region_constraint: how many regions.
        cluster_constraint: how many clusters; without one, one cluster a region.
        divided: whether the replicas are divided; else each cluster gets all of them.

    Raises:
        RefusalError: the constraints can't be met; in Karmada's words.
    """
    cluster_constraint = cluster_constraint or _NO_CONSTRAINT
    # The mutating webhook makes 1 of 0.
    min_regions = max(1, region_constraint.min_groups)

    members: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        members.setdefault(candidate.cluster.region, []).append(candidate)
    if len(members) < min_regions:
        message = "the number of feasible region is less than spreadConstraint.MinGroups"
        raise RefusalError(message)

    regions = []
    for name, clusters in members.items():
        if divided:
            target = -(-replicas // min_regions)
            at_least = max(cluster_constraint.min_groups, min_regions)
            score = _divided_score(clusters, target, at_least)
        else:
            score = _duplicated_score(clusters, replicas)
        regions.append(Region(name, tuple(clusters), score))

    chosen = select_regions(
        regions, min_regions, region_constraint.max_groups, cluster_constraint.min_groups
    )
    if not chosen:
        message = "the number of clusters is less than the cluster spreadConstraint.MinGroups"
        raise RefusalError(message)

    selected = [region.clusters[0] for region in chosen]
    pool = [candidate for region in chosen for candidate in region.clusters[1:]]
    pool.sort(key=lambda candidate: candidate.standard_order)
    missing = max(0, cluster_constraint.max_groups - len(selected))
    return selected + pool[:missing]


def select_regions(
    regions: Sequence[Region], min_regions: int, max_regions: int, min_clusters: int
) -> tuple[Region, ...]:
    """Return the best combination of regions, best region first; empty when there is none.

    Of the sufficient combinations that of the highest score wins, then that of most clusters,
    then that found first. If a start of it is sufficient too, its other regions are left out.

    Args:
        regions: at least one, in any order.
        min_regions: how many there must be.
        max_regions: how many there may be.
        min_clusters: how many clusters they must have together.
    """
    # Few clusters first: this is the order of the search.
    order = sorted(regions, key=lambda region: (len(region.clusters), *region.rank))
    # sorted() is stable: of equals, the one found first stays first.
    ranked = sorted(
        _combinations(order, min_regions, max_regions, min_clusters),
        key=lambda taken: (
            -sum(region.score for region in taken),
            -sum(len(region.clusters) for region in taken),
        ),
    )
    best = ranked[0] if ranked else ()
    for combination in ranked[1:]:
        if len(combination) < len(best) and best[: len(combination)] == combination:
            best = combination
    return best


def _divided_score(clusters: Sequence[Candidate], target: int, at_least: int) -> int:
    """Return how much of its share of the replicas a region holds, then the mean score.

    Args:
        clusters: of the region, in standard order.
        target: replicas that one region should hold.
        at_least: how many clusters count in any case.
    """
    available = score = 0
    for count, candidate in enumerate(clusters, start=1):
        available += candidate.available
        score += candidate.score
        if count >= at_least and available >= target:
            return _WEIGHT_UNIT * target + score // count
    # Either the region is too small, or it has fewer clusters than should count.
    return _WEIGHT_UNIT * min(available, target) + score // len(clusters)


def _duplicated_score(clusters: Sequence[Candidate], replicas: int) -> int:
    """Return how many clusters of a region hold all replicas, then their mean score."""
    scores = [candidate.score for candidate in clusters if candidate.available >= replicas]
    return _WEIGHT_UNIT * len(scores) + sum(scores) // len(scores) if scores else 0


def _combinations(
    regions: Sequence[Region], min_regions: int, max_regions: int, min_clusters: int
) -> Iterator[tuple[Region, ...]]:
    """Yield the combinations of regions that meet the constraints, best region first in each.

    A depth-first search that does not extend a combination once it is sufficient. If every
    region is needed, only its first branch can lead to all of them: the others are skipped.
    """

    def extend(taken: tuple[Region, ...], begin: int) -> Iterator[tuple[Region, ...]]:
        clusters = sum(len(region.clusters) for region in taken)
        if clusters >= min_clusters and min_regions <= len(taken) <= max_regions:
            yield tuple(sorted(taken, key=lambda region: region.rank))
            return
        if len(taken) >= max_regions:
            return
        end = begin + 1 if len(regions) == min_regions else len(regions)
        for index in range(begin, min(end, len(regions))):
            yield from extend((*taken, regions[index]), index + 1)

    yield from extend((), 0)
