"""YAML text to plain values, each with its line.

Owns what YAML would let pass and a federation does not: a key given twice, a key that is not text,
an alias to itself, data that multiplies itself by aliases, an unknown tag.
"""

from collections import Counter
from datetime import date, datetime
from pathlib import Path
from typing import Any

import yaml

from placement.faults import BadInputError, Fault, Location, shown

_LIMIT = 16 * 2**20
"""Bytes: no federation file is larger, and a mistaken path to a disk image ends here."""

_REPEATED = 100_000
"""Values read again through aliases: a file that multiplies itself ends here."""

_TAGS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")

_BITS = 1000
"""Of a whole number: Python itself will not print one of over 4,300 digits."""

_DEEPEST = 100
"""Levels of nesting: no file of ours has more than a dozen."""


def read_text(path: Path) -> str:
    """The text of the file at *path*.

    Raises:
        BadInputError: it cannot be read, is too large or is not UTF-8.
    """
    file = str(path)
    try:
        if path.stat().st_size > _LIMIT:
            raise BadInputError(
                Fault(file, 0, "(file)", f"read over {_LIMIT} bytes; allowed fewer")
            )
        return path.read_text(encoding="utf-8")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadInputError(
            Fault(file, 0, "(file)", f"cannot be read: {reason}; allowed a file that exists")
        ) from None
    except UnicodeDecodeError as error:
        raise BadInputError(
            Fault(file, 0, "(file)", f"byte {error.start} is not UTF-8; allowed UTF-8 text")
        ) from None


def documents(text: str) -> list[str]:
    """The YAML documents of *text* that hold anything; *text* itself where there is one or none.

    Empty lines stand for what comes before a document, so that its lines stay those of *text*.
    """
    starts: list[int] = []
    filled: set[int] = set()
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            if isinstance(event, yaml.DocumentStartEvent):
                starts.append(event.start_mark.line if event.start_mark else 0)
            elif isinstance(event, yaml.NodeEvent) and not _is_empty(event):
                filled.add(starts[-1])
    except yaml.YAMLError:
        return [text]  # reading it says what is wrong
    if len(starts) < 2:
        return [text]
    lines = text.splitlines(keepends=True)
    ends = [*starts[1:], len(lines)]
    parts = zip(starts, ends, strict=True)
    return ["\n" * a + "".join(lines[a:b]) for a, b in parts if a in filled] or [text]


def _is_empty(event: yaml.Event) -> bool:
    return isinstance(event, yaml.ScalarEvent) and event.implicit[0] and not event.value


class Reader:
    """Turns the text of a file into plain values.

    Attributes:
        lines: of each value, from 1; of a value that stands in a mapping, its key's.
        faults: what is wrong and did not end the reading.
    """

    def __init__(self, file: str, text: str) -> None:
        """Read *text*; *file* is its name for messages."""
        self.lines: dict[Location, int] = {}
        self.faults: list[Fault] = []
        self._file = file
        self._text = text
        self._repeated = 0
        self._seen: set[int] = set()
        self._loader: Any = None

    def plain(self) -> dict[str, Any]:
        """The content.

        Raises:
            BadInputError: the text is not one YAML document with plain values under text keys.
        """
        value: Any = None
        try:
            self._loader = yaml.CSafeLoader(self._text)
            root = self._loader.get_single_node()
            if root is not None:
                value = self._value(root, (), frozenset())
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            self._refuse(mark.line if mark else -1, (), f"{_said(error)}; allowed valid YAML")
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            self._refuse(-1, (), f"{_said(error)}; allowed valid YAML")
        if not self.faults and not isinstance(value, dict):
            read = "nothing" if value is None else f"a {type(value).__name__}"
            self._refuse(0, (), f"read {read}; allowed a mapping of keys")
        if self.faults:
            raise BadInputError(*self.faults)
        plain: dict[str, Any] = value
        return plain

    def _value(self, node: yaml.Node, location: Location, above: frozenset[int]) -> Any:
        """The value of *node*; *above* holds what encloses it, against aliases to itself."""
        line = node.start_mark.line
        self._repeated += id(node) in self._seen
        self._seen.add(id(node))
        if id(node) in above or self._repeated > _REPEATED:
            raise self._error(line, location, "read aliases without end; allowed finite data")
        if len(location) > _DEEPEST:
            message = f"read more than {_DEEPEST} levels of nesting; allowed fewer"
            raise self._error(line, location[:3], message)
        if not isinstance(node, yaml.ScalarNode) and node.tag not in _TAGS:
            self._refuse(line, location, f"read a {node.tag}; allowed plain values")
        inside = above | {id(node)}
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, location, inside)
        if isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self.lines[*location, index] = item.start_mark.line + 1
            return [self._value(v, (*location, i), inside) for i, v in enumerate(node.value)]
        return self._scalar(node, location)

    def _scalar(self, node: yaml.Node, location: Location) -> Any:
        """A plain value; None, with a fault noted, for anything else."""
        line = node.start_mark.line
        try:
            value = self._loader.construct_object(node)
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            self._refuse(line, location, f"{_said(error)}; allowed a plain value")
            return None
        except (AttributeError, KeyError, TypeError):  # PyYAML's way to refuse `!!timestamp x`
            self._refuse(line, location, f"read no {node.tag}; allowed a plain value")
            return None
        if isinstance(value, int) and value.bit_length() > _BITS:
            self._refuse(line, location, f"read a number of over {_BITS} bits; allowed fewer")
            return None
        if value is not None and not isinstance(value, (bool, int, float, str, date, datetime)):
            read = f"read a {type(value).__name__}; allowed plain values"
            self._refuse(line, location, read)
        return value

    def _mapping(
        self, node: yaml.MappingNode, location: Location, inside: frozenset[int]
    ) -> dict[str, Any]:
        written = Counter(k.value for k, _ in node.value if isinstance(k, yaml.ScalarNode))
        self._loader.flatten_mapping(node)  # the keys of a merge (<<) come first, ours win
        result: dict[str, Any] = {}
        for key, item in node.value:
            name = self._scalar(key, location) if isinstance(key, yaml.ScalarNode) else None
            line = key.start_mark.line
            if not isinstance(name, str):
                read = name if isinstance(key, yaml.ScalarNode) else "a mapping or list"
                self._refuse(line, location, f"read the key {read}; allowed text keys")
                continue
            here = (*location, name)
            if name in result and written[name] > 1:
                self._refuse(line, here, "read a second time; allowed once")
                continue
            self.lines[here] = line + 1
            result[name] = self._value(item, here, inside)
        return result

    def _refuse(self, line: int, location: Location, message: str) -> None:
        self.faults.append(Fault(self._file, line + 1, shown(location), message))

    def _error(self, line: int, location: Location, message: str) -> BadInputError:
        self._refuse(line, location, message)
        return BadInputError(*self.faults)


def _said(error: Exception) -> str:
    """The words of an error on one line."""
    words = str(error)
    if isinstance(error, yaml.MarkedYAMLError):
        words = error.problem or error.context or words
    return " ".join(words.split()) or type(error).__name__
