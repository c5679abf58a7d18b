"""Load balancers: turns, servers that are gone passed over, and ports that several share."""

import http.client
import http.server
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lab.kubernetes.control_plane import balancer
from lab.processes import control, ports
from lab.processes.state import Running
from lab.site import Site

INSTANCES = ("-0", "-1")
FRONT = "front"


@contextmanager
def server(port: int, name: str) -> Iterator[None]:
    """A server on *port* that answers every request with *name*."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(name.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    running = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    try:
        yield
    finally:
        running.shutdown()
        running.server_close()
        thread.join()


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A lab of two balancers before two servers."""
    names = (FRONT, *(f"{name}{at}" for name in (FRONT, "load-balancer") for at in INSTANCES))
    return Site(tmp_path, ports.free(names, taken=()), INSTANCES)


@pytest.fixture
def balancers(site: Site) -> Iterator[list[Running]]:
    """Both balancers, ready."""
    planned = [balancer(site, at, [FRONT]) for at in INSTANCES]
    log = site.folder / "log"
    running = [control.start(process, log, site.folder) for process in planned]
    try:
        for process, started in zip(planned, running, strict=True):
            control.wait_ready(process, started, log, ssl.create_default_context())
        yield running
    finally:
        control.stop(running)


def asked(site: Site) -> str:
    """Who answers on the common port; empty where the connection is closed."""
    connection = http.client.HTTPConnection("127.0.0.1", site.ports[FRONT], timeout=10)
    try:
        connection.request("GET", "/")
        return connection.getresponse().read().decode()
    except (http.client.RemoteDisconnected, ConnectionResetError):
        return ""
    finally:
        connection.close()


@pytest.mark.usefixtures("balancers")
def test_servers_take_turns_and_those_that_are_gone_are_passed_over(site: Site) -> None:
    """Every connection is served as long as one server is there; without any it is closed."""
    with server(site.ports[f"{FRONT}-0"], "zero"):
        with server(site.ports[f"{FRONT}-1"], "one"):
            assert {asked(site) for _ in range(20)} == {"zero", "one"}
        assert {asked(site) for _ in range(20)} == {"zero"}
    assert asked(site) == ""


def test_one_balancer_is_enough(site: Site, balancers: list[Running]) -> None:
    """Both listen on the same port, which goes on when one of them ends."""
    with server(site.ports[f"{FRONT}-1"], "one"):
        control.stop(balancers[:1])
        assert {asked(site) for _ in range(20)} == {"one"}
        control.stop(balancers[1:])
        with socket.socket() as client, pytest.raises(ConnectionRefusedError):
            client.connect(("127.0.0.1", site.ports[FRONT]))
