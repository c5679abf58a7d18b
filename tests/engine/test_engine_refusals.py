"""What is refused before anything is compared: wrong files, and stacks that do not fit.

One project, whose stacks are up, is hurt in one place after the other: each time the user reads
what to do, and mended, a preview is empty, so that nothing was lost.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pulumi
import pytest
from pulumi import automation as auto

from components.outputs import ACCESS, FACTS
from tests.engine.case import Case, Server, cluster, copied, kept, refused, workload


@pytest.fixture(scope="module")
def standing(base: Path, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Case:
    """A project whose two stacks are up."""
    made = Case(copied(base, tmp_path_factory.mktemp("case") / "w"), server, "refusals")
    server.make_namespace(made.namespace)
    made.configure()
    made.write(workload("web"))
    made.stack().up()
    return made


def refuse(case: Case, *expected: str) -> None:
    """The run is refused in these words; mended, it has nothing to do."""
    stack = case.stack()
    try:
        text = refused(stack.up)
    finally:
        case.configure()
        case.write(workload("web"))
    for words in expected:
        assert words in text
    state = kept(stack)
    assert [o for o in state.objects if "/" in o] == ["refusals/web-deployment-propagationpolicy"]
    assert state.exports["decision"]["status"] == "optimal"
    stack.preview(expect_no_changes=True)


FILES: dict[str, tuple[Callable[[Case], None], tuple[str, ...]]] = {
    "infeasible": (
        lambda case: case.write(workload("web", weights={}, atMost={"east": 1, "west": 1})),
        (
            "no placement meets the requirements:\n",
            "workloads[0].replicas: 4 (refusals/web)",
            "way out: federation.yaml:",
        ),
    ),
    "nowhere": (
        lambda case: case.write(workload("web", weights={}, request={"cpu": "9", "memory": "1Gi"})),
        (
            "no placement meets the requirements:\n",
            "no cluster may hold refusals/web: east: NodeFit: node: a replica asks for 9 cpu",
        ),
    ),
    "unknown-key": (
        lambda case: case.write(workload("web", replica=3)),
        ("federation.yaml:", "workloads[0].replica: unknown key, did you mean replicas?; allowed"),
    ),
    "two-faults": (
        lambda case: case.write(workload("web", replicas=-1), clusters=[cluster("East")]),
        ("clusters[0].name: read 'East'", "workloads[0].replicas: read -1; allowed 1 or more"),
    ),
    "no-file": (
        lambda case: case.file.unlink(),
        ("federation.yaml (file): cannot be read: No such file or directory",),
    ),
    "carrier-as-target": (
        lambda case: case.write(workload("web", weights={}), clusters=[cluster("tokyo")]),
        ("federation.yaml:6 clusters[0].name: read 'tokyo', the carrier; allowed clusters that",),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_wrong_federation_file(standing: Case, name: str) -> None:
    """A federation file that is wrong or cannot be met is refused with the place and the reason."""
    hurt, expected = FILES[name]
    hurt(standing)
    refuse(standing, *expected)


SETTINGS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "unknown-key": (
        {"federation": {"efort": 3}},
        (
            (
                "Pulumi.federation.yaml:7 config.federation:federation.efort: "
                "unknown key, did you mean effort?; allowed decision, effort, failover, "
                "readinessTimeout, rebalance"
            ),
        ),
    ),
    "unknown-top-key": (
        {"enviroment": "test"},
        (
            (
                "Pulumi.federation.yaml:8 config.federation:enviroment: "
                "unknown key, did you mean environment?; allowed backup, carrier, compute, "
            ),
        ),
    ),
    "two-faults": (
        {"environment": "Not Allowed", "federation": {"effort": 9}},
        ("federation:environment: read 'Not Allowed'", "federation.effort: read 9; allowed 5 or"),
    ),
    "no-stacks": ({"stacks": {}}, ("config.federation:stacks: missing; allowed a value",)),
    "itself": (
        {"stacks": {"carrier": "federation"}},
        ("federation:stacks: read federation, this stack; allowed others",),
    ),
    "twice": (
        {"stacks": {"carrier": "tokyo", "compute": ["tokyo"]}},
        ("federation:stacks: read tokyo more than once; allowed each stack once",),
    ),
    "missing-stack": (
        {"stacks": {"carrier": "kyoto"}},
        (
            (
                "there is no stack kyoto (organization/federation/kyoto), which federation:stacks "
                "of Pulumi.federation.yaml names; bring it up first: pulumi up -s kyoto"
            ),
        ),
    ),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_a_wrong_stack_file(standing: Case, name: str) -> None:
    """A stack file that is wrong is refused with file, line and key, and what is allowed."""
    settings, expected = SETTINGS[name]
    standing.configure(**settings)
    refuse(standing, *expected)


def publishing(**exports: Any) -> auto.PulumiFn:
    """A program that exports what is given, as a plane would: ``access`` as a secret."""

    def program() -> None:
        for name, value in exports.items():
            pulumi.export(name, pulumi.Output.secret(value) if name == "access" else value)

    return program


def publish(case: Case, stack: str, **exports: Any) -> None:
    """Bring up *stack*, which exports what is given."""
    case.configure(stack)
    case.workspace.stack(stack, publishing(**exports)).up()


def facts(schema: str = FACTS, clusters: Any = ()) -> dict[str, Any]:
    """The facts of a plane in this schema."""
    return {"schema": schema, "plane": "x", "asOf": "2026-01-01", "clusters": list(clusters)}


PUBLISHED: dict[str, tuple[dict[str, Any], str]] = {
    "other-schema": (
        {"facts": facts("federation/facts/v2")},
        (
            "stack other published facts of schema 'federation/facts/v2'; this version reads "
            "'federation/facts/v1': bring other up with the same version of the program"
        ),
    ),
    "nothing": ({}, "stack other has published no facts; bring it up first: pulumi up -s other"),
    "no-access": (
        {"facts": facts()},
        "stack other has published no access; bring it up first: pulumi up -s other",
    ),
    "another-api": (
        {
            "facts": facts(),
            "access": {"schema": ACCESS, "kubeconfigs": {"member": "x"}},
        },
        "stack other published no kubeconfig named 'karmada'",
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_carrier_that_published_something_else(standing: Case, name: str) -> None:
    """What another stack published is read only in the schema that this version knows."""
    exports, expected = PUBLISHED[name]
    publish(standing, "other", **exports)
    standing.configure(stacks={"carrier": "other"})
    refuse(standing, expected)


def test_a_compute_stack_joins_its_clusters(case: Case) -> None:
    """The clusters of a compute plane take part in the placement; wrong facts are named."""
    access = {"schema": ACCESS, "kubeconfigs": {"late": "x"}}
    publish(case, "destroyer", facts=facts(clusters=[cluster("late")]), access=access)
    case.configure(stacks={"carrier": "tokyo", "compute": ["destroyer"]})
    case.write(workload("web", weights={}, spread={"continent": {"minGroups": 3}}))
    stack = case.stack()
    stack.up()
    (placed,) = case.decision().counts.values()
    assert set(placed) == {"east", "west", "late"}

    broken = facts(clusters=[{**cluster("late"), "continent": "atlantis"}, cluster("east")])
    publish(case, "destroyer", facts=broken, access=access)
    text = refused(stack.preview)
    assert "stack destroyer facts.clusters.0.continent: read 'atlantis'; allowed 'africa'" in text
    twice = facts(clusters=[cluster("east")])
    publish(case, "destroyer", facts=twice, access=access)
    text = refused(stack.preview)
    assert "clusters: with the joined cluster east: read 'east' a second time" in text
