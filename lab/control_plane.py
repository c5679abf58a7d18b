"""The processes that every lab has: etcd, the Karmada API and the controllers that deletion needs.

Owns their names, ports and flags. The API server is a stock one, with the flags that Karmada's
installers give it: what makes it a Karmada API are the kinds that ``objects`` puts there, and the
real Karmada's processes are in ``karmada``. How a process is started and watched is in
``processes``.
"""

from lab import tools
from lab.api_server import ETCD_PORT, api_server, controller_manager
from lab.processes import Process
from lab.site import KARMADA, Site

ETCD, API_SERVER, CONTROLLERS = "etcd", "karmada-apiserver", "kube-controller-manager"

PROCESSES = (ETCD, API_SERVER, CONTROLLERS)
"""Their names, in the order of their start: each needs those before it."""

_PORT_ETCD_PEER, _PORT_CONTROLLERS = "etcd-peer", "kube-controller-manager"

PORTS = (ETCD_PORT, _PORT_ETCD_PEER, KARMADA, _PORT_CONTROLLERS)
"""What their ports are for. ``--port-base`` counts from the first."""

_CONTROLLERS = (
    "namespace",
    "garbagecollector",
    "serviceaccount-token",
    "ttl-after-finished",
    "clusterrole-aggregation",
)


def etcd(site: Site) -> Process:
    """The one store of all API servers of the lab.

    Raises:
        FederationError: the tool is not built.
    """
    client, peer, pki = site.url(ETCD_PORT), site.url(_PORT_ETCD_PEER), site.pki
    argv = (
        str(tools.path("etcd")),
        "--name=lab",
        f"--data-dir={site.data / 'etcd'}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=lab={peer}",
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
    ports = (site.ports[ETCD_PORT], site.ports[_PORT_ETCD_PEER])
    return Process(ETCD, argv, ports, f"{client}/health")


def karmada_api_server(site: Site) -> Process:
    """The Karmada API.

    Raises:
        FederationError: the tool is not built.
    """
    without = ("StorageObjectInUseProtection", "ServiceAccount")
    return api_server(site, API_SERVER, KARMADA, prefix=KARMADA, without=without)


def karmada_controllers(site: Site) -> Process:
    """The controllers that deletion needs.

    Without the garbage collector a foreground deletion, which Pulumi asks for, never ends; without
    the namespace controller no namespace does.

    Raises:
        FederationError: the tool is not built.
    """
    return controller_manager(
        site, CONTROLLERS, _PORT_CONTROLLERS, cluster=KARMADA, controllers=_CONTROLLERS
    )
