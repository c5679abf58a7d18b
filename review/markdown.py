"""A digest as Markdown, for the comment of a pull request.

Owns the words, the order and the size: with too many rows every table keeps its first ones and says
how many are left, and the summary stays. The first line is a marker, by which a bot finds its own
comment to edit. What comes from elsewhere is escaped: no name or message can break a table, mention
anybody, or forge a marker.
"""

import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import jinja2

from review.changes import Change
from review.decisions import Move
from review.digest import Digest
from review.drift import Drift
from review.losses import Loss

LIMIT: Final = 65_536
"""Characters of a comment on GitHub; GitLab allows more. Counted in bytes, which are not fewer."""

_ROWS: Final = (1_000, 300, 100, 30, 10, 3, 0)
_PATHS: Final = 4
"""The most properties that a row names."""

_MARKUP: Final = re.compile(r"([\\`*_\[\]|~#])")


def markdown(digest: Digest, *, links: str = "") -> str:
    """The digest as text of at most ``LIMIT`` bytes.

    Args:
        digest: what to say.
        links: where the repository's files are shown, put before the pages of rules.
    """
    return _fitting(
        "digest.md.jinja",
        links,
        d=digest,
        c=digest.comparison,
        headline=_headline(digest),
        pending=_pending,
        seconds=_seconds,
        properties=_properties,
    )


def drift_markdown(drift: Drift) -> str:
    """The differences as text of at most ``LIMIT`` bytes, those that are to be mended first."""
    ours, foreign = len(drift.of("ours")), len(drift.of("foreign"))
    return _fitting(
        "drift.md.jinja",
        d=drift,
        verdict="failure" if drift.errors else f"{ours} ours, {foreign} foreign",
        parts=(
            ("Ours: what the program wrote is changed or gone", drift.of("ours")),
            ("Foreign: written by others", drift.of("foreign")),
            ("Never placed: joined since the last decision", drift.of("never placed")),
            ("Expected: written by Karmada, an autoscaler or a cloud", drift.of("expected")),
        ),
    )


def _fitting(template: str, links: str = "", **said: Any) -> str:
    """The template with as many rows of each table as a comment can hold."""
    text = ""
    for rows in _ROWS:
        text = _render(template, rows, links, said)
        if len(text.encode()) <= LIMIT:
            return text
    return text.encode()[:LIMIT].decode(errors="ignore")


def _render(template: str, rows: int, links: str, said: Mapping[str, Any]) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=False,  # noqa: S701 - Markdown; the filters escape
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(
        text=_text,
        code=_code,
        fenced=lambda text: text.replace("```", "'''"),
        number=_number,
        signed=_signed,
        link=lambda page, name: f"[{_text(name)}]({links}{page})" if page else "",
    )

    def more(of: Sequence[Any]) -> str:
        left = len(of) - rows
        return f"\n… and {left} more, in the JSON form\n" if left > 0 else ""

    return environment.get_template(template).render(rows=lambda of: of[:rows], more=more, **said)


def _headline(digest: Digest) -> str:
    names = {
        "create": "created",
        "update": "updated",
        "replace": "replaced",
        "delete": "deleted",
        "other": "otherwise changed",
    }
    parts = [f"{n} {word}" for key, word in names.items() if (n := digest.count(key))]
    text = f"Resources: {', '.join(parts) or 'none changed'}."
    if digest.comparison is not None:
        text += f" Replicas: {_moved(digest.comparison.moves)}."
        known = [t for t in digest.comparison.totals if t.delta and t.term in _SHOWN]
        text += "".join(f" {t.term.title()} {_signed(t.delta)} {_text(t.unit)}." for t in known)
    mandatory = sum(verdict.mandatory for verdict in digest.violations)
    if mandatory:
        text += f" **{mandatory} policy violation{'s' * (mandatory > 1)}.**"
    return text


def _moved(moves: Sequence[Move]) -> str:
    """What a workload gains on some clusters and loses on others moves; the rest comes or goes."""
    gained: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for move in moves:
        gained[move.workload] += max(0, move.after - move.before)
        lost[move.workload] += max(0, move.before - move.after)
    moved = (gained & lost).total()
    return f"{moved} move, {gained.total() - moved} more, {lost.total() - moved} fewer"


_SHOWN: Final = ("cost", "latency", "carbon")
"""The terms that the headline tells; the table has all."""


def _text(value: object) -> str:
    """A text from elsewhere as it reads, on one line."""
    line = " ".join(str(value).split())
    escaped = _MARKUP.sub(r"\\\1", html.escape(line, quote=False))
    return escaped.replace("@", "&#64;")


def _code(value: object) -> str:
    """A name in code, where no markup counts but the table's own."""
    line = " ".join(str(value).split())
    return "`" + line.replace("`", "'").replace("|", "\\|") + "`"


def _number(value: float | None, unknown: str = "unknown") -> str:
    return unknown if value is None else f"{value:,.2f}"


def _signed(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:+,.2f}" if value else "0"


def _pending(loss: Loss) -> str:
    count = sum(loss.pending.values())
    parts = ", ".join(f"{n} of {_code(name)}" for name, n in sorted(loss.pending.items()))
    if loss.pending_before is not None and loss.pending_before != count:
        parts = f"{parts or 'none'} (before: {loss.pending_before})"
    return parts or "none"


def _seconds(loss: Loss) -> str:
    if loss.first is None or loss.last is None:
        return "never"
    return f"{loss.first:g}" if loss.first == loss.last else f"{loss.first:g} to {loss.last:g}"


def _properties(change: Change) -> str:
    if change.reasons:
        return f"replaced because of {_some(change.reasons)}"
    return _some(change.paths)


def _some(paths: Sequence[str]) -> str:
    left = len(paths) - _PATHS
    named = ", ".join(_code(path) for path in paths[:_PATHS])
    return f"{named} and {left} more" if left > 0 else named
