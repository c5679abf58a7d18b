"""What a command takes, with every process that it starts and waits for.

Owns the clock of whole commands; what an engine takes within a process is ``scale.measure``'s.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from placement.faults import FederationError

_TAIL = 2000


@dataclass(frozen=True)
class Used:
    """What a command used.

    Attributes:
        wall: seconds until it ended.
        cpu: seconds of processor time, over its processes.
        peak: resident memory of the largest of its processes at its largest, in MiB.
    """

    wall: float
    cpu: float
    peak: float


def used(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    expected: Collection[int] = (0,),
) -> Used:
    """Run *command* in *folder* and measure it.

    Raises:
        FederationError: it ended with another code than one of *expected*; with its last words.
    """
    with tempfile.TemporaryFile() as said:
        before = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=said, stderr=subprocess.STDOUT
        )
        _, status, resources = os.wait4(process.pid, 0)
        wall = time.monotonic() - before
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in expected:
            said.seek(max(0, said.tell() - _TAIL))
            words = said.read().decode(errors="replace")
            raise FederationError(f"{' '.join(command)} ended with {process.returncode}:\n{words}")
    return Used(wall, resources.ru_utime + resources.ru_stime, resources.ru_maxrss / 1024)
