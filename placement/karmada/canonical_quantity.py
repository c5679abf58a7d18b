"""A quantity as Kubernetes writes it back in an error.

Owns the canonical form (``1000m`` is ``1``, ``1.5Gi`` is ``1536Mi``), and when a text that is not
canonical stays as it was read (``1.500``, ``5E3``).

Source: ``ParseQuantity`` and ``CanonicalizeBytes`` in ``k8s.io/apimachinery``,
``pkg/api/resource/quantity.go``.
"""

import re
from decimal import Decimal
from typing import Final

from placement.quantity import parse_quantity

_DECIMAL: Final = {-9: "n", -6: "u", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
_EXA: Final = 18
_EXPONENTS: Final = {suffix: exponent for exponent, suffix in _DECIMAL.items()} | {"E": _EXA}
_SHORT_DIGITS: Final = 18
_FINEST: Final = -9
_PARTS: Final = re.compile(
    r"[+-]?(?P<whole>[0-9]*)\.?(?P<fraction>[0-9]*)(?P<suffix>[a-zA-Z]*(?:[+-]?[0-9]+)?)"
)
_BINARY: Final = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")


def as_printed(text: str) -> str:
    """Return a quantity as Kubernetes prints it after reading it.

    Args:
        text: the quantity, such as ``1.5Gi``; its suffix says whether a canonical form counts by
            1000, by 1024 or with an exponent.

    Raises:
        ValueError: as ``parse_quantity``.
    """
    value = parse_quantity(text)
    return text if _is_kept(text) else _canonical(text, value)


def _is_kept(text: str) -> bool:
    """Return whether the text looks canonical to Kubernetes, which then keeps it as it is."""
    match = _PARTS.fullmatch(text)
    assert match is not None  # noqa: S101 - it is a quantity
    whole, fraction, suffix = match["whole"].lstrip("0") or "0", match["fraction"], match["suffix"]
    digits = whole + fraction
    if suffix.endswith("i"):
        most = 14 - 3 * _BINARY.index(suffix)
        return not fraction and len(whole) <= most and int(whole) % 8 != 0
    exponent = int(suffix[1:]) if suffix[1:] else _EXPONENTS[suffix]
    scale = exponent - len(fraction)
    return (
        len(digits) <= _SHORT_DIGITS
        and scale >= _FINEST
        and scale % 3 == 0
        and digits[0] != "0"
        and not digits.endswith("000")
    )


def _canonical(text: str, value: Decimal) -> str:
    if not value:
        return "0"
    # Below 1024, and with a fraction, Kubernetes leaves the binary suffixes.
    if text.endswith("i") and abs(value) >= 1024 and value == value.to_integral_value():
        return _binary(int(value))
    return _decimal(value, exponential=re.search(r"[eE][+-]?\d+$", text) is not None)


def _binary(value: int) -> str:
    power = 0
    while value % 1024 == 0 and power < len(_BINARY) - 1:
        value //= 1024
        power += 1
    return f"{value}{_BINARY[power]}"


def _decimal(value: Decimal, *, exponential: bool) -> str:
    exponent = -9
    while exponent < _EXA and value.scaleb(-exponent - 3) % 1 == 0:
        exponent += 3
    number = int(value.scaleb(-exponent))
    if not exponential:
        return f"{number}{_DECIMAL.get(exponent, 'E')}"
    return f"{number}e{exponent}" if exponent else str(number)
