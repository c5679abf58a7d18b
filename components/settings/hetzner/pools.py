"""The nodes of a cluster as a user asks for them: the control plane, and pools of agents."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from components.settings.hetzner.server_types import ServerTypes
from placement.federation.base import NAME_PATTERN, LabelValue, Model
from placement.federation.cluster import Taint

CONTROL = "control"
"""The name of the control plane among the pools."""

_LABEL_KEY = r"^([a-z0-9][-a-z0-9.]*/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"

LabelKey = Annotated[str, Field(pattern=_LABEL_KEY, max_length=127)]
"""The key of a node's label."""


def _odd(servers: int) -> int:
    if servers not in (3, 5):
        raise ValueError(
            f"read {servers}; allowed 3 or 5: etcd needs a majority, so an even number survives no "
            "more losses than one server less, and one survives none"
        )
    return servers


def _free(name: str) -> str:
    if name == CONTROL:
        raise ValueError(f"read {name!r}, which is the control plane; allowed another name")
    return name


class ControlPlane(Model):
    """The servers that run the Kubernetes API and etcd, and nothing of a workload's."""

    servers: Annotated[
        int, Field(strict=True), AfterValidator(_odd), WithJsonSchema({"enum": [3, 5]})
    ] = 3
    server_types: ServerTypes


class Pool(Model):
    """Agents that are alike. Labels and taints hold for nodes that are made from then on."""

    name: Annotated[str, Field(pattern=NAME_PATTERN, max_length=12), AfterValidator(_free)]
    count: Annotated[int, Field(strict=True, ge=0)]
    server_types: ServerTypes
    labels: Annotated[dict[LabelKey, LabelValue], Field(default_factory=dict, max_length=20)]
    taints: Annotated[tuple[Taint, ...], Field(max_length=5)] = ()
    profile: Literal["high-concurrency"] | None = None
    """How nodes are tuned that are made from then on; absent: as Kubernetes has it."""
