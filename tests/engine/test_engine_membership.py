"""Two clusters join a federation, change credentials, and leave it, through the real engine."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
import tenacity
import yaml

from lab import Lab
from lab.kubernetes.client import Api
from placement.karmada.crds import custom_resource_definitions
from tests.built import skip_without
from tests.engine.case import changes, cluster, kept, refused, write_federation
from tests.engine.conftest import NEEDED
from tests.engine.membership import CLUSTER, CREDENTIALS, NAMES, Controllers, Plane

WORD = "another"
"""A word under ``federation:rotate``."""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A Karmada API without a Karmada, and two bare members that nobody has joined."""
    skip_without(*NEEDED)
    root = tmp_path_factory.mktemp("membership")
    file = root / "federation.yaml"
    write_federation(file, [cluster(name) for name in NAMES])
    with pytest.MonkeyPatch.context() as patch, Lab(root / "labs", "membership") as lab:
        patch.delenv("KARMADA_DIR", raising=False)
        lab.up(file, members="all", bare=True, joined=False)
        yield lab


@pytest.fixture
def plane(lab: Lab, tmp_path: Path) -> Iterator[Plane]:
    """A plane of both members that has never been up; nothing of it is left at the end."""
    made = Plane(lab, tmp_path / "workspace")
    yield made
    made.stack.destroy()


def accepted(lab: Lab, member: str, token: str) -> bool:
    """Whether a member knows a token."""
    content = yaml.safe_load(lab.kubeconfig(member).read_text("utf-8"))
    answer = requests.get(
        f"{content['clusters'][0]['cluster']['server']}/api",
        headers={"Authorization": f"Bearer {token}"},
        verify=str(lab.kubeconfig().parent.parent / "pki" / "ca.crt"),
        timeout=10,
    )
    return answer.status_code == requests.codes.ok


def ends(lab: Lab, member: str, token: str) -> bool:
    """Whether a member comes to refuse a token: its API server remembers one for ten seconds."""
    return not tenacity.Retrying(
        retry=tenacity.retry_if_result(bool),
        stop=tenacity.stop_after_delay(30),
        wait=tenacity.wait_fixed(1),
        retry_error_callback=lambda _: True,
    )(accepted, lab, member, token)


def clusters(api: Api) -> list[str]:
    """The names of the members."""
    return sorted(item["metadata"]["name"] for item in api.list(*CLUSTER))


def test_a_join_that_was_cut_off_is_finished(plane: Plane) -> None:
    """What an earlier run has made on either side is taken over, and a second preview is empty."""
    for api, name in ((plane.lab.api("east"), "karmada-east"), (plane.lab.api(), "unrelated")):
        api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": CREDENTIALS}})
        metadata = {"name": name, "namespace": CREDENTIALS}
        api.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata})
    half = {"name": "east", "namespace": CREDENTIALS}
    plane.lab.api().apply({"apiVersion": "v1", "kind": "Secret", "metadata": half})
    plane.stack.up()
    assert clusters(plane.lab.api()) == ["east", "west"]
    assert accepted(plane.lab, "east", plane.secret("east", "token"))
    plane.stack.preview(expect_no_changes=True)


def test_another_word_changes_the_token_in_one_run(plane: Plane) -> None:
    """The old token holds until the controllers have begun anew, and is refused afterwards.

    No token stands in the clear in the state, and a second preview is empty.
    """
    plane.stack.up()
    old = plane.secret("east", "token")
    plane.write(cluster("east"), cluster("west"), rotate=WORD)

    def look() -> tuple[bool, bool]:
        return accepted(plane.lab, "east", old), plane.secret("east", "token") != old

    with Controllers(plane.lab.api(), look) as controllers:
        plane.stack.up()
        assert controllers.holder() == "two"
    assert controllers.seen
    assert all(seen[0] for seen in controllers.seen)
    assert controllers.seen[-1] == (True, True)
    new = plane.secret("east", "token")
    assert new != old
    assert accepted(plane.lab, "east", new)
    assert ends(plane.lab, "east", old)
    assert len(plane.tokens("east")) == 2  # Karmada's own, and the one that it impersonates by
    plane.stack.preview(expect_no_changes=True)
    state = json.dumps(plane.stack.export_stack().deployment)
    assert old not in state
    assert new not in state


def test_no_token_ends_before_the_controllers_have_begun_anew(plane: Plane) -> None:
    """Where nobody leads, the run fails and says so, and the old token holds; the next goes on."""
    plane.stack.up()
    old = plane.secret("east", "token")
    plane.write(cluster("east"), cluster("west"), rotate=WORD)
    text = refused(plane.stack.up)
    assert "nobody holds the Lease karmada-system/karmada-controller-manager" in text
    assert "The old ones still hold" in text
    assert accepted(plane.lab, "east", old)
    with Controllers(plane.lab.api(), lambda: None) as controllers:
        plane.stack.up()
        assert controllers.seen
    assert ends(plane.lab, "east", old)


def test_labels_change_without_a_new_leader(plane: Plane) -> None:
    """A change that is none of credentials lets the controllers be: no Lease is even asked for."""
    plane.stack.up()
    plane.write(cluster("east", labels={"tier": "edge"}), cluster("west"))
    plane.stack.up()
    joined = plane.lab.api().get(*CLUSTER, "east")
    assert joined is not None
    assert joined["metadata"]["labels"]["tier"] == "edge"


def test_names_that_karmada_would_not_take(plane: Plane) -> None:
    """A name of 49 characters, a name twice and an address twice are refused before any call."""
    plane.write(cluster("e" * 49))
    assert "at most 48" in refused(plane.stack.preview)
    plane.write(cluster("east"), cluster("east"))
    assert "read clusters east more than once; allowed each once" in refused(plane.stack.preview)
    plane.write(cluster("east"), cluster("west"))
    plane.reach({name: plane.kubeconfig("east") for name in NAMES})
    text = refused(plane.stack.preview)
    assert "for east, west; allowed a cluster under one name" in text


def test_one_cluster_under_two_names(plane: Plane) -> None:
    """By two addresses one cluster looks like two: its own UID tells, and one name alone joins."""
    plane.reach(
        {"east": plane.kubeconfig("east"), "west": plane.kubeconfig("east", host="localhost")}
    )
    text = refused(plane.stack.up)
    assert "which are one cluster" in text
    assert len(clusters(plane.lab.api())) <= 1
    plane.write(cluster("east"))
    plane.stack.up()
    plane.write(cluster("east"), cluster("west"))
    assert "read clusters east and west, which are one cluster" in refused(plane.stack.up)
    assert clusters(plane.lab.api()) == ["east"]


def test_a_cluster_that_is_used_does_not_leave(plane: Plane) -> None:
    """While a binding has replicas on it, it is not taken out, and what is there is named.

    Emptied, it leaves, and nothing of it is left on either side.
    """
    api = plane.lab.api()
    plane.stack.up()
    api.apply(binding_kind())
    api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}})
    api.apply(binding("shop", {"east": 2, "west": 1}))
    plane.write(cluster("west"))
    text = refused(plane.stack.up)
    assert "east leaves with 2 of shop/web" in text
    assert clusters(api) == ["east", "west"]
    api.apply(binding("shop", {"west": 3}))
    plane.stack.up()
    assert clusters(api) == ["west"]
    assert plane.secret("east", "token") == ""
    assert plane.tokens("east") == []
    api.delete("work.karmada.io/v1alpha2", "ResourceBinding", "web-deployment", "shop")


def test_a_member_that_is_gone_for_good(plane: Plane) -> None:
    """With `lost: true` it leaves without an answer; the facts say that it is not ready.

    A preview works all the while, and its entry can be deleted afterwards.
    """
    api = plane.lab.api()
    plane.stack.up()
    dead = plane.kubeconfig("east", port=1)
    plane.reach({"east": dead, "west": plane.kubeconfig("west")})
    plane.stack.preview()
    plane.write(cluster("east", lost=True), cluster("west"))
    plane.stack.preview()
    plane.stack.up()
    assert clusters(api) == ["west"]
    assert plane.secret("east", "token") == ""
    found = {c["name"]: c["ready"] for c in plane.stack.outputs()["facts"].value["clusters"]}
    assert found == {"east": False, "west": True}
    assert not [name for name in kept(plane.stack).objects if name.startswith("east-")]
    plane.stack.preview(expect_no_changes=True)
    plane.write(cluster("west"))
    assert changes(plane.stack.up())["delete"] == 1  # its provider
    # What could not be taken out of it: the cluster is alive after all.
    for name in plane.tokens("east"):
        plane.lab.api("east").delete("v1", "Secret", name, CREDENTIALS)


def binding(namespace: str, counts: dict[str, int]) -> dict[str, object]:
    """A ResourceBinding with *counts* by cluster."""
    return {
        "apiVersion": "work.karmada.io/v1alpha2",
        "kind": "ResourceBinding",
        "metadata": {"name": "web-deployment", "namespace": namespace},
        "spec": {
            "resource": {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "namespace": namespace,
                "name": "web",
            },
            "clusters": [{"name": name, "replicas": n} for name, n in counts.items()],
        },
    }


def binding_kind() -> dict[str, object]:
    """The kind of it, without its schema: what is read of one is in the test."""
    names = {"kind": "ResourceBinding", "plural": "resourcebindings", "singular": "resourcebinding"}
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1alpha2", "served": True, "storage": True}
    example = custom_resource_definitions()[0]
    return {
        "apiVersion": example["apiVersion"],
        "kind": example["kind"],
        "metadata": {"name": "resourcebindings.work.karmada.io"},
        "spec": {
            "group": "work.karmada.io",
            "names": {**names, "listKind": "ResourceBindingList"},
            "scope": "Namespaced",
            "versions": [{**version, "schema": {"openAPIV3Schema": schema}}],
        },
    }
