"""One process of a lab, lost and started again; that it comes back is seen in the rehearsals."""

from pathlib import Path

import pytest

from lab import Lab
from placement.faults import FederationError
from tests.engine.case import CLUSTERS, cluster, workload, write_federation


def test_nothing_is_lost_or_started_where_there_is_no_lab(tmp_path: Path) -> None:
    """Both say that there is none, and make none."""
    file = tmp_path / "federation.yaml"
    write_federation(file, [cluster(each) for each in CLUSTERS], workload("any"))
    lab = Lab(tmp_path / "labs", "none")
    with pytest.raises(FederationError, match="there is no lab 'none'"):
        lab.kill("etcd")
    with pytest.raises(FederationError, match="there is no lab 'none'"):
        lab.start(file, "etcd")
    assert not (tmp_path / "labs" / "none").exists()
