"""A cluster in pull mode through the real engine: an agent with a certificate of its own."""

import base64
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from cryptography import x509
from cryptography.x509.oid import NameOID
from kubernetes import client, config

from lab import Lab
from tests.built import skip_without
from tests.doubles.keys import Keys
from tests.doubles.serving import served
from tests.engine.case import cluster, refused, write_federation
from tests.engine.conftest import NEEDED
from tests.engine.effects import previewed
from tests.engine.membership import CLUSTER, Plane, approver

AGENT = ("apps/v1", "Deployment", "karmada-agent", "karmada-system")
KUBECONFIG = ("v1", "Secret", "karmada-kubeconfig", "karmada-system")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A Karmada API without a Karmada, and a member in which pods run, as KWOK has it."""
    skip_without(*NEEDED, "kube-scheduler", "kwok")
    root = tmp_path_factory.mktemp("pull")
    file = root / "federation.yaml"
    write_federation(file, [cluster("east")])
    with pytest.MonkeyPatch.context() as patch, Lab(root / "labs", "pull") as lab:
        patch.delenv("KARMADA_DIR", raising=False)
        lab.up(file, members="all", joined=False)
        yield lab


@contextmanager
def members(lab: Lab, folder: Path) -> Iterator[Plane]:
    """A plane of the one member that has never been up, with what makes keys and certificates."""
    schemas = Path(os.environ.get("REFERENCE_DIR") or "/nowhere") / "schemas"
    if not schemas.is_dir():
        pytest.skip("no published schemas (set REFERENCE_DIR)")
    with served([Keys(schemas).package]) as doubles, approver(lab.kubeconfig()):
        yield Plane(lab, folder / "workspace", doubles.attach, ["east"])


def test_an_agent_joins_by_a_certificate_and_leaves(lab: Lab, tmp_path: Path) -> None:
    """Its certificate is for its own user, signed by Kubernetes, and may do what an agent needs.

    Nothing of the member's credentials is in Karmada; a second preview is empty; another word
    changes the certificate and starts the agent anew; another region changes the ``Cluster`` alone;
    a destroy leaves nothing on either side.
    """
    with members(lab, tmp_path) as plane:
        plane.write(cluster("east", membership="pull"))
        plane.stack.up()

        joined = lab.api().get(*CLUSTER, "east")
        assert joined is not None
        assert joined["spec"]["syncMode"] == "Pull"
        assert "secretRef" not in joined["spec"]
        assert plane.secret("east", "token") == ""
        first = subject(lab)
        assert first.name == "system:karmada:agent:east"
        assert first.group == "system:karmada:agents"
        assert allowed(lab, "update", "work.karmada.io", "works", "karmada-es-east")
        assert not allowed(lab, "get", "", "secrets", "karmada-cluster")
        before = lab.api("east").get(*AGENT)
        assert before is not None
        plane.stack.preview(expect_no_changes=True)

        # Not the agent: it could not become ready before the object says the same.
        plane.write(cluster("east", membership="pull", region="elsewhere", zones=["one"]))
        assert previewed(plane.stack) == [("update", "Cluster", "east-cluster")]

        plane.write(cluster("east", membership="pull"), rotate="another")
        plane.stack.up()
        assert subject(lab).serial != first.serial
        after = lab.api("east").get(*AGENT)
        assert after is not None
        assert after["metadata"]["generation"] > before["metadata"]["generation"]

        plane.stack.destroy()
    nothing_left(lab)


def nothing_left(lab: Lab) -> None:
    """See that neither side has anything of a membership."""
    assert lab.api().list(*CLUSTER) == []
    assert lab.api().get("v1", "Namespace", "karmada-es-east") is None
    assert lab.api().list("v1", "Secret", "karmada-cluster") == []
    for name in ("karmada-system", "karmada-cluster"):
        assert lab.api("east").get("v1", "Namespace", name) is None


def test_a_member_keeps_its_mode(lab: Lab, tmp_path: Path) -> None:
    """Push is refused to a member in pull mode and the other way round, and nothing is done.

    The way out is said, and holds in both directions: it leaves, nothing is left on either side, it
    joins in the other mode, and a second preview is empty.
    """
    with members(lab, tmp_path) as plane:
        for mode, other in (("push", "pull"), ("pull", "push"), ("push", "pull")):
            plane.write(cluster("east", membership=mode))
            plane.stack.up()
            joined = lab.api().get(*CLUSTER, "east")
            assert joined is not None
            assert joined["spec"]["syncMode"] == mode.capitalize()
            assert ("secretRef" in joined["spec"]) == (mode == "push")
            plane.stack.preview(expect_no_changes=True)
            plane.write(cluster("east", membership=other))
            for run in (plane.stack.preview, plane.stack.up):
                text = " ".join(refused(run).split())
                assert f"read membership {other} of east, which has joined as {mode}" in text
                assert "let it leave (docs/membership.md, A member leaves), then write" in text
                assert "Pulumi.members.yaml:" in text
                assert lab.api().get(*CLUSTER, "east") == joined
            plane.stack.destroy()
            nothing_left(lab)


class Subject:
    """Whom a certificate is for."""

    def __init__(self, certificate: x509.Certificate) -> None:
        names = {entry.oid: str(entry.value) for entry in certificate.subject}
        self.name = names[NameOID.COMMON_NAME]
        self.group = names[NameOID.ORGANIZATION_NAME]
        self.serial = certificate.serial_number


def _kubeconfig(lab: Lab) -> str:
    """The agent's kubeconfig of the Karmada API, as it stands in the member."""
    secret = lab.api("east").get(*KUBECONFIG)
    assert secret is not None
    return base64.b64decode(secret["data"]["karmada-kubeconfig"]).decode()


def subject(lab: Lab) -> Subject:
    """Whom the agent's certificate is for."""
    user = yaml.safe_load(_kubeconfig(lab))["users"][0]["user"]
    pem = base64.b64decode(user["client-certificate-data"])
    return Subject(x509.load_pem_x509_certificate(pem))


def allowed(lab: Lab, verb: str, group: str, resource: str, namespace: str) -> bool:
    """What the Karmada API itself says of what the agent may do."""
    api = client.AuthorizationV1Api(
        config.new_client_from_config_dict(yaml.safe_load(_kubeconfig(lab)))
    )
    attributes = client.V1ResourceAttributes(
        verb=verb, group=group, resource=resource, namespace=namespace
    )
    review = client.V1SelfSubjectAccessReview(
        spec=client.V1SelfSubjectAccessReviewSpec(resource_attributes=attributes)
    )
    status = api.create_self_subject_access_review(review).status
    assert status is not None
    return bool(status.allowed)
