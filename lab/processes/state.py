"""What a lab remembers between two commands: its shape, its ports, and what it started.

Owns the file ``state.json`` and what it means. It starts and ends nothing: ``control`` does.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lab.shape import Shape
from placement.faults import FederationError

SCHEMA = "federation/lab/v3"


@dataclass(frozen=True)
class Running:
    """A process that was started, and how to know it again.

    Attributes:
        name: its name in the lab, such as ``etcd``.
        pid: its process id, which the system gives to another process after its end.
        start_time: when it started, in seconds since 1970, as psutil tells it.
        ports: the ports on 127.0.0.1 that it listens on.
        command: its arguments, the program first.
    """

    name: str
    pid: int
    start_time: float
    ports: tuple[int, ...]
    command: tuple[str, ...]


@dataclass(frozen=True)
class State:
    """What is known of a lab.

    Attributes:
        name: the lab's name.
        ports: each port by what it is for; they stay as long as the lab's folder does.
        processes: what was started and not ended by us, in the order of start.
        shape: what the lab is made of; None before its first `up`.
        planned: the names of all its processes, in the order of start.
    """

    name: str
    ports: Mapping[str, int] = field(default_factory=dict)
    processes: tuple[Running, ...] = ()
    shape: Shape | None = None
    planned: tuple[str, ...] = ()

    def process(self, name: str) -> Running | None:
        """The process called *name*, if one was started."""
        return next((process for process in self.processes if process.name == name), None)

    def with_process(self, started: Running) -> "State":
        """This state after *started* was started in the place of an earlier one of its name."""
        others = self.without(started.name).processes
        return replace(self, processes=(*others, started))

    def without(self, *names: str) -> "State":
        """This state after the processes called *names* were ended."""
        left = tuple(process for process in self.processes if process.name not in names)
        return replace(self, processes=left)


def load(file: Path) -> State | None:
    """What *file* says; None where there is no such file.

    Raises:
        FederationError: the file is not a state of this version.
    """
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return None
    try:
        content = json.loads(text)
        schema = content["schema"]
        return _state(content) if schema == SCHEMA else _refuse(file, f"its schema is {schema!r}")
    except (ValueError, KeyError, TypeError) as error:
        return _refuse(file, f"it is damaged ({type(error).__name__}: {error})")


def _refuse(file: Path, reason: str) -> State:
    raise FederationError(
        f"{file}: {reason}; this version reads {SCHEMA!r}. "
        f"End the lab's processes by hand and remove {file.parent}"
    )


def _state(content: Mapping[str, Any]) -> State:
    processes = tuple(
        Running(
            name=process["name"],
            pid=process["pid"],
            start_time=process["startTime"],
            ports=tuple(process["ports"]),
            command=tuple(process["command"]),
        )
        for process in content["processes"]
    )
    return State(
        content["name"],
        dict(content["ports"]),
        processes,
        content["shape"] and _shape(content["shape"]),
        tuple(content["planned"]),
    )


def _shape(content: Mapping[str, Any]) -> Shape:
    return Shape(
        content["karmada"],
        tuple(content["members"]),
        bare=content["bare"],
        high_availability=content["highAvailability"],
        estimators=content["estimators"],
        joined=content["joined"],
    )


def save(state: State, file: Path) -> None:
    """Write *state* to *file*, which at every moment holds the old or the new state whole."""
    content = {
        "schema": SCHEMA,
        "name": state.name,
        "ports": dict(state.ports),
        "processes": [
            {
                "name": process.name,
                "pid": process.pid,
                "startTime": process.start_time,
                "ports": list(process.ports),
                "command": list(process.command),
            }
            for process in state.processes
        ],
        "shape": state.shape and _plain(state.shape),
        "planned": list(state.planned),
    }
    partial = file.with_name(f".{file.name}.partial")
    with partial.open("w", encoding="utf-8") as output:
        json.dump(content, output, indent=2)
        output.write("\n")
        output.flush()
        os.fsync(output.fileno())  # else the name could outlive the content in a power cut
    partial.replace(file)


def _plain(shape: Shape) -> dict[str, Any]:
    return {
        "karmada": shape.karmada,
        "members": list(shape.members),
        "bare": shape.bare,
        "highAvailability": shape.high_availability,
        "estimators": shape.estimators,
        "joined": shape.joined,
    }
