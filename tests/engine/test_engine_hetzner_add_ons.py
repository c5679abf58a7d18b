"""What a cluster on Hetzner Cloud runs because it stands there, all the way to a real API server.

The machines are doubles; the address that the program gives to its cluster leads to a full member
of a lab, once the founder has been told to found it. Charts are fixtures; a stand-in says of an
upgrade's plans what their controller would.
"""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from pulumi import automation as auto

from components.catalogue import entry
from components.cluster.hetzner.add_ons import upgrades
from lab import Lab
from lab.kubernetes.client import Api
from tests.built import FULL_MEMBER, skip_without
from tests.charts import fixture_charts
from tests.doubles import cloud
from tests.doubles.gate import gate
from tests.engine.case import cluster, refused, workload, write_federation
from tests.engine.hetzner import PAGE, Made, Plain, changed, shown
from tests.engine.repeating import repeating

HOST = "east"
NEXT = "v1.36.4+k3s1"
CHARTS = ("hcloud-cloud-controller-manager", "hcloud-csi", "system-upgrade-controller")
PLAN = ("upgrade.cattle.io/v1", "Plan")
SYSTEM = "kube-system"


@dataclass
class Standing:
    """A cluster with add-ons that is up.

    Attributes:
        made: its stack.
        api: of what stands behind its address.
        mirror: the setting.
        done: the resources of the last run, in the order in which they were there.
    """

    made: Made
    api: Api
    mirror: Plain
    done: list[str] = field(default_factory=list)

    def write(self, **changes: str) -> None:
        """Write the stack's file, with *changes* of k3s."""
        spec = changed(lambda spec: spec.update(addOns=True))
        spec["k3s"].update(changes)
        self.made.write(spec, mirror=self.mirror)

    def up(self) -> None:
        """Run, and note what was done."""
        self.done.clear()

        def note(event: auto.EngineEvent) -> None:
            ended = event.res_outputs_event
            if ended is not None and str(ended.metadata.op) not in ("same", "OpType.SAME"):
                self.done.append(ended.metadata.urn.rsplit("::", 1)[-1])

        self.made.stack.up(on_event=note)

    def values(self, release: str) -> Plain:
        """The values with which Helm rendered a chart."""
        stored = self.api.get("v1", "ConfigMap", f"{release}-values", SYSTEM)
        assert stored is not None
        found: Plain = yaml.safe_load(stored["data"]["values.json"])
        return found


@contextmanager
def controller(api: Api) -> Iterator[None]:
    """Stand in for the controller of upgrades: a plan's nodes have its version at once."""
    with repeating(lambda: _complete(api)):
        yield


def _complete(api: Api) -> None:
    for plan in api.list(*PLAN) if api.serves(*PLAN) else ():
        latest = plan["spec"]["version"].replace("+", "-")
        if plan.get("status", {}).get("latestVersion") == latest:
            continue
        status = {
            "latestVersion": latest,
            "conditions": [{"type": "Complete", "status": "True", "reason": "Complete"}],
        }
        names = {key: plan["metadata"][key] for key in ("name", "namespace")}
        api.apply_status(
            {"apiVersion": PLAN[0], "kind": PLAN[1], "metadata": names, "status": status}
        )


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standing]:
    """The cluster, up."""
    skip_without(*FULL_MEMBER)
    root = tmp_path_factory.mktemp("add-ons")
    write_federation(root / "federation.yaml", [cluster(HOST)], workload("web", weights={HOST: 1}))
    mirror = fixture_charts(root / "charts", *CHARTS)
    with pytest.MonkeyPatch.context() as patch, Lab(root / "labs", "add-ons") as lab:
        patch.delenv("KARMADA_DIR", raising=False)  # none of its parts act in a member
        lab.up(root / "federation.yaml", members=HOST)
        api = lab.api(HOST)
        namespace = {"name": upgrades.NAMESPACE}
        # The fixture of the controller's manifest does not bring its namespace.
        api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": namespace})
        with (
            gate(lab.kubeconfig(HOST), root) as front,
            cloud(front) as sky,
            controller(api),
        ):
            made = Made(root / "workspace", sky)
            found = Standing(made, api, mirror.model_dump(mode="json", exclude_none=True))
            found.write()
            found.up()
            yield found


def test_a_second_preview_is_empty(standing: Standing) -> None:
    """What the controllers write into their objects is no change."""
    standing.made.stack.preview(expect_no_changes=True)


def test_nodes_are_known_by_their_number(standing: Standing) -> None:
    """An agent's name as a node is not its server's, so the kubelet says which one it is on."""
    numbers = {
        found["name"]: identity
        for (kind, identity), found in standing.made.cloud.hcloud.resources.items()
        if kind.endswith(":Server")
    }
    told = [json.loads(o["stdin"]) for o in standing.made.cloud.providers["command"].of("Command")]
    assert {order["name"]: order["config"]["kubelet-arg+"] for order in told} == {
        name: [f"provider-id=hcloud://{number}"] for name, number in numbers.items()
    }


def test_each_controller_has_its_network(standing: Standing) -> None:
    """Nodes have their addresses in the one for management, load balancers theirs in the other."""
    nodes = standing.values("hcloud-cloud-controller-manager")
    balancers = standing.values("hcloud-load-balancers")
    for values, controllers in (
        (nodes, "cloud-node-controller,cloud-node-lifecycle-controller"),
        (balancers, "service-lb-controller"),
    ):
        assert values["args"]["controllers"] == controllers
        assert values["networking"]["enabled"] is True
    networks = []
    for values in (nodes, balancers):
        asked = values["networking"]["network"]["valueFrom"]["secretKeyRef"]
        secret = standing.api.get("v1", "Secret", asked["name"], SYSTEM)
        assert secret is not None
        networks.append(base64.b64decode(secret["data"][asked["key"]]).decode())
    assert networks == ["singapore-management", "singapore-workload"]
    assert nodes["env"]["HCLOUD_LOAD_BALANCERS_ENABLED"]["value"] == "false"
    # Both use the host's network: no port twice.
    assert balancers["args"]["secure-port"] != "10258"
    assert balancers["monitoring"]["enabled"] is False
    assert (
        nodes["args"]["leader-elect-resource-name"]
        != (balancers["args"]["leader-elect-resource-name"])
    )


def test_the_workload_balancer_can_be_adopted_and_the_api_s_cannot(standing: Standing) -> None:
    """With its Service it is not deleted, and what would be reconciled is as it is declared."""
    declared = {found["name"]: found for found in standing.made.cloud.hcloud.of("LoadBalancer")}
    assert declared["singapore-workload"]["deleteProtection"] is True
    assert "deleteProtection" not in declared["singapore-api"]
    told = standing.values("hcloud-load-balancers")["env"]
    said = {
        name.removeprefix("HCLOUD_LOAD_BALANCERS_"): value["value"]
        for name, value in told.items()
        if "value" in value
    }
    workload_balancer = declared["singapore-workload"]
    assert said["ALGORITHM_TYPE"] == workload_balancer["algorithm"]["type"]
    assert said["TYPE"] == workload_balancer["loadBalancerType"]
    for service in standing.made.cloud.hcloud.of("LoadBalancerService"):
        check = service["healthCheck"]
        assert said["HEALTH_CHECK_INTERVAL"] == f"{check['interval']:.0f}s"
        assert said["HEALTH_CHECK_TIMEOUT"] == f"{check['timeout']:.0f}s"
        assert said["HEALTH_CHECK_RETRIES"] == f"{check['retries']:.0f}"


def test_no_claim_gets_a_volume_by_default(standing: Standing) -> None:
    """State is somebody's decision; a volume is labelled, so that it is found if it is left."""
    values = standing.values("hcloud-csi")
    assert [c["defaultStorageClass"] for c in values["storageClasses"]] == [False]
    assert values["controller"]["volumeExtraLabels"] == {"federation/cluster": "singapore"}
    assert values["node"]["hostNetwork"] is True


def test_the_token_is_in_no_clear_place(standing: Standing) -> None:
    """Neither in the state nor in what is printed; the Secret alone has it."""
    raw = standing.made.workspace.environment["PULUMI_BACKEND_URL"].removeprefix("file://")
    stored = (Path(raw) / ".pulumi/stacks/federation/singapore.json").read_text("utf-8")
    printed = standing.made.stack.preview().stdout
    assert "planted-hcloud-token" not in stored
    assert "planted-hcloud-token" not in printed
    secret = standing.api.get("v1", "Secret", "hcloud", SYSTEM)
    assert secret is not None
    assert base64.b64decode(secret["data"]["token"]) == b"planted-hcloud-token"


def test_the_page_says_what_another_version_does(standing: Standing) -> None:
    """The row of docs/hetzner.md is what the real engine says."""
    standing.write(version=NEXT)
    row = f"| `k3s.version`, with `addOns` | {shown(standing.made.preview())} |"
    assert row in PAGE.read_text("utf-8").splitlines()


def test_k3s_is_upgraded_in_place(standing: Standing) -> None:
    """The servers' plan first, then the agents'; no machine is touched, and all is published."""
    standing.made.cloud.done()
    standing.write(version=NEXT)
    standing.up()
    assert standing.made.cloud.done() == []
    plans = [name for name in standing.done if name.startswith("singapore-k3s-")]
    assert plans == ["singapore-k3s-servers", "singapore-k3s-agents"]
    for plan in standing.api.list(*PLAN):
        assert plan["spec"]["version"] == NEXT
        assert plan["spec"]["concurrency"] == 1
    published = standing.made.stack.outputs()["servers"].value["versions"]
    assert set(published.values()) == {NEXT}
    standing.made.stack.preview(expect_no_changes=True)


def test_a_kubernetes_that_the_catalogue_does_not_run_on_is_refused(standing: Standing) -> None:
    """At its line, with what wants another one, before anything is done."""
    standing.write(version="v1.37.0+k3s1")
    text = " ".join(refused(standing.made.stack.preview).split())
    assert "cluster.k3s.version: read v1.37.0+k3s1; allowed what all of the catalogue" in text
    wants = entry("hcloud-csi").kubernetes
    assert f"hcloud-csi {entry('hcloud-csi').version} wants {wants}" in text
    assert "cert-manager" not in text


def test_what_runs_does_not_go_back(standing: Standing) -> None:
    """An older version than the nodes' is refused at its line before anything is done."""
    standing.write(version="v1.36.1+k3s1")
    text = " ".join(refused(standing.made.stack.preview).split())
    assert f"k3s.version: read v1.36.1+k3s1; allowed {NEXT} or later" in text


def test_add_ons_hold_for_life(standing: Standing) -> None:
    """A node's number cannot be changed under it."""
    standing.made.write(changed(lambda _: None), mirror=standing.mirror)
    text = " ".join(refused(standing.made.stack.preview).split())
    assert "cluster.addOns: read false; allowed true, which singapore was founded with" in text


def test_destroy_leaves_nothing(standing: Standing) -> None:
    """What runs in the cluster goes before the machines under it, and so while it answers."""
    standing.write(version=NEXT)
    standing.made.stack.destroy()
    assert not any(double.resources for double in standing.made.cloud.providers.values())
    for kind, name in (("Deployment", "hcloud-load-balancers"), ("Secret", "hcloud")):
        version = "apps/v1" if kind == "Deployment" else "v1"
        assert standing.api.get(version, kind, name, SYSTEM) is None
