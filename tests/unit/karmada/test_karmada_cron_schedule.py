"""Cron expressions are read as by the library that Karmada checks them with."""

import pytest

from placement.karmada.cron_schedule import is_schedule


@pytest.mark.parametrize(
    "text",
    [
        "* * * * *",
        "  0\t22 * * MON-FRI ",
        "*/5 0-6/2 1,15 jan-dec ?",
        "0 0 L * *",
        "0 0 15W * *",
        "0 0 * * 5L",
        "0 0 * * 7#2",
        "0 0 * * 7-2",
        "0 0 1 1 * 2030",
        "30 0 0 1 1 *",
        "30 0 0 1 1 * 2030",
        "@DAILY",
        "@5minutes",
        "0 0 0 * *",
        "*/-5 * * * *",
    ],
)
def test_an_expression_is_right(text: str) -> None:
    """Five to seven fields with numbers, names, ranges, steps and the marks L, W and #."""
    assert is_schedule(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "* * * *",
        "* * * * * * * *",
        "@fortnightly",
        "60 * * * *",
        "* 24 * * *",
        "* * 32 * *",
        "* * * 13 *",
        "* * * * 8",
        "5-1 * * * *",
        "1-99 * * * *",
        "-5 * * * *",
        "*/0 * * * *",
        "*/x * * * *",
        "70/5 * * * *",
        "9-1/2 * * * *",
        "* * W * *",
        "* * * * L",
        "* * * * #1",
        "* * * * 1#",
        "a * * * *",
        "1_0 * * * *",
    ],
)
def test_an_expression_is_wrong(text: str) -> None:
    """A field out of bounds, backwards, empty or of other words is refused."""
    assert not is_schedule(text)


def test_a_part_that_is_not_always_due_hides_nothing() -> None:
    """Karmada takes ``0,99`` at minute 0 and refuses it later; after ``*`` it reads nothing."""
    assert not is_schedule("0,99 * * * *")
    assert is_schedule("*,99 * * * *")


def test_a_step_backwards_is_refused() -> None:
    """The library never comes back from it, so Karmada's webhook does not answer."""
    assert not is_schedule("5/-5 * * * *")
