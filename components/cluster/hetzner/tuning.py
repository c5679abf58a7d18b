"""What the nodes of a pool are told when they serve very many connections.

Owns the tuned profile. It is part of first boot, where the kubelet and the kernel read it: nothing
in the cluster can change a kubelet, and a privileged pod on every node would be one more thing to
guard. Sources: Kubernetes documentation, "Control CPU Management Policies on the Node", "Using
sysctls in a Kubernetes Cluster"; kube-proxy's own reference for connection tracking.
"""

from typing import Any

from components.settings.hetzner import Pool

_PODS, _MANY_PODS = 110, 250
"""Pods a node: the kubelet's default, and what the 254 addresses of a node's range leave."""

SYSCTLS = "high-concurrency.conf"
"""The file with the kernel's part."""


def pods(pool: Pool) -> int:
    """How many pods a node of the pool takes."""
    return _MANY_PODS if pool.profile else _PODS


def kubelet(pool: Pool) -> list[str]:
    """The kubelet's arguments."""
    if not pool.profile:
        return []
    return [
        f"max-pods={_MANY_PODS}",
        # Pods of the class Guaranteed with whole cores get these for themselves.
        "cpu-manager-policy=static",
        # A pod's network has its own; a service sets them in its securityContext.
        "allowed-unsafe-sysctls=net.core.somaxconn,net.ipv4.tcp_max_syn_backlog",
    ]


def k3s(pool: Pool) -> dict[str, Any]:
    """What k3s is told besides: kube-proxy sets the kernel's table of connections itself."""
    if not pool.profile:
        return {}
    # Four times its default; an entry takes some 320 bytes, so 40 MiB a core when it is full.
    return {"kube-proxy-arg": ["conntrack-max-per-core=131072"]}
