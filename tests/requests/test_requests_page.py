"""The page of requests says nothing that the tests do not hold."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "requests.md").read_text(encoding="utf-8")
ROWS = {
    int(number): row for number, row in re.findall(r"^\| (\d+) \| (.*) \|$", PAGE, re.MULTILINE)
}
TESTS = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(
        r"^(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE
    )
}


def test_every_test_that_is_named_exists() -> None:
    """No row rests on a test that is gone."""
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert named - TESTS == set()


def test_every_row_is_answered() -> None:
    """Sixty-eight requests; each names a test or says that nothing answers it yet."""
    assert len(ROWS) == 68
    for number, row in ROWS.items():
        assert "`test_" in row or "Not yet" in row or "In part" in row, number


def test_every_test_of_a_request_is_on_the_page() -> None:
    """A test that bears a request's number is named in the row of that number."""
    for name in TESTS:
        number = re.match(r"test_request_(\d+)_", name)
        if number:
            assert f"`{name}`" in ROWS[int(number[1])], name
