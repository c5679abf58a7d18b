#!/usr/bin/env python3
"""Makes this machine a node of its cluster, by the order that comes as JSON on standard input.

Runs on the machine, once, over SSH, on first boot; run again, it goes on where it was. It alone
decides whether a cluster is founded: only when it may, and nobody answers for the cluster. The
standard library must do, since nothing else is installed.
"""

import http.client
import ipaddress
import json
import os
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Order = dict[str, Any]
Place = tuple[str, str]
"""An address and the interface that has it."""
T = TypeVar("T")

ROOT = Path("/")
PREPARED = "etc/rancher/k3s/prepared"
CONFIG = "etc/rancher/k3s/config.yaml.d/10-enrolment.yaml"
ASKED = 5  # times, so that a short outage is not taken for an absent cluster
PAUSE = 3.0  # seconds between two questions
PORT = 6443
DEADLINES = {"first boot": 600, "networks": 300, "etcd": 300, "k3s": 600}  # seconds
SYSTEMCTL = "/usr/bin/systemctl"


class RefusedError(Exception):
    """The machine cannot become a node; the message says why."""


def wait(what: str, question: Callable[[], T | None], deadline: float) -> T:
    """The first answer to *question* that is not empty.

    Raises:
        RefusedError: there was none within *deadline* seconds.
    """
    end = time.monotonic() + deadline
    while True:
        found = question()
        if found:
            return found
        if time.monotonic() > end:
            raise RefusedError(f"waited {deadline} s for {what}")
        time.sleep(PAUSE)


def own_addresses() -> list[Place]:
    """The machine's IPv4 addresses, each with its interface."""
    shown = subprocess.run(
        ["/usr/sbin/ip", "-json", "-4", "address"], check=True, capture_output=True
    )
    return [
        (entry["local"], link["ifname"])
        for link in json.loads(shown.stdout)
        for entry in link["addr_info"]
    ]


def attached(networks: dict[str, str], addresses: list[Place]) -> dict[str, Place] | None:
    """The place in each of *networks* by its name; None while one is missing."""
    found = {
        name: place
        for name, text in networks.items()
        for place in addresses
        if ipaddress.IPv4Address(place[0]) in ipaddress.IPv4Network(text)
    }
    return found if len(found) == len(networks) else None


def ask(order: Order, host: str, method: str, path: str, *, identified: bool = False) -> int | None:
    """The status of a request to the API at *host*; None where nobody answers.

    Args:
        order: whose authority must have signed what *host* shows.
        host: an address.
        method: of the request.
        path: of the request.
        identified: whether to ask as the administrator.

    Raises:
        RefusedError: somebody answers who is not this cluster.
    """
    context = ssl.create_default_context(cadata=order["authority"])
    context.check_hostname = False  # the authority is this cluster's alone
    if identified:
        with tempfile.NamedTemporaryFile("w", dir=ROOT / "run") as file:  # memory, not a disk
            file.write(order["administrator"])
            file.flush()
            context.load_cert_chain(file.name)
    connection = http.client.HTTPSConnection(host, PORT, timeout=10, context=context)
    try:
        connection.request(method, path)
        return connection.getresponse().status
    except ssl.SSLCertVerificationError as error:
        raise RefusedError(f"{host} shows a certificate of another cluster: {error}") from None
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def answers(order: Order) -> bool:
    """Whether the cluster exists: any of its addresses answers, asked several times."""
    for attempt in range(ASKED):
        if attempt:
            time.sleep(PAUSE)
        if any(ask(order, host, "GET", "/ping") is not None for host in order["hosts"]):
            return True
    return False


def founds(order: Order) -> bool:
    """Whether this machine founds the cluster.

    Raises:
        RefusedError: it must join one that is not there.
    """
    if answers(order):
        return False
    if order["mayFound"]:
        return True
    raise RefusedError(
        "the cluster was founded before and nobody answers for it at "
        f"{', '.join(order['hosts'])}; bring a server of it back, or restore it from a snapshot"
    )


def forget(order: Order) -> None:
    """Take the predecessor of the same name out of the cluster, and of etcd with it.

    Raises:
        RefusedError: the cluster does not let it go.
    """
    node = f"/api/v1/nodes/{order['name']}"
    password = f"/api/v1/namespaces/kube-system/secrets/{order['name']}.node-password.k3s"

    def call(method: str, path: str) -> int | None:
        return ask(order, order["hosts"][0], method, path, identified=True)

    for path in (node, password):
        status = call("DELETE", path)
        if status not in (200, 202, 404):
            raise RefusedError(f"DELETE {path} answered {status}")
    wait("etcd to let the predecessor go", lambda: call("GET", node) == 404, DEADLINES["etcd"])


def configuration(order: Order, places: dict[str, Place], *, founding: bool) -> dict[str, Any]:
    """What k3s is told beyond what first boot wrote: secrets, addresses, whom to join."""
    address, _ = places["management"]
    _, interface = places["workload"]
    own = {"node-ip": address, "flannel-iface": interface}
    if order["role"] == "server":
        own["advertise-address"] = address
    start: dict[str, Any] = {"server": f"https://{order['hosts'][0]}:{PORT}"}
    if founding:  # a cluster that is not there yet has no authority to hold the token against
        start = {"cluster-init": True, "token": order["config"]["token"].rsplit(":", 1)[1]}
    return {**order["config"], **own, **start}


def write(path: Path, text: str) -> None:
    """Write a file that root alone can read, at once or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = path.with_name(f"{path.name}.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    part.rename(path)


def enter(order: Order) -> None:
    """Write what makes k3s found or join the cluster, unless that is done.

    Raises:
        RefusedError: it can do neither.
    """
    if (ROOT / CONFIG).exists():
        return
    places = wait(
        "both private networks",
        lambda: attached(order["networks"], own_addresses()),
        DEADLINES["networks"],
    )
    server = order["role"] == "server"
    founding = server and founds(order)
    if founding:
        for name, text in order["files"].items():
            write(ROOT / name, text)
    elif server:
        forget(order)
    write(ROOT / CONFIG, json.dumps(configuration(order, places, founding=founding)))


def healthy(order: Order) -> bool:
    """Whether this node serves."""
    if order["role"] == "server":
        return ask(order, "127.0.0.1", "GET", "/readyz", identified=True) == 200
    connection = http.client.HTTPConnection("127.0.0.1", 10248, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def close() -> None:
    """End SSH on this machine and forget the key that it was known by."""
    subprocess.run([SYSTEMCTL, "disable", "--now", "ssh.socket", "ssh.service"], check=False)
    for key in (ROOT / "etc/ssh").glob("ssh_host_*"):
        key.unlink()


def main() -> None:
    """Carry the order out."""
    order: Order = json.load(sys.stdin)
    try:
        wait(
            "first boot to end (see /var/log/cloud-init-output.log)",
            (ROOT / PREPARED).exists,
            DEADLINES["first boot"],
        )
        enter(order)
        subprocess.run([SYSTEMCTL, "enable", "--now", "k3s.service"], check=True)
        wait("k3s to be ready (see journalctl -u k3s)", lambda: healthy(order), DEADLINES["k3s"])
    except RefusedError as refused:
        sys.exit(f"{order['name']}: {refused}")
    close()


if __name__ == "__main__":
    main()
