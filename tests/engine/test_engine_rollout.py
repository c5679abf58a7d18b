"""How a changed decision rolls out, and what is done by hand."""

import json
from typing import Any

import pytest
import yaml
from pulumi import automation as auto

from placement.division import tie_proof_weights
from tests.engine.case import (
    Case,
    changes,
    cluster,
    kept,
    manifest,
    refused,
    template,
    workload,
)

_CLASSES = ("critical", "standard", "batch")


def three(replicas: int) -> list[dict[str, Any]]:
    """A workload of each class, the most important one first in the file."""
    single = {"acceptSingleContinent": True}
    return [
        workload(name, replicas, **{"class": name}, **(single if name == "critical" else {}))
        for name in _CLASSES
    ]


def test_what_moves_rolls_out_in_waves(case: Case) -> None:
    """Policies of batch are done before those of standard begin, and these before critical."""
    case.write(*three(4))
    stack = case.stack()
    stack.up()
    case.write(*three(8))
    seen: list[str] = []

    def note(event: auto.EngineEvent) -> None:
        for step, happened in (
            ("begins", event.resource_pre_event),
            ("done", event.res_outputs_event),
        ):
            if happened is not None and happened.metadata.urn.endswith("-propagationpolicy"):
                seen.append(f"{happened.metadata.urn.rsplit('/', 1)[-1].split('-')[0]} {step}")

    stack.up(on_event=note)
    assert seen == [f"{name} {step}" for name in reversed(_CLASSES) for step in ("begins", "done")]


def test_a_cluster_leaves_once_it_is_empty(case: Case) -> None:
    """A cluster that still has replicas may not leave; drained first, it may."""
    anywhere = workload("web", weights={}, atLeast={"west": 1})
    case.write(anywhere)
    stack = case.stack()
    stack.up()
    assert "west" in case.decision().counts[f"{case.namespace}/web"]
    case.write(workload("web", weights={}), clusters=[cluster("east")])
    text = refused(stack.preview)
    count = case.decision().counts[f"{case.namespace}/web"]["west"]
    assert f"west is gone, and the last decision has {count} of {case.namespace}/web there" in text
    assert "write it with drained: true, bring this stack up, then take it out" in text
    case.write(
        workload("web", weights={}), clusters=[cluster("east"), cluster("west", drained=True)]
    )
    stack.up()
    assert case.decision().counts[f"{case.namespace}/web"] == {"east": 4}
    case.write(workload("web", weights={}), clusters=[cluster("east")])
    stack.up()
    stack.preview(expect_no_changes=True)


def test_a_decision_that_is_given(case: Case) -> None:
    """A decision in a file is carried out as it stands, and again until the key is gone."""
    case.write(workload("web", weights={}))
    stack = case.stack()
    stack.up()
    document = case.decision().document()
    counts = {"east": 2, "west": 2}
    assert document["workloads"][0]["replicas"] != counts
    document["workloads"][0].update(replicas=counts, weights=tie_proof_weights(counts), backups=[])
    (case.file.parent / "decision.json").write_text(json.dumps(document), "utf-8")
    wanted = {f"{case.namespace}/web": counts}
    case.configure(federation={"readinessTimeout": 2, "decision": "decision.json"})
    stack.up()
    assert case.decision().counts == wanted
    stack.preview(expect_no_changes=True)
    case.configure()
    stack.up()
    assert case.decision().counts != wanted


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{}", "decision.json (file): schema: read None; allowed 'placement/decision/v1'"),
        (None, "decision.json (file): "),
        (
            {"replicas": {"east": 4}},
            "decision.json (federation:federation.decision) does not meet the federation",
        ),
        (
            {"weights": {"east": 1, "west": 1}},
            "web.weights: read {'east': 1, 'west': 1}, which do not divide into {'east': 3, 'we",
        ),
    ],
    ids=["no-decision", "no-file", "not-met", "other-weights"],
)
def test_a_given_decision_that_will_not_do(case: Case, content: Any, words: str) -> None:
    """What cannot be read, or does not meet the federation file, is refused."""
    if isinstance(content, dict):
        case.stack().up()
        decision = case.decision().document()
        decision["workloads"][0].update(content)
        content = json.dumps(decision)
    if content is not None:
        (case.file.parent / "decision.json").write_text(content, "utf-8")
    case.configure(federation={"readinessTimeout": 2, "decision": "decision.json"})
    assert words in refused(case.stack().preview)


def test_an_autoscaler_keeps_its_replicas(case: Case) -> None:
    """What an autoscaler has written stays, also when the object changes in another place."""

    def write(image: str) -> None:
        content = manifest("Deployment", "web", case.namespace, 4)
        del content["spec"]["replicas"]
        content["spec"]["template"]["spec"]["containers"][0]["image"] = image
        (case.file.parent / "web.yaml").write_text(yaml.safe_dump(content), "utf-8")
        scaled = {"replicas": {"min": 4, "max": 8}, "autoscaler": {}, "manifest": "web.yaml"}
        case.write({**workload("web", manifest="web.yaml"), **scaled})

    def found() -> tuple[int, str]:
        spec = case.server.objects(case.namespace, ("apps/v1", "Deployment"))["web"]["spec"]
        return spec["replicas"], spec["template"]["spec"]["containers"][0]["image"]

    write("one")
    stack = case.stack()
    stack.up()
    assert found() == (4, "one")
    scalers = case.server.objects(
        case.namespace, ("autoscaling.karmada.io/v1alpha1", "FederatedHPA")
    )
    assert scalers["web-deployment"]["spec"]["maxReplicas"] == 8
    case.server.patch(case.namespace, ("apps/v1", "Deployment"), "web", {"spec": {"replicas": 6}})
    stack.preview(expect_no_changes=True)
    write("two")
    stack.up()
    assert found() == (6, "two")


def test_a_renamed_workload(case: Case) -> None:
    """Another name is another policy for the same object: one comes, then the other goes."""
    case.server.apply(manifest("Deployment", "web", case.namespace, 4))
    stack = case.stack()
    stack.up()
    case.write(workload("site", template=template("Deployment", "web")))
    found = changes(stack.up())
    assert (found["create"], found["delete"]) == (1, 1)
    assert set(case.server.objects(case.namespace)) == {"site-deployment"}


def test_a_word_makes_a_rebalancer_once(case: Case) -> None:
    """Another word is another rebalancer, for a second preview no change; no word, none."""
    stack = case.stack()
    stack.up()
    seen = []
    for word in ("monday", "tuesday"):
        case.configure(federation={"readinessTimeout": 2, "rebalance": word})
        stack.up()
        stack.preview(expect_no_changes=True)
        seen.append([name for name in kept(stack).objects if "workloadrebalancer" in name])
    assert len({name for names in seen for name in names}) == 2
    case.configure()
    stack.up()
    assert not [name for name in kept(stack).objects if "workloadrebalancer" in name]
