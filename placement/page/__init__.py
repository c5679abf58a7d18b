"""A decision as a page to look at: one HTML file that needs no network and no server.

Owns the page's text and looks; the figures on it come from ``figures.py``. The whole decision lies
in the page too, as JSON, for whoever wants to read on by program.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from placement.decision import Decision
from placement.federation import Federation
from placement.page.figures import page

_HERE = Path(__file__).parent


def html(
    federation: Federation,
    decision: Decision,
    title: str,
    front: Mapping[str, Any] | None = None,
) -> str:
    """The page of *decision*; the same decision gives the same bytes.

    Args:
        federation: what the decision is on.
        decision: one with a placement, or an infeasible one with its conflicts.
        title: what the page is called, usually the file's name.
        front: a Pareto front in its JSON form, ``placement/pareto/v1``.
    """
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["number"] = _number
    environment.filters["percent"] = _percent
    return environment.get_template("page.html.j2").render(
        title=title,
        page=page(federation, decision, front),
        style=(_HERE / "style.css").read_text(encoding="utf-8"),
        # In a script element only "</" could end it early; JSON may write it as "<\/".
        decision=json.dumps(decision.document(), sort_keys=True).replace("</", "<\\/"),
    )


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.2f}"


def _percent(value: float) -> str:
    return f"{value:.1%}"
