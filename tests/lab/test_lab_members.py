"""Members: nodes that add up to the federation file, and pods that run in time."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from tenacity import Retrying, retry_if_result, stop_after_delay, wait_fixed

from lab import Lab
from lab.kubernetes import nodes, stages, usage
from lab.measure.templates import template
from lab.tools import catalogue
from placement import federation
from placement.federation.cluster import NodeClass
from placement.quantity import parse_quantity
from tests.built import missing

FEDERATION = Path(__file__).parents[2] / "examples" / "global.yaml"
MISSING = missing(*(tool.name for tool in catalogue.TOOLS))


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


def test_what_is_in_use_adds_up_and_is_spread_evenly() -> None:
    """The pods' requests are what the file says of each class, and equal but for one unit.

    A class that declares amounts and no pods has one pod a node; one without nodes has none.
    """
    for cluster in federation.load(FEDERATION).clusters:
        found = list(usage.pods(cluster))
        for node_class in cluster.node_classes:
            own = [pod for pod in found if pod["metadata"]["name"].startswith(node_class.name)]
            assert len(own) == int(node_class.in_use.get("pods", "0"))
            requests = [pod["spec"]["containers"][0]["resources"]["requests"] for pod in own]
            for name in set(node_class.in_use) - {"pods"}:
                amounts = [parse_quantity(request[name]) for request in requests]
                assert sum(amounts) == parse_quantity(node_class.in_use[name])
                assert max(amounts) - min(amounts) <= (Decimal("0.001") if name == "cpu" else 1)
            on = Counter(pod["spec"]["nodeName"] for pod in own)
            assert max(on.values(), default=0) - min(on.values(), default=0) <= 1
            assert not own or len(on) == node_class.count


@pytest.mark.parametrize(("count", "wanted"), [(2, ["1500m", "1500m"]), (0, [])])
def test_amounts_without_pods(count: int, wanted: list[str]) -> None:
    """Where only amounts are in use, each node has one pod with its part of them."""
    allocatable = {"cpu": "4", "memory": "8Gi", "pods": "10"}
    node_class = NodeClass(name="n", count=count, allocatable=allocatable, in_use={"cpu": "3"})
    cluster = (
        federation.load(FEDERATION).clusters[0].model_copy(update={"node_classes": (node_class,)})
    )
    requests = [p["spec"]["containers"][0]["resources"]["requests"] for p in usage.pods(cluster)]
    assert [request["cpu"] for request in requests] == wanted


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
