"""Karmada's estimators, one for each full member, and the descheduler that asks them.

Owns their names, ports and flags, and how the Karmada API leads to them. They are no part of the
least Karmada: a scheduler that asks them divides by what fits on single nodes where a policy goes
by free room, and the descheduler takes back what stays unschedulable. Static weights know neither.

An estimator cannot be told an address to listen on: it is the one process of a lab that listens on
all of them, and it serves nobody who does not come with a certificate of the lab's own authority.
"""

from collections.abc import Sequence
from typing import Any

from lab.karmada.components import SYSTEM, elected
from lab.karmada.installation import Installation
from lab.processes.control import Process
from lab.site import HOST, Site

_ESTIMATOR, _DESCHEDULER = "karmada-scheduler-estimator", "karmada-descheduler"
_PORT = 10352
"""What Karmada calls an estimator's port; the service leads to the one that it has."""

PROGRAMS = (_ESTIMATOR, _DESCHEDULER)
"""What is needed of an installation."""

_INTERVAL, _THRESHOLD = "5s", "10s"
"""How often the descheduler looks, and how long a pod is pending until it counts; by default every
two minutes and five minutes."""


def ports(members: Sequence[str], instances: Sequence[str]) -> tuple[str, ...]:
    """What the ports of the estimators of *members* and of the deschedulers are for."""
    return (
        *(f"{_ESTIMATOR}/{member}{use}" for member in members for use in ("", "/health")),
        *(f"{_DESCHEDULER}{at}" for at in instances),
    )


def scheduler_flags(site: Site) -> tuple[str, ...]:
    """The flags of a scheduler that asks the estimators."""
    return ("--enable-scheduler-estimator=true", *_client_flags(site))


def _client_flags(site: Site) -> tuple[str, ...]:
    """The flags by which a component knows the estimators, and shows them who it is."""
    return (
        f"--scheduler-estimator-ca-file={site.pki.ca.public}",
        f"--scheduler-estimator-cert-file={site.pki.admin.public}",
        f"--scheduler-estimator-key-file={site.pki.admin.key}",
    )


def estimator(site: Site, installation: Installation, member: str) -> Process:
    """What tells how many replicas fit on the nodes of *member*."""
    port = site.ports[f"{_ESTIMATOR}/{member}"]
    health = site.ports[f"{_ESTIMATOR}/{member}/health"]
    argv = (
        str(installation.program(_ESTIMATOR)),
        f"--cluster-name={member}",
        f"--kubeconfig={site.kubeconfig(member)}",
        f"--server-port={port}",
        f"--grpc-auth-cert-file={site.pki.server.public}",
        f"--grpc-auth-key-file={site.pki.server.key}",
        f"--grpc-client-ca-file={site.pki.ca.public}",
        "--metrics-bind-address=0",
        f"--health-probe-bind-address={HOST}:{health}",
    )
    name = f"member-{member}-estimator"
    return Process(name, argv, (port, health), f"http://{HOST}:{health}/healthz")


def descheduler(site: Site, installation: Installation, at: str) -> Process:
    """What takes back replicas that stay unschedulable, where a policy divides by free room."""
    flags = (
        *_client_flags(site),
        f"--descheduling-interval={_INTERVAL}",
        f"--unschedulable-threshold={_THRESHOLD}",
    )
    return elected(site, installation, _DESCHEDULER, at, flags)


def services(site: Site, members: Sequence[str]) -> list[dict[str, Any]]:
    """The services by which scheduler and descheduler find the estimator of each of *members*."""
    return [
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": f"{_ESTIMATOR}-{member}", "namespace": SYSTEM},
            "spec": {
                "type": "ExternalName",
                "externalName": HOST,
                "ports": [{"port": _PORT, "targetPort": site.ports[f"{_ESTIMATOR}/{member}"]}],
            },
        }
        for member in members
    ]
