"""Settings of clusters on Hetzner Cloud, as the tests of this folder vary them."""

from typing import Any

from pydantic import ValidationError

from components.settings import StackSettings
from components.settings.hetzner import HetznerCluster
from placement.document import describe

Plain = dict[str, Any]


def cluster(**changes: Any) -> HetznerCluster:
    """A cluster of three servers in Nuremberg, with *changes* in the form of a stack's file."""
    return HetznerCluster.model_validate(_plain(**changes), by_alias=True, by_name=False)


def faults(**changes: Any) -> list[str]:
    """What a user reads of wrong settings: key and message."""
    plain = {"plane": "carrier", "carrier": {"cluster": _plain(**changes)}}
    try:
        StackSettings.model_validate(plain, by_alias=True, by_name=False)
    except ValidationError as error:
        return [
            f"{'.'.join(map(str, place[2:]))}: {message}"
            for place, message in describe(error, StackSettings)
        ]
    return []


def _plain(**changes: Any) -> Plain:
    return {
        "maker": "hetzner",
        "name": "alpha",
        "locations": ["nbg1"],
        "k3s": {"version": "v1.36.3+k3s1", "sha256": {"amd64": "a" * 64, "arm64": "b" * 64}},
        "administration": ["203.0.113.0/24"],
        "controlPlane": {"serverTypes": ["cpx32"]},
        **changes,
    }


def pool(name: str, count: int, **changes: Any) -> Plain:
    """A pool in the form of a stack's file."""
    return {"name": name, "count": count, "serverTypes": ["cpx22"], **changes}
