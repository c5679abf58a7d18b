"""The processes of a member: a cluster of the federation file that answers.

Owns their names, ports and flags. A bare member has an API server and the least of controllers, in
which no pod ever runs; a full one has all controllers, a scheduler, and KWOK in the place of every
kubelet. What its nodes are is in ``nodes``, what is in use of them in ``usage``, and what KWOK does
with them in ``stages``.
"""

from lab import tools
from lab.kubernetes.api_server import (
    api_server,
    controller_manager,
    election_flag,
    kubeconfig_flags,
    serving_flags,
)
from lab.kubernetes.authority import trust
from lab.processes.control import Process
from lab.site import HOST, Site

_BARE, _FULL = ("controllers",), ("controllers", "scheduler", "kwok")
"""The parts of a member beside its API server."""

_TOKENS = "serviceaccount-token"
"""The controller without which nobody gets into a member by the token of an account."""

_LEAST = ("garbagecollector", "namespace", _TOKENS)
"""Those of a bare member: without the first two, what is deleted in the foreground never goes."""

# Nothing removes this plugin's taint from a new node of a bare member, and a full one's node
# controller adds it by itself where a node is not ready.
_WITHOUT = ("TaintNodesByCondition", "StorageObjectInUseProtection")

_CONTROLLERS = (
    "clusterrole-aggregation",
    "cronjob",
    "daemonset",
    "deployment",
    "disruption",
    "garbagecollector",
    "job",
    "namespace",
    "nodelifecycle",
    "podgc",
    "replicaset",
    "resourcequota",
    "serviceaccount",
    "statefulset",
    "taint-eviction-controller",
    "ttl-after-finished",
    _TOKENS,
)


def api_port(member: str) -> str:
    """What the port of the member's API server is called."""
    return f"member/{member}"


def ports(member: str, *, bare: bool) -> tuple[str, ...]:
    """What the ports of *member* are for."""
    own = api_port(member)
    return (own, *(f"{own}/{part}" for part in (_BARE if bare else _FULL)))


def member_api_server(site: Site, member: str) -> Process:
    """The member's API server.

    Raises:
        FederationError: the tool is not built.
    """
    name, port = f"member-{member}-apiserver", api_port(member)
    return api_server(
        site,
        name,
        port,
        prefix=f"member-{member}",
        without=_WITHOUT,
        pair=trust(site, member).server,
    )


def parts(site: Site, member: str, *, bare: bool) -> tuple[Process, ...]:
    """What a member has besides.

    Raises:
        FederationError: a tool is not built.
    """
    own = api_port(member)
    controllers = controller_manager(
        site,
        f"member-{member}-controllers",
        f"{own}/controllers",
        cluster=member,
        controllers=_LEAST if bare else _CONTROLLERS,
        elect=False,
    )
    if bare:
        return (controllers,)
    return (controllers, _scheduler(site, member), _kwok(site, member))


def _scheduler(site: Site, member: str) -> Process:
    port = f"{api_port(member)}/scheduler"
    argv = (
        str(tools.path("kube-scheduler")),
        *serving_flags(site, port),
        *kubeconfig_flags(site, member),
        election_flag(elect=False),
    )
    ready = f"{site.url(port)}/healthz"
    return Process(f"member-{member}-scheduler", argv, (site.ports[port],), ready)


def _kwok(site: Site, member: str) -> Process:
    port = site.ports[f"{api_port(member)}/kwok"]
    argv = (
        str(tools.path("kwok")),
        f"--kubeconfig={site.kubeconfig(member)}",
        f"--config={site.stages}",
        "--manage-all-nodes=true",
        "--node-lease-duration-seconds=40",
        f"--node-ip={HOST}",
        f"--server-address={HOST}:{port}",
    )
    return Process(f"member-{member}-kwok", argv, (port,), f"http://{HOST}:{port}/healthz")
