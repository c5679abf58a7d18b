"""One process of a lab, lost and started again; that it comes back is seen in the rehearsals."""

from pathlib import Path

import pytest
import yaml

from lab import Lab
from placement.faults import FederationError
from tests.engine.case import CLUSTERS, cluster, workload


def test_nothing_is_lost_or_started_where_there_is_no_lab(tmp_path: Path) -> None:
    """Both say that there is none, and make none."""
    file = tmp_path / "federation.yaml"
    content = {
        "apiVersion": "federation/v1alpha1",
        "objective": {"lexicographic": [{"term": "fit"}]},
        "clusters": [cluster(each) for each in CLUSTERS],
        "workloads": [workload("any")],
    }
    file.write_text(yaml.safe_dump(content), "utf-8")
    lab = Lab(tmp_path / "labs", "none")
    with pytest.raises(FederationError, match="there is no lab 'none'"):
        lab.kill("etcd")
    with pytest.raises(FederationError, match="there is no lab 'none'"):
        lab.start(file, "etcd")
    assert not (tmp_path / "labs" / "none").exists()
