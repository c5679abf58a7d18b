"""Go's ``sort.Sort``, down to the order in which it leaves equal elements.

Karmada sorts clusters by free replicas alone, with a sort that is not stable. With up to 12
elements Go sorts by insertion, which is stable; with more, equal clusters end up in an order that
only the same algorithm gives, and that order decides which of them Aggregated fills.

Source: ``src/sort/zsortinterface.go`` of Go (since 1.19; The Go Authors, BSD-style license),
after Orson Peters, *Pattern-defeating Quicksort*, 2021. The methods keep Go's names, in snake
case, and its structure, so that they can be compared line by line.
"""

from collections.abc import Sequence
from typing import Final, Literal

_MAX_INSERTION: Final = 12
_SHORTEST_NINTHER: Final = 50
_SHORTEST_SHIFTING: Final = 50
_MAX_SWAPS: Final = 12
_MAX_STEPS: Final = 5
_WORD: Final = 2**64 - 1


def descending_order(values: Sequence[int], *, bad_pivots: int | None = None) -> list[int]:
    """Return the indices of the values, largest value first, equal ones as Go leaves them.

    Args:
        values: what to sort; left as it is.
        bad_pivots: how many to allow before heap sort takes over; Go's own limit by default.
    """
    data = _Data(values)
    limit = len(values).bit_length() if bad_pivots is None else bad_pivots
    data.pdqsort(0, len(values), limit)
    return data.order


class _Data:
    """Go's ``sort.Interface`` over the indices of some values, with the sort as its methods."""

    def __init__(self, values: Sequence[int]) -> None:
        self._values = values
        self.order = list(range(len(values)))

    def _less(self, i: int, j: int) -> bool:
        return self._values[self.order[i]] > self._values[self.order[j]]

    def _swap(self, i: int, j: int) -> None:
        self.order[i], self.order[j] = self.order[j], self.order[i]

    def pdqsort(self, a: int, b: int, limit: int) -> None:
        """Sort ``[a, b)``; after ``limit`` bad pivots by heap sort."""
        was_balanced = was_partitioned = True
        while True:
            length = b - a
            if length <= _MAX_INSERTION:
                self._insertion_sort(a, b)
                return
            if limit == 0:
                self._heap_sort(a, b)
                return
            if not was_balanced:
                self._break_patterns(a, b)
                limit -= 1

            pivot, hint = self._choose_pivot(a, b)
            if hint == "decreasing":
                self.order[a:b] = self.order[a:b][::-1]
                pivot = (b - 1) - (pivot - a)
                hint = "increasing"
            if (
                was_balanced
                and was_partitioned
                and hint == "increasing"
                and self._partial_insertion_sort(a, b)
            ):
                return
            if a > 0 and not self._less(a - 1, pivot):
                a = self._partition_equal(a, b, pivot)
                continue

            mid, was_partitioned = self._partition(a, b, pivot)
            if mid - a < b - mid:
                was_balanced = mid - a >= length // 8
                self.pdqsort(a, mid, limit)
                a = mid + 1
            else:
                was_balanced = b - mid >= length // 8
                self.pdqsort(mid + 1, b, limit)
                b = mid

    def _insertion_sort(self, a: int, b: int) -> None:
        for i in range(a + 1, b):
            j = i
            while j > a and self._less(j, j - 1):
                self._swap(j, j - 1)
                j -= 1

    def _heap_sort(self, a: int, b: int) -> None:
        size = b - a
        for i in range((size - 1) // 2, -1, -1):
            self._sift_down(i, size, a)
        for i in range(size - 1, -1, -1):
            self._swap(a, a + i)
            self._sift_down(0, i, a)

    def _sift_down(self, root: int, hi: int, first: int) -> None:
        while (child := 2 * root + 1) < hi:
            if child + 1 < hi and self._less(first + child, first + child + 1):
                child += 1
            if not self._less(first + root, first + child):
                return
            self._swap(first + root, first + child)
            root = child

    def _partition(self, a: int, b: int, pivot: int) -> tuple[int, bool]:
        """Return the place of the pivot, and whether nothing had to move."""
        self._swap(a, pivot)
        i, j = a + 1, b - 1
        already_partitioned = True
        while True:
            while i <= j and self._less(i, a):
                i += 1
            while i <= j and not self._less(j, a):
                j -= 1
            if i > j:
                break
            self._swap(i, j)
            already_partitioned = False
            i += 1
            j -= 1
        self._swap(j, a)
        return j, already_partitioned

    def _partition_equal(self, a: int, b: int, pivot: int) -> int:
        """Return the end of the elements that equal the pivot, none being smaller."""
        self._swap(a, pivot)
        i, j = a + 1, b - 1
        while True:
            while i <= j and not self._less(a, i):
                i += 1
            while i <= j and self._less(a, j):
                j -= 1
            if i > j:
                return i
            self._swap(i, j)
            i += 1
            j -= 1

    def _partial_insertion_sort(self, a: int, b: int) -> bool:
        """Return whether the range is sorted, after a few repairs if it is long."""
        i = a + 1
        for _ in range(_MAX_STEPS):
            while i < b and not self._less(i, i - 1):
                i += 1
            if i == b:
                return True
            if b - a < _SHORTEST_SHIFTING:
                return False
            self._swap(i, i - 1)
            self._shift_out_of_order(a, b, i)
        return False

    def _shift_out_of_order(self, a: int, b: int, i: int) -> None:
        """Shift the smaller of a swapped pair to the left and the greater to the right."""
        if i - a >= 2:
            j = i - 1
            while j >= 1 and self._less(j, j - 1):
                self._swap(j, j - 1)
                j -= 1
        if b - i >= 2:
            j = i + 1
            while j < b and self._less(j, j - 1):
                self._swap(j, j - 1)
                j += 1

    def _break_patterns(self, a: int, b: int) -> None:
        """Swap three elements of the middle with others, by xorshift seeded with the length."""
        length = b - a
        if length < 8:
            return
        random = length
        middle = a + (length // 4) * 2
        for index in range(middle - 1, middle + 2):
            random ^= (random << 13) & _WORD
            random ^= random >> 7
            random ^= (random << 17) & _WORD
            other = random & ((1 << length.bit_length()) - 1)
            if other >= length:
                other -= length
            self._swap(index, a + other)

    def _choose_pivot(
        self, a: int, b: int
    ) -> tuple[int, Literal["increasing", "decreasing", "unknown"]]:
        """Return a pivot, and what the comparisons say about the order."""
        quarter = (b - a) // 4
        i, j, k = a + quarter, a + quarter * 2, a + quarter * 3
        swaps = 0
        if b - a >= _SHORTEST_NINTHER:
            i, swaps = self._median(i - 1, i, i + 1, swaps)
            j, swaps = self._median(j - 1, j, j + 1, swaps)
            k, swaps = self._median(k - 1, k, k + 1, swaps)
        j, swaps = self._median(i, j, k, swaps)
        if swaps == 0:
            return j, "increasing"
        return j, "decreasing" if swaps == _MAX_SWAPS else "unknown"

    def _median(self, a: int, b: int, c: int, swaps: int) -> tuple[int, int]:
        """Return the index of the median, and the swaps so far."""
        if self._less(b, a):
            a, b = b, a
            swaps += 1
        if self._less(c, b):
            b, c = c, b
            swaps += 1
        if self._less(b, a):
            a, b = b, a
            swaps += 1
        return b, swaps
