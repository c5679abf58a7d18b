"""Independent pieces of work, shared among processes.

Owns who does which piece. What a piece is and how many there are never depends on the number of
processes, each is a function of its argument alone, and results come in the order of the pieces: so
the answer is the same with one process as with many.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from types import TracebackType
from typing import Self, TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")


class Workers:
    """This process, and as many more as it needs beside it; they start with the first work."""

    def __init__(self, processes: int = 1) -> None:
        """Work in *processes* processes together."""
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        """Nothing is started yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the other processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def map(self, function: Callable[[Piece], Result], pieces: Iterable[Piece]) -> list[Result]:
        """The result of each of *pieces*, in their order.

        This process makes the pieces, works on every so manieth and hands out the others.

        Args:
            function: at the top level of its module, so that another process finds it.
            pieces: what can be pickled.
        """
        if self._processes == 1:
            return [function(piece) for piece in pieces]
        done: dict[int, Result] = {}
        given: dict[int, Future[Result]] = {}
        for number, piece in enumerate(pieces):
            if number % self._processes:
                given[number] = self._others().submit(function, piece)
            else:
                done[number] = function(piece)
        done |= {number: future.result() for number, future in given.items()}
        return [done[number] for number in range(len(done))]

    def _others(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # A fresh interpreter: a copy of this one would have the locks of its threads.
            fresh = get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes - 1, mp_context=fresh)
        return self._pool


ALONE = Workers()
"""This process by itself."""
