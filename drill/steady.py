"""Something done at a steady rate, whether or not what was begun before has ended.

A loop that waits for its own calls sends none while a server is silent, and so misses the very
pause that it is to measure (G. Tene, "How NOT to Measure Latency": coordinated omission).
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Self

_AT_ONCE = 200
"""How many may be under way: ten seconds of silence at 20 a second."""


class Steady:
    """Does *what* at a steady rate for as long as the block runs; its end waits for all of them.

    Args:
        rate: times a second.
        what: is given the number of the time, from 0. It must not raise.
    """

    def __init__(self, rate: float, what: Callable[[int], None]) -> None:
        self._rate, self._what = rate, what
        self._ended = threading.Event()
        self._pool = ThreadPoolExecutor(_AT_ONCE)
        self._clock = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Self:
        self._clock.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._clock.join()
        self._pool.shutdown()

    def _tick(self) -> None:
        begun, number = time.monotonic(), 0
        while not self._ended.wait(max(0.0, begun + number / self._rate - time.monotonic())):
            self._pool.submit(self._what, number)
            number += 1
