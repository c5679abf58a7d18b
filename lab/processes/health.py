"""How a process of a lab is at the moment.

Owns what is measured and its units. It judges nothing: whether a lab is well is for the caller.
"""

import time
from dataclasses import dataclass

import psutil

from lab.processes.control import find
from lab.processes.state import Running


@dataclass(frozen=True)
class ProcessStatus:
    """How a process of a lab is.

    Attributes:
        name: its name in the lab.
        pid: its process id; 0 where none was started.
        ports: the ports on 127.0.0.1 that it listens on.
        alive: whether it runs.
        memory: resident memory in bytes; 0 where it does not run.
        uptime: seconds since its start; 0 where it does not run.
    """

    name: str
    pid: int
    ports: tuple[int, ...]
    alive: bool
    memory: int
    uptime: float


def of(name: str, running: Running | None) -> ProcessStatus:
    """How the process *name* is, of which *running* is remembered."""
    if running is None:
        return ProcessStatus(name, 0, (), alive=False, memory=0, uptime=0)
    process = find(running)
    try:
        memory = process.memory_info().rss if process else 0
    except psutil.NoSuchProcess:
        process, memory = None, 0  # it ended just now
    uptime = time.time() - running.start_time if process else 0
    return ProcessStatus(
        name, running.pid, running.ports, alive=process is not None, memory=memory, uptime=uptime
    )
