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
    addresses = plan(made.addresses, 3)
    first = FirstBoot(f"alpha-{role}-1", addresses, found, made.k3s, "amd64", made.add_ons)
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


def test_a_tuned_pool_is_tuned_at_first_boot() -> None:
    """Kubelet, kube-proxy and kernel are told; a pool without a profile is as it was."""
    plain = boot("agent", pools=[pool("web", 1)])
    tuned = boot("agent", pools=[pool("web", 1, profile="high-concurrency")])
    content = yaml.safe_load(files(tuned)["/etc/rancher/k3s/config.yaml"])
    assert {"max-pods=250", "cpu-manager-policy=static"} < set(content["kubelet-arg"])
    assert content["kube-proxy-arg"] == ["conntrack-max-per-core=131072"]
    (extra,) = set(files(tuned)) - set(files(plain))
    assert extra.startswith("/etc/sysctl.d/")
    assert "kube-proxy-arg" not in files(plain)["/etc/rancher/k3s/config.yaml"]


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


@pytest.mark.parametrize("role", ["server", "agent"])
def test_with_add_ons_hetzner_s_controller_initialises_the_node(role: str) -> None:
    """k3s's own is off, and the kubelet waits for another."""
    text = boot(role, pools=[pool("web", 1)], addOns=True)
    config = yaml.safe_load(files(text)["/etc/rancher/k3s/config.yaml"])
    assert config["kubelet-arg"][-1] == "cloud-provider=external"
    assert config.get("disable-cloud-controller", False) is (role == "server")
    plain = yaml.safe_load(
        files(boot(role, pools=[pool("web", 1)]))["/etc/rancher/k3s/config.yaml"]
    )
    assert "cloud-provider=external" not in plain["kubelet-arg"]
    assert "disable-cloud-controller" not in plain


def _in_a_network_of_its_own(script: str) -> subprocess.CompletedProcess[str]:
    """Run *script* as root of a network namespace with a pod's interface and a way out."""
    ground = """
        set -e
        ip link set lo up
        ip link add pods type veth peer name pod && ip link set pods up && ip link set pod up
        ip link add out type veth peer name world && ip link set out up && ip link set world up
        ip address add 10.42.0.1/24 dev pods
        ip address add 198.51.100.2/24 dev out
        ip route add default via 198.51.100.1 dev out
        echo 1 > /proc/sys/net/ipv4/ip_forward
    """
    return subprocess.run(
        ["unshare", "--map-root-user", "--net", "sh", "-c", ground + script],  # noqa: S607
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.mark.skipif(
    shutil.which("ip") is None or bool(_in_a_network_of_its_own("true").returncode),
    reason="no network namespace can be made here",
)
@pytest.mark.parametrize(("add_ons", "host"), [(False, False), (True, True)])
def test_pods_never_reach_the_metadata_address(add_ons: bool, host: bool) -> None:
    """By the kernel's own routing: pods reach the world and not it; the host if the driver must."""
    unit = files(boot("agent", pools=[pool("web", 1)], addOns=add_ons))[
        "/etc/systemd/system/metadata-barred.service"
    ]
    begun = "\n".join(re.findall(r"^ExecStart=/sbin/(.*)$", unit, re.MULTILINE))

    def reached(to: str, origin: str) -> bool:
        return not _in_a_network_of_its_own(f"{begun}\nip route get {to} {origin}").returncode

    pod = "from 10.42.0.9 iif pods"
    assert reached("203.0.113.9", pod)
    assert not reached("169.254.169.254", pod)
    assert reached("169.254.169.254", "") is host
