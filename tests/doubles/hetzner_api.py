"""Hetzner Cloud's API as far as it is read: lists in pages, for who shows the token.

Owns the shapes, as the API reference publishes them. What lies in the project each test says.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from components.settings.hetzner import LOCATIONS

Plain = dict[str, Any]

CREATED = "2026-11-01T08:00:00+00:00"
PLURALS = ("servers", "load_balancers", "volumes", "networks", "primary_ips", "placement_groups")


@dataclass
class Api:
    """The API, as a test sees it.

    Attributes:
        endpoint: where it answers.
        token: whom it answers.
        things: what lies in the project, by the name of its list.
        broken: the status of every answer, where it is not to work.
    """

    endpoint: str = ""
    token: str = "planted-token"
    things: dict[str, list[Plain]] = field(default_factory=lambda: {name: [] for name in PLURALS})
    broken: int | None = None

    def answer(self, url: str, authorization: str | None) -> tuple[int, Plain]:
        """Status and body of a GET."""
        if self.broken is not None:
            return self.broken, _error("service_error", "an internal error has occurred")
        if authorization != f"Bearer {self.token}":
            return 401, _error("unauthorized", "unable to authenticate")
        asked = urlsplit(url)
        plural, query = asked.path.rsplit("/", 1)[-1], parse_qs(asked.query)
        found, page, size = self.things[plural], int(query["page"][0]), int(query["per_page"][0])
        last = max(1, -(-len(found) // size))
        pages = {
            "page": page,
            "per_page": size,
            "previous_page": page - 1 or None,
            "next_page": page + 1 if page < last else None,
            "last_page": last,
            "total_entries": len(found),
        }
        return 200, {
            plural: found[(page - 1) * size : page * size],
            "meta": {"pagination": pages},
        }


@contextmanager
def api() -> Iterator[Api]:
    """Serve the API for as long as a test uses it."""
    served = Api()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = served.answer(self.path, self.headers.get("Authorization"))
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Tests print nothing of their own."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        served.endpoint = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()


def server(number: int, name: str, *networks: int, kind: str = "cpx32", **labels: str) -> Plain:
    """A server in Falkenstein, in *networks*."""
    return _thing(number, name, labels) | {
        "status": "running",
        "server_type": {"id": 22, "name": kind},
        "location": location("fsn1"),
        "public_net": {"ipv4": None, "ipv6": None, "floating_ips": [], "firewalls": []},
        "private_net": [
            {"network": each, "ip": "10.0.0.2", "alias_ips": [], "mac_address": "86:00:ff:2a:7d:e1"}
            for each in networks
        ],
        "volumes": [],
        "placement_group": None,
    }


def load_balancer(
    number: int, name: str, *networks: int, kind: str = "lb11", **labels: str
) -> Plain:
    """A load balancer in Falkenstein, in *networks*."""
    return _thing(number, name, labels) | {
        "load_balancer_type": {"id": 1, "name": kind},
        "location": location("fsn1"),
        "algorithm": {"type": "round_robin"},
        "public_net": {
            "enabled": True,
            "ipv4": {"ip": "198.51.100.2", "dns_ptr": "lb.example.com"},
            "ipv6": {"ip": "2001:db8::1", "dns_ptr": "lb.example.com"},
        },
        "private_net": [{"network": each, "ip": "10.0.0.3"} for each in networks],
        "services": [],
        "targets": [],
    }


def volume(number: int, name: str, on: int | None, **labels: str) -> Plain:
    """A volume of 50 GB, on the server *on*."""
    return _thing(number, name, labels) | {
        "server": on,
        "location": location("fsn1"),
        "size": 50,
        "linux_device": f"/dev/disk/by-id/scsi-0HC_Volume_{number}",
        "format": "ext4",
        "status": "available",
    }


def network(number: int, name: str, **labels: str) -> Plain:
    """A network with one subnet."""
    subnet = {"type": "cloud", "ip_range": "10.0.0.0/24", "network_zone": "eu-central"}
    return _thing(number, name, labels) | {
        "ip_range": "10.0.0.0/16",
        "subnets": [{**subnet, "gateway": "10.0.0.1", "vswitch_id": None}],
        "routes": [],
        "servers": [],
        "expose_routes_to_vswitch": False,
    }


def primary_ip(number: int, name: str, on: int | None, kind: str = "ipv4", **labels: str) -> Plain:
    """An address, of the server *on*."""
    return _thing(number, name, labels) | {
        "ip": "198.51.100.7",
        "type": kind,
        "assignee_id": on,
        "assignee_type": "server",
        "auto_delete": True,
        "blocked": False,
        "dns_ptr": [],
        "location": location("fsn1"),
    }


def placement_group(number: int, name: str, **labels: str) -> Plain:
    """A group that keeps servers apart."""
    return _thing(number, name, labels) | {"type": "spread", "servers": []}


def location(name: str) -> Plain:
    """A location."""
    place = LOCATIONS[name]
    return {"id": 1, "name": name, "city": place.city, "network_zone": place.zone}


def _thing(number: int, name: str, labels: Plain) -> Plain:
    return {"id": number, "name": name, "created": CREATED, "labels": labels}


def _error(code: str, message: str) -> Plain:
    return {"error": {"code": code, "message": message, "details": {}}}
