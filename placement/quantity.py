"""Kubernetes quantities: ``250m``, ``1.5``, ``64Gi``, ``1e3``.

Owns the syntax, and the two roundings that Kubernetes applies. It does not know resources or
units: a quantity of memory counts bytes and one of CPU counts cores because the caller says so.

Source: ``ParseQuantity``, ``MilliValue`` and ``Value`` in ``k8s.io/apimachinery``,
``pkg/api/resource/quantity.go``.
"""

import re
from decimal import ROUND_UP, Decimal, localcontext
from functools import lru_cache
from typing import Final

# The exponent has nine digits at most: Decimal has a limit of its own, and anything beyond 10^63
# is capped anyway.
_SYNTAX: Final = re.compile(
    r"(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))"
    r"(?P<suffix>[numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,9})?",
)

_SUFFIXES: Final[dict[str, Decimal]] = {
    "n": Decimal("1e-9"),
    "u": Decimal("1e-6"),
    "m": Decimal("1e-3"),
    "k": Decimal("1e3"),
    "M": Decimal("1e6"),
    "G": Decimal("1e9"),
    "T": Decimal("1e12"),
    "P": Decimal("1e15"),
    "E": Decimal("1e18"),
    "Ki": Decimal(2**10),
    "Mi": Decimal(2**20),
    "Gi": Decimal(2**30),
    "Ti": Decimal(2**40),
    "Pi": Decimal(2**50),
    "Ei": Decimal(2**60),
}

_LARGEST: Final = Decimal(2**63 - 1)
_FINEST: Final = Decimal("1e-9")

_ALLOWED: Final = (
    "a number such as 2, 0.5 or 1e3, with one of the suffixes "
    "n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei or none"
)


@lru_cache(maxsize=65_536)
def parse_quantity(text: str) -> Decimal:
    """Return the value of a Kubernetes quantity, as Kubernetes itself stores it.

    The value is exact within the limits of Kubernetes: finer than 1e-9 is rounded up (away from
    zero), and beyond 2^63 - 1 is capped there, for either sign.

    Args:
        text: the quantity, such as ``-1``, ``250m``, ``1.5Gi`` or ``2E3``; no spaces.

    Raises:
        ValueError: the text is not a quantity (``NaN`` and infinities are not). The message says
            what was read and what is allowed.
    """
    match = _SYNTAX.fullmatch(text)
    if match is None:
        message = f"read {text!r}; allowed {_ALLOWED}"
        raise ValueError(message)
    number, suffix = match["number"], match["suffix"] or ""
    with localcontext() as context:
        # Room for every digit of the text and of the largest factor: no rounding but the two
        # that are asked for.
        context.prec = len(text) + 64
        value = (
            Decimal(number) * _SUFFIXES.get(suffix, Decimal(1))
            if suffix[1:2] in ("", "i")
            else Decimal(number + suffix)
        )
        capped = max(-_LARGEST, min(_LARGEST, value))
        return capped.quantize(_FINEST, rounding=ROUND_UP).normalize()


def rounded_up(amount: Decimal, parts: int = 1) -> int:
    """Return ``amount`` in units of ``1/parts``, rounded up (away from zero), as Kubernetes does.

    Args:
        amount: a value of ``parse_quantity``, or a sum or difference of such values.
        parts: 1 for Kubernetes' ``Value``, 1000 for ``MilliValue``.
    """
    return int((amount * parts).to_integral_value(rounding=ROUND_UP))


def milli(text: str) -> int:
    """Return a quantity in thousandths, rounded up (away from zero): ``MilliValue``.

    Raises:
        ValueError: as ``parse_quantity``.
    """
    return rounded_up(parse_quantity(text), 1000)
