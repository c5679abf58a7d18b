"""Which processes make a lab, and with which flags.

Owns the list of processes and of the ports that they need. The API server is a stock one, with the
flags that Karmada's installers give it: what makes it a Karmada API are the kinds that ``objects``
puts there. How a process is started and watched is in ``processes``.
"""

from collections.abc import Mapping
from pathlib import Path

from lab import tools
from lab.pki import Pki
from lab.processes import Process

ETCD, API_SERVER, CONTROLLERS = "etcd", "karmada-apiserver", "kube-controller-manager"

PROCESSES = (ETCD, API_SERVER, CONTROLLERS)
"""The names of a lab's processes, in the order of their start: each needs those before it."""

_PORT_ETCD, _PORT_ETCD_PEER = "etcd", "etcd-peer"
_PORT_API, _PORT_CONTROLLERS = "karmada", "kube-controller-manager"

PORTS = (_PORT_ETCD, _PORT_ETCD_PEER, _PORT_API, _PORT_CONTROLLERS)
"""What a lab's ports are for. New ones go to the end: ``--port-base`` counts from the first."""

_HOST = "127.0.0.1"


_CONTROLLERS = (
    "namespace",
    "garbagecollector",
    "serviceaccount-token",
    "ttl-after-finished",
    "clusterrole-aggregation",
)


def server(ports: Mapping[str, int]) -> str:
    """The address of the Karmada API."""
    return f"https://{_HOST}:{ports[_PORT_API]}"


def processes(
    ports: Mapping[str, int], pki: Pki, kubeconfig: Path, data: Path
) -> tuple[Process, ...]:
    """The processes of a lab, in the order of their start.

    Args:
        ports: a port for each of ``PORTS``.
        pki: the lab's certificates.
        kubeconfig: how a controller reaches the Karmada API.
        data: the folder of what etcd keeps.

    Raises:
        FederationError: a tool is not built.
    """
    return (
        _etcd(ports, pki, data),
        _api_server(ports, pki),
        _controllers(ports, pki, kubeconfig),
    )


def _etcd(ports: Mapping[str, int], pki: Pki, data: Path) -> Process:
    client, peer = (f"https://{_HOST}:{ports[port]}" for port in (_PORT_ETCD, _PORT_ETCD_PEER))
    argv = (
        str(tools.path("etcd")),
        "--name=lab",
        f"--data-dir={data / 'etcd'}",
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
    return Process(ETCD, argv, (ports[_PORT_ETCD], ports[_PORT_ETCD_PEER]), f"{client}/health")


def _api_server(ports: Mapping[str, int], pki: Pki) -> Process:
    argv = (
        str(tools.path("kube-apiserver")),
        f"--bind-address={_HOST}",
        f"--secure-port={ports[_PORT_API]}",
        # Nobody looks for this server through a Service, and no address but this one leads to it.
        f"--advertise-address={_HOST}",
        "--endpoint-reconciler-type=none",
        f"--etcd-servers=https://{_HOST}:{ports[_PORT_ETCD]}",
        "--etcd-prefix=/karmada",
        f"--etcd-cafile={pki.ca.public}",
        f"--etcd-certfile={pki.admin.public}",
        f"--etcd-keyfile={pki.admin.key}",
        "--authorization-mode=RBAC",
        "--disable-admission-plugins=StorageObjectInUseProtection,ServiceAccount",
        f"--client-ca-file={pki.ca.public}",
        f"--tls-cert-file={pki.server.public}",
        f"--tls-private-key-file={pki.server.key}",
        "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
        f"--service-account-key-file={pki.service_accounts.public}",
        f"--service-account-signing-key-file={pki.service_accounts.key}",
        "--service-cluster-ip-range=10.96.0.0/16",
        f"--proxy-client-cert-file={pki.front_proxy.public}",
        f"--proxy-client-key-file={pki.front_proxy.key}",
        f"--requestheader-client-ca-file={pki.front_proxy_ca.public}",
        "--requestheader-allowed-names=front-proxy-client",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-username-headers=X-Remote-User",
    )
    return Process(API_SERVER, argv, (ports[_PORT_API],), f"{server(ports)}/readyz")


def _controllers(ports: Mapping[str, int], pki: Pki, kubeconfig: Path) -> Process:
    """The controllers that deletion needs.

    Without the garbage collector a foreground deletion, which Pulumi asks for, never ends; without
    the namespace controller no namespace does.
    """
    port = ports[_PORT_CONTROLLERS]
    argv = (
        str(tools.path("kube-controller-manager")),
        f"--bind-address={_HOST}",
        f"--secure-port={port}",
        f"--tls-cert-file={pki.server.public}",
        f"--tls-private-key-file={pki.server.key}",
        f"--kubeconfig={kubeconfig}",
        f"--authentication-kubeconfig={kubeconfig}",
        f"--authorization-kubeconfig={kubeconfig}",
        f"--controllers={','.join(_CONTROLLERS)}",
        "--leader-elect=false",
        f"--service-account-private-key-file={pki.service_accounts.key}",
        f"--root-ca-file={pki.ca.public}",
    )
    return Process(CONTROLLERS, argv, (port,), f"https://{_HOST}:{port}/healthz")
