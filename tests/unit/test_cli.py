"""The command line: exit codes, the same bytes, and messages instead of tracebacks."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from placement import console
from placement.__main__ import placement
from tests.unit.federations import cluster, latency, plain, workload, write

ROOT = Path(__file__).parents[2]
EXAMPLE = "examples/global.yaml"
INVALID = "tests/unit/fixtures/invalid"


def _run(*arguments: str, given: str | bytes = "", **environment: str) -> Any:
    run = subprocess.run(
        [sys.executable, "-m", "placement", *arguments],
        cwd=ROOT,
        input=given if isinstance(given, bytes) else given.encode(),
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in run.stderr, run.stderr.decode()
    return run


class Inside:
    """The command line within this process: what a fresh one would print, and its exit code."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str, given: bytes = b"") -> tuple[int, str, str]:
        """Exit code, standard output and standard error."""
        self._monkeypatch.chdir(ROOT)
        self._monkeypatch.setattr(sys, "argv", ["placement", *arguments])
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        with pytest.raises(SystemExit) as ending:
            console.run(placement, "placement")
        printed = self._capsys.readouterr()
        assert isinstance(ending.value.code, int)
        return ending.value.code, printed.out, printed.err


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Inside:
    """Runs commands without the start of a process."""
    return Inside(monkeypatch, capsys)


@pytest.fixture
def small(tmp_path: Path) -> str:
    """A federation that is decided in an instant."""
    users = [{"region": "a", "share": 1}]
    content = plain(
        [cluster("a", price=10), cluster("b", price=20)],
        [workload("w", 5, demand=users, survive={"loss": "cluster"}, cpu="500m")],
        latency=latency({"a": {"a": 1, "b": 9}}),
    )
    return str(write(tmp_path / "small.yaml", content))


@pytest.fixture
def impossible(tmp_path: Path) -> str:
    """A federation without room."""
    return str(write(tmp_path / "full.yaml", plain([cluster("a")], [workload("w", 5)])))


def test_plan_of_the_example() -> None:
    """Under two hash seeds and locales the same bytes, at most 100 columns, and no colours."""
    first = _run("plan", EXAMPLE, PYTHONHASHSEED="1", LC_ALL="C")
    second = _run("plan", EXAMPLE, PYTHONHASHSEED="2", LC_ALL="C.UTF-8")
    assert (first.returncode, first.stderr) == (0, b"")
    assert first.stdout == second.stdout
    lines = first.stdout.decode().splitlines()
    assert max(map(len, lines)) <= 100
    assert "\x1b" not in first.stdout.decode()
    assert "3 workloads must survive a loss: each holds under Karmada's own division." in lines


def test_plan_as_json(small: str) -> None:
    """One JSON document with the keys that other parts read, and nothing besides."""
    run = _run("plan", small, "--json")
    document = json.loads(run.stdout)
    assert document["schema"] == "placement/decision/v1"
    assert set(document) == {
        "schema", "inputHash", "status", "objective", "workloads", "moves", "conflicts",
    }  # fmt: skip
    assert set(document["objective"][0]) == {"term", "value", "unit", "bound"}
    (one,) = document["workloads"]
    assert set(one) == {
        "id", "replicas", "weights", "candidates", "refused", "afterLoss", "terms",
        "spreadDefaulted", "totals", "backups", "estimate",
    }  # fmt: skip
    assert set(one["candidates"][0]) == {"cluster", "rank", "score", "terms"}
    assert set(one["afterLoss"][0]) == {"lost", "replicas", "pending"}


def test_plan_writes_a_page(small: str, tmp_path: Path) -> None:
    """Beside the table, ``--html`` writes one file; where it cannot, that is bad input."""
    page = tmp_path / "out.html"
    run = _run("plan", small, "--html", str(page))
    assert run.returncode == 0
    assert run.stdout == _run("plan", small).stdout
    assert page.read_text("utf-8").startswith("<!doctype html>")
    missing = _run("plan", small, "--html", str(tmp_path / "no" / "out.html"))
    assert missing.returncode == 4
    assert b"no/out.html" in missing.stderr


def test_a_front_has_no_prices(small: str) -> None:
    """Options that exclude each other are bad input, and never left out in silence."""
    run = _run("plan", small, "--pareto", "cost,latency", "--prices")
    assert run.returncode == 4
    assert b"--pareto and --prices" in run.stderr


def test_moves_against_the_present(small: str, tmp_path: Path) -> None:
    """Against its own decision nothing moves; a broken present is bad input."""
    present = tmp_path / "present.json"
    present.write_bytes(_run("plan", small, "--json").stdout)
    assert b"moves:" not in _run("plan", small, "--present", str(present)).stdout
    for text in ("[1]", "[" * 100_000):
        present.write_text(text)
        run = _run("plan", small, "--present", str(present))
        assert run.returncode == 4, text[:9]
        assert b"present.json" in run.stderr


def test_infeasible_is_three(impossible: str, tmp_path: Path) -> None:
    """Plan, explain and render name file, line and key and end with 3; nothing is written."""
    out = tmp_path / "out"
    for command in (("plan",), ("explain", "default/w"), ("render", "--out", str(out))):
        run = _run(command[0], impossible, *command[1:])
        assert run.returncode == 3
        said = " ".join((run.stdout + run.stderr).decode().split())  # whatever the line breaks
        assert f"{impossible}:29 workloads[0].replicas: 5 (default/w)" in said
    assert not out.exists()


def test_a_file_in_the_place_of_the_folder(small: str) -> None:
    """``--out`` that is a file is bad input, and the file stays."""
    run = _run("render", small, "--out", small)
    assert run.returncode == 4
    assert b"--out: cannot be written: File exists; allowed a folder" in run.stderr


def test_explain(small: str) -> None:
    """Each cluster with its rank and terms, and each loss; an unknown workload is bad input."""
    text = _run("explain", small, "default/w").stdout.decode()
    assert "asked: capacity after the loss of any cluster" in text
    assert "a: rank 1, score 100" in text
    assert "EUR/month" in text
    assert "with cluster/a lost: 5 b" in text
    run = _run("explain", small, "default/x")
    assert run.returncode == 4
    assert b"unknown workload; allowed default/w" in run.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nothing",),
        ("plan",),
        ("plan", EXAMPLE, "--effort", "9"),
        ("plan", EXAMPLE, "--unknown"),
        ("plan", "absent.yaml"),
        ("plan", "examples"),
        ("plan", f"{INVALID}/not-utf8.yaml"),
        ("plan", f"{INVALID}/nested.yaml"),
        ("plan", f"{INVALID}/many-faults.yaml"),
        ("render", EXAMPLE),
        ("check", "absent.yaml"),
        ("check", EXAMPLE),
        ("explain", EXAMPLE),
    ],
)
def test_bad_input_is_four(inside: Inside, arguments: tuple[str, ...]) -> None:
    """Wrong usage and wrong files end with 4 and a message on standard error alone."""
    code, out, err = inside(*arguments)
    assert (code, out) == (4, "")
    assert err


def test_every_fault_on_a_line_of_its_own() -> None:
    """Faults read ``FILE:LINE key: read X; allowed Y``, one a line, in the order of lines."""
    run = _run("plan", f"{INVALID}/many-faults.yaml")
    lines = run.stderr.decode().splitlines()
    assert [int(line.split(":")[1].split()[0]) for line in lines] == [3, 4, 8, 10, 10, 15]


_CASE = {
    "id": "c1",
    "kind": "Deployment",
    "clusters": [
        {"name": n, "region": "r", "provider": "p", "zones": [], "labels": {}, "taints": []}
        for n in "ab"
    ],
    "placement": {
        "clusterAffinity": {"clusterNames": ["a", "b"]},
        "replicaScheduling": {
            "replicaSchedulingType": "Divided",
            "replicaDivisionPreference": "Weighted",
            "weightPreference": {
                "staticWeightList": [
                    {"targetCluster": {"clusterNames": ["a"]}, "weight": 7},
                    {"targetCluster": {"clusterNames": ["b"]}, "weight": 3},
                ]
            },
        },
    },
    "replicas": 10,
}


def test_divide() -> None:
    """A line in, a line out; empty lines are passed over."""
    line = json.dumps(_CASE)
    run = _run("divide", given=f"{line}\n\n{line}\n")
    assert run.returncode == 0, run.stderr
    assert run.stdout.decode() == '{"id":"c1","replicas":{"a":7,"b":3}}\n' * 2


@pytest.mark.parametrize("wrong", ["{", "[]", "1", '{"id": 1}', "[" * 100_000, b"\xff", "\x00"])
def test_divide_names_the_line(inside: Inside, wrong: str | bytes) -> None:
    """A malformed line ends with 4 and its number; the lines before are answered."""
    data = wrong if isinstance(wrong, bytes) else wrong.encode()
    code, out, err = inside("divide", given=json.dumps(_CASE).encode() + b"\n" + data + b"\n")
    assert code == 4
    assert err.startswith("<stdin>:2 "), err[:200]
    assert out.startswith('{"id":"c1"')


def test_check_refuses_the_policy_of_the_source_document() -> None:
    """For want of a cluster constraint, and because static weights ignore spread."""
    run = _run("check", "examples/policies/web-frontend.yaml")
    assert run.returncode == 3
    text = run.stderr.decode()
    assert "the cluster spread constraint must be enabled" in text
    assert "static weights ignore spread" in text


@pytest.mark.parametrize(
    "content",
    [
        "spec: 2026-08-14\n",
        "metadata: [1]\nspec: {}\n",
        "metadata: {namespace: 1}\nspec: {resourceSelectors: .nan, placement: 1}\n",
        "kind: PropagationPolicy\n",
    ],
)
def test_check_of_what_is_no_policy(inside: Inside, content: str, tmp_path: Path) -> None:
    """Anything goes in, and reasons come out."""
    path = tmp_path / "policy.yaml"
    path.write_text(content)
    code, _, err = inside("check", str(path))
    assert code in {3, 4}
    assert err


_POLICY = """\
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: web, namespace: shop, labels: LABELS}
spec:
  schedulerName: NAME
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
"""


@pytest.mark.parametrize(
    ("labels", "name", "said"),
    [
        ("{}", "default-scheduler", None),
        ("{}", "mine", "spec.schedulerName: the schedulerName should not be updated"),
        ("{propagationpolicy.karmada.io/permanent-id: '1'}", "default-scheduler", "is immutable"),
    ],
)
def test_check_of_a_change(
    inside: Inside, labels: str, name: str, said: str | None, tmp_path: Path
) -> None:
    """Beside what is stored, it is told what a change may not do; labels not written stay."""
    new, old = tmp_path / "new.yaml", tmp_path / "old.yaml"
    new.write_text(_POLICY.replace("LABELS", labels).replace("NAME", name))
    stored = "{propagationpolicy.karmada.io/permanent-id: '4711'}"
    old.write_text(_POLICY.replace("LABELS", stored).replace("NAME", "default-scheduler"))
    code, _, err = inside("check", str(new), "--stored", str(old))
    assert (code == 3, said is None or said in err) == (said is not None, True), err


def test_check_reads_every_document(inside: Inside, tmp_path: Path) -> None:
    """What is wrong in the second object of a file is said, a kind of nobody's with its line."""
    path = tmp_path / "policies.yaml"
    good = _POLICY.replace("LABELS", "{}").replace("NAME", "default-scheduler")
    path.write_text(f"{good}---\n{good.replace('name: web', 'name: WEB')}")
    assert inside("check", str(path))[0] == 3
    path.write_text(f"{good}---\napiVersion: apps/v1\nkind: Deployment\n")
    code, _, err = inside("check", str(path))
    assert (code, ":9 kind: read 'Deployment'; allowed " in err) == (4, True), err


def test_schema() -> None:
    """A JSON schema with the keys of the file, complete enough for an editor."""
    schema = json.loads(_run("schema").stdout)
    assert schema["additionalProperties"] is False
    assert {"apiVersion", "clusters", "workloads", "objective"} <= set(schema["properties"])
    references = {r for r in json.dumps(schema).split('"') if r.startswith("#/$defs/")}
    assert {r.rsplit("/", 1)[-1] for r in references} <= set(schema["$defs"])


@pytest.mark.parametrize("command", [("plan",), ("plan", "--json"), ("schema",), ("--help",)])
def test_a_reader_that_leaves(command: tuple[str, ...], small: str) -> None:
    """Into a pipe that is closed at the other end there is no complaint."""
    command += (small,) if command[0] == "plan" else ()
    read, write_end = os.pipe()
    os.close(read)
    run = subprocess.run(
        [sys.executable, "-m", "placement", *command],
        cwd=ROOT,
        stdout=write_end,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write_end)
    assert (run.returncode, run.stderr) == (0, b"")


def test_interrupted() -> None:
    """Ctrl-C ends with 130 and one line."""
    with subprocess.Popen(
        [sys.executable, "-m", "placement", "divide"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(_CASE).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()  # it is up and waits for the next line
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, b"interrupted\n")
