"""The planes' life through the real engine: created, changed, left alone, destroyed."""

from pathlib import Path

import pytest
import yaml
from pulumi import automation as auto

from components.federation import deciding
from components.federation.api import KarmadaApi
from placement.decision import Move
from placement.emit import objects
from placement.federation import load
from tests.engine.case import (
    POLICY,
    Case,
    changes,
    kept,
    manifest,
    spec,
    template,
    workload,
)


def write_manifest(case: Case, kind: str, name: str, replicas: int) -> str:
    """A manifest beside the federation file; its name."""
    path = case.file.parent / f"{name}.yaml"
    path.write_text(yaml.safe_dump(manifest(kind, name, case.namespace, replicas)), "utf-8")
    return path.name


def test_create_makes_what_was_decided(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in the API server is what was emitted, and a second preview is empty.

    All that waits for the members shares one look at them; facts are plain, access is secret, the
    decision is readable.
    """
    looks: list[str] = []
    ask = KarmadaApi.namespaces

    def counted(api: KarmadaApi) -> set[str]:
        looks.append("")
        return ask(api)

    monkeypatch.setattr(KarmadaApi, "namespaces", counted)
    case.write(
        workload("web"), workload("cache", manifest=write_manifest(case, "Deployment", "cache", 4))
    )
    stack = case.stack()
    stack.preview()
    assert looks == []  # a preview asks nothing of the API
    result = stack.up()
    # The stack, the plane, the provider, six objects that stand for all workloads (three
    # PriorityClasses with their policy, two taint policies), two policies and an object.
    assert changes(result) == {"create": 12}
    assert len(looks) == 1

    decision = case.decision()
    assert decision.status == "optimal"
    assert decision.counts == {
        f"{case.namespace}/{name}": {"east": 3, "west": 1} for name in ("web", "cache")
    }
    emitted = list(objects(load(case.file), decision, case.file.parent))
    policies = {o["metadata"]["name"]: spec(o) for o in emitted if o["kind"] == "PropagationPolicy"}
    found = case.server.objects(case.namespace)
    assert {name: spec(item) for name, item in found.items()} == policies
    deployments = case.server.objects(case.namespace, ("apps/v1", "Deployment"))
    assert deployments["cache"]["spec"]["replicas"] == 4

    stack.preview(expect_no_changes=True)
    tokyo = case.stack("tokyo")
    tokyo.preview(expect_no_changes=True)
    published = tokyo.outputs()
    assert not published["facts"].secret
    assert published["facts"].value["clusters"][0]["name"] == "tokyo"
    assert published["access"].secret
    assert not stack.outputs()["decision"].secret


def test_update_changes_what_changed_alone(case: Case) -> None:
    """Other replicas change that workload's policy and object alone.

    The decision tells the moves from where the replicas were.
    """
    case.write(
        workload("web"), workload("cache", manifest=write_manifest(case, "Deployment", "cache", 4))
    )
    stack = case.stack()
    stack.up()
    before = case.server.objects(case.namespace)
    case.write(
        workload("web"),
        workload("cache", 8, manifest=write_manifest(case, "Deployment", "cache", 8)),
    )
    # The plane says what it holds, so it changes too.
    assert changes(stack.up()) == {"same": 9, "update": 3}
    after = case.server.objects(case.namespace)
    versions = {
        name: (before[name]["metadata"]["generation"], item["metadata"]["generation"])
        for name, item in after.items()
    }
    assert versions == {"web-deployment": (1, 1), "cache-deployment": (1, 2)}
    deployments = case.server.objects(case.namespace, ("apps/v1", "Deployment"))
    assert deployments["cache"]["spec"]["replicas"] == 8
    name = f"{case.namespace}/cache"
    assert case.decision().moves == (Move(name, "east", 3, 6), Move(name, "west", 1, 2))


def test_what_was_decided_is_not_decided_again(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same facts and workloads the last decision stands, and nothing is solved."""
    stack = case.stack()
    stack.up()

    def solved(*_: object, **__: object) -> None:
        raise AssertionError("solved again")

    monkeypatch.setattr(deciding, "plan", solved)
    assert changes(stack.up()) == {"same": 10}


def test_an_object_goes_before_its_policy(case: Case) -> None:
    """Destroying removes each object, and its policy after it, and leaves nothing."""
    path = write_manifest(case, "Deployment", "cache", 4)
    case.write(workload("cache", manifest=path), workload("web"))
    stack = case.stack()
    stack.up()
    seen: list[tuple[str, str]] = []

    def note(event: auto.EngineEvent) -> None:
        for step, happened in (
            ("begins", event.resource_pre_event),
            ("done", event.res_outputs_event),
        ):
            if happened is not None:
                seen.append((happened.metadata.urn.rsplit("/", 1)[-1], step))

    stack.destroy(on_event=note)
    own, policy = ("cache-deployment", "done"), ("cache-deployment-propagationpolicy", "begins")
    assert seen.index(own) < seen.index(policy)
    assert case.server.objects(case.namespace) == {}
    assert case.server.objects(case.namespace, ("apps/v1", "Deployment")) == {}
    assert kept(stack).objects == []
    tokyo = case.stack("tokyo")
    tokyo.destroy()
    assert not (tokyo.export_stack().deployment or {}).get("resources")


@pytest.mark.parametrize("own", [True, False], ids=["manifest", "template"])
def test_every_kind_that_karmada_divides(case: Case, own: bool) -> None:
    """Deployments, StatefulSets and Jobs are taken, as manifests and as the user's templates."""
    kinds = {"deployment": "Deployment", "statefulset": "StatefulSet", "job": "Job"}
    case.write(
        *(
            workload(
                name,
                **(
                    {"manifest": write_manifest(case, kind, name, 4)}
                    if own
                    else {"template": template(kind, name)}
                ),
            )
            for name, kind in kinds.items()
        )
    )
    case.stack().up()
    selected = {
        item["spec"]["resourceSelectors"][0]["kind"]
        for item in case.server.objects(case.namespace, POLICY).values()
    }
    assert selected == set(kinds.values())
    for name, kind in kinds.items():
        version = template(kind, name)["apiVersion"]
        found = case.server.objects(case.namespace, (version, kind))
        assert set(found) == ({name} if own else set())


def test_the_file_is_that_of_the_project(case: Case, tmp_path: Path) -> None:
    """The federation file is found beside Pulumi.yaml, wherever the command runs."""
    assert Path.cwd() not in case.file.parents
    assert tmp_path in case.file.parents
    assert "policy" in case.stack().preview().stdout
