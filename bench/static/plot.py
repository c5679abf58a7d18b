"""The distribution of savings as a picture."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from bench.static.price import HEADLINE, Price


def plot(prices: Sequence[Price], path: Path) -> None:
    """Draw what the optimum saves, by federation and by workload, to *path* (SVG or PNG)."""
    # Without a salt and a date the same figures are the same bytes.
    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "static-split"
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    _steps(left, [p.saving for p in prices], "optimum", "C0")
    _steps(left, [p.possible for p in prices], "at most possible", "C1")
    left.set_title(f"{len(prices)} federations")
    free = [s for p in prices for s in p.shares if s.clusters > 1]
    _steps(right, [s.saving for s in free], "optimum", "C0")
    right.set_title(f"{len(free)} workloads with a choice of clusters")
    for axes in (left, right):
        axes.axvline(HEADLINE, color="0.5", linestyle=":", label="headline 30 %")
        axes.set_xlabel("saved of the static split's cost")
        axes.set_ylabel("part that saves at most this")
        axes.xaxis.set_major_formatter(PercentFormatter(1.0))
        axes.legend(loc="best", fontsize="small")
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)


def _steps(axes: Axes, values: Sequence[float], label: str, colour: str) -> None:
    """The empirical distribution of *values*."""
    ordered = np.sort(values)
    axes.step(ordered, np.arange(1, len(ordered) + 1) / len(ordered), label=label, color=colour)
