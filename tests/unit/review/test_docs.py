"""The workflows of ``docs/review.md``: whole, and in step with the command."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from review.__main__ import review

TEXT = (Path(__file__).parents[3] / "docs" / "review.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.DOTALL)
WORKFLOWS = [yaml.safe_load(text) for language, text in BLOCKS if language == "yaml"]


def scripts(workflow: dict[str, Any]) -> Iterator[str]:
    """What a workflow of GitHub or GitLab runs in a shell, a job each."""
    jobs = workflow.get("jobs") or workflow
    for job in (job for job in jobs.values() if isinstance(job, dict)):
        steps = [step["run"] for step in job.get("steps", ()) if "run" in step]
        yield "\n".join([*steps, *job.get("before_script", ()), *job.get("script", ())])


SCRIPTS = [
    *(text for language, text in BLOCKS if language == "bash"),
    *(text for workflow in WORKFLOWS for text in scripts(workflow) if text),
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_is_one_that_a_shell_reads(script: str) -> None:
    """No quote, here-document or case is left open; GitHub's own placeholders count as text."""
    plain = re.sub(r"\$\{\{.*?\}\}", "x", script)
    done = subprocess.run(["bash", "-n"], input=plain, capture_output=True, text=True, check=False)  # noqa: S607 - the shell, wherever it is
    assert done.returncode == 0, done.stderr


def test_a_pull_request_of_a_fork_sees_no_secret() -> None:
    """The jobs that run a fork's code name no secret and have no permission to write."""
    forks = [w for w in WORKFLOWS if w.get("name") == "review-fork"]
    assert len(forks) == 1
    assert "secrets." not in yaml.safe_dump(forks[0])
    assert set(forks[0]["permissions"].values()) == {"read"}


def test_every_option_is_one_of_the_command() -> None:
    """What the page passes to `python -m review`, the command takes."""
    known = {name for option in review.params for name in option.opts}
    lines = re.sub(r"\\\n\s*", "", TEXT)
    used = {
        option
        for command in re.findall(r"-m review(?: record)? ([^\n>|]*)", lines)
        for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", command)
    }
    assert {"--stack", "--plan", "--recorded", "--drift", "--infracost", "--links"} <= used
    assert used <= known


def test_every_exit_code_is_told() -> None:
    """The page has a row for each code of the command."""
    table = TEXT.partition("| exit code |")[2].partition("\n\n")[0]
    assert [line.split("|")[1].strip() for line in table.splitlines()[2:]] == list("01234")


def test_help_names_every_option_with_what_it_does() -> None:
    """`--help` leaves none unexplained."""
    assert all(isinstance(p, click.Option) and p.help for p in review.params)
