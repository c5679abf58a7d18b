"""What a storage plan survives: the arithmetic of failure domains, capacity and quorum.

Owns the question whether the loss of any one failure domain leaves every piece of data with at
least the copies below which its pool stops, room to make the lost ones anew, and a majority of
monitors. Plain numbers in, reasons out; it knows neither settings nor Kubernetes.

A pool cuts data into ``data`` chunks, adds ``width - data`` more and keeps each of the ``width`` in
a failure domain of its own (CRUSH ``chooseleaf``; replication is ``data`` = 1). With ``x`` bytes a
chunk, domains of capacity ``c`` can hold all pools exactly when, for every number ``j``, the ``j``
smallest of ``n`` domains can take what the others cannot::

    sum of the j smallest c  >=  sum over pools of x * max(0, width - (n - j))

Source: the bound is that of Gale, "A theorem on flows in networks", 1957, for a network whose every
edge from a pool to a domain holds ``x``. CRUSH fills by weight and comes close to it from below,
which is what the part that is kept free is for.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

FILL = Fraction(85, 100)
"""The part of a domain that may be filled: Ceph's ``mon_osd_nearfull_ratio``."""


@dataclass(frozen=True)
class Redundancy:
    """How a pool keeps its data.

    Attributes:
        data: chunks that hold the data; 1 for whole copies.
        width: chunks in all, each in a failure domain of its own.
        least: chunks below which Ceph stops reads and writes (``min_size``).
    """

    data: int
    width: int
    least: int

    def chunk(self, held: int) -> Fraction:
        """The bytes of all chunks in one place of the ``width``, for *held* bytes of data."""
        return Fraction(held, self.data)


@dataclass(frozen=True)
class Stored:
    """What a pool may hold.

    Attributes:
        name: the pool's.
        redundancy: how it keeps its data.
        held: the most that it may hold, in bytes before redundancy.
    """

    name: str
    redundancy: Redundancy
    held: int


def replicated(copies: int) -> Redundancy:
    """*copies* whole copies; Ceph stops below half of them, rounded up."""
    return Redundancy(1, copies, copies - copies // 2)


def erasure_coded(data: int, coding: int) -> Redundancy:
    """*data* chunks and *coding* more; Ceph stops below ``data + min(1, coding - 1)``."""
    return Redundancy(data, data + coding, data + min(1, coding - 1))


def shortfalls(domains: Mapping[str, int], pools: Sequence[Stored], monitors: int) -> Iterator[str]:
    """Each reason why the loss of one failure domain would be felt; none where none would.

    Args:
        domains: the bytes of all devices, by failure domain.
        pools: the pools.
        monitors: how many monitors there are, one in a domain.
    """
    if len(domains) < monitors:
        yield (
            f"read {monitors} monitors and {len(domains)} failure domains "
            f"({', '.join(sorted(domains))}); allowed a domain for each monitor, so that the loss "
            "of one leaves a majority"
        )
    wide = [pool for pool in pools if pool.redundancy.width > len(domains)]
    for pool in wide:
        yield (
            f"read pool {pool.name} over {pool.redundancy.width} failure domains, where there are "
            f"{len(domains)} ({', '.join(sorted(domains))}); allowed that many domains"
        )
    for pool in pools:
        kept = pool.redundancy.width - 1
        # Where the last redundancy is gone, Ceph still writes; the next loss then loses data.
        if kept < pool.redundancy.least or kept <= pool.redundancy.data:
            yield (
                f"read pool {pool.name}, of which the loss of one failure domain leaves {kept} "
                f"chunks where {pool.redundancy.data} are the data; allowed one more to spare"
            )
    if not wide:
        yield from _full(domains, pools)


def _full(domains: Mapping[str, int], pools: Sequence[Stored]) -> Iterator[str]:
    short = room(domains.values(), pools)
    if short < 0:
        yield (
            f"read pools that may hold {_shown(-short)} more than {len(domains)} failure domains "
            f"take at {float(FILL):.0%} full; allowed less in the pools or more devices"
        )
        return
    for lost in sorted(domains):
        left = [capacity for name, capacity in domains.items() if name != lost]
        # What no longer has a domain for every chunk stays as it is until the lost one is back.
        anew = [pool for pool in pools if pool.redundancy.width <= len(left)]
        short = room(left, [*anew, *(_degraded(pool) for pool in pools if pool not in anew)])
        if short < 0:
            yield (
                f"read pools of which the loss of {lost} would leave {_shown(-short)} without room "
                f"at {float(FILL):.0%} full; allowed less in the pools or more devices elsewhere"
            )


def _degraded(pool: Stored) -> Stored:
    kept = pool.redundancy
    return Stored(pool.name, Redundancy(kept.data, kept.width - 1, kept.least), pool.held)


def room(capacities: Iterable[int], pools: Sequence[Stored]) -> int:
    """The bytes that are left where it is tightest, rounded down; below 0: they do not fit.

    Args:
        capacities: bytes of each failure domain.
        pools: each with a width of at most the number of domains.
    """
    smallest = sorted(capacities)
    found = []
    for count in range(1, len(smallest) + 1):
        elsewhere = len(smallest) - count
        needed = sum(
            (
                pool.redundancy.chunk(pool.held) * max(0, pool.redundancy.width - elsewhere)
                for pool in pools
            ),
            Fraction(0),
        )
        found.append(FILL * sum(smallest[:count]) - needed)
    return int(min(found) // 1)


def _shown(count: int) -> str:
    return f"{count / 2**30:,.1f} GiB"
