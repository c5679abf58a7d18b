"""The processes of the real Karmada, and how soon it notices things in a lab.

Owns their names, ports and flags, and what they need on the Karmada API before they start: the
service of the aggregated API server. Where the programs come from is in ``installation``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lab.karmada.installation import Installation
from lab.kubernetes.api_server import election_flag, etcd_flags, kubeconfig_flags, serving_flags
from lab.kubernetes.pki import AGGREGATED
from lab.processes.control import Process
from lab.site import HOST, KARMADA, Site

SYSTEM = "karmada-system"
"""The namespace of Karmada's components."""

_AGGREGATED, _WEBHOOK = "karmada-aggregated-apiserver", "karmada-webhook"
CONTROLLERS, _SCHEDULER = "karmada-controller-manager", "karmada-scheduler"

PROCESSES = (_AGGREGATED, _WEBHOOK, CONTROLLERS, _SCHEDULER)
"""Their names, in the order of their start."""

FRONTS = (_AGGREGATED, _WEBHOOK)
"""The ports that others call by one address, however many instances listen behind it."""

# A lab has many clients of one API server on one machine; Karmada's defaults of 40 requests a
# second would make every measurement one of its throttle.
UNTHROTTLED = ("--kube-api-qps=1000", "--kube-api-burst=2000")


@dataclass(frozen=True)
class Timing:
    """How soon Karmada notices things; its own defaults are 10, 30, 30 and 600 s, and 0.5/s.

    Attributes:
        status: seconds between two looks at a member.
        failure: seconds of failures until a member counts as not ready.
        success: seconds of successes until it counts as ready again.
        eviction: seconds until an evicted copy goes although its successors are not healthy.
        eviction_rate: bindings evicted in a second.
    """

    status: int = 2
    failure: int = 2
    success: int = 1
    eviction: int = 5
    eviction_rate: float = 100


def ports(instances: Sequence[str]) -> tuple[str, ...]:
    """What the ports of *instances* of each are for."""
    return tuple(f"{name}{at}" for name in PROCESSES for at in instances)


def aggregated_api_server(site: Site, installation: Installation, at: str) -> Process:
    """The server of the kind Cluster, behind the Karmada API."""
    name = f"{_AGGREGATED}{at}"
    argv = (
        str(installation.program(_AGGREGATED)),
        *serving_flags(site, name),
        *kubeconfig_flags(site, KARMADA),
        *etcd_flags(site, KARMADA),
        *UNTHROTTLED,
    )
    return Process(name, argv, (site.ports[name],), f"{site.url(name)}/readyz")


def elected(
    site: Site,
    installation: Installation,
    program: str,
    at: str,
    flags: Sequence[str],
    *,
    elect: bool = False,
) -> Process:
    """An instance of a component that leaves the work to one of its kind; *flags* are its own.

    With *elect* it is elected although it may be the only one.
    """
    name = f"{program}{at}"
    port = site.ports[name]
    argv = (
        str(installation.program(program)),
        f"--kubeconfig={site.kubeconfig()}",
        election_flag(elect=elect or site.replicated),
        "--metrics-bind-address=0",
        f"--health-probe-bind-address={HOST}:{port}",
        *flags,
        *UNTHROTTLED,
    )
    return Process(name, argv, (port,), f"http://{HOST}:{port}/healthz")


def webhook(site: Site, installation: Installation, at: str) -> Process:
    """The admission of policies and bindings, without which no binding gets its identity."""
    name, server = f"{_WEBHOOK}{at}", site.pki.server
    argv = (
        str(installation.program(_WEBHOOK)),
        f"--kubeconfig={site.kubeconfig()}",
        f"--bind-address={HOST}",
        f"--secure-port={site.ports[name]}",
        f"--cert-dir={server.public.parent}",
        f"--tls-cert-file-name={server.public.name}",
        f"--tls-private-key-file-name={server.key.name}",
        "--metrics-bind-address=0",
        "--health-probe-bind-address=0",
        "--allow-no-execute-taint-policy=true",
        *UNTHROTTLED,
    )
    return Process(name, argv, (site.ports[name],), f"{site.url(name)}/readyz/")


def controllers(
    site: Site, installation: Installation, at: str, timing: Timing, *, elect: bool
) -> Process:
    """Karmada's controllers, with all that failover needs switched on; with *elect*, elected."""
    flags = (
        "--feature-gates=Failover=true",
        "--enable-no-execute-taint-eviction=true",
        f"--resource-eviction-rate={timing.eviction_rate}",
        f"--cluster-status-update-frequency={timing.status}s",
        f"--cluster-success-threshold={timing.success}s",
        f"--cluster-failure-threshold={timing.failure}s",
        f"--graceful-eviction-timeout={timing.eviction}s",
        "--cluster-api-qps=1000",
        "--cluster-api-burst=2000",
    )
    return elected(site, installation, CONTROLLERS, at, flags, elect=elect)


def scheduler(
    site: Site, installation: Installation, at: str, flags: Sequence[str] = ()
) -> Process:
    """The scheduler that divides; *flags* say whom it asks besides."""
    return elected(site, installation, _SCHEDULER, at, flags)


def aggregation(site: Site, ca_bundle: str) -> list[dict[str, Any]]:
    """The objects by which the Karmada API asks the aggregated API server for clusters.

    Args:
        site: the lab.
        ca_bundle: the lab's authority, encoded, which signed that server's certificate.
    """
    namespace, name = SYSTEM, AGGREGATED
    return [
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": name, "namespace": namespace},
            # By a name that needs no resolver: nobody decides for us between IPv4 and IPv6.
            "spec": {"type": "ExternalName", "externalName": HOST},
        },
        {
            "apiVersion": "apiregistration.k8s.io/v1",
            "kind": "APIService",
            "metadata": {"name": "v1alpha1.cluster.karmada.io"},
            "spec": {
                "group": "cluster.karmada.io",
                "version": "v1alpha1",
                "groupPriorityMinimum": 2000,
                "versionPriority": 10,
                "caBundle": ca_bundle,
                "service": {"name": name, "namespace": namespace, "port": site.ports[_AGGREGATED]},
            },
        },
    ]


def webhook_configurations(site: Site, installation: Installation) -> list[dict[str, Any]]:
    """The admission configurations, for the webhook of this lab."""
    return installation.webhooks(site.url(_WEBHOOK), site.pki.ca.public)
