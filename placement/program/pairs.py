"""Every pair of a workload and a candidate, and every replica column, as flat arrays.

Owns the numbering that lets the rows of all workloads be made at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from placement.federation.federation import Federation
from placement.filter import Candidate
from placement.program.matrix import Integers


@dataclass(frozen=True)
class Pairs:
    """The pairs in the order of workloads and candidates, the slots in the order of pairs.

    A slot is a replica column: a pair and a node class of its cluster. Slot *s* is column *s*.

    Attributes:
        start: of each workload, its first pair; one more than there are workloads.
        workload, cluster: of each pair, by index in the federation.
        slot_start: of each pair, its first slot; one more than there are pairs.
        pair: of each slot.
        node_class: of each slot, among those of all clusters in file order.
    """

    start: Integers
    workload: Integers
    cluster: Integers
    slot_start: Integers
    pair: Integers
    node_class: Integers

    @classmethod
    def of(cls, federation: Federation, candidates: Sequence[Sequence[Candidate]]) -> "Pairs":
        """Number the pairs and slots of *candidates*."""
        cluster_at = {cluster.name: i for i, cluster in enumerate(federation.clusters)}
        class_at: dict[str, dict[str, int]] = {}
        number = 0
        for cluster in federation.clusters:
            class_at[cluster.name] = {
                k.name: number + i for i, k in enumerate(cluster.node_classes)
            }
            number += len(cluster.node_classes)
        every = [candidate for taken in candidates for candidate in taken]
        counts = np.array([len(taken) for taken in candidates], dtype=np.int64)
        slots = np.array([len(candidate.fits) for candidate in every], dtype=np.int64)
        return cls(
            start=_starts(counts),
            workload=np.repeat(np.arange(len(candidates)), counts),
            cluster=np.array([cluster_at[c.cluster.name] for c in every], dtype=np.int64),
            slot_start=_starts(slots),
            pair=np.repeat(np.arange(len(every)), slots),
            node_class=np.array(
                [class_at[c.cluster.name][fit.node_class.name] for c in every for fit in c.fits],
                dtype=np.int64,
            ),
        )

    @property
    def slots(self) -> Integers:
        """Of each slot the workload, the candidate of it, the node class that fits; by index."""
        workload = self.workload[self.pair]
        return np.column_stack(
            [
                workload,
                self.pair - self.start[workload],
                np.arange(len(self.pair)) - self.slot_start[self.pair],
            ]
        )

    def find(self, workload: Integers, cluster: Integers) -> tuple[Integers, Integers]:
        """The pairs of workloads and clusters that are candidates; of each where it was asked."""
        width = int(max(self.cluster.max(initial=0), cluster.max(initial=0))) + 1
        keys, wanted = self.workload * width + self.cluster, workload * width + cluster
        order = np.argsort(keys, kind="stable")
        at = np.searchsorted(keys[order], wanted)
        there = np.flatnonzero(at < len(keys))
        there = there[keys[order[at[there]]] == wanted[there]]
        return order[at[there]], there

    def slots_of(self, pairs: Integers) -> tuple[Integers, Integers]:
        """The slots of *pairs*, one pair after the other; of each where its pair stands in them."""
        return stretches(self.slot_start[pairs], np.diff(self.slot_start)[pairs])

    def of_workloads(self, workloads: Integers) -> tuple[Integers, Integers]:
        """The pairs of *workloads*, likewise."""
        return stretches(self.start[workloads], np.diff(self.start)[workloads])


def stretches(first: Integers, count: Integers) -> tuple[Integers, Integers]:
    """Whole numbers, *count* of them from each of *first*; of each the stretch it is in."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    at = np.repeat(np.arange(len(count)), count)
    return np.arange(total) + np.repeat(first - (ends - count), count), at


def _starts(counts: Integers) -> Integers:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
