"""A kube-apiserver and a kube-controller-manager of a lab, of the Karmada API and of members alike.

Owns the flags that all of them share: where they listen, who they trust, what they keep in the
lab's one etcd. Which of them a lab has is in ``control_plane`` and ``member``.
"""

from collections.abc import Sequence

from lab import tools
from lab.kubernetes.authority import trust
from lab.kubernetes.pki import Pair
from lab.processes.control import Process
from lab.site import HOST, Site

ETCD_PORT = "etcd"
"""What the port of etcd's clients is called."""


def etcd_flags(site: Site, prefix: str) -> tuple[str, ...]:
    """The flags by which an API server keeps what it has under *prefix* in the lab's etcd."""
    members = ",".join(site.url(f"{ETCD_PORT}{at}") for at in site.instances)
    return (
        f"--etcd-servers={members}",
        f"--etcd-prefix=/{prefix}",
        f"--etcd-cafile={site.pki.ca.public}",
        f"--etcd-certfile={site.pki.admin.public}",
        f"--etcd-keyfile={site.pki.admin.key}",
    )


def serving_flags(site: Site, port: str, pair: Pair | None = None) -> tuple[str, ...]:
    """The flags of a server of the Kubernetes kind: address, port and certificate.

    It presents *pair*, by default the lab's own.
    """
    presented = pair or site.pki.server
    return (
        f"--bind-address={HOST}",
        f"--secure-port={site.ports[port]}",
        f"--tls-cert-file={presented.public}",
        f"--tls-private-key-file={presented.key}",
    )


def kubeconfig_flags(site: Site, cluster: str) -> tuple[str, ...]:
    """The flags by which a component of *cluster* reaches it, and asks it who may talk to it."""
    file = site.kubeconfig(cluster)
    return tuple(f"--{use}kubeconfig={file}" for use in ("", "authentication-", "authorization-"))


def election_flag(*, elect: bool) -> str:
    """The flag by which a controller waits until it is the leader of its like, or does not."""
    return f"--leader-elect={str(elect).lower()}"


def api_server(
    site: Site,
    name: str,
    port: str,
    *,
    prefix: str,
    without: Sequence[str],
    pair: Pair | None = None,
) -> Process:
    """A kube-apiserver.

    Args:
        site: the lab.
        name: the process's name.
        port: what its port is called.
        prefix: under which it keeps what it has in etcd.
        without: the admission plugins that it goes without.
        pair: what it presents, by default the lab's own.

    Raises:
        FederationError: the tool is not built.
    """
    pki = site.pki
    argv = (
        str(tools.path("kube-apiserver")),
        *serving_flags(site, port, pair),
        # Nobody looks for this server through a Service, and no address but this one leads to it.
        f"--advertise-address={HOST}",
        "--endpoint-reconciler-type=none",
        *etcd_flags(site, prefix),
        "--authorization-mode=RBAC",
        # As every distribution has it: drivers of volumes and networks are privileged pods.
        "--allow-privileged=true",
        f"--disable-admission-plugins={','.join(without)}",
        f"--client-ca-file={pki.ca.public}",
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
    return Process(name, argv, (site.ports[port],), f"{site.url(port)}/readyz")


def controller_manager(
    site: Site,
    name: str,
    port: str,
    *,
    cluster: str,
    controllers: Sequence[str],
    elect: bool,
    flags: Sequence[str] = (),
) -> Process:
    """A kube-controller-manager of *cluster* with *controllers*.

    Args:
        site: the lab.
        name: the process's name.
        port: what its port is called.
        cluster: whose objects it looks after.
        controllers: which of its controllers run.
        elect: whether it has others beside it, of which one acts.
        flags: its own.

    Raises:
        FederationError: the tool is not built.
    """
    argv = (
        str(tools.path("kube-controller-manager")),
        *serving_flags(site, port),
        *kubeconfig_flags(site, cluster),
        f"--controllers={','.join(controllers)}",
        election_flag(elect=elect),
        f"--service-account-private-key-file={site.pki.service_accounts.key}",
        f"--root-ca-file={trust(site, cluster).root}",
        *flags,
    )
    return Process(name, argv, (site.ports[port],), f"{site.url(port)}/healthz")
