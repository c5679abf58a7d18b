"""Which ports a lab keeps: its own again, else free ones that no other lab has.

Owns what is remembered of them over all labs under one root. How a free port is found is for
``ports``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from lab.processes import control, ports, state
from lab.processes.control import Process
from lab.processes.state import State
from placement.faults import FederationError


def allot(known: State, names: Sequence[str], base: int | None, root: Path) -> State:
    """The state *known*, with a port for each of *names*.

    Args:
        known: of the lab.
        names: what it needs ports for.
        base: the first of fixed ports; None: those that it has, and free ones for what it lacks.
        root: the folder of all labs.

    Raises:
        FederationError: it has other ports than the fixed ones, or too few are free.
    """
    if base is not None:
        fixed = ports.fixed(names, base)
        if known.ports and known.ports != fixed:
            raise FederationError(
                f"lab {known.name!r} has other ports, from {min(known.ports.values())} on: "
                "take it down before it gets new ones"
            )
        return replace(known, ports=fixed)
    # A lab of an earlier checkout may lack ports that this one needs.
    missing = [name for name in names if name not in known.ports]
    return replace(known, ports={**known.ports, **ports.free(missing, _taken(root))})


def check(known: State, planned: Iterable[Process]) -> None:
    """See that nobody else has a port that the lab *known* is about to use.

    Raises:
        FederationError: somebody has.
    """
    ours = {
        port
        for running in known.processes
        if control.find(running) is not None
        for port in running.ports
    }
    ports.check_free(port for process in planned for port in process.ports if port not in ours)


def _taken(root: Path) -> set[int]:
    """The ports of every lab under *root*, also of those that are down."""
    labs = (state.load(file) for file in root.glob("*/state.json"))
    return {port for known in labs if known is not None for port in known.ports.values()}
