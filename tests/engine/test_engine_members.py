"""What is looked at before anything is written: the API server, its members, the templates."""

import re
from collections.abc import Iterator

import pytest
from pulumi import automation as auto

from tests.engine.case import Case, Kept, cluster, kept, manifest, refused, workload


def everywhere(case: Case) -> None:
    """A federation whose workload also needs the member late."""
    names = ("east", "west", "late")
    case.write(
        workload("web", weights={}, spread={"cluster": {"minGroups": 3}}),
        clusters=[cluster(name) for name in names],
    )


@pytest.fixture
def late(case: Case) -> Iterator[Case]:
    """A case in which the member late is not Ready, and is again in the end."""
    case.server.set_ready("late", False)
    everywhere(case)
    yield case
    case.server.set_ready("late", True)


def test_a_member_that_stays_away(late: Case) -> None:
    """After the time to wait, the run names the member and its condition, and wrote nothing.

    When the member is there, the same run goes through.
    """
    stack = late.stack()
    text = refused(stack.up)
    assert "after 2 s (federation:federation.readinessTimeout) not every target cluster" in text
    assert "late: Ready is not True (cluster is not reachable)" in text
    assert text.partition("Diagnostics:")[2].count("is not reachable") == 1
    assert late.server.objects(late.namespace) == {}
    assert kept(stack) == Kept([], {})
    late.server.set_ready("late", True)
    stack.up()
    assert set(late.server.objects(late.namespace)) == {"web-deployment"}


def test_a_member_that_comes_late(late: Case) -> None:
    """A member that becomes Ready while the run waits is waited for, and the run goes on."""
    late.configure(federation={"readinessTimeout": 120})
    waited: list[str] = []

    def seen(event: auto.EngineEvent) -> None:
        said = event.diagnostic_event
        if said is not None and "waiting for members" in said.message and not waited:
            waited.append(said.message)
            late.server.set_ready("late", True)

    late.stack().up(on_event=seen)
    assert ["late: Ready is not True" in message for message in waited] == [True]
    assert set(late.server.objects(late.namespace)) == {"web-deployment"}


def test_a_member_that_nobody_joined(case: Case) -> None:
    """A target that is no member at all is named as such."""
    case.write(workload("web", weights={}), clusters=[cluster("nobody")])
    assert "nobody: not a member (no Cluster of this name" in refused(case.stack().up)


def test_a_failed_run_is_not_the_present_placement(case: Case) -> None:
    """After a run that wrote nothing the last decision is that of the run before."""
    stack = case.stack()
    stack.up()
    decided = case.decision()
    case.write(workload("web", 8), workload("elsewhere", namespace="nowhere"))
    refused(stack.up)
    assert case.decision() == decided
    case.write(workload("web", 8))
    stack.up()
    moves = [(move.cluster, move.before, move.after) for move in case.decision().moves]
    assert moves == [("east", 3, 6), ("west", 1, 2)]


def test_namespaces_and_templates_that_do_not_fit(case: Case) -> None:
    """A missing namespace and a template with other replicas are named together.

    The split that would result is shown; corrected, the run goes through.
    """
    case.server.apply(manifest("Deployment", "web", case.namespace, 6))
    case.write(workload("web"), workload("elsewhere", namespace="nowhere"))
    stack = case.stack()
    text = refused(stack.up)
    assert "namespace nowhere does not exist on the Karmada API" in text
    assert "kubectl create namespace nowhere" in text
    assert (
        f"{case.namespace}/web: the template on the Karmada API has 6 replicas where the "
        "federation file has 4; Karmada would divide them 4 east, 2 west where 3 east, 1 west was "
        "decided."
    ) in text
    assert case.server.objects(case.namespace) == {}
    assert kept(stack).objects == []
    case.write(workload("web", 6))
    stack.up()
    assert set(case.server.objects(case.namespace)) == {"web-deployment"}


def test_an_api_server_that_is_away(case: Case) -> None:
    """Without the API server a preview works; `up` names the host and what to check, once."""
    away = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:1", case.server.kubeconfig)
    case.workspace.set_secret("tokyo", "federation:kubeconfig", away)
    tokyo = case.stack("tokyo")
    tokyo.up()
    stack = case.stack()
    stack.preview()
    text = refused(stack.up)
    said = "the Karmada API at https://127.0.0.1:1 does not answer: Connection refused"
    assert text.count(said) == 1
    assert "nothing was written. Check that it runs and that the carrier stack's" in text
    assert kept(stack).objects == []
    case.workspace.set_secret("tokyo", "federation:kubeconfig", case.server.kubeconfig)
    tokyo.up()
    stack.up()
    assert set(case.server.objects(case.namespace)) == {"web-deployment"}
