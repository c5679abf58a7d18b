"""``python -m stacks`` with the real CLI, on the lab's own language host."""

import json
import subprocess
import sys

from lab.engine.language_host import install
from tests.engine.case import Case


def stacks(case: Case, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -m stacks`` in the project of *case*."""
    install()
    return subprocess.run(
        [sys.executable, "-m", "stacks", *arguments],
        cwd=case.workspace.project,
        env=case.workspace.shell,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )


def test_life_of_two_stacks(case: Case) -> None:
    """Both come up in order, a second time nothing changes, and both go in the opposite order."""
    case.stack()
    first = stacks(case, "up", "federation", "tokyo", "--yes")
    assert first.returncode == 2, first.stdout + first.stderr
    assert first.stderr.index("[1/2] up tokyo") < first.stderr.index("[2/2] up federation")
    assert case.server.objects(case.namespace)
    assert stacks(case, "up", "--yes").returncode == 0

    shown = stacks(case, "status", "--json")
    assert shown.returncode == 0, shown.stderr
    rows = {row["name"]: row for row in json.loads(shown.stdout)}
    assert list(rows) == ["tokyo", "federation"]
    assert rows["federation"]["reads"] == ["tokyo"]
    assert all(row["resources"] for row in rows.values())

    last = stacks(case, "down", "--yes")
    assert last.returncode == 2, last.stdout + last.stderr
    assert last.stderr.index("destroy federation") < last.stderr.index("[2/2] destroy tokyo")
    assert not case.server.objects(case.namespace)


def test_failure_stops_what_follows(case: Case) -> None:
    """What comes after a stack that failed does not run, and is named."""
    case.stack()
    path = case.workspace.project / "Pulumi.tokyo.yaml"
    path.write_text(path.read_text("utf-8").replace("maker: existing", "maker: nobody"), "utf-8")
    done = stacks(case, "up", "--yes")
    assert done.returncode == 1
    assert "; not run: federation" in done.stderr
    assert not case.server.objects(case.namespace)
