"""The cost in the form that Infracost publishes."""

import json
from datetime import date
from typing import Any

from review.infracost import infracost
from tests.unit.review.made import decided, placed

DAY = date(2026, 11, 30)
ROOT = {
    *("version", "currency", "projects", "summary", "timeGenerated"),
    *("totalHourlyCost", "totalMonthlyCost"),
    *("pastTotalHourlyCost", "pastTotalMonthlyCost"),
    *("diffTotalHourlyCost", "diffTotalMonthlyCost"),
}
"""What the published schema requires of the document, and all that this one has."""

BREAKDOWN = {"resources", "totalHourlyCost", "totalMonthlyCost"}
COMPONENT = {
    *("name", "unit", "hourlyQuantity", "monthlyQuantity", "price"),
    *("hourlyCost", "monthlyCost"),
}


def document(before: Any, after: Any) -> dict[str, Any]:
    """The document as JSON."""
    plain: dict[str, Any] = json.loads(infracost("federation", before, after, DAY))
    return plain


def test_it_has_the_published_form() -> None:
    """Keys are those that the schema requires, amounts are decimal text."""
    found = document(None, decided(placed("shop/web", {"east": 2}, total=73.0), cost=73.0))
    assert found.keys() == ROOT
    (project,) = found["projects"]
    assert project.keys() == {
        *("name", "metadata", "pastBreakdown", "breakdown", "diff", "summary"),
    }
    for part in ("pastBreakdown", "breakdown", "diff"):
        assert project[part].keys() == BREAKDOWN
    (resource,) = project["breakdown"]["resources"]
    (component,) = resource["costComponents"]
    assert component.keys() == COMPONENT
    assert (resource["monthlyCost"], resource["hourlyCost"]) == ("73", "0.1")
    assert found["currency"] == "EUR"
    assert found["timeGenerated"] == "2026-11-30T00:00:00Z"


def test_the_difference_is_of_what_changed_alone() -> None:
    """New, removed and repriced workloads are in the difference; the others are not."""
    before = decided(
        placed("same", {"east": 1}, total=1.0),
        placed("up", {"east": 1}, total=10.1),
        placed("gone", {"east": 1}, total=5.0),
        cost=16.1,
    )
    after = decided(
        placed("same", {"east": 1}, total=1.0),
        placed("up", {"east": 1}, total=12.2),
        placed("new", {"east": 1}, total=7.0),
        cost=20.2,
    )
    found = document(before, after)
    difference = found["projects"][0]["diff"]["resources"]
    assert {r["name"]: r["monthlyCost"] for r in difference} == {
        "up": "2.1",
        "gone": "-5",
        "new": "7",
    }
    assert (found["pastTotalMonthlyCost"], found["totalMonthlyCost"]) == ("16.1", "20.2")
    assert found["diffTotalMonthlyCost"] == "4.1"


def test_an_unknown_cost_is_null_and_not_zero() -> None:
    """A workload without a price has none, and neither has its difference."""
    found = document(None, decided(placed("web", {"east": 1}, total=None)))
    (resource,) = found["projects"][0]["breakdown"]["resources"]
    assert resource["monthlyCost"] is None
    assert found["totalMonthlyCost"] is None
    assert found["projects"][0]["summary"]["totalNoPriceResources"] == 1
