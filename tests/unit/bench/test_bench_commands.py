"""``python -m bench``: tables for people, JSON for programs, and the project's exit codes."""

import json
from pathlib import Path

from click.testing import CliRunner

from bench.__main__ import bench
from placement.faults import ExitCode, InfeasibleError
from tests.unit.federations import cluster, node_class, plain, workload, write


def test_baselines_prints_a_verdict_for_each_method(tmp_path: Path) -> None:
    """The engine and five baselines, each with what it places and breaks."""
    clusters = [cluster("a", price=40), cluster("b", node_class(count=3))]
    path = write(tmp_path / "f.yaml", plain(clusters, [workload("w", 8)]))
    result = CliRunner().invoke(bench, ["baselines", str(path), "--json"], standalone_mode=False)
    assert result.exception is None, result.exception
    document = json.loads(result.stdout)
    (found,) = document["files"].values()
    assert [v["method"] for v in found["verdicts"]] == [
        "engine", "greedy best fit", "even static split", "dynamic weight", "aggregated",
        "plain MIP",
    ]  # fmt: skip
    assert found["status"] == "optimal"
    assert found["verdicts"][0]["cost"] == found["objective"]["value"] == 140
    assert document["run"]["effort"] == 3
    text = CliRunner().invoke(bench, ["baselines", str(path)], standalone_mode=False).stdout
    assert "engine             100.0%" in text


def test_baselines_without_a_placement(tmp_path: Path) -> None:
    """Where the engine finds none there is nothing to compare, and its reasons are the error."""
    path = write(tmp_path / "f.yaml", plain([cluster("a")], [workload("w", 5)]))
    result = CliRunner().invoke(bench, ["baselines", str(path)], standalone_mode=False)
    assert isinstance(result.exception, InfeasibleError)
    assert result.exception.exit_code == ExitCode.INFEASIBLE


def test_truth_prints_the_published_optimum() -> None:
    """CSPLib's problem needs no data from elsewhere."""
    result = CliRunner().invoke(bench, ["truth"], standalone_mode=False)
    assert result.return_value == ExitCode.DONE
    assert result.stdout.startswith("CSPLib prob034: 383.0 (optimal), published 383")


def test_static_prints_the_distribution(tmp_path: Path) -> None:
    """A federation's split, what is saved and the most that could be, then the distribution."""
    clusters = [cluster("a", node_class(cpu=64, memory="256Gi"), price=64), cluster("b")]
    path = write(tmp_path / "f.yaml", plain(clusters, [workload("w", 4)]))
    picture = tmp_path / "saved.svg"
    arguments = ["static", str(path), "--generated", "0", "--plot", str(picture)]
    result = CliRunner().invoke(bench, arguments, standalone_mode=False)
    assert result.exception is None, result.exception
    # Two replicas at 1 and two at 25 against four at 1; no more is to be had.
    assert "52" in result.stdout
    assert result.stdout.count("92.3%") == 5
    assert "1 of 1 reach 30%" in result.stdout
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
