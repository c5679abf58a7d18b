"""The carrier plane ``existing``, whole, through the real engine on a real API server.

Charts are fixtures; operators and the storage driver are stand-ins. Karmada's starts real etcd
members and a real API server with the flags and certificates that the stack made, so what does not
fit together does not come up. One plane is brought up; tests look at it in the order of the file,
and the last takes it down.
"""

import base64
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml
from cryptography import x509

from components.carrier.karmada import DIGEST, PORT
from components.carrier.names import CERTIFICATES, INSTANCE, NAMESPACE
from lab import Lab
from lab.engine import CHECKOUT
from lab.kubernetes.client import Api, RefusedError
from tests import charts
from tests.built import FULL_MEMBER, skip_without
from tests.charts import fixture_charts
from tests.doubles import software
from tests.engine.carried import (
    CHARTS,
    HOST,
    SECRETS,
    Carried,
    federation,
    noted,
    unused_port,
    whole,
)
from tests.engine.case import refused
from tests.engine.control_plane_rows import CONTROL_PLANE, shown
from tests.engine.high_availability import Chart, Row, dug
from tests.engine.karmada_operator import karmada_operator
from tests.engine.operators import operators
from tests.engine.volumes import volumes

Plain = dict[str, Any]
PAGE = CHECKOUT / "docs" / "carrier.md"
KARMADA = ("operator.karmada.io/v1alpha1", "Karmada", INSTANCE, NAMESPACE)
HALF_WAY = "tokyo-realm-operators"
"""The group that fails at first: Keycloak stands by then, and Karmada does not yet."""


class Up:
    """A carrier that is up.

    Args:
        plane: the stack.
        endpoint: of the Karmada API.
        folder: for a test's own files.

    Attributes:
        made: what was made, in both of its runs.
        failure: what the user saw of the first.
    """

    def __init__(self, plane: Carried, endpoint: str, folder: Path) -> None:
        self.plane, self.endpoint, self.folder = plane, endpoint, folder
        self.made: list[tuple[str, str]] = []
        self.failure = ""


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """The plane with everything, brought up in two runs: the first fails half-way."""
    skip_without(*FULL_MEMBER, "etcd")
    root = tmp_path_factory.mktemp("carrier")
    mirror = fixture_charts(root / "charts", *CHARTS)
    port = unused_port()
    endpoint = f"https://127.0.0.1:{port}"
    with (
        pytest.MonkeyPatch.context() as patch,
        Lab(root / "labs", "carrier") as lab,
        software() as doubles,
    ):
        patch.delenv("KARMADA_DIR", raising=False)
        lab.up(federation(root), members=HOST)
        kubeconfig = lab.kubeconfig(HOST)
        plane = Carried(root / "workspace", lab, mirror.charts, doubles.attach)
        plane.configure(whole(endpoint))
        found = Up(plane, endpoint, root)
        with (
            operators(kubeconfig, root),
            volumes(kubeconfig, root),
            karmada_operator(kubeconfig, root / "karmada", port),
        ):
            doubles.providers["keycloak"].fail[HALF_WAY] = "planted failure"
            found.failure = refused(lambda: plane.stack.up(on_event=noted(found.made)))
            plane.stack.up(on_event=noted(found.made))
            yield found


def before(steps: list[tuple[str, str]], *order: str) -> None:
    """*order* is the order in which these resources stand in *steps*."""
    names = [name for _, name in steps]
    places = [names.index(name) for name in order]
    assert places == sorted(places), [names[place] for place in sorted(places)]


def test_a_run_that_failed_is_gone_on_with(up: Up) -> None:
    """What stood is not made again, what lacked is: nothing is lost, nothing is there twice."""
    assert "planted failure" in up.failure
    created = Counter(name for operation, name in up.made if operation == "create")
    assert HALF_WAY in created
    standing = (up.plane.stack.export_stack().deployment or {})["resources"]
    assert created == Counter(
        each["urn"].rsplit("::", 1)[-1]
        for each in standing
        if not each["type"].startswith(("federation:", "pulumi:"))
    )


def test_each_part_waits_for_what_it_stands_on(up: Up) -> None:
    """Volumes before members, members and certificates before Karmada, Karmada before its eyes."""
    before(
        up.made,
        "tokyo-longhorn",
        "tokyo-etcd-statefulset",
        "tokyo-karmada-control-plane",
        "tokyo-monitoring-clusterrole",
        "tokyo-monitoring-deployment-federation-predictions",
    )
    before(up.made, "tokyo-karmada-operator", "tokyo-karmada-control-plane")
    before(up.made, "tokyo-karmada-karmada-cert", "tokyo-karmada-control-plane")
    before(up.made, "tokyo-etcd-statefulset", "tokyo-snapshots-cronjob")


def test_a_second_preview_is_empty(up: Up) -> None:
    """Nothing drifts by itself, and no secret is made anew."""
    up.plane.stack.preview(expect_no_changes=True)


def published(up: Up) -> Plain:
    """What the stack published as ``access``, which is a secret."""
    access = up.plane.stack.outputs()["access"]
    assert access.secret
    content: Plain = access.value
    return content


def test_the_published_kubeconfig_opens_the_karmada_api(up: Up) -> None:
    """Compute and federation stacks get an administrator of the API at the address outside."""
    access = published(up)
    assert set(access["kubeconfigs"]) == {"karmada", "tokyo"}
    file = up.folder / "administrator.yaml"
    file.write_text(access["kubeconfigs"]["karmada"], "utf-8")
    content = yaml.safe_load(access["kubeconfigs"]["karmada"])
    assert content["clusters"][0]["cluster"]["server"] == up.endpoint
    api = Api(file, up.folder / "administrator.discovery")
    made = api.apply(
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "by-the-administrator"}}
    )
    assert made["status"]["phase"] == "Active"


def test_prometheus_reads_the_metrics_of_the_api_server_and_nothing_else(up: Up) -> None:
    """The identity that scrapes may see metrics, and no object."""
    held = up.plane.secret("karmada-metrics", "monitoring")
    pair = []
    for name in ("tls.crt", "tls.key", "ca.crt"):
        (up.folder / f"metrics-{name}").write_text(held[name], "utf-8")
        pair.append(str(up.folder / f"metrics-{name}"))

    def status(path: str) -> int:
        answer = requests.get(
            f"{up.endpoint}{path}", cert=(pair[0], pair[1]), verify=pair[2], timeout=10
        )
        return answer.status_code

    assert status("/metrics") == 200
    assert status("/api/v1/namespaces") == 403


def test_predictions_are_read_by_an_identity_of_their_own(up: Up) -> None:
    """It lists the two kinds that it counts, and may read no Secret."""
    held = up.plane.secret("federation-predictions", "monitoring")
    file = up.folder / "predictions.yaml"
    file.write_text(held["kubeconfig"], "utf-8")
    api = Api(file, up.folder / "predictions.discovery")
    assert api.list("apiextensions.k8s.io/v1", "CustomResourceDefinition") == []
    with pytest.raises(RefusedError) as caught:
        api.list("v1", "Secret")
    assert caught.value.status == 403


def leaves(up: Up) -> dict[str, x509.Certificate]:
    """The certificates of the control plane."""
    held = up.plane.secret(CERTIFICATES, NAMESPACE)
    return {
        name.removesuffix(".crt"): x509.load_pem_x509_certificate(text.encode())
        for name, text in held.items()
        if name.endswith(".crt")
    }


def test_every_certificate_ends_when_the_stack_says(up: Up) -> None:
    """Leaves live 365 days, the export names each, and the cluster's authority is its own."""
    found = leaves(up)
    ends = up.plane.stack.outputs()["certificates"].value["ends"]
    assert {"karmada", "apiserver", "front-proxy-client", "etcd", "etcd-client"} < set(ends)
    assert "administrator" in ends
    for name in ("karmada", "apiserver", "front-proxy-client"):
        leaf = found[name]
        life = leaf.not_valid_after_utc - leaf.not_valid_before_utc
        assert life.days == 365
        assert datetime.fromisoformat(ends[name]).astimezone(UTC) == leaf.not_valid_after_utc
        leaf.verify_directly_issued_by(
            found["front-proxy-ca" if name.startswith("front-proxy") else "ca"]
        )
    assert found["ca"].subject != found["front-proxy-ca"].subject


def test_prometheus_is_told_when_certificates_end(up: Up) -> None:
    """A rule says it of each, so that an alert needs no exporter."""
    rules = up.plane.values("kube-prometheus-stack", "monitoring")["additionalPrometheusRulesMap"]
    (group,) = rules["federation-certificate-ends"]["groups"]
    told = {rule["labels"]["certificate"]: rule["expr"] for rule in group["rules"]}
    end = leaves(up)["apiserver"].not_valid_after_utc
    assert told["apiserver"] == f"vector({int(end.timestamp())})"


def test_failover_s_switches_are_on(up: Up) -> None:
    """Without all of them nothing leaves a lost cluster; the rate is the setting's."""
    components = up.plane.get(*KARMADA)["spec"]["components"]
    manager = components["karmadaControllerManager"]["extraArgs"]
    assert manager["feature-gates"] == "Failover=true"
    assert manager["enable-no-execute-taint-eviction"] == "true"
    assert manager["resource-eviction-rate"] == "20"
    webhook = components["karmadaWebhook"]["extraArgs"]
    assert webhook["allow-no-execute-taint-policy"] == "true"


def test_people_log_in_by_the_plane_s_own_keycloak(up: Up) -> None:
    """The API servers take its tokens, and believe the authority that signed its certificate."""
    flags = up.plane.get(*KARMADA)["spec"]["components"]["karmadaAPIServer"]["extraArgs"]
    assert flags["oidc-issuer-url"] == "https://login.example.com/realms/federation"
    held = up.plane.secret("karmada-oidc-authority", NAMESPACE)["ca.crt"]
    assert held == up.plane.secret("federation", "cert-manager")["tls.crt"]


@pytest.mark.parametrize("row", CONTROL_PLANE, ids=lambda row: row.key)
def test_what_is_set_for_high_availability_is_in_the_objects(up: Up, row: Row) -> None:
    """Each row of the table holds in what the cluster got."""
    if isinstance(row.of, Chart):
        found = up.plane.values(row.of.release, row.of.namespace)
    else:
        found = up.plane.get(row.of.version, row.of.kind, row.of.name, row.of.namespace)
    assert dug(found, row.key) == row.made


@pytest.mark.parametrize(
    "row", [row for row in CONTROL_PLANE if isinstance(row.of, Chart)], ids=lambda row: row.key
)
def test_what_the_table_calls_a_default_is_the_published_one(row: Row) -> None:
    """Each default of a chart in the table is what the chart's makers published."""
    assert isinstance(row.of, Chart)
    file = charts.published(row.of.release, "values.yaml")
    if file is None:
        pytest.skip("no published charts (set REFERENCE_DIR)")
    assert dug(yaml.safe_load(file.read_text("utf-8")), row.key) == row.default


def table(head: str) -> list[str]:
    """The lines of the page's table under *head*."""
    whole = PAGE.read_text("utf-8")
    found = re.search(rf"{re.escape(head)}\n\|[-|]+\|\n(.*?)\n\n", whole, re.DOTALL)
    assert found is not None
    return found.group(1).splitlines()


def test_the_page_shows_what_is_set() -> None:
    """The table of docs/carrier.md is that of the tests."""
    assert table("| where | setting | by default | here |") == [shown(row) for row in CONTROL_PLANE]


def listeners(up: Up) -> set[tuple[str, int, str]]:
    """Who listens on which port, and how it is reached."""
    found = set()
    for service in up.plane.api.list("v1", "Service"):
        metadata, spec = service["metadata"], service["spec"]
        for port in spec["ports"] if metadata["namespace"] != "default" else ():
            kind = spec["type"] if spec["type"] != "ClusterIP" else "the cluster alone"
            found.add((f"{metadata['namespace']}/{metadata['name']}", port["port"], kind))
    api = up.plane.get(*KARMADA)["spec"]["components"]["karmadaAPIServer"]
    found.add((f"{NAMESPACE}/karmada-apiserver", PORT, api["serviceType"]))
    grafana = up.plane.values("kube-prometheus-stack", "monitoring")["grafana"]
    rancher = up.plane.values("rancher", "cattle-system")
    for host in (rancher["hostname"], *grafana["ingress"]["hosts"]):
        found.add((host, 443, "an ingress"))
    return found


def test_no_listener_serves_workloads(up: Up) -> None:
    """The port matrix of the page is that of the resources, each listener with its own port."""
    found = listeners(up)
    rows = [f"| {name} | {port} | {kind} |" for name, port, kind in sorted(found)]
    assert table("| listener | port | reached by |") == rows
    balanced = [name for name, _, kind in found if kind == "LoadBalancer"]
    assert len(balanced) == len(set(balanced)) == 2


def test_no_user_workload_is_admitted(up: Up) -> None:
    """A pod outside the plane's namespaces is refused by the cluster itself."""
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "stray", "namespace": "default"},
        "spec": {"containers": [{"name": "main", "image": "registry.invalid/main:1"}]},
    }
    with pytest.raises(RefusedError, match="user workloads run on compute planes"):
        up.plane.api.create(pod, dry_run=True)


def fragments(secret: str) -> list[str]:
    """What of *secret* nobody may see: itself, or the private half of a key, as text and encoded.

    The other half of a key on an elliptic curve is in its certificate.
    """
    if "PRIVATE KEY-----" not in secret:
        return [secret, base64.b64encode(secret.encode()).decode()]
    # After the first line of the block, which is 31 bytes long, comes the number itself.
    return [secret[31:83], base64.b64encode(secret[33:81].encode()).decode()]


def test_nothing_secret_lies_in_clear(up: Up) -> None:
    """No key of a certificate, no password and no credential, in state or in what is printed."""
    backend = Path(up.plane.workspace.environment["PULUMI_BACKEND_URL"].removeprefix("file://"))
    state = (backend / ".pulumi/stacks/federation/tokyo.json").read_text("utf-8")
    printed = up.plane.stack.preview().stdout
    kubeconfig = up.plane.secret("federation-predictions", "monitoring")["kubeconfig"]
    user = yaml.safe_load(kubeconfig)["users"][0]["user"]
    planted = [*SECRETS.values(), base64.b64decode(user["client-key-data"]).decode()]
    planted.append(up.plane.secret("grafana-administrator", "monitoring")["admin-password"])
    for name in (CERTIFICATES, "karmada-etcd-cert", "etcd-certificates"):
        held = up.plane.secret(name, NAMESPACE)
        planted += [text for key, text in held.items() if key.endswith(".key")]
    assert len(planted) == 11
    assert published(up)["kubeconfigs"]["karmada"] not in state
    for secret in planted:
        for text in fragments(secret):
            assert len(text) > 15
            assert text not in state
            assert text not in printed


def test_another_word_renews_certificates_in_place(up: Up) -> None:
    """Leaves are renewed and components restarted; keys and authorities stay, and so do tokens."""
    steps: list[tuple[str, str]] = []
    plane = up.plane
    keys = {k: v for k, v in plane.secret(CERTIFICATES, NAMESPACE).items() if k.endswith(".key")}
    earlier = leaves(up)
    digest = plane.get(*KARMADA)["spec"]["components"]["karmadaScheduler"]["annotations"][DIGEST]
    plane.configure(whole(up.endpoint), rotate="second")
    plane.stack.up(on_event=noted(steps))
    renewed = {name for operation, name in steps if operation == "replace"}
    assert {"tokyo-karmada-apiserver", "tokyo-etcd-server", "tokyo-administrator"} <= renewed
    updated = {name for operation, name in steps if operation == "update"}
    assert {"tokyo-karmada-control-plane", "tokyo-karmada-karmada-cert"} <= updated
    after = leaves(up)
    for name in ("karmada", "apiserver", "front-proxy-client"):
        assert after[name].serial_number != earlier[name].serial_number
    assert after["ca"] == earlier["ca"]
    held = plane.secret(CERTIFICATES, NAMESPACE)
    assert {k: v for k, v in held.items() if k.endswith(".key")} == keys
    components = plane.get(*KARMADA)["spec"]["components"]
    assert components["karmadaScheduler"]["annotations"][DIGEST] != digest
    plane.stack.preview(expect_no_changes=True)


def test_removal_goes_the_other_way(up: Up) -> None:
    """Karmada's readers go first, then Karmada with its operator there, then etcd, then volumes."""
    steps: list[tuple[str, str]] = []
    up.plane.stack.destroy(on_event=noted(steps))
    before(
        steps,
        "tokyo-monitoring-deployment-federation-predictions",
        "tokyo-monitoring-clusterrole",
        "tokyo-karmada-control-plane",
        "tokyo-etcd-statefulset",
        "tokyo-longhorn",
    )
    before(steps, "tokyo-karmada-control-plane", "tokyo-karmada-operator")
    before(steps, "tokyo-karmada-control-plane", "tokyo-karmada-karmada-cert")
    left = json.dumps(up.plane.api.list("v1", "Namespace"))
    assert NAMESPACE not in left
    assert not (up.plane.stack.export_stack().deployment or {}).get("resources")
