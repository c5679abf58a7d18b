"""A carrier on Hetzner Cloud through the real engine, with doubles that know the schemas.

One cluster is brought up; what a preview says of each change is held against the page that users
read. What changes it for good stands in ``test_engine_hetzner_life.py``.
"""

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography import x509

from components.settings import HetznerCluster
from tests.doubles import Cloud, cloud
from tests.engine.case import refused
from tests.engine.effects import Step, table, wanted
from tests.engine.hetzner import PAGE, SPEC, STACK, Made, Plain, changed, shown


@pytest.fixture(scope="module")
def sky() -> Iterator[Cloud]:
    """The doubles."""
    with cloud() as served:
        yield served


@pytest.fixture(scope="module")
def up(sky: Cloud, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A cluster that is up."""
    made = Made(tmp_path_factory.mktemp("hetzner") / "workspace", sky)
    made.stack.up()
    return made


@pytest.fixture
def standing(up: Made) -> Iterator[Made]:
    """The same, with its settings put back afterwards."""
    yield up
    up.write(SPEC)


def test_a_second_preview_is_empty_and_asks_nothing(standing: Made) -> None:
    """Nothing drifts by itself, and what can be ordered is asked only for servers to be made."""
    standing.cloud.hcloud.questions.clear()
    standing.stack.preview(expect_no_changes=True)
    assert standing.cloud.hcloud.questions == []


def test_the_kubeconfig_is_made_by_the_cluster_s_own_authority(standing: Made) -> None:
    """It names the API's load balancer, and the authority that the founder gets signed it."""
    published = standing.stack.outputs()["access"]
    assert published.secret
    content = yaml.safe_load(published.value["kubeconfigs"]["singapore"])
    balancer = next(
        entry
        for entry in resources(standing)
        if entry["urn"].endswith("LoadBalancer::singapore-api")
    )
    assert (
        content["clusters"][0]["cluster"]["server"] == f"https://{balancer['outputs']['ipv4']}:6443"
    )

    def decoded(part: Plain, key: str) -> str:
        return base64.b64decode(part[key]).decode()

    order = orders(standing)["singapore-control-1"]
    files = {Path(name).name: text for name, text in order["files"].items()}
    shown = decoded(content["clusters"][0]["cluster"], "certificate-authority-data")
    assert shown == files["server-ca.crt"] == order["authority"]
    leaf = decoded(content["users"][0]["user"], "client-certificate-data")
    authority = x509.load_pem_x509_certificate(files["client-ca.crt"].encode())
    x509.load_pem_x509_certificate(leaf.encode()).verify_directly_issued_by(authority)


def resources(made: Made) -> list[Plain]:
    """The resources of the stack, in clear."""
    found: list[Plain] = (made.stack.export_stack().deployment or {})["resources"]
    return found


def orders(made: Made) -> dict[str, Plain]:
    """What each machine is told at its enrolment, by name."""
    found = (json.loads(entry["stdin"]) for entry in made.cloud.providers["command"].of("Command"))
    return {order["name"]: order for order in found}


def test_one_server_may_found_and_no_agent_can_do_more_than_join(standing: Made) -> None:
    """Authorities' keys go to the founder alone, an administrator's certificate to no agent."""
    told = orders(standing)
    assert [name for name, order in told.items() if order.get("mayFound")] == [
        "singapore-control-1"
    ]
    for name, order in told.items():
        assert bool(order.get("files")) == (name == "singapore-control-1")
        assert ("administrator" in order) == ("-control-" in name)
    agent, server = told["singapore-platform-1"], told["singapore-control-2"]
    password = server["config"]["token"].rsplit(":", 1)[1]
    assert password not in json.dumps(agent)
    assert agent["config"]["token"].endswith(server["config"]["agent-token"])


def test_user_data_holds_no_secret_but_the_host_key_that_is_forgotten(standing: Made) -> None:
    """Tokens, authorities and certificates come later, by another way."""
    secrets = {
        line
        for order in orders(standing).values()
        for text in (
            order["config"]["token"],
            order.get("administrator", ""),
            *order.get("files", {}).values(),
        )
        for line in text.splitlines()
        if len(line) > 40 and "CERTIFICATE" not in line and "KEY" not in line
    }
    assert secrets
    for server in standing.cloud.hcloud.of("Server"):
        assert server["userData"].count("PRIVATE KEY-----") == 2
        assert not [line for line in secrets if line in server["userData"]]


def test_no_server_s_user_data_comes_from_another_server(standing: Made) -> None:
    """Else to replace one would replace all: addresses are planned, not read."""
    servers = [entry for entry in resources(standing) if entry["type"].endswith(":Server")]
    assert len(servers) == 5
    for server in servers:
        name = server["urn"].rsplit("::", 1)[-1]
        sources = server["propertyDependencies"]["userData"]
        assert [source.rsplit("::", 1)[-1] for source in sources] == [f"{name}-host"]


def test_no_secret_is_in_the_state_or_in_what_is_printed(standing: Made) -> None:
    """Every private key and token is encrypted in the state, wherever it is an input."""
    backend = Path(standing.workspace.environment["PULUMI_BACKEND_URL"].removeprefix("file://"))
    state = (backend / f".pulumi/stacks/federation/{STACK}.json").read_text("utf-8")
    printed = standing.stack.preview().stdout
    told = list(orders(standing).values())
    texts = [text for order in told for text in order.get("files", {}).values()]
    texts += [order.get("administrator", "") for order in told]
    texts += [server["userData"] for server in standing.cloud.hcloud.of("Server")]
    block = r"BEGIN [A-Z ]*PRIVATE KEY-----(.*?)-----END"
    keys = (key for text in texts for key in re.findall(block, text, re.DOTALL))
    secrets = {part for key in keys for part in re.findall(r"[\w+/]{40,}", key)}
    secrets |= {order["config"]["token"].rsplit(":", 1)[1] for order in told}
    # A private key in OpenSSH's form begins with its public half.
    public = " ".join(re.findall(r"ssh-ed25519 [^\s\"\\]+", state))
    secrets = {secret for secret in secrets if secret not in public}
    assert len(secrets) > 15
    secrets.add("planted-hcloud-token")
    for secret in secrets:
        assert secret not in state
        assert secret not in printed


LIMITS: dict[str, tuple[Plain, str]] = {
    "fixed-addresses": (
        changed(lambda spec: spec.update(addresses={"pods": "10.128.0.0/16"})),
        "carrier.cluster.addresses: read {",
    ),
    "fixed-locations": (
        changed(lambda spec: spec.update(locations=["hil"])),
        'locations: read ["hil"]; allowed ["sin"], which singapore was founded with',
    ),
    "tokyo": (
        changed(lambda spec: spec.update(locations=["tokyo"])),
        "locations[0]: read 'tokyo': Hetzner Cloud has no location in Tokyo; allowed sin",
    ),
    "even": (
        changed(lambda spec: spec["controlPlane"].update(servers=4)),
        "carrier.cluster.controlPlane.servers: read 4; allowed 3 or 5",
    ),
    "gpu": (
        changed(lambda spec: spec["pools"][0].update(serverTypes=["gex44"])),
        "pools[0].serverTypes[0]: read 'gex44': Hetzner Cloud has no GPU servers",
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_what_cannot_be_is_refused_at_its_line(standing: Made, name: str) -> None:
    """Before anything is compared: with file, line, key and the way out."""
    spec, words = LIMITS[name]
    standing.write(spec)
    text = refused(standing.stack.preview)
    assert words in re.sub(r"\s+", " ", text)
    assert re.search(rf"Pulumi\.{STACK}\.yaml:\d+ config\.federation:carrier\.cluster", text)


def test_an_unknown_node_is_not_replaced(standing: Made) -> None:
    """A slip of the pen in `replace` is named, not passed over."""
    standing.write(SPEC, replace="singapore-control-9")
    assert "read 'singapore-control-9'; allowed one of singapore-control-1" in refused(
        standing.stack.preview
    )


def _more(spec: Plain) -> None:
    spec["pools"].append({"name": "storage", "count": 1, "serverTypes": ["cpx42"]})


CHANGES: dict[str, tuple[Plain, dict[str, str]]] = {
    "`administration`": (
        changed(lambda spec: spec.update(administration=["198.51.100.0/24"])),
        {},
    ),
    "`k3s.version`, `k3s.sha256`": (
        changed(
            lambda spec: spec["k3s"].update(
                version="v1.36.4+k3s1", sha256={"amd64": "c" * 64, "arm64": "d" * 64}
            )
        ),
        {},
    ),
    "`image`": (changed(lambda spec: spec.update(image="debian-14")), {}),
    "`controlPlane.serverTypes`": (
        changed(lambda spec: spec["controlPlane"].update(serverTypes=["ccx23"])),
        {},
    ),
    "`controlPlane.servers`: 3 to 5": (
        changed(lambda spec: spec["controlPlane"].update(servers=5)),
        {},
    ),
    "`pools[].labels`, `pools[].taints`, `pools[].profile`": (
        changed(
            lambda spec: spec["pools"][0].update(
                labels={"disk": "fast"},
                taints=[{"key": "own", "effect": "NoSchedule"}],
                profile="high-concurrency",
            )
        ),
        {},
    ),
    "`pools[].serverTypes`": (
        changed(lambda spec: spec["pools"][0].update(serverTypes=["cpx42"])),
        {},
    ),
    "`pools[].count`: one more": (
        changed(lambda spec: spec["pools"][0].update(count=3)),
        {},
    ),
    "`pools[].count`: one less": (
        changed(lambda spec: spec["pools"][0].update(count=1)),
        {},
    ),
    "`pools`: another of one node": (changed(_more), {}),
    "`pools[].name`": (changed(lambda spec: spec["pools"][0].update(name="other", count=1)), {}),
    "`federation:rotate`": (SPEC, {"rotate": "2027-10"}),
    "`federation:replace: singapore-control-2` alone": (SPEC, {"replace": "singapore-control-2"}),
    "… with another `image`": (
        changed(lambda spec: spec.update(image="debian-14")),
        {"replace": "singapore-control-2"},
    ),
    "… with another `k3s.version`": (
        changed(lambda spec: spec["k3s"].update(version="v1.36.4+k3s1")),
        {"replace": "singapore-control-2"},
    ),
    "… with other `controlPlane.serverTypes`": (
        changed(lambda spec: spec["controlPlane"].update(serverTypes=["ccx23"])),
        {"replace": "singapore-control-2"},
    ),
    "… an agent, with other labels": (
        changed(lambda spec: spec["pools"][0].update(labels={"disk": "fast"})),
        {"replace": "singapore-platform-1"},
    ),
}
"""Every setting of a cluster that lives, changed: the settings and the other keys."""


@pytest.fixture(scope="module")
def effects(up: Made) -> dict[str, list[Step]]:
    """What a preview would do for each change."""
    found = {}
    for what, (spec, keys) in CHANGES.items():
        up.write(spec, **keys)
        found[what] = up.preview()
    up.write(SPEC)
    return found


def test_the_page_says_what_updates_and_what_replaces(
    effects: dict[str, list[Step]],
) -> None:
    """The table of docs/hetzner.md is what the real engine says of each change."""
    derived = [f"| {what} | {shown(steps)} |" for what, steps in effects.items()]
    assert table(PAGE, "| change | what a run does |") == derived


def test_every_setting_is_on_the_page() -> None:
    """What a change of a setting does is said of each that the models have, or that it is refused.

    A setting that stands in another is said with it; those of a pool each by itself.
    """
    text = PAGE.read_text("utf-8")
    section = text[text.index("## What a change does") : text.index("## Types, stock and cost")]
    said = set(re.findall(r"`([^`]+)`", section))
    assert {
        key
        for key in wanted(HetznerCluster)
        if not any(
            key == each or (each != "pools" and re.match(rf"{re.escape(each)}(\[\])?\.", key))
            for each in said
        )
    } == set()


def test_a_change_replaces_no_server_that_is_not_named(
    effects: dict[str, list[Step]],
) -> None:
    """Whatever is changed, the servers that run stay, but for the one under `replace`."""
    for what, steps in effects.items():
        named = CHANGES[what][1].get("replace")
        replaced = {name for op, kind, name in steps if kind == "Server" and op == "replace"}
        assert replaced <= {named}


def test_management_and_workloads_share_no_listener(standing: Made) -> None:
    """The port matrix of docs/hetzner.md is that of the resources, and no port serves both."""
    cloud_ = standing.cloud.hcloud
    balancers = {
        identity: found["name"]
        for (kind, identity), found in cloud_.resources.items()
        if kind.endswith(":LoadBalancer")
    }
    rows = {
        f"| load balancer {balancers[found['loadBalancerId']].removeprefix('singapore-')} "
        f"| {found['listenPort']:.0f} | {found['destinationPort']:.0f} |"
        for found in cloud_.of("LoadBalancerService")
    }
    rows |= {
        f"| every node, from `administration` | {rule['port']} | {rule['port']} |"
        for wall in cloud_.of("Firewall")
        for rule in wall["rules"]
    }
    assert set(table(PAGE, "| where | listens on | node port |")) == rows
    ports: dict[str, set[float]] = {}
    for found in cloud_.of("LoadBalancerService"):
        name = balancers[found["loadBalancerId"]]
        ports.setdefault(name, set()).update((found["listenPort"], found["destinationPort"]))
    assert not ports["singapore-api"] & ports["singapore-workload"]
    networks = {found["subnetId"] for found in cloud_.of("LoadBalancerNetwork")}
    assert len(networks) == 2


def test_the_cost_of_a_change_is_shown(standing: Made) -> None:
    """A rescale says what it costs, and a type without a figure is unknown and not free."""
    spec: Any = changed(lambda spec: spec["controlPlane"].update(serverTypes=["cpx22"]))
    standing.write(spec, replace="singapore-control-2")
    printed = re.sub(r"\s+", " ", standing.stack.preview().stdout)
    assert "singapore-control-2 becomes cpx22 instead of cpx32: unknown -> 27.49 EUR" in printed
    assert "which the list does not say" in printed
