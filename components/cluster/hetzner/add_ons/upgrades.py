"""Upgrades of k3s on nodes that live: declared as plans, carried out one node at a time.

Owns the two plans: the servers first, then the agents, which are drained. A run ends when every
node has the version, so the next one may go a minor further (``versions.py`` says which may).

Source: rancher/system-upgrade-controller 0.20.1, ``pkg/upgrade/handle_upgrade.go``: with another
version the condition Complete ends in the same update that names it.
"""

import json
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.catalogue import Installer
from components.resource import KubernetesObject
from components.settings import HetznerCluster

ENTRY = "system-upgrade-controller"
NAMESPACE = "system-upgrade"
"""What the controller's own manifest makes."""

SERVERS, AGENTS = "k3s-servers", "k3s-agents"
_MINUTES = 20
"""A node: 15 minutes is what the controller gives one job, and its images have to come first."""

_SERVER = "node-role.kubernetes.io/control-plane"


class Upgrades(pulumi.ComponentResource):
    """The controller and its plans."""

    def __init__(
        self,
        name: str,
        spec: HetznerCluster,
        installer: Installer,
        provider: kubernetes.Provider,
        opts: pulumi.ResourceOptions,
    ) -> None:
        props = {"version": spec.k3s.version}
        super().__init__("federation:cluster:HetznerUpgrades", name, props, opts)
        below = pulumi.ResourceOptions(parent=self)
        last = installer.install(ENTRY, namespace=NAMESPACE, opts=below)
        counts = {SERVERS: len(spec.servers()), AGENTS: len(spec.agents())}
        for plan in plans(spec.k3s.version, installer.repository("k3s-upgrade")):
            timeout = f"{_MINUTES * max(1, counts[plan['metadata']['name']])}m"
            last = KubernetesObject(
                f"{name}-{plan['metadata']['name']}",
                plan,
                pulumi.ResourceOptions(
                    parent=self,
                    provider=provider,
                    depends_on=[last],
                    custom_timeouts=pulumi.CustomTimeouts(create=timeout, update=timeout),
                ),
            )
        self.register_outputs({})


def plans(version: str, image: str) -> tuple[dict[str, Any], ...]:
    """The plans for *version*, the servers' first.

    Args:
        version: of k3s.
        image: that brings it, without a tag.
    """
    servers = _plan(
        SERVERS,
        version,
        image,
        {"key": _SERVER, "operator": "Exists"},
        # Nothing of a workload's runs there, and etcd's quorum is kept by one at a time.
        {"cordon": True},
    )
    agents = _plan(
        AGENTS,
        version,
        image,
        {"key": _SERVER, "operator": "DoesNotExist"},
        {
            # Waits until every server has the version, whoever changed the plans.
            "prepare": {"image": image, "args": ["prepare", SERVERS]},
            "drain": {"force": True, "deleteEmptydirData": True, "ignoreDaemonSets": True},
        },
    )
    return servers, agents


def _plan(
    name: str, version: str, image: str, nodes: dict[str, str], how: dict[str, Any]
) -> dict[str, Any]:
    latest = version.replace("+", "-")
    done = [f"jsonpath={{.status.latestVersion}}={latest}", "condition=Complete"]
    return {
        "apiVersion": "upgrade.cattle.io/v1",
        "kind": "Plan",
        "metadata": {
            "name": name,
            "namespace": NAMESPACE,
            "annotations": {"pulumi.com/waitFor": json.dumps(done)},
        },
        "spec": {
            "concurrency": 1,
            "version": version,
            "nodeSelector": {"matchExpressions": [nodes]},
            "tolerations": [{"operator": "Exists"}],
            "serviceAccountName": NAMESPACE,
            "upgrade": {"image": image},
            **how,
        },
    }
