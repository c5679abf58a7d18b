"""``python -m review validate`` says where a file is wrong, and what a spec would be told."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from placement.faults import BadInputError, ExitCode
from review.validate import answers, validate_file
from tests.unit.karmada.sound_kinds import KINDS, sound

_REPOSITORY = Path(__file__).parents[3]
_DATA = Path("tests/unit/review/data")
"""Relative to the repository: the report names each file as the user did."""


def _run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "review", "validate", *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        cwd=_REPOSITORY,
    )


def _write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_the_report_is_the_golden_one() -> None:
    """Refusals and advice stand in the order of each file, with the line of their field.

    The key of a resource is one step of a path, dots or not.
    """
    shown = _run(str(_DATA / "policy.yaml"), str(_DATA / "quota.yaml"))
    assert shown.stdout == (_REPOSITORY / _DATA / "report.txt").read_text(encoding="utf-8")
    assert (shown.returncode, shown.stderr) == (ExitCode.INFEASIBLE, "")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_read(tmp_path: Path, kind: str) -> None:
    """A sound object of each kind is not refused."""
    path = _write(tmp_path / "sound.yaml", yaml.safe_dump(sound(kind)))
    assert not validate_file(path).refused


def test_the_switch_of_the_webhook_is_the_callers(tmp_path: Path) -> None:
    """A NoExecute taint is refused unless the webhook is said to allow it."""
    policy = sound("ClusterTaintPolicy")
    policy["spec"]["taints"][0]["effect"] = "NoExecute"
    path = _write(tmp_path / "taint.yaml", yaml.safe_dump(policy))
    assert validate_file(path).refused
    assert not validate_file(path, allow_no_execute=True).refused


def test_a_file_of_another_kind_is_bad_input(tmp_path: Path) -> None:
    """A kind of the same name in another group is another kind."""
    content = "kind: Cluster\napiVersion: cluster.x-k8s.io/v1beta1\n"
    path = _write(tmp_path / "other.yaml", content)
    with pytest.raises(BadInputError, match=r"read Cluster of cluster\.x-k8s\.io/v1beta1; allowed"):
        validate_file(path)


def test_a_file_of_several_documents(tmp_path: Path) -> None:
    """Each document is judged, empty ones are left out, and lines are those of the file."""
    wrong = (_REPOSITORY / _DATA / "policy.yaml").read_text("utf-8")
    alone = validate_file(_write(tmp_path / "alone.yaml", wrong)).lines
    before = f"# first\n---\n{yaml.safe_dump(sound('OverridePolicy'))}---\n---\n"
    file = _write(tmp_path / "alone.yaml", f"{before}{wrong}\n---\n# nothing\n")
    report = validate_file(file)
    more = before.count("\n")
    moved = [re.sub(r":(\d+) ", lambda m: f":{int(m[1]) + more} ", one, count=1) for one in alone]
    assert report.refused
    assert list(report.lines) == moved


@pytest.mark.parametrize("text", ["", "---\n", "a: [\n---\nb: 1\n", "[1]\n"])
def test_a_file_without_any_is_bad_input(tmp_path: Path, text: str) -> None:
    """Nothing, no YAML and no mapping are bad input, as before."""
    with pytest.raises(BadInputError, match="allowed"):
        validate_file(_write(tmp_path / "none.yaml", text))


def _spec(**more: Any) -> dict[str, Any]:
    selector = {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "default"}
    return {"resourceSelectors": [selector], **more}


def test_an_answer_is_compact_and_sorted() -> None:
    """Errors of Karmada and advice of ours stand apart."""
    spec = _spec(placement={"spreadConstraints": [{"spreadByField": "cluster", "minGroups": -1}]})
    constraint = r"{\"spreadByField\":\"cluster\",\"minGroups\":-1}"
    field = "spec.placement.spreadConstraints[0]"
    (answer,) = answers(["\n", json.dumps({"id": "x", "spec": spec})])
    assert answer == (
        f'{{"advice":[{{"code":"max-groups-missing","field":"{field}.maxGroups","message":'
        '"maxGroups has no default: absent or 0, the scheduler chooses no group and places '
        'nothing; write it, the number of clusters at most"}],"errors":[{"field":'
        f'"{field}","message":"{field}: Invalid value: {constraint}: minGroups lower than 0 is '
        'not allowed","type":"FieldValueInvalid"}],"id":"x"}'
    )


def test_what_the_schema_refuses_is_an_answer_too() -> None:
    """A spec of wrong types gets the errors of the schema, and no advice."""
    (answer,) = answers([json.dumps({"id": 1, "spec": _spec(priority="high")})])
    parsed = json.loads(answer)
    assert [(each["field"], each["type"]) for each in parsed["errors"]] == [
        ("spec.priority", "FieldValueTypeInvalid")
    ]
    assert (parsed["id"], parsed["advice"]) == (1, [])


@pytest.mark.parametrize("line", ["{", "[]", '"id"', '{"id": "x"}', '{"spec": {}}'])
def test_a_malformed_line_is_named_by_number(line: str) -> None:
    """Lines before it are answered, and its number counts the empty ones."""
    given = answers([json.dumps({"id": "x", "spec": _spec()}), "", line])
    next(given)
    with pytest.raises(BadInputError) as bad:
        next(given)
    assert [(fault.file, fault.line) for fault in bad.value.faults] == [("<stdin>", 3)]


def test_the_exit_codes_are_the_projects(tmp_path: Path) -> None:
    """Refused is 3, bad input is 4, advice alone is 0; what was found stands on standard output."""
    assert _run(str(_DATA / "policy.yaml")).returncode == ExitCode.INFEASIBLE
    service = _write(tmp_path / "service.yaml", yaml.safe_dump(sound("MultiClusterService")))
    advised = _run(str(service))
    assert advised.returncode == ExitCode.DONE
    assert "spec: gate-off: " in advised.stdout
    assert _run(str(tmp_path / "none.yaml")).returncode == ExitCode.BAD_INPUT
    malformed = _run(given="x\n")
    assert malformed.returncode == ExitCode.BAD_INPUT
    assert malformed.stderr.startswith("<stdin>:1 (line): ")
    assert _run(given="").returncode == ExitCode.DONE
