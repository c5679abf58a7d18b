"""The processes that every lab has: etcd, the Karmada API and the controllers that deletion needs.

Owns their names, ports and flags. The API server is a stock one, with the flags that Karmada's
installers give it: what makes it a Karmada API are the kinds that ``karmada.objects`` puts there,
and the real Karmada's processes are in ``karmada.components``. Where there are several of each,
load balancers stand before them.
"""

import sys
from collections.abc import Sequence

from lab import tools
from lab.kubernetes import balancer as program
from lab.kubernetes.api_server import ETCD_PORT, api_server, controller_manager
from lab.processes.control import Process
from lab.site import HOST, KARMADA, Site

ETCD, API_SERVER, CONTROLLERS = "etcd", "karmada-apiserver", "kube-controller-manager"

PROCESSES = (ETCD, API_SERVER, CONTROLLERS)
"""Their names, in the order of their start: each needs those before it."""

_BALANCER = "load-balancer"
_PORT_ETCD_PEER, _PORT_CONTROLLERS = "etcd-peer", "kube-controller-manager"

_CONTROLLERS = (
    "csrsigning",
    "namespace",
    "garbagecollector",
    "serviceaccount-token",
    "ttl-after-finished",
    "clusterrole-aggregation",
)


def ports(instances: Sequence[str]) -> tuple[str, ...]:
    """What the ports of *instances* of each are for. ``--port-base`` counts from the first."""
    each = (ETCD_PORT, _PORT_ETCD_PEER, KARMADA, _PORT_CONTROLLERS)
    return tuple(f"{name}{at}" for name in each for at in instances)


def balancer_ports(instances: Sequence[str], fronts: Sequence[str]) -> tuple[str, ...]:
    """What the ports of the load balancers are for: *fronts*, and one for the health of each."""
    return (*fronts, *(f"{_BALANCER}{at}" for at in instances))


def etcd(site: Site, at: str) -> Process:
    """A member of the one store of all API servers of the lab.

    Raises:
        FederationError: the tool is not built.
    """
    name, pki = f"{ETCD}{at}", site.pki
    client, peer = site.url(f"{ETCD_PORT}{at}"), site.url(f"{_PORT_ETCD_PEER}{at}")
    members = (f"{ETCD}{each}={site.url(f'{_PORT_ETCD_PEER}{each}')}" for each in site.instances)
    argv = (
        str(tools.path("etcd")),
        f"--name={name}",
        f"--data-dir={site.data / name}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster={','.join(members)}",
        f"--cert-file={pki.server.public}",
        f"--key-file={pki.server.key}",
        f"--trusted-ca-file={pki.ca.public}",
        "--client-cert-auth",
        f"--peer-cert-file={pki.server.public}",
        f"--peer-key-file={pki.server.key}",
        f"--peer-trusted-ca-file={pki.ca.public}",
        "--peer-client-cert-auth",
        "--unsafe-no-fsync",  # a lab that is lost in a power cut is made again in seconds
    )
    listening = (site.ports[f"{ETCD_PORT}{at}"], site.ports[f"{_PORT_ETCD_PEER}{at}"])
    return Process(name, argv, listening, f"{client}/health")


def karmada_api_server(site: Site, at: str) -> Process:
    """A server of the Karmada API.

    Raises:
        FederationError: the tool is not built.
    """
    without = ("StorageObjectInUseProtection", "ServiceAccount")
    name, port = f"{API_SERVER}{at}", f"{KARMADA}{at}"
    return api_server(site, name, port, prefix=KARMADA, without=without)


def karmada_controllers(site: Site, at: str) -> Process:
    """The controllers that deletion needs.

    Without the garbage collector a foreground deletion, which Pulumi asks for, never ends; without
    the namespace controller no namespace does. And what signs the certificates of agents.

    Raises:
        FederationError: the tool is not built.
    """
    return controller_manager(
        site,
        f"{CONTROLLERS}{at}",
        f"{_PORT_CONTROLLERS}{at}",
        cluster=KARMADA,
        controllers=_CONTROLLERS,
        elect=site.replicated,
        flags=(
            f"--cluster-signing-cert-file={site.pki.ca.public}",
            f"--cluster-signing-key-file={site.pki.ca.key}",
        ),
    )


def balancer(site: Site, at: str, fronts: Sequence[str]) -> Process:
    """What stands before the instances that listen on *fronts*, as the address of all of them."""
    name = f"{_BALANCER}{at}"
    health = site.ports[name]
    behind: list[str] = []
    for front in fronts:
        servers = ",".join(str(site.ports[f"{front}{each}"]) for each in site.instances)
        behind.append(f"{site.ports[front]}={servers}")
    argv = (sys.executable, str(program.__file__), str(health), *behind)
    listening = (health, *(site.ports[front] for front in fronts))
    return Process(name, argv, listening, f"http://{HOST}:{health}/")
