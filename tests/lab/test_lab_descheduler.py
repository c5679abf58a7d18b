"""The real descheduler, told what a compute plane tells it, on a member with one hot node."""

from pathlib import Path

import pytest

from components.settings.compute import Descheduler
from lab.measure.descheduler import NODES, REPLICAS, measure
from tests.built import skip_without


def test_a_hot_node_is_evened_out_without_critical_pods(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No node is left above the limit, the spread is smaller, and no critical pod was evicted."""
    skip_without(
        "etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok", "descheduler"
    )
    monkeypatch.delenv("KARMADA_DIR", raising=False)  # none of its parts act in a member
    spec = Descheduler()
    found = measure(tmp_path, spec)
    assert len(found.before) == NODES
    assert found.before[0] > spec.over_used / 100
    assert found.before[-1] == 0
    assert found.after[0] <= spec.over_used / 100
    assert found.spread_after < found.spread_before / 2
    assert found.evicted.get("critical", 0) == 0
    assert sum(found.evicted.values()) > 0
    assert sum(found.before) == pytest.approx(sum(REPLICAS.values()) * 0.5 / 8, abs=0.01)
