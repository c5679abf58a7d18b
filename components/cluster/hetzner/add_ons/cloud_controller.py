"""Hetzner's cloud controller, twice: one for nodes, one for load balancers.

Owns the reason for two. One controller knows one network: it takes a node's address from it, and it
moves every load balancer that it adopts into it. Nodes have theirs in the management network, load
balancers of workloads are to stay in the workload network.

Source: hcloud-cloud-controller-manager 1.35.0, ``hcloud/instances.go`` (``hcloudNodeAddresses``),
``internal/hcops/load_balancer.go`` (``detachFromNetwork``), ``hcloud/load_balancers.go``.
"""

from typing import Any

from components.cluster.hetzner.balancers import HEALTH, KIND
from components.settings import HetznerCluster

ENTRY = "hcloud-cloud-controller-manager"
BALANCERS = "hcloud-load-balancers"
"""The second controller, and the Secret that names its network."""

_REPLICAS = 2
_OWN_PORT = "10268"
"""Both controllers use the host's network, and by default the same port."""

ON_SERVERS = {"node-role.kubernetes.io/control-plane": "true"}
"""Where what holds the token may run: no workload does."""


def of_nodes(spec: HetznerCluster) -> dict[str, Any]:
    """Values of the controller that initialises nodes, and takes those out whose server is gone."""
    return _values(
        spec,
        controllers="cloud-node-controller,cloud-node-lifecycle-controller",
        lease="hcloud-nodes",
        environment={"HCLOUD_LOAD_BALANCERS_ENABLED": "false"},
    )


def of_balancers(spec: HetznerCluster) -> dict[str, Any]:
    """Values of the controller that makes, or adopts, the load balancers of Services."""
    values = _values(
        spec,
        controllers="service-lb-controller",
        lease=BALANCERS,
        environment={
            "HCLOUD_LOAD_BALANCERS_LOCATION": spec.locations[0],
            "HCLOUD_LOAD_BALANCERS_TYPE": KIND,
            "HCLOUD_LOAD_BALANCERS_USE_PRIVATE_IP": "true",
            "HCLOUD_LOAD_BALANCERS_DISABLE_PRIVATE_INGRESS": "true",
            # As the one that is declared: who adopts it finds nothing to change.
            "HCLOUD_LOAD_BALANCERS_ALGORITHM_TYPE": "least_connections",
            "HCLOUD_LOAD_BALANCERS_HEALTH_CHECK_INTERVAL": f"{HEALTH.interval}s",
            "HCLOUD_LOAD_BALANCERS_HEALTH_CHECK_TIMEOUT": f"{HEALTH.timeout}s",
            "HCLOUD_LOAD_BALANCERS_HEALTH_CHECK_RETRIES": str(HEALTH.retries),
        },
    )
    values["args"]["secure-port"] = _OWN_PORT
    values["monitoring"] = {"enabled": False}
    values["nameOverride"] = BALANCERS
    values["networking"]["network"] = {"valueFrom": {"secretKeyRef": {"name": BALANCERS}}}
    return values


def _values(
    spec: HetznerCluster, *, controllers: str, lease: str, environment: dict[str, str]
) -> dict[str, Any]:
    told = {"HCLOUD_NETWORK_ROUTES_ENABLED": "false", **environment}
    return {
        "replicaCount": _REPLICAS,
        "nodeSelector": ON_SERVERS,
        "args": {"controllers": controllers, "leader-elect-resource-name": lease},
        "env": {name: {"value": value} for name, value in told.items()},
        "networking": {"enabled": True, "clusterCIDR": spec.addresses.pods},
    }
