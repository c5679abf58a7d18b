"""Members: nodes that add up to the federation file, and pods that run in time."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from tenacity import Retrying, retry_if_result, stop_after_delay, wait_fixed

from lab import Lab, nodes, stages
from lab.templates import template
from lab.tools import catalogue, find
from placement import federation

FEDERATION = Path(__file__).parents[2] / "examples" / "global.yaml"
MISSING = [tool.name for tool in catalogue.TOOLS if find.find(tool) is None]


def test_nodes_add_up_to_their_classes() -> None:
    """Every class has its count of nodes, with its amounts, labels, taints and accelerators."""
    for cluster in federation.load(FEDERATION).clusters:
        found = list(nodes.nodes(cluster))
        names = [node["metadata"]["name"] for node in found]
        assert len(set(names)) == len(names) == sum(c.count for c in cluster.node_classes)
        wanted = Counter(
            (tuple(sorted(c.allocatable.items())), len(c.taints))
            for c in cluster.node_classes
            for _ in range(c.count)
        )
        there = Counter(
            (tuple(sorted(n["status"]["allocatable"].items())), len(n["spec"].get("taints", ())))
            for n in found
        )
        assert there == wanted
        zones = {n["metadata"]["labels"].get("topology.kubernetes.io/zone", "") for n in found}
        assert zones <= (set(cluster.zones) or {""})
        assert len(zones) == min(len(found), max(1, len(cluster.zones)))


def test_accelerators_are_extended_resources_with_a_model() -> None:
    """A node of a GPU class offers its GPUs by resource name and says which they are."""
    aegis = federation.load(FEDERATION).cluster("aegis-nuremberg")
    models = Counter(
        (n["metadata"]["labels"][nodes.MODEL_LABEL], n["status"]["allocatable"]["nvidia.com/gpu"])
        for n in nodes.nodes(aegis)
    )
    assert models == {("H100", "8"): 2, ("L40S", "1"): 6}


def test_stages_are_whole_documents(tmp_path: Path) -> None:
    """The file that KWOK reads has a document for each stage, with its delay."""
    file = tmp_path / "kwok.yaml"
    stages.write(file)
    delays = {
        document["metadata"]["name"]: document["spec"].get("delay", {}).get("durationMilliseconds")
        for document in yaml.safe_load_all(file.read_text("utf-8"))
    }
    assert delays == {
        "node-heartbeat": 20_000,
        "pod-start": stages.START_DELAY_SECONDS * 1000,
        "pod-of-job-succeeds": stages.RUN_TIME_SECONDS * 1000,
        "pod-delete": None,
    }


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    """A lab without Karmada, with one full member."""
    monkeypatch.delenv("KARMADA_DIR", raising=False)
    with Lab(tmp_path, "members") as lab:
        lab.up(FEDERATION, members="aegis-nuremberg")
        yield lab


@pytest.mark.skipif(
    bool(MISSING), reason=f"not built: {', '.join(MISSING)} (run `python -m lab.tools --all`)"
)
def test_a_full_member_runs_pods(lab: Lab) -> None:
    """A workload with a GPU lands on nodes that have it, runs, and a job ends after its time."""
    api = lab.api("aegis-nuremberg")
    inference = next(w for w in federation.load(FEDERATION).workloads if w.id == "ml/inference")
    manifest = template(inference, 2)
    assert manifest is not None
    api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ml"}})
    api.apply(manifest)
    pod = manifest["spec"]["template"]["spec"]
    job = {"restartPolicy": "Never", **pod}
    api.apply(
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": "short", "namespace": "ml"},
            "spec": {
                "template": {
                    "metadata": {"annotations": {stages.RUN_TIME_ANNOTATION: "1s"}},
                    "spec": job,
                }
            },
        }
    )
    phases = _until_done(lab)
    assert phases == {"inference": {"Running"}, "short": {"Succeeded"}}


def _until_done(lab: Lab) -> dict[str, set[str]]:
    """The phases of the pods by workload, once nothing is pending and the job has ended."""

    def look() -> dict[str, set[str]]:
        found: dict[str, set[str]] = {"inference": set(), "short": set()}
        for item in lab.api("aegis-nuremberg").list("v1", "Pod", "ml"):
            name = item["metadata"]["name"].split("-")[0]
            found[name].add(item["status"]["phase"])
        return found

    wait = Retrying(
        retry=retry_if_result(lambda found: found["short"] != {"Succeeded"}),
        stop=stop_after_delay(60),
        wait=wait_fixed(0.3),
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else {},
    )
    result: dict[str, set[str]] = wait(look)
    return result
