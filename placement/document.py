"""A YAML or JSON file that a user wrote, and where in it each value stands.

Owns the faults of a file: what reading it (``reader.py``) and validating it (``messages.py``) say,
with file, line and key. It does not know what the file is about: the models do.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from placement.faults import BadInputError, Fault, Location, shown
from placement.messages import describe
from placement.reader import Reader, documents, read_text

__all__ = ["Document", "Location", "describe"]

M = TypeVar("M", bound=BaseModel)


class Document:
    """A parsed file.

    Attributes:
        file: the path as the user gave it, for messages.
        plain: the content as plain dicts, lists and scalars.
    """

    def __init__(self, path: Path, text: str | None = None) -> None:
        """Read *path*, or *text* in its stead.

        Raises:
            BadInputError: the file cannot be read or is not one YAML document of plain values.
        """
        self.file = str(path)
        reader = Reader(self.file, read_text(path) if text is None else text)
        self.plain: dict[str, Any] = reader.plain()
        self._lines = reader.lines

    @classmethod
    def each(cls, path: Path) -> list["Document"]:
        """The YAML documents of a file that may hold several, each with the file's own lines.

        Raises:
            BadInputError: as for one.
        """
        return [cls(path, text) for text in documents(read_text(path))]

    def validate(self, model: type[M], *below: str) -> M:
        """The part of the file under the keys *below*, as *model*.

        Keys are those of the file, in camelCase: the models' Python names are no second spelling.

        Raises:
            BadInputError: with one fault for each thing that is wrong.
        """
        value: Any = self.plain
        for key in below:
            value = value[key]
        try:
            return model.model_validate(value, by_alias=True, by_name=False)
        except ValidationError as error:
            raise BadInputError(
                *(
                    self.fault((*below, *location), message)
                    for location, message in describe(error, model)
                )
            ) from None

    def fault(self, location: Location, message: str) -> Fault:
        """A fault at *location*, whose last part may be missing from the file."""
        line = 1
        node: Any = self.plain
        real: list[str | int] = []
        for depth, part in enumerate(location, start=1):
            line = self._lines.get(location[:depth], line)
            if isinstance(part, int) and isinstance(node, list):
                real.append(part)
                node = node[part] if part < len(node) else None
            else:
                real.append(str(part))
                node = node.get(str(part)) if isinstance(node, Mapping) else None
        return Fault(self.file, line, shown(tuple(real)), message)
