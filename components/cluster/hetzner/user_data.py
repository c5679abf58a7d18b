"""What a server is told at its creation: cloud-init's user data.

Owns the whole of first boot. User data can be read by whoever is root on the server, for as long as
it lives, and by Hetzner: so it holds no secret but the SSH host key, which the server forgets as
soon as it is enrolled (``enrolment.py`` brings the others).

Source: cloud-init documentation, "Cloud config examples"; k3s documentation, "Configuration File".
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import jinja2
import yaml

from components.cluster.hetzner import tuning
from components.cluster.hetzner.addresses import AddressPlan
from components.cluster.hetzner.facts import EVICTION, RESERVED_CPU, RESERVED_MEMORY
from components.settings.hetzner import K3s, Pool

LIMIT = 32 * 1024
"""Bytes of user data that Hetzner Cloud takes."""

_FILES = Path(__file__).parent / "first_boot"
_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(_FILES),
    undefined=jinja2.StrictUndefined,
    keep_trailing_newline=True,
    autoescape=False,  # noqa: S701 - shell and units, whose values are checked by the settings
)
_RELEASES = "https://github.com/k3s-io/k3s/releases/download"


@dataclass(frozen=True)
class FirstBoot:
    """What the first boot of a node is made from.

    Attributes:
        name: of the server.
        plan: the addresses of the cluster.
        pool: the pool of an agent; None for a server of the control plane.
        k3s: the release to run.
        architecture: of the server's type.
        add_ons: whether Hetzner's cloud controller is to initialise the node, and its CSI driver to
            read the metadata address from the host.
    """

    name: str
    plan: AddressPlan
    pool: Pool | None
    k3s: K3s
    architecture: Literal["amd64", "arm64"]
    add_ons: bool


def render(boot: FirstBoot, host_key: str, host_key_public: str) -> str:
    """The user data of a server.

    Args:
        boot: the node.
        host_key: the SSH host key by which the server is known until it is enrolled; ED25519 in
            OpenSSH form.
        host_key_public: its public half.
    """
    role = "server" if boot.pool is None else "agent"
    files = {
        "/etc/ssh/sshd_config.d/10-first-boot.conf": _text("sshd.conf"),
        "/etc/sysctl.d/90-kubelet.conf": _text("sysctl.conf"),
        "/etc/systemd/system/metadata-barred.service": _filled(
            "metadata-barred.service.j2", host=not boot.add_ons
        ),
        "/etc/systemd/system/k3s.service": _filled("k3s.service.j2", role=role),
        "/etc/rancher/k3s/config.yaml": yaml.safe_dump(k3s_config(boot)),
        "/usr/local/sbin/enrol": _text("enrol.py"),
        "/usr/local/sbin/prepare": _filled("prepare.sh.j2", **_download(boot)),
    }
    if boot.pool is None:
        files["/etc/rancher/k3s/audit.yaml"] = _text("audit.yaml")
    elif boot.pool.profile:
        files["/etc/sysctl.d/91-high-concurrency.conf"] = _text(tuning.SYSCTLS)
    content = {
        "hostname": boot.name,
        "preserve_hostname": False,
        "ssh_pwauth": False,
        "ssh_deletekeys": True,
        "ssh_keys": {"ed25519_private": host_key, "ed25519_public": host_key_public},
        "write_files": [
            {"path": path, "content": text, "permissions": _mode(path)}
            for path, text in files.items()
        ],
        "runcmd": [["/usr/local/sbin/prepare"]],
    }
    return "#cloud-config\n" + yaml.safe_dump(content, sort_keys=False, width=1000)


def k3s_config(boot: FirstBoot) -> dict[str, Any]:
    """What k3s is told on this node, but for secrets and for whom to join."""
    common: dict[str, Any] = {
        "protect-kernel-defaults": True,
        "kubelet-arg": [
            f"system-reserved=cpu={RESERVED_CPU}m,memory={RESERVED_MEMORY}Mi",
            f"eviction-hard=memory.available<{EVICTION}Mi,nodefs.available<10%,imagefs.available<10%",
            *(["cloud-provider=external"] if boot.add_ons else []),
        ],
    }
    if boot.pool is not None:
        common["kubelet-arg"] += tuning.kubelet(boot.pool)
        return {
            **common,
            **tuning.k3s(boot.pool),
            # A replaced agent comes back under a new name: the old one's password is not its own.
            "with-node-id": True,
            "node-label": [f"{key}={value}" for key, value in sorted(boot.pool.labels.items())],
            "node-taint": [
                f"{taint.key}={taint.value or ''}:{taint.effect}" for taint in boot.pool.taints
            ],
        }
    return {
        **common,
        "node-name": boot.name,
        "node-taint": ["node-role.kubernetes.io/control-plane=:NoSchedule"],
        "cluster-cidr": boot.plan.pods,
        "service-cidr": boot.plan.services,
        "cluster-dns": boot.plan.dns,
        "flannel-backend": "wireguard-native",
        "secrets-encryption": True,
        "write-kubeconfig-mode": "0600",
        "disable": ["local-storage", "servicelb", "traefik"],
        **({"disable-cloud-controller": True} if boot.add_ons else {}),
        "kube-apiserver-arg": [
            "audit-policy-file=/etc/rancher/k3s/audit.yaml",
            "audit-log-path=/var/log/kubernetes/audit.log",
            "audit-log-maxage=30",
            "audit-log-maxbackup=10",
            "audit-log-maxsize=100",
        ],
    }


def _download(boot: FirstBoot) -> dict[str, str]:
    file = "k3s" if boot.architecture == "amd64" else f"k3s-{boot.architecture}"
    checksum = getattr(boot.k3s.sha256, boot.architecture)
    return {"url": f"{_RELEASES}/{quote(boot.k3s.version)}/{file}", "sha256": checksum}


def _text(name: str) -> str:
    return (_FILES / name).read_text("utf-8")


def _filled(name: str, **values: str | bool) -> str:
    return _TEMPLATES.get_template(name).render(values)


def _mode(path: str) -> str:
    return "0755" if path.startswith("/usr/local/sbin/") else "0644"
