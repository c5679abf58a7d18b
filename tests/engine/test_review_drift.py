"""Drift, sorted by whose it is, on real objects."""

import pytest

from placement.faults import ExitCode
from tests.engine.case import POLICY, Case, kept, workload
from tests.engine.reviewing import reviewed


def test_request_78_drift_is_sorted_by_owner(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Karmada writes and a cluster that joined change no exit code; what others write does."""
    case.write(workload("web"), workload("cache"))
    case.stack().up()
    written = kept(case.stack())
    version, kind = POLICY
    metadata = {"name": "web-deployment", "namespace": case.namespace}
    policy = {"apiVersion": version, "kind": kind, "metadata": metadata}
    mark = {"propagationpolicy.karmada.io/permanent-id": "4d5e"}
    case.server.apply({**policy, "metadata": {**metadata, "labels": mark}})

    quiet = reviewed(case, monkeypatch, "--stack", "federation", "--drift")
    assert quiet.code == ExitCode.DONE
    found = {(d["owner"], d["path"]) for d in quiet.document["differences"]}
    assert ("expected", f"metadata.labels.{next(iter(mark))}") in found
    assert {owner for owner, _ in found} == {"expected", "never placed"}
    late = [d["name"] for d in quiet.document["differences"] if d["owner"] == "never placed"]
    assert late == ["late"]

    labels = {**mark, "team": "red"}
    content = {**policy, "metadata": {**metadata, "labels": labels}, "spec": {"priority": 7}}
    case.server.apply(content)
    case.server.delete(case.namespace, POLICY, "cache-deployment")
    loud = reviewed(case, monkeypatch, "--stack", "federation", "--drift")
    assert loud.code == ExitCode.CHANGES
    mended = {
        (d["owner"], d["name"].rpartition("/")[2], d["path"], tuple(d["writers"]))
        for d in loud.document["differences"]
        if d["owner"] in ("ours", "foreign")
    }
    assert mended == {
        ("ours", "web-deployment-propagationpolicy", "spec.priority", ("gitops",)),
        ("ours", "cache-deployment-propagationpolicy", "(object)", ()),
        ("foreign", "web-deployment-propagationpolicy", "metadata.labels.team", ("gitops",)),
    }
    assert "2 ours, 1 foreign" in loud.text
    # The state is as it was: what is gone is still in it.
    assert kept(case.stack()) == written
