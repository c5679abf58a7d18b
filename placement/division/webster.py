"""Division of seats by the method of Webster and Sainte-Laguë, with Karmada's tie rule.

Owns the rounding rule that Karmada has used since 1.16 and the weights that make it predictable.
It knows numbers and names only, no clusters.

Source: ``pkg/util/helper/webstermethod.go`` and ``pkg/util/helper/binding.go`` in Karmada. The
method and its properties: M. L. Balinski and H. P. Young, *Fair Representation*, 1982 (divisor
methods; Webster's divides by 1, 3, 5, …).
"""

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

TIE_PROOF_SCALE: Final = 10**6
"""What a count is multiplied with in ``tie_proof_weights``."""


@dataclass
class _Party:
    """A cluster in the queue for the next seat; ``name_rank`` is its place in the tie order."""

    name: str
    weight: int
    name_rank: int
    seats: int

    def __lt__(self, other: "_Party") -> bool:
        """Return whether this party gets a seat before the other one."""
        # weight / (2 seats + 1) on both sides, multiplied out: exact where a float would round.
        mine = self.weight * (2 * other.seats + 1)
        theirs = other.weight * (2 * self.seats + 1)
        if mine != theirs:
            return mine > theirs
        return (self.seats, self.name_rank) < (other.seats, other.name_rank)


def webster(
    replicas: int, weights: Mapping[str, int], *, descending: bool = False
) -> dict[str, int]:
    """Divide replicas in proportion to weights.

    The next replica goes to the largest ``weight / (2 * seats + 1)``; on a tie to the cluster
    with fewer seats, then by name. One more replica never takes one from a cluster (the method
    is house monotone), and scaling every weight changes nothing.

    The first seats are dealt at once. With W the sum of k weights and n > k/2 replicas, let
    t = W / (2n - k). Cluster i owns ceil((w_i/t - 1) / 2) quotients above t, at most
    (w_i/t + 1) / 2, together at most W/2t + k/2 = n: every one of them wins a seat. About k seats
    are left to deal one by one, so the time does not grow with the replicas.

    Args:
        replicas: how many to divide, 0 or more.
        weights: by cluster name, 0 or more each.
        descending: the name that wins a tie: the first (False) or the last (True).

    Returns:
        Replicas by cluster name, in name order, for every cluster of ``weights``. Empty when
        all weights are 0, as in Karmada.

    Raises:
        ValueError: a negative number.
    """
    if replicas < 0 or any(weight < 0 for weight in weights.values()):
        message = f"read {replicas} replicas and weights {dict(weights)}; allowed 0 or more"
        raise ValueError(message)
    total = sum(weights.values())
    if total == 0:
        return {}

    excess = max(0, 2 * replicas - len(weights))
    queue = [
        # max(0, …): the largest quotient of a small cluster may itself be below t.
        _Party(
            name, weights[name], rank, max(0, -((total - weights[name] * excess) // (2 * total)))
        )
        for rank, name in enumerate(sorted(weights, reverse=descending))
    ]
    heapq.heapify(queue)
    for _ in range(replicas - sum(party.seats for party in queue)):
        queue[0].seats += 1
        heapq.heapreplace(queue, queue[0])
    return {party.name: party.seats for party in sorted(queue, key=lambda party: party.name)}


def name_order_descending(uid: str) -> bool:
    """Return whether, on a tie, the last name wins for the object with this UID.

    Karmada takes the parity of the 32-bit FNV-1a hash of the UID (``tieBreakerByUID``). Every
    step of that hash is an exclusive or with a byte and a multiplication with an odd number, so
    its lowest bit is the exclusive or of the lowest bits of the (odd) offset and of all bytes.
    An empty UID, of an object that is not created yet, counts as ascending.
    """
    return bool(uid) and (1 + sum(uid.encode())) % 2 == 1


def ambiguous(replicas: int, weights: Mapping[str, int]) -> bool:
    """Return whether the division depends on the UID of the object, which no preview knows.

    Args and errors: as ``webster``.
    """
    return webster(replicas, weights) != webster(replicas, weights, descending=True)


def tie_proof_weights(counts: Mapping[str, int], *, up_to: int | None = None) -> dict[str, int]:
    """Return weights that divide like the counts, but never tie.

    The weight is 10^6 * count + rank. The ranks are k-1, …, 0 in the order of (count, name), so a
    smaller count has the larger rank. Let K = 10^6, and compare clusters i and j at a and b seats:

        (K*c_i + r_i)(2b + 1) - (K*c_j + r_j)(2a + 1)
            = K*[c_i(2b + 1) - c_j(2a + 1)] + [r_i(2b + 1) - r_j(2a + 1)]

    The last bracket is at most (k - 1)(2n + 1) in size when n replicas are divided. As long as
    that is below K, the first bracket decides unless it is 0, which is the tie of the bare
    counts. Then, if a < b, c_i < c_j and r_i > r_j: the smaller cluster wins, as in Karmada. If
    a = b, the counts are equal and the smaller name has the larger rank: it wins, as for an
    ascending UID. So the result is that of the bare counts with an ascending UID, for every UID,
    for every total up to n, and for what is left of the clusters after a loss.

    Args:
        counts: wanted replicas by cluster name, 0 or more each.
        up_to: the largest total that will be divided (say, the maximum of an autoscaler);
            default: the sum of the counts.

    Returns:
        Weights by cluster name, in name order, without the clusters that want 0.

    Raises:
        ValueError: a negative count, or more clusters and replicas than the bound allows.
    """
    if any(count < 0 for count in counts.values()):
        message = f"read counts {dict(counts)}; allowed 0 or more"
        raise ValueError(message)
    order = sorted((name for name in counts if counts[name]), key=lambda name: (counts[name], name))
    largest = max(sum(counts.values()), up_to or 0)
    if (len(order) - 1) * (2 * largest + 1) >= TIE_PROOF_SCALE:
        message = (
            f"read {len(order)} clusters and {largest} replicas; allowed "
            f"(clusters - 1) * (2 * replicas + 1) below {TIE_PROOF_SCALE}"
        )
        raise ValueError(message)
    ranks = {name: rank for rank, name in enumerate(reversed(order))}
    return {name: TIE_PROOF_SCALE * counts[name] + ranks[name] for name in sorted(order)}
