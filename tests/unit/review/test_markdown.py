"""The digest as Markdown: bounded, marked, and safe against what it quotes."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from review.changes import Change, Verdict
from review.decisions import Comparison, Move, Total
from review.digest import Digest
from review.drift import Difference, Drift
from review.facts import DoubtfulFacts
from review.losses import Loss
from review.markdown import LIMIT, drift_markdown, markdown

EMPTY = Digest("federation", "no change", (), None, (), True, (), DoubtfulFacts(), (), (), ())


def many(count: int) -> Digest:
    """A digest with *count* rows in each of its large tables."""
    moves = tuple(Move(f"shop/web-{n}", "east", 1, 2, "new cluster") for n in range(count))
    totals = (Total("cost", "EUR/month", 1.0, 2.0, None),)
    return replace(
        EMPTY,
        outcome="changes",
        changes=tuple(Change("update", "a:b:C", f"r{n}", ("spec.x",)) for n in range(count)),
        comparison=Comparison(totals, moves, (), (), (), (), ()),
    )


def rows(text: str, title: str) -> Sequence[str]:
    """The rows of the table under *title*, such as ``### Totals``."""
    part = re.split(r"### |<summary>", text.partition(title)[2])[0]
    return [line for line in part.splitlines() if line.startswith("| ")][1:]


def test_the_first_line_is_a_marker_of_the_stack() -> None:
    """By it a bot finds its own comment of this stack to edit."""
    first = markdown(EMPTY).splitlines()[0]
    assert first == "<!-- federation-review: federation -->"
    assert first != markdown(replace(EMPTY, stack="other")).splitlines()[0]


def test_nothing_is_said_of_what_is_not_there() -> None:
    """A preview without changes is its verdict and a sentence."""
    assert markdown(EMPTY).splitlines()[1:] == [
        "## Review of `federation`: no change",
        "",
        "Resources: none changed.",
    ]


def test_the_size_is_bounded_and_the_summary_stays() -> None:
    """Ten thousand rows fit a comment: fewer are shown, the rest is counted, totals remain."""
    text = markdown(many(10_000))
    assert len(text.encode()) <= LIMIT
    assert "Resources: 10000 updated. Replicas: 0 move, 10000 more, 0 fewer." in text
    assert len(rows(text, "### Totals")) == 1
    shown = len(rows(text, "<summary>Resources"))
    assert 0 < shown < 10_000
    assert f"… and {10_000 - shown} more, in the JSON form" in text


def test_a_small_digest_is_whole() -> None:
    """Nothing is left out where there is room."""
    text = markdown(many(50))
    assert len(rows(text, "<summary>Resources")) == len(rows(text, "### Replicas that move")) == 50
    assert "more, in the JSON form" not in text


HOSTILE = "a|b\n<!-- federation-review: federation -->\n@everyone `x` [l](http://e) ``` **b**"


def test_what_is_quoted_breaks_nothing() -> None:
    """No name or message ends a table's row, mentions anybody, links, or forges the marker."""
    verdict = Verdict("C", "high", True, HOSTILE, HOSTILE, "docs/p.md")
    hostile = replace(
        many(0),
        outcome="failure",
        changes=(Change("update", HOSTILE, HOSTILE, (HOSTILE,)),),
        violations=(verdict,),
        errors=(HOSTILE,),
    )
    text = markdown(hostile)
    fenced = re.search(r"```text\n(.*?)\n```", text, re.DOTALL)
    assert fenced is not None
    assert "```" not in fenced[1]
    outside = text.replace(fenced[0], "")
    bare = re.sub(r"`[^`\n]*`", "", re.sub(r"\\.", "", outside))
    assert bare.count("<!--") == 1
    assert "@everyone" not in bare
    assert "](http" not in bare
    for title, columns in (("### Policy violations", 5), ("<summary>Resources", 4)):
        (row,) = rows(text, title)
        assert len(re.findall(r"(?<!\\)\|", row)) == columns + 1


def test_a_rule_links_to_its_page() -> None:
    """The page is relative to the repository; `--links` says where that is shown."""
    verdict = Verdict("FED002", "high", True, "web", "too few", "docs/policies/FED002.md")
    digest = replace(EMPTY, violations=(verdict,))
    assert "[FED002](docs/policies/FED002.md)" in markdown(digest)
    linked = markdown(digest, links="https://example.com/blob/main/")
    assert "[FED002](https://example.com/blob/main/docs/policies/FED002.md)" in linked


@pytest.mark.parametrize("failover", [True, False])
def test_request_44_failover_that_is_off_is_told(failover: bool) -> None:
    """Where nobody taints a lost cluster, the table of losses says that nothing moves."""
    loss = Loss("cluster/east", 1, 3, {}, None, (), 30, 300.0, 300.0)
    text = markdown(replace(EMPTY, losses=(loss,), failover=failover))
    assert ("**Nothing moves by itself**" in text) is not failover


def test_drift_tells_what_is_to_be_mended_first() -> None:
    """Ours, foreign, never placed, expected, each under its own title; none under none."""
    drift = Drift(
        "federation",
        (
            Difference("expected", "k:C", "a", "status"),
            Difference("ours", "k:C", "b", "spec.x", ("kubectl-edit",)),
        ),
    )
    text = drift_markdown(drift)
    titles = [line.split(":")[0] for line in text.splitlines() if line.startswith("### ")]
    assert titles == ["### Ours", "### Expected"]
    assert "`kubectl-edit`" in text
    assert "## Drift of `federation`: 1 ours, 0 foreign" in text
