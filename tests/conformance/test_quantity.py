"""Kubernetes quantities: what is read, how it is rounded, and what is refused."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placement.quantity import milli, parse_quantity, rounded_up


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", "0"),
        ("2", "2"),
        ("1.5", "1.5"),
        (".5", "0.5"),
        ("1.", "1"),
        ("+3", "3"),
        ("-1", "-1"),
        ("250m", "0.25"),
        ("5u", "0.000005"),
        ("5n", "0.000000005"),
        ("1k", "1000"),
        ("1M", "1000000"),
        ("1G", "1000000000"),
        ("1T", "1000000000000"),
        ("1P", "1000000000000000"),
        ("1E", "1000000000000000000"),
        ("1Ki", "1024"),
        ("1Mi", "1048576"),
        ("1.5Gi", "1610612736"),
        ("1Ti", "1099511627776"),
        ("1Pi", "1125899906842624"),
        ("7Ei", "8070450532247928832"),
        ("1e3", "1000"),
        ("1E3", "1000"),
        ("1E-3", "0.001"),
        ("1e+3", "1000"),
    ],
)
def test_value(text: str, value: str) -> None:
    """Every suffix, signs, bare points and exponents; E alone is exa."""
    assert parse_quantity(text) == Decimal(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1n", "1e-9"),
        ("-0.1n", "-1e-9"),
        ("1e-999999999", "1e-9"),
        ("8Ei", "9223372036854775807"),
        ("-8Ei", "-9223372036854775807"),
        ("1e999999999", "9223372036854775807"),
        ("123456789012345678901234567890", "9223372036854775807"),
    ],
)
def test_limits_of_kubernetes(text: str, value: str) -> None:
    """Finer than nano is rounded away from zero, and 2^63 - 1 is the most."""
    assert parse_quantity(text) == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        *("", " 1", "1 Gi", "1\n", "NaN", "inf", "-Infinity", ".", "1e", "1Zi", "1ki", "1Ke"),
        *("--1", "1_000", "1,5", "0x10", "\u0661", "1e1234567890"),
    ],
)
def test_refused(text: str) -> None:
    """The message says what was read and what is allowed."""
    with pytest.raises(ValueError, match="allowed a number such as") as caught:
        parse_quantity(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "thousandths"),
    [("1", 1000), ("250m", 250), ("0.1m", 1), ("1.0001", 1001), ("-0.1m", -1), ("0", 0)],
)
def test_milli_rounds_up(text: str, thousandths: int) -> None:
    """As MilliValue: away from zero."""
    assert milli(text) == thousandths


def test_units_round_up() -> None:
    """As Value: half a core is one core, and -0.5 is -1."""
    assert rounded_up(parse_quantity("500m")) == 1
    assert rounded_up(parse_quantity("2") - parse_quantity("2500m")) == -1


@given(st.integers(-(10**18), 10**18), st.sampled_from(["", "m", "u", "n", "k"]))
def test_integers_are_exact(number: int, suffix: str) -> None:
    """No digit of an integer is lost within the limits of Kubernetes."""
    scale = {"": 0, "m": -3, "u": -6, "n": -9, "k": 3}[suffix]
    limit = 2**63 - 1
    exact = max(-limit, min(limit, Decimal(number).scaleb(scale)))
    assert parse_quantity(f"{number}{suffix}") == exact
