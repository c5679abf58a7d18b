"""Which stack reads which, from the stack files of a project.

Owns the order. It reads ``federation:plane``, ``federation:environment`` and ``federation:stacks``
of each ``Pulumi.<stack>.yaml``; whether the rest is right the program says when it runs.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from placement.document import Document
from placement.faults import BadInputError, Fault

_PREFIX, _SUFFIX = "Pulumi.", ".yaml"
_DEFAULT_ENVIRONMENT = "production"


@dataclass(frozen=True)
class Stack:
    """A stack of the project.

    Attributes:
        plane: what it builds, as written; empty where nothing is.
        environment: the set of stacks that it belongs to.
        reads: the stacks whose outputs it reads.
    """

    name: str
    plane: str
    environment: str
    reads: frozenset[str]


def load(project: Path) -> dict[str, Stack]:
    """Every stack with a file in *project*, by name.

    Raises:
        BadInputError: a file cannot be read, or there is none.
    """
    files = sorted(project.glob(f"{_PREFIX}*{_SUFFIX}"))
    if not files:
        message = f"no {_PREFIX}<stack>{_SUFFIX}; allowed the folder of a project"
        raise BadInputError(Fault(str(project), 0, "(folder)", message))
    return {stack.name: stack for stack in map(_stack, files)}


def chosen(
    stacks: dict[str, Stack], names: Collection[str], environment: str | None
) -> list[Stack]:
    """The stacks named, or else all of one environment, each after those that it reads.

    Raises:
        BadInputError: an unknown name or environment, several environments and none chosen, or
            stacks that read each other in a circle.
    """
    for name in names:
        if name not in stacks:
            raise _bad("STACK", f"read {name!r}; allowed {', '.join(stacks)}")
    if names:
        return _ordered(stacks, names)
    environments = sorted({stack.environment for stack in stacks.values()})
    if environment is None and len(environments) > 1:
        raise _bad("--environment", f"missing; allowed one of {', '.join(environments)}")
    if environment is not None and environment not in environments:
        raise _bad("--environment", f"read {environment!r}; allowed {', '.join(environments)}")
    wanted = environment or environments[0]
    return _ordered(stacks, [s.name for s in stacks.values() if s.environment == wanted])


def _ordered(stacks: dict[str, Stack], names: Iterable[str]) -> list[Stack]:
    sorter = TopologicalSorter({stack.name: sorted(stack.reads) for stack in stacks.values()})
    try:
        order = list(sorter.static_order())
    except CycleError as error:
        circle = " reads ".join(reversed(error.args[1]))
        raise _bad("federation:stacks", f"{circle}; allowed no circle") from None
    wanted = set(names)
    return [stacks[name] for name in order if name in wanted]


def _stack(file: Path) -> Stack:
    document = Document(file)
    config = document.plain.get("config") or {}
    reads = (config.get("federation:stacks") or {}) if isinstance(config, dict) else None
    if not isinstance(reads, dict):
        fault = document.fault(("config",), "read no mapping; allowed a mapping of keys")
        raise BadInputError(fault)
    return Stack(
        name=file.name.removeprefix(_PREFIX).removesuffix(_SUFFIX),
        plane=str(config.get("federation:plane", "")),
        environment=str(config.get("federation:environment", _DEFAULT_ENVIRONMENT)),
        reads=frozenset(_names(reads)),
    )


def _names(reads: dict[str, Any]) -> Iterable[str]:
    for value in reads.values():
        yield from map(str, value) if isinstance(value, list) else [str(value)]


def _bad(key: str, message: str) -> BadInputError:
    return BadInputError(Fault("stacks", 0, key, message))
