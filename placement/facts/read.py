"""Reading the files of publishers: CSV tables and JSON documents, each value with its line.

Owns what is common to all formats: blank cells are missing values, unknown columns and keys are
the publisher's business and not read, and a fault names file, line and column. What a file means
is for ``formats/``.
"""

import csv
import io
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from placement.faults import BadInputError, Fault, shown
from placement.messages import describe
from placement.reader import read_text


class Published(BaseModel):
    """A frozen model of what a publisher writes; what it does not name is not read."""

    model_config = ConfigDict(extra="ignore", frozen=True)


def _day(value: object) -> object:
    """The day of a date or of a point in time, in whatever way the rest of it is written."""
    return value[:10] if isinstance(value, str) else value


Day = Annotated[date, BeforeValidator(_day)]
"""The first ten characters of a date or timestamp: ``2026-08-14T15:37:07Z``."""

M = TypeVar("M", bound=Published)


def table(path: Path, model: type[M]) -> Iterator[tuple[int, M]]:
    """The rows of a CSV file with the number of their line; blank cells are left out.

    Raises:
        BadInputError: the file cannot be read, lacks a column, or a cell is wrong.
    """
    file = str(path)
    reader = csv.DictReader(
        io.StringIO(read_text(path).removeprefix("\ufeff")), skipinitialspace=True
    )
    columns = set(reader.fieldnames or ())
    required = [f.alias or name for name, f in model.model_fields.items() if f.is_required()]
    missing = [
        Fault(file, 1, c, "missing; allowed a column of it") for c in required if c not in columns
    ]
    if missing:
        raise BadInputError(*missing)
    try:
        for cells in reader:
            line = reader.line_num
            filled = {k: v.strip() for k, v in cells.items() if isinstance(v, str) and v.strip()}
            try:
                yield line, model.model_validate(filled, by_alias=True)
            except ValidationError as error:
                raise BadInputError(
                    *(Fault(file, line, shown(at), text) for at, text in describe(error, model))
                ) from None
    except csv.Error as error:
        raise BadInputError(
            Fault(file, reader.line_num, "(line)", f"{error}; allowed comma-separated values")
        ) from None
