"""Cron expressions, as the library reads them that Karmada checks them with.

Owns the syntax: five fields (minute, hour, day of the month, month, day of the week), six with a
year behind them or seconds before them, seven with both, and the shorthands such as ``@daily``.

That library stops reading a field at the first part that is due now, so what it accepts depends on
the time of day: ``0,99`` passes at minute 0 alone. Here an expression is right if it is accepted at
every time.

Source: ``github.com/adhocore/gronx`` (``gronx.go``, ``checker.go``, ``validator.go``).
"""

import re
from typing import Final

_SHORTHANDS: Final = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@hourly": "0 * * * *",
    "@always": "* * * * *",
    "@5minutes": "*/5 * * * *",
    "@10minutes": "*/10 * * * *",
    "@15minutes": "*/15 * * * *",
    "@30minutes": "0,30 * * * *",
    "@everysecond": "* * * * * *",
}
_DAYS: Final = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_MONTHS: Final = (
    *("JAN", "FEB", "MAR", "APR", "MAY", "JUN"),
    *("JUL", "AUG", "SEP", "OCT", "NOV", "DEC"),
)
_WORDS: Final = {name: str(index) for index, name in enumerate(_DAYS)} | {
    name: str(index) for index, name in enumerate(_MONTHS, start=1)
}
_BOUNDS: Final = ((0, 59), (0, 59), (0, 23), (1, 31), (1, 12), (0, 7), (1, 9999))
"""Of seconds, minutes, hours, days of the month, months, days of the week and years."""

_MONTH_DAY: Final = 3
_WEEK_DAY: Final = 5


def is_schedule(text: str) -> bool:
    """Return whether a cron expression is right at every time."""
    expression = text.strip(" \t")
    expression = _SHORTHANDS.get(expression.lower(), expression)
    expression = re.sub(r"[\t\n\f\r ]+", " ", expression).upper()
    expression = re.sub("|".join(_WORDS), lambda word: _WORDS[word[0]], expression)
    fields = expression.split(" ")
    if not 5 <= len(fields) <= 7:
        return False
    if len(fields) == 5 or (len(fields) == 6 and re.search(r"[0-9]{4}", fields[5])):
        fields.insert(0, "0")
    return all(_is_field(field, position) for position, field in enumerate(fields))


def _is_field(field: str, position: int) -> bool:
    for part in field.split(","):
        if part in ("*", "?"):
            return True  # always due: the library reads no further
        if not _is_part(part, position):
            return False
    return True


def _is_part(part: str, position: int) -> bool:
    if position == _MONTH_DAY and re.search("[LW#]", part):
        return part == "L" or _number(part.partition("W")[0]) is not None
    if position == _WEEK_DAY and re.search("[LW#]", part):
        return _is_modified_week_day(part)
    low, high = _BOUNDS[position]
    if "/" in part:
        return _is_step(part, low, high)
    if "-" in part:
        if position == _WEEK_DAY:
            part = part.replace("7-", "0-", 1)
        start, end = (_number(each) for each in part.split("-")[:2])
        return start is not None and end is not None and low <= start <= end <= high
    if part == "0":
        return True  # everywhere, though a day of the month is never 0
    value = _number(part)
    return value is not None and low <= value <= high


def _is_step(part: str, low: int, high: int) -> bool:
    span, text = part.split("/")[:2]
    step = _number(text)
    if not step:
        return False
    if part.startswith(("*/", "0/")):
        return True
    if step < 0:
        return False  # the library would count down for ever
    bounds = [_number(each) for each in span.split("-")[:2]]
    if any(bound is None for bound in bounds):
        return False
    start, end = bounds[0], bounds[-1]
    assert start is not None  # noqa: S101 - said above, and lost on the type checker
    assert end is not None  # noqa: S101 - the same
    return low <= start and (len(bounds) == 1 or start <= end) and end <= high


def _is_modified_week_day(part: str) -> bool:
    if part.replace("7L", "0L").find("L") > 0:
        return _number(part.partition("L")[0]) is not None
    day, mark, rest = part.partition("#")
    return bool(day and mark) and None not in (_number(day), _number(rest.partition("#")[0]))


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else None
