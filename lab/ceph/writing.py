"""Clients that write while things break, and what each was told is safe.

Owns the promise that is checked: an object whose write was acknowledged reads as it was written.
What was not acknowledged may be there, in part, or not.
"""

import hashlib
import itertools
import random
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from lab.ceph.cluster import Ceph

BYTES = 1 << 20
"""Of each object."""


@dataclass
class Written:
    """What was acknowledged.

    Attributes:
        sums: SHA-256 by object.
        times: when each was acknowledged, in seconds of the monotonic clock.
        failed: writes that ended with an error, such as of a client that was killed.
    """

    sums: dict[str, str] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    failed: int = 0

    def pause(self, since: float, until: float) -> float:
        """The longest time between two acknowledgements from *since* to *until*, in seconds."""
        marks = [since, *sorted(at for at in self.times if since <= at <= until), until]
        return max(b - a for a, b in itertools.pairwise(marks))


class Writers:
    """Clients that write objects one after the other, each in a process of its own.

    Args:
        ceph: the cluster.
        user: whose identity they use.
        pool: they write into.
        part: of the pool.
        count: how many at once.
        seed: of what they write.
    """

    def __init__(
        self, ceph: Ceph, user: str, pool: str, part: str, *, count: int = 2, seed: int = 1
    ) -> None:
        self.written = Written()
        self._ceph, self._user, self._pool, self._part = ceph, user, pool, part
        self._stop, self._lock = threading.Event(), threading.Lock()
        self._clients: dict[int, subprocess.Popen[bytes]] = {}
        self._threads = [
            threading.Thread(target=self._write, args=(index, random.Random(seed + index)))  # noqa: S311 - makes data, no secret
            for index in range(count)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def signal(self, index: int, number: signal.Signals) -> None:
        """Send *number* to the client that the writer *index* has at the moment."""
        while not self._stop.is_set():
            with self._lock:
                client = self._clients.get(index)
                if client is not None and client.poll() is None:
                    client.send_signal(number)
                    return
            time.sleep(0.001)

    def _write(self, index: int, source: random.Random) -> None:
        number = 0
        file = Path(self._ceph.folder) / f"writer-{index}"
        while not self._stop.is_set():
            name, data = f"{index}-{number}", source.randbytes(BYTES)
            file.write_bytes(data)
            place = ("-p", self._pool, "-N", self._part)
            argv = self._ceph.argv("rados", *place, "put", name, str(file), user=self._user)
            client = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with self._lock:
                self._clients[index] = client
            if client.wait() == 0:
                with self._lock:
                    self.written.sums[name] = hashlib.sha256(data).hexdigest()
                    self.written.times.append(time.monotonic())
            else:
                with self._lock:
                    self.written.failed += 1
            number += 1


def wrong(ceph: Ceph, user: str, pool: str, part: str, sums: dict[str, str]) -> list[str]:
    """The objects of *sums* that do not read as they were written."""
    found = []
    file = Path(ceph.folder) / "read"
    for name, expected in sums.items():
        code, _, _ = ceph.tried("rados", "-p", pool, "-N", part, "get", name, str(file), user=user)
        if code or hashlib.sha256(file.read_bytes()).hexdigest() != expected:
            found.append(name)
    return found
