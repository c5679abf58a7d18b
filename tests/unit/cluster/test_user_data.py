"""The first boot of a node."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from components.cluster.hetzner.addresses import plan
from components.cluster.hetzner.user_data import LIMIT, FirstBoot, render
from tests.unit.cluster.clusters import cluster, pool

HOST_KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nplanted\n-----END OPENSSH PRIVATE KEY-----\n"


def boot(role: str, **changes: Any) -> str:
    """The user data of a server or of an agent of the first pool."""
    made = cluster(**changes)
    found = made.pools[0] if role == "agent" else None
    first = FirstBoot(f"alpha-{role}-1", plan(made.addresses, 3), found, made.k3s, "amd64")
    return render(first, HOST_KEY, "ssh-ed25519 AAAA\n")


def files(text: str) -> dict[str, str]:
    """What cloud-init writes, by path."""
    return {entry["path"]: entry["content"] for entry in yaml.safe_load(text)["write_files"]}


LARGEST = {
    "pools": [
        pool(
            "x" * 12,
            1,
            labels={f"{'d' * 92}.example/{index:026}": "v" * 63 for index in range(20)},
            taints=[{"key": "k" * 63, "value": "v" * 63, "effect": "NoSchedule"} for _ in range(5)],
        )
    ]
}
"""A pool with as much to say as the settings allow."""


@pytest.mark.parametrize("role", ["server", "agent"])
def test_user_data_is_below_the_limit(role: str) -> None:
    """With the longest labels and taints that the settings allow, and a real host key's length."""
    assert len(boot(role, **LARGEST).encode()) + 500 < LIMIT


@pytest.mark.parametrize("role", ["server", "agent"])
def test_user_data_is_a_cloud_config(role: str) -> None:
    """It begins with the line by which cloud-init knows it, and forbids passwords."""
    text = boot(role, pools=[pool("web", 1)])
    assert text.startswith("#cloud-config\n")
    content = yaml.safe_load(text)
    assert content["ssh_pwauth"] is False
    assert content["ssh_keys"]["ed25519_private"] == HOST_KEY
    assert content["runcmd"] == [["/usr/local/sbin/prepare"]]
    assert "PasswordAuthentication no" in files(text)["/etc/ssh/sshd_config.d/10-first-boot.conf"]


@pytest.mark.skipif(shutil.which("cloud-init") is None, reason="cloud-init is not installed")
@pytest.mark.parametrize("role", ["server", "agent"])
def test_cloud_init_itself_accepts_it(role: str, tmp_path: Path) -> None:
    """By cloud-init's own schema check."""
    file = tmp_path / "user-data"
    file.write_text(boot(role, **LARGEST), "utf-8")
    done = subprocess.run(
        [str(shutil.which("cloud-init")), "schema", "--config-file", str(file)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_server_encrypts_audits_and_runs_no_workload() -> None:
    """Secrets at rest, the pod network, an audit log without contents, a taint."""
    text = boot("server")
    config = yaml.safe_load(files(text)["/etc/rancher/k3s/config.yaml"])
    assert config["secrets-encryption"] is True
    assert config["flannel-backend"] == "wireguard-native"
    assert config["node-taint"] == ["node-role.kubernetes.io/control-plane=:NoSchedule"]
    assert "audit-policy-file=/etc/rancher/k3s/audit.yaml" in config["kube-apiserver-arg"]
    policy = yaml.safe_load(files(text)["/etc/rancher/k3s/audit.yaml"])
    assert {rule["level"] for rule in policy["rules"]} == {"None", "Metadata"}


def test_an_agent_carries_its_pool_s_labels_and_taints() -> None:
    """And nothing that is a server's."""
    taint = {"key": "gpu", "effect": "NoSchedule"}
    text = boot("agent", pools=[pool("web", 1, labels={"disk": "fast"}, taints=[taint])])
    config = yaml.safe_load(files(text)["/etc/rancher/k3s/config.yaml"])
    assert config["node-label"] == ["disk=fast"]
    assert config["node-taint"] == ["gpu=:NoSchedule"]
    assert "/etc/rancher/k3s/audit.yaml" not in files(text)
    assert "ExecStart=/usr/local/bin/k3s agent" in files(text)["/etc/systemd/system/k3s.service"]


def test_the_metadata_address_is_barred_before_k3s_starts() -> None:
    """By a route that binds the host and the pods behind it, on every boot."""
    unit = files(boot("agent", pools=[pool("web", 1)]))[
        "/etc/systemd/system/metadata-barred.service"
    ]
    assert "route replace prohibit 169.254.169.254/32" in unit
    assert re.search(r"^Before=.*\bk3s\.service\b", unit, re.MULTILINE)


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder in which the commands that first boot runs are stand-ins."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in ("systemctl", "sysctl"):
        (commands / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "{tmp_path}/log"\n')
    (commands / "curl").write_text(
        f'#!/bin/sh\necho curl >> "{tmp_path}/log"\n'
        'while [ "$1" != --output ]; do shift; done\nprintf binary > "$2"\n'
    )
    for command in commands.iterdir():
        command.chmod(0o755)
    for name in ("usr/local/bin", "etc/cloud", "etc/rancher/k3s", "var/log"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


def prepare(machine: Path, sha256: str) -> subprocess.CompletedProcess[str]:
    """Run the end of first boot on the stand-in machine."""
    sums = {"version": "v1.36.3+k3s1", "sha256": {"amd64": sha256}}
    script = files(boot("server", k3s=sums))["/usr/local/sbin/prepare"]
    for name in ("/usr/local/bin", "/etc/cloud", "/etc/rancher", "/var/log"):
        script = script.replace(name, f"{machine}{name}")
    return subprocess.run(
        ["/bin/sh", "-c", script],
        check=False,
        capture_output=True,
        text=True,
        env={"PATH": f"{machine / 'bin'}:/usr/bin:/bin"},
    )


BINARY = "9a3a45d01531a20e89ac6ae10b0b0beb0492acd7216a368aa062d1a5fecaf9cd"
"""The SHA-256 of the word ``binary``."""


def test_first_boot_run_again_changes_nothing(machine: Path) -> None:
    """k3s is fetched once, and cloud-init is off for the next boot."""
    assert prepare(machine, BINARY).returncode == 0
    assert (machine / "etc/cloud/cloud-init.disabled").exists()
    assert (machine / "usr/local/bin/k3s").read_text() == "binary"
    assert prepare(machine, BINARY).returncode == 0
    assert (machine / "log").read_text().splitlines().count("curl") == 1


def test_a_binary_with_another_checksum_is_not_run(machine: Path) -> None:
    """The machine stays unprepared, and its log says which checksum was wanted."""
    done = prepare(machine, "c" * 64)
    assert done.returncode == 1
    assert f"k3s has another checksum than {'c' * 64}" in done.stderr
    assert not (machine / "usr/local/bin/k3s").exists()
    assert not (machine / "etc/rancher/k3s/prepared").exists()
