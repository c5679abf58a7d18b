"""What a controller does, as a thread of a test: look, again and again."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from placement.faults import FederationError

_PAUSE_SECONDS = 0.2


@contextmanager
def repeating(look: Callable[[], None]) -> Iterator[None]:
    """Call *look* until the end; what is not there yet, or is gone already, counts next time.

    Any other error ends it, and is raised at the end.
    """
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(_PAUSE_SECONDS):
            try:
                look()
            except FederationError:
                continue

    with ThreadPoolExecutor(max_workers=1) as pool:
        done = pool.submit(work)
        try:
            yield
        finally:
            stop.set()
            done.result()
