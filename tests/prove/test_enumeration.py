"""The engine's optimum against every placement that there is, on 2,000 small federations."""

from random import Random

import pytest

from tests.unit import test_optimum as small

# ruff: noqa: S311 - the numbers make instances, no secrets

pytestmark = pytest.mark.prove

_EACH = 50


@pytest.mark.parametrize("batch", range(28))
def test_optimum_is_that_of_enumeration(batch: int) -> None:
    """Cost and feasibility agree with exhaustive enumeration, on every one of 1,400 instances."""
    random = Random(10_000 + batch)
    for number in range(_EACH):
        small._compare(small._instance(random), f"instance {batch}/{number}")


@pytest.mark.parametrize("batch", range(6))
def test_optimum_with_promises_is_that_of_enumeration(batch: int) -> None:
    """The same where workloads must survive a loss, on every one of 300."""
    random = Random(20_000 + batch)
    for number in range(_EACH):
        small._compare(small._instance(random, promises=True), f"promises {batch}/{number}")


@pytest.mark.parametrize("batch", range(6))
def test_optimum_between_workloads_is_that_of_enumeration(batch: int) -> None:
    """The same with ranges, neighbours, budgets and reserves, on every one of 300."""
    random = Random(30_000 + batch)
    for number in range(_EACH):
        given = small._between(random, *small._parts(random))
        small._compare(given, f"between {batch}/{number}")
