"""The page of a decision, in a real headless Chromium."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from placement.decision import Decision
from placement.federation import Federation, load
from placement.page import html
from placement.plan import plan
from tests.unit.federations import cluster, federation, workload

EXAMPLE = Path(__file__).parents[3] / "examples" / "three.yaml"
CHROMIUM = next(
    (
        found
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (found := shutil.which(name))
    ),
    None,
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium of the system; Playwright's own would have to be downloaded."""
    if CHROMIUM is None:
        pytest.skip("no chromium on the PATH (Debian: apt install chromium)")
    with sync_playwright() as playwright:
        # Without its sandbox, since tests may run as root in a container; it reads one local file.
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def decided() -> tuple[Federation, Decision]:
    """The smaller example and its decision."""
    example = load(EXAMPLE)
    return example, plan(example)


@pytest.fixture(scope="module")
def file(decided: tuple[Federation, Decision], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the example, as a file."""
    path = tmp_path_factory.mktemp("page") / "out.html"
    path.write_text(html(*decided, EXAMPLE.name), "utf-8")
    return path


def _open(browser: Browser, file: Path, **context: Any) -> tuple[Page, list[str]]:
    """The page, and what its console and its requests to anything but itself say."""
    page = browser.new_context(**context).new_page()
    said: list[str] = []

    def requested(request: Request) -> None:
        if request.url not in (file.as_uri(), "data:,"):
            said.append(f"request {request.url}")

    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", requested)
    page.goto(file.as_uri())
    return page, said


def test_console_is_clean_and_nothing_is_fetched(browser: Browser, file: Path) -> None:
    """The page stands alone: no message in the console, no request to anything but its file."""
    page, said = _open(browser, file)
    assert page.title() == "Placement: three.yaml"
    assert said == []


def test_numbers_are_those_of_the_decision(
    browser: Browser, file: Path, decided: tuple[Federation, Decision]
) -> None:
    """Replicas, totals and the figures of workloads on the page equal the decision in JSON."""
    _, decision = decided
    page, _ = _open(browser, file)
    document = json.loads(page.locator("#decision").text_content() or "")
    assert document == decision.document()
    shown: dict[str, dict[str, int]] = {}
    for cell in page.locator("td[data-workload]").all():
        name, where = cell.get_attribute("data-workload"), cell.get_attribute("data-cluster")
        shown.setdefault(str(name), {})[str(where)] = int(cell.inner_text())
    assert shown == decision.counts
    for item in document["objective"]:
        card = page.locator(f'b[data-term="{item["term"]}"]')
        assert card.inner_text() == _shown(item["value"])
    for placed in document["workloads"]:
        row = page.locator(f'tr[data-figures="{placed["id"]}"]')
        cost = row.locator('td[data-term="cost"]').inner_text()
        assert cost == _shown(placed["terms"]["cost"])


def _shown(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.2f}"


def test_losses_are_those_of_the_decision(
    browser: Browser, file: Path, decided: tuple[Federation, Decision]
) -> None:
    """Each loss has one row, with the replicas that find no place.

    The loss of a region of one cluster is that of its cluster, and stands once.
    """
    _, decision = decided
    page, _ = _open(browser, file)
    wanted: dict[str, int] = {}
    for placed in decision.workloads:
        for entry in placed.after_loss:
            if entry.lost.startswith("region/"):  # each of the example has one cluster
                continue
            wanted[entry.lost] = wanted.get(entry.lost, 0) + entry.pending
    for lost, pending in wanted.items():
        words = page.locator(f'tr[data-lost="{lost}"] td.text').inner_text()
        assert sum(int(part.split()[0]) for part in words.split(", ") if part != "none") == pending
    assert page.locator("tr[data-lost]").count() == len(wanted)


def test_front_is_drawn_and_listed(
    browser: Browser, decided: tuple[Federation, Decision], tmp_path: Path
) -> None:
    """Each point of a front stands in the table and inside the drawing's frame."""
    example, decision = decided
    front = {
        "terms": [{"term": "cost", "unit": "EUR/month"}, {"term": "latency", "unit": "ms"}],
        "points": [
            {"values": {"cost": c, "latency": m}} for c, m in ((10, 9.5), (12.25, 7), (20, 3))
        ],
    }
    path = tmp_path / "front.html"
    path.write_text(html(example, decision, "x.yaml", front), "utf-8")
    page, said = _open(browser, path)
    rows = [row.inner_text().split() for row in page.locator("tr[data-point]").all()]
    assert rows == [["10.00", "9.50"], ["12.25", "7.00"], ["20.00", "3.00"]]
    across = [float(c.get_attribute("cx") or "") for c in page.locator("circle").all()]
    upward = [float(c.get_attribute("cy") or "") for c in page.locator("circle").all()]
    assert across == sorted(across)
    assert upward == sorted(upward)
    assert 60 < across[0] < across[-1] < 620
    assert 20 < upward[0] < upward[-1] < 270
    assert said == []


def test_keyboard_opens_the_reasons(browser: Browser, file: Path) -> None:
    """A reader without a mouse reaches a workload's name in the matrix and opens its reasons."""
    page, _ = _open(browser, file)
    page.locator(".matrix tbody a").first.focus()
    page.keyboard.press("Enter")
    first = page.locator("details").first
    assert first.evaluate("element => element.open")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    page.keyboard.press("Enter")
    assert not first.evaluate("element => element.open")


def test_phone_does_not_scroll_sideways(browser: Browser, file: Path) -> None:
    """On a phone the page fits its width: wide tables scroll in themselves."""
    page, _ = _open(browser, file, viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_dark_mode_is_dark(browser: Browser, file: Path) -> None:
    """The page follows the reader's colour scheme."""
    seen = []
    for scheme in ("light", "dark"):
        page, _ = _open(browser, file, color_scheme=scheme)
        seen.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert seen == ["rgb(255, 255, 255)", "rgb(17, 22, 29)"]


def test_names_are_text_and_never_markup() -> None:
    """What a file says stays text, in the page's title as in the decision inside it."""
    asked = federation([cluster("a")], [workload("web")])
    page = html(asked, plan(asked), "</script><b>x.yaml")
    assert "<b>x.yaml" not in page
    assert page.count("</script>") == 2


def test_infeasible_says_what_stands_in_the_way() -> None:
    """Without a placement the page names the conflicts and draws no empty tables."""
    asked = federation([cluster("a")], [workload("web", replicas=100_000)])
    decision = plan(asked)
    page = html(asked, decision, "x.yaml")
    assert decision.status == "infeasible"
    assert all(conflict.split(":")[0] in page for conflict in decision.conflicts)
    assert "<table" not in page
