"""What ends in a lab is started again, as a kubelet does with what ends in a pod."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lab.lifecycle import Lab

_SECONDS = 1.0
"""Between two looks."""


@contextmanager
def mended(lab: Lab, file: Path) -> Iterator[None]:
    """Start again what ends in *lab*, whose federation file is *file*, until the block is left."""
    left = threading.Event()

    def run() -> None:
        while not left.wait(_SECONDS):
            if not all(process.alive for process in lab.status()):
                lab.up(file)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        left.set()
        thread.join()
