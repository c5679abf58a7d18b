"""Hetzner Cloud as far as a cluster needs it: numbers, addresses, and what its API refuses."""

import importlib.metadata
import itertools
from collections.abc import Iterable
from pathlib import Path

from components.settings.hetzner import LOCATIONS, server_types
from tests.doubles.provider import CloudError, Package
from tests.doubles.schema import Plain, Schema

GROUP_SIZE = 10
ATTACHMENTS = 100

REPLACING = {
    # Resources on the newer provider framework do not publish what replaces them.
    "PlacementGroup": {"type"},
    "SshKey": {"publicKey"},
    "ServerNetwork": {"serverId", "networkId", "subnetId", "ip"},
    "LoadBalancerNetwork": {"loadBalancerId", "networkId", "subnetId", "ip"},
}


class Hetzner:
    """The state behind the API that its limits are about.

    Args:
        schemas: the folder of the published ones.
        front: the public address of every load balancer; None: each has its own.

    Attributes:
        sold_out: server types that cannot be ordered, by location.
        broken: what every question is answered with; None: it works.
    """

    def __init__(self, schemas: Path, front: str | None = None) -> None:
        self._front = front
        self.sold_out: dict[str, set[str]] = {}
        self.broken: str | None = None
        self._numbers = itertools.count(1001)
        self._names: dict[str, tuple[str, str]] = {}
        self._addresses: dict[str, tuple[str, str]] = {}
        self._groups: dict[str, float] = {}
        self._servers: dict[str, Plain] = {}
        self.package = Package(
            name="hcloud",
            version=importlib.metadata.version("pulumi-hcloud"),
            schema=Schema.published(schemas / "hcloud-1.39.1.json.gz"),
            make=self._make,
            replacing=REPLACING,
            invoke=self._answer,
            remove=self._remove,
        )

    def _make(self, kind: str, inputs: Plain) -> tuple[str, Plain]:
        short = kind.rsplit(":", 1)[-1]
        number = next(self._numbers)
        identity = str(number)
        self._refuse(short, inputs)
        if "name" in inputs:
            self._names[identity] = (short, inputs["name"])
        if short == "NetworkSubnet":
            return f"{inputs['networkId']:.0f}-{inputs['ipRange']}", {"gateway": "10.0.0.1"}
        if short == "Server":
            self._groups[identity] = inputs["placementGroupId"]
            self._servers[identity] = inputs
            return identity, _server(number)
        if short == "ServerNetwork":
            self._addresses[identity] = (inputs["subnetId"], inputs.get("ip", identity))
            network = float(inputs["subnetId"].split("-")[0])
            return identity, {
                "networkId": network,
                "ip": inputs.get("ip", f"10.255.{number // 250 % 250}.{number % 250}"),
                "macAddress": "86:00:00:00:00:01",
                "aliasIps": [],
            }
        if short == "LoadBalancer":
            address = self._front or f"198.51.100.{number % 250}"
            return identity, {"ipv4": address, "ipv6": "2001:db8::1"}
        if short == "SshKey":
            return identity, {"fingerprint": "00:11"}
        return identity, {}

    def _refuse(self, short: str, inputs: Plain) -> None:
        """Refuse what the API refuses.

        Raises:
            CloudError: in the API's words.
        """
        if "name" in inputs and (short, inputs["name"]) in self._names.values():
            raise CloudError(f"{short} name is already used (uniqueness_error)")
        if short == "ServerNetwork":
            taken = [place for place in self._addresses.values() if place[0] == inputs["subnetId"]]
            if "ip" in inputs and (inputs["subnetId"], inputs["ip"]) in taken:
                raise CloudError("IP is not available (ip_not_available)")
            if len(taken) >= ATTACHMENTS:
                raise CloudError("network has too many attachments (resource_limit_exceeded)")
        if short == "Server":
            group = inputs["placementGroupId"]
            if list(self._groups.values()).count(group) >= GROUP_SIZE:
                raise CloudError("placement group is full (placement_error)")
            if inputs["serverType"] in self.sold_out.get(inputs["location"], ()):
                raise CloudError("server type is sold out (resource_unavailable)")

    def _remove(self, _: str, identity: str) -> None:
        for kept in (self._names, self._addresses, self._groups, self._servers):
            kept.pop(identity, None)

    def _answer(self, token: str, asked: Plain) -> Plain:
        if self.broken is not None:
            raise CloudError(self.broken)
        if token.endswith(":getServers"):
            key, _, value = asked["withSelector"].partition("=")
            return {
                "id": "0",
                "servers": [
                    _listed(int(number), inputs)
                    for number, inputs in self._servers.items()
                    if inputs["labels"].get(key) == value
                ],
            }
        if not token.endswith(":getServerTypes"):
            raise ValueError(f"the double has no function {token}")
        kinds = [
            {
                "id": index,
                "name": name,
                "description": name,
                "category": "",
                "architecture": "x86" if kind.architecture == "amd64" else "arm",
                "cores": kind.cores,
                "memory": kind.memory,
                "disk": 80,
                "cpuType": "shared",
                "storageType": "local",
                "includedTraffic": 0,
                "isDeprecated": False,
                "deprecationAnnounced": "",
                "unavailableAfter": "",
                "locations": list(self._locations(name)),
            }
            for index, (name, kind) in enumerate(server_types().items(), start=1)
        ]
        names = [kind["name"] for kind in kinds]
        return {
            "id": "0",
            "serverTypes": kinds,
            "names": names,
            "descriptions": names,
            "serverTypeIds": [str(kind["id"]) for kind in kinds],
        }

    def _locations(self, kind: str) -> Iterable[Plain]:
        for index, name in enumerate(LOCATIONS, start=1):
            yield {
                "id": index,
                "name": name,
                "available": kind not in self.sold_out.get(name, ()),
                "recommended": False,
                "isDeprecated": False,
                "deprecationAnnounced": "",
                "unavailableAfter": "",
            }


def _listed(number: int, inputs: Plain) -> Plain:
    """A server as it is listed."""
    same = ("name", "labels", "serverType", "location", "image")
    return {
        **_server(number),
        **{key: inputs[key] for key in same},
        "id": number,
        "backups": False,
        "deleteProtection": False,
        "firewallIds": [],
        "iso": "",
        "rebuildProtection": False,
        "rescue": "",
    }


def _server(number: int) -> Plain:
    return {
        "ipv4Address": f"203.0.113.{number % 250}",
        "ipv6Address": "",
        "ipv6Network": "",
        "status": "running",
        "primaryDiskSize": 80,
        "datacenter": "",
        "backupWindow": "",
    }
