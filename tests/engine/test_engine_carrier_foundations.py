"""What the carrier's control plane stands on, through the real engine on a real API server.

Charts are fixtures that Helm judges by the makers' own schemas of values; what the operators would
say of their objects is said by a stand-in, and Keycloak and Rancher answer by doubles.
"""

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
import pytest
import yaml

from components.carrier.cert_manager import ISSUER, CertManager, CertManagerArgs
from components.carrier.cert_manager import NAMESPACE as SIGNER
from components.carrier.keycloak import NAMESPACE as KEYCLOAK
from components.carrier.keycloak import Keycloak, KeycloakArgs
from components.carrier.longhorn import COPIED_BY_DATABASE, Longhorn, LonghornArgs
from components.carrier.postgres import Copies, Postgres, PostgresArgs
from components.carrier.rancher import NAMESPACE as CATTLE
from components.carrier.rancher import (
    Imported,
    ImportedArgs,
    Login,
    LoginArgs,
    Rancher,
    RancherArgs,
)
from components.carrier.rancher.imported import NAME as REGISTRATION
from components.carrier.realm import Realm, RealmArgs
from components.catalogue import Installer
from components.settings import Mirror
from components.settings.carrier.cert_manager import CertManager as CertManagerSettings
from components.settings.carrier.keycloak import Keycloak as KeycloakSettings
from components.settings.carrier.longhorn import Longhorn as LonghornSettings
from components.settings.carrier.object_store import Backup, ObjectStore
from components.settings.carrier.postgres import Postgres as PostgresSettings
from components.settings.carrier.postgres import Recovery
from components.settings.carrier.rancher import Rancher as RancherSettings
from lab import Lab
from lab.engine import CHECKOUT, Workspace
from tests.built import FULL_MEMBER, skip_without
from tests.charts import fixture_charts, published
from tests.doubles import Served, software
from tests.doubles.front_door import RANCHER_TOKEN
from tests.engine.carried import FOUNDATION_CHARTS, HOST, federation, noted
from tests.engine.high_availability import FOUNDATIONS, Chart, Object, Row, dug, table
from tests.engine.operators import operators

Plain = dict[str, Any]
KEY = "planted-secret-key"
IDENTITY = KeycloakSettings(hostname="login.example.com")
RANCHER = RancherSettings(hostname="rancher.example.com", ingress_class="traefik")
BACKUP = Backup(
    store=ObjectStore(endpoint="https://s3.example.com", bucket="backups", region="eu-central")
)


def foundations(kubeconfig: str, mirror: Mirror, rotate: str, database: PostgresSettings) -> None:
    """Everything, on one cluster that is also the one imported into Rancher."""
    provider = kubernetes.Provider("tokyo", kubeconfig=kubeconfig, cluster_identifier="tokyo")
    installer = Installer(provider, mirror)
    longhorn = Longhorn("longhorn", LonghornArgs(LonghornSettings(), provider, installer))
    signer = CertManager("signer", CertManagerArgs(CertManagerSettings(), provider, installer))
    namespace = kubernetes.core.v1.Namespace(
        KEYCLOAK, metadata={"name": KEYCLOAK}, opts=pulumi.ResourceOptions(provider=provider)
    )
    keys = pulumi.Output.secret({"accessKey": "planted-access-key", "secretKey": KEY})
    postgres = Postgres(
        "postgres",
        PostgresArgs(
            spec=database,
            namespace=KEYCLOAK,
            storage_class=COPIED_BY_DATABASE,
            copies=Copies(BACKUP, keys),
            after=[namespace, *longhorn.ready, *signer.ready],
            provider=provider,
            installer=installer,
        ),
    )
    keycloak = Keycloak(
        "keycloak", KeycloakArgs(IDENTITY, namespace, postgres, signer, provider, installer)
    )
    realm = Realm(
        "realm",
        RealmArgs(
            spec=IDENTITY,
            password=keycloak.password,
            authority=signer.authority,
            rancher=RANCHER.hostname,
            grafana="grafana.example.com",
            rotate=rotate,
            after=keycloak.ready,
        ),
    )
    rancher = Rancher("rancher", RancherArgs(RANCHER, signer, rotate, provider, installer))
    Login("login", LoginArgs(IDENTITY, realm, rancher.reached))
    member = kubernetes.Provider("destroyer", kubeconfig=kubeconfig, cluster_identifier="destroyer")
    image = installer.image("kubectl")
    Imported("destroyer", ImportedArgs("destroyer", "compute", rancher.reached, member, image))


@dataclass
class Plane:
    """The stack, and what was seen of it.

    Attributes:
        lab: whose full member is the cluster.
        stack: up.
        doubles: of the providers beside that of Kubernetes.
        made: what was done, in the order in which it was: operation and name.
        rotate: the text whose change renews secrets.
        database: PostgreSQL's settings.
    """

    lab: Lab
    doubles: Served
    mirror: Mirror
    workspace: Workspace
    rotate: str = "first"
    database: PostgresSettings = field(default_factory=PostgresSettings)
    made: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        text = self.lab.kubeconfig(HOST).read_text("utf-8")

        def program() -> None:
            foundations(text, self.mirror, self.rotate, self.database)

        self.workspace.environment["PULUMI_DEBUG_PROVIDERS"] = self.doubles.attach
        settings = self.workspace.project / "Pulumi.foundations.yaml"
        settings.write_text(yaml.safe_dump({"config": {"federation:plane": "carrier"}}), "utf-8")
        self.stack = self.workspace.stack("foundations", program)

    def get(self, version: str, kind: str, name: str, namespace: str | None = None) -> Plain:
        """An object that must be there."""
        found = self.lab.api(HOST).get(version, kind, name, namespace)
        assert found is not None
        return found

    def values(self, release: str, namespace: str) -> Plain:
        """The values with which Helm rendered a chart."""
        stored = self.get("v1", "ConfigMap", f"{release}-values", namespace)
        found: Plain = yaml.safe_load(stored["data"]["values.json"])
        return found


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plane]:
    """The stack, up on a full member of a lab."""
    skip_without(*FULL_MEMBER)
    root = tmp_path_factory.mktemp("foundations")
    mirror = fixture_charts(root / "charts", *FOUNDATION_CHARTS)
    with (
        pytest.MonkeyPatch.context() as patch,
        Lab(root / "labs", "foundations") as lab,
        software() as doubles,
    ):
        patch.delenv("KARMADA_DIR", raising=False)  # none of its parts act in a member
        lab.up(federation(root), members=HOST)
        found = Plane(lab, doubles, mirror, Workspace(root / "workspace"))
        with operators(lab.kubeconfig(HOST), root):
            found.stack.up(on_event=noted(found.made))
            yield found


def before(steps: list[tuple[str, str]], *order: str) -> None:
    """*order* is the order in which these stand in *steps*; a chart is any of its objects."""
    names = [name for _, name in steps]

    def place(wanted: str) -> int:
        found = [i for i, name in enumerate(names) if name.partition(":")[0] == wanted]
        assert found, f"{wanted} is none of {', '.join(names)}"
        return found[0]

    places = [place(name) for name in order]
    assert places == sorted(places), [names[place] for place in sorted(places)]


def test_each_thing_waits_for_what_it_stands_on(plane: Plane) -> None:
    """Volumes and the authority, then the database, then Keycloak, its realm, Rancher's login."""
    made = plane.made
    before(made, "tokyo-longhorn", "longhorn-longhorn-strict-local", "postgres-cluster")
    before(made, "tokyo-cert-manager", "signer-issuer", "tokyo-plugin-barman-cloud")
    before(made, "tokyo-plugin-barman-cloud", "postgres-objectstore", "postgres-cluster")
    before(made, "postgres-cluster", "keycloak-servers", "realm-administrators")
    before(made, "keycloak-front", "realm-administrators")
    before(made, "tokyo-rancher", "login-administrators")
    before(made, "realm-rancher-groups", "login-administrators")
    before(made, "destroyer", "destroyer-secret", "destroyer-run")


def test_another_preview_is_empty(plane: Plane) -> None:
    """Nothing is made anew that nobody changed: neither secrets, nor what operators write."""
    plane.stack.preview(expect_no_changes=True)


@pytest.mark.parametrize("row", FOUNDATIONS, ids=lambda row: f"{where(row)}-{row.key}")
def test_what_is_set_for_high_availability_is_in_the_objects(plane: Plane, row: Row) -> None:
    """Each row of the table holds in what the cluster got."""
    assert dug(content(plane, row.of), row.key) == row.made


@pytest.mark.parametrize(
    "row", [row for row in FOUNDATIONS if isinstance(row.of, Chart)], ids=lambda row: row.key
)
def test_what_the_table_calls_a_default_is_the_published_one(row: Row) -> None:
    """Where a chart has a value of its own, the table calls that one the default."""
    assert isinstance(row.of, Chart)
    file = published(row.of.release, "values.yaml")
    if file is None:
        pytest.skip("no published charts (set REFERENCE_DIR)")
    assert dug(yaml.safe_load(file.read_text("utf-8")), row.key) in (None, row.default)


def test_secrets_stay_secret(plane: Plane) -> None:
    """No password, key or token lies in the state in clear."""
    backend = Path(plane.workspace.environment["PULUMI_BACKEND_URL"].removeprefix("file://"))
    (state,) = backend.glob(".pulumi/stacks/federation/foundations.json")
    text = state.read_text("utf-8")
    assert "keycloak-servers" in text
    assert KEY not in text
    assert RANCHER_TOKEN not in text
    assert "-planted.yaml" not in text  # the address that registers a cluster
    passwords = [
        found["length"] for found in plane.doubles.providers["random"].of("RandomPassword")
    ]
    assert min(passwords) >= 32


def test_keycloak_is_called_only_when_something_changes(plane: Plane) -> None:
    """A provider that logged in at its start would make every preview need Keycloak."""
    deployment = plane.stack.export_stack().deployment or {}
    providers = [r for r in deployment["resources"] if r["type"] == "pulumi:providers:keycloak"]
    assert [found["inputs"]["initialLogin"] for found in providers] == ["false"]


def test_clients_take_the_code_flow_alone(plane: Plane) -> None:
    """No client of the realm takes a password itself, and none works without PKCE."""
    clients = plane.doubles.providers["keycloak"].of("Client")
    assert sorted(client["clientId"] for client in clients) == ["grafana", "karmada", "rancher"]
    for client in clients:
        assert client["pkceCodeChallengeMethod"] == "S256"
        assert client["standardFlowEnabled"]
        assert not client["directAccessGrantsEnabled"]
        assert not client["implicitFlowEnabled"]
        assert client["accessType"] == "CONFIDENTIAL" or client["clientId"] == "karmada"


def test_nobody_outside_the_realms_groups_gets_into_rancher(plane: Plane) -> None:
    """Rancher lets in the realm's groups alone, and one of them administers it."""
    rancher = plane.doubles.providers["rancher2"]
    (login,) = rancher.of("AuthConfigKeycloakOidc")
    assert login["accessMode"] == "restricted"
    groups = {group["name"] for group in plane.doubles.providers["keycloak"].of("Group")}
    assert {
        each.removeprefix("keycloakoidc_group://") for each in login["allowedPrincipalIds"]
    } == (groups)
    (rights,) = rancher.of("GlobalRoleBinding")
    assert rights["groupPrincipalId"] == "keycloakoidc_group://administrators"


def test_the_certificates_are_of_one_authority_which_rancher_believes(plane: Plane) -> None:
    """What Keycloak and Rancher show is signed by the issuer whose certificate Rancher holds."""
    for secret, namespace in (("keycloak-tls", KEYCLOAK), ("tls-rancher-ingress", CATTLE)):
        asked = plane.get("cert-manager.io/v1", "Certificate", secret, namespace)
        assert asked["spec"]["issuerRef"]["name"] == ISSUER
    signer = plane.get("v1", "Secret", ISSUER, SIGNER)["data"]["tls.crt"]
    believed = plane.get("v1", "Secret", "tls-ca", CATTLE)["data"]["cacerts.pem"]
    also = plane.get("v1", "Secret", "tls-ca-additional", CATTLE)["data"]["ca-additional.pem"]
    assert signer == believed == also


def test_a_backup_goes_out_by_the_plugin(plane: Plane) -> None:
    """The database, its store and its schedule name each other, and the keys are in a Secret."""
    database = plane.get("postgresql.cnpg.io/v1", "Cluster", "postgres", KEYCLOAK)
    (plugin,) = database["spec"]["plugins"]
    assert plugin["isWALArchiver"]
    store = plane.get(
        "barmancloud.cnpg.io/v1",
        "ObjectStore",
        plugin["parameters"]["barmanObjectName"],
        KEYCLOAK,
    )
    keys = store["spec"]["configuration"]["s3Credentials"]
    held = plane.get("v1", "Secret", keys["secretAccessKey"]["name"], KEYCLOAK)["data"]
    assert base64.b64decode(held[keys["secretAccessKey"]["key"]]).decode() == KEY
    schedule = plane.get("postgresql.cnpg.io/v1", "ScheduledBackup", "postgres", KEYCLOAK)
    assert schedule["spec"]["pluginConfiguration"]["name"] == plugin["name"]
    assert schedule["spec"]["immediate"]


def test_an_imported_cluster_registers_itself_with_the_authority_it_was_given(plane: Plane) -> None:
    """The run in the cluster has ended well, and it trusted Rancher's authority alone."""
    run = plane.get("batch/v1", "Job", REGISTRATION, "kube-system")
    assert run["status"]["succeeded"] == 1
    held = plane.get("v1", "Secret", REGISTRATION, "kube-system")["data"]
    (entry,) = plane.doubles.providers["rancher2"].of("Cluster")
    assert base64.b64decode(held["manifest"]).decode().endswith(f"/{entry['name']}-planted.yaml")
    signer = plane.get("v1", "Secret", ISSUER, SIGNER)["data"]["tls.crt"]
    assert held["authority.pem"] == signer


def test_rotation_renews_what_can_be_renewed(plane: Plane) -> None:
    """Another word renews clients' secrets and Rancher's administrator, never Keycloak's own."""
    plane.rotate = "second"
    steps: list[tuple[str, str]] = []
    plane.stack.preview(on_event=noted(steps))
    made = {name for _, name in steps}
    assert {"realm-rancher", "realm-grafana", "rancher-administrator"} <= made
    assert not {"keycloak-administrator", "rancher-bootstrap"} & made
    plane.rotate = "first"


def test_another_generation_of_the_data_is_another_database(plane: Plane) -> None:
    """A recovery replaces the database's Cluster, and nothing that stands on it."""
    plane.database = PostgresSettings(recovery=Recovery(generation=2))
    steps: list[tuple[str, str]] = []
    plane.stack.preview(on_event=noted(steps))
    assert {name for _, name in steps} == {"postgres-cluster"}
    assert "create-replacement" in {operation for operation, _ in steps}
    plane.database = PostgresSettings()


def test_removal_goes_the_other_way(plane: Plane) -> None:
    """Clusters leave Rancher, and databases their volumes, before what they need is taken away."""
    gone: list[tuple[str, str]] = []
    plane.stack.destroy(on_event=noted(gone))
    before(gone, "destroyer-run", "destroyer-secret", "destroyer", "tokyo-rancher")
    before(gone, "login-administrators", "login", "tokyo-rancher", "signer-issuer")
    before(gone, "realm-administrators", "keycloak-servers", "postgres-cluster", "tokyo-longhorn")
    before(gone, "postgres-cluster", "postgres-objectstore", "tokyo-plugin-barman-cloud")
    before(gone, "signer-issuer", "tokyo-cert-manager")
    left = plane.lab.api(HOST).list("v1", "Namespace")
    names = {each["metadata"]["name"] for each in left}
    assert not names & {KEYCLOAK, CATTLE, SIGNER, "longhorn-system", "cnpg-system"}


def content(plane: Plane, of: Chart | Object) -> Plain:
    """What a row is about."""
    if isinstance(of, Chart):
        return plane.values(of.release, of.namespace)
    return plane.get(of.version, of.kind, of.name, of.namespace)


def where(row: Row) -> str:
    """The name of a row's chart or object."""
    return row.of.release if isinstance(row.of, Chart) else row.of.name


def test_the_documentation_has_the_table() -> None:
    """The page's table is the one that the tests hold against the objects."""
    page = (CHECKOUT / "docs" / "carrier-foundations.md").read_text("utf-8")
    assert table(FOUNDATIONS) in page
