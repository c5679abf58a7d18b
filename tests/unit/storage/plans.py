"""Storage plans for tests: a whole one, changes to it, and random ones."""

from collections.abc import Callable
from typing import Any

import yaml
from hypothesis import strategies as st
from pydantic import ValidationError

from components.settings.storage import StorageSettings

Plain = dict[str, Any]

PLAN: Plain = {
    "cluster": {
        "maker": "existing",
        "name": "auxiliary",
        "provider": "example",
        "region": "us-newyork",
        "continent": "north-america",
        "jurisdiction": "us",
        "asOf": "2026-11-30",
    },
    "nodes": [
        {"name": f"node-{index}", "devices": [{"path": "/dev/disk/by-id/disk", "size": "4Ti"}]}
        for index in range(4)
    ],
    "pools": [
        {"name": "block", "kind": "block", "holds": "1Ti"},
        {"name": "objects", "kind": "objects", "holds": "1Ti"},
    ],
    "gateway": {"host": "s3.example.com", "certificate": "gateway-tls"},
    "buckets": [{"name": "models", "pool": "objects"}],
    "consumers": [
        {
            "name": "near",
            "jurisdiction": "us",
            "roundTrip": {"milliseconds": 1, "source": "a test", "date": "2026-11-30"},
            "mounts": [{"pool": "block"}],
            "buckets": [{"name": "models", "access": "write"}],
        },
        {"name": "far", "jurisdiction": "de", "buckets": [{"name": "models"}]},
    ],
}


def plan(change: Callable[[Plain], object] = lambda _: None) -> Plain:
    """The plan with one thing changed."""
    content: Plain = yaml.safe_load(yaml.safe_dump(PLAN))
    change(content)
    return content


def read(content: Plain) -> StorageSettings:
    """The settings of *content*, as the program reads them."""
    return StorageSettings.model_validate(content, by_alias=True, by_name=False)


def refusal(content: Plain) -> str:
    """What is said of *content*; empty where it is taken."""
    try:
        read(content)
    except ValidationError as error:
        return "; ".join(str(each["msg"]) for each in error.errors())
    return ""


@st.composite
def plans(draw: st.DrawFn) -> Plain:
    """Plans of every size and shape, some of which hold and some of which do not."""
    level = draw(st.sampled_from(["host", "zone"]))
    zones = draw(st.integers(2, 6))
    nodes = [
        {
            "name": f"node-{index}",
            "zone": f"zone-{index % zones}",
            "devices": [
                {"path": f"/dev/disk/by-id/disk-{disk}", "size": f"{draw(st.integers(1, 8))}Ti"}
                for disk in range(draw(st.integers(1, 2)))
            ],
        }
        for index in range(draw(st.integers(3, 8)))
    ]
    pools = []
    for index in range(draw(st.integers(1, 3))):
        erasure = {"data": draw(st.integers(2, 4)), "coding": draw(st.integers(2, 3))}
        every: list[Plain] = [{"replicas": 3}, {"replicas": 4}, {"erasure": erasure}]
        how = draw(st.sampled_from(every))
        held = f"{draw(st.integers(1, 4000))}Gi"
        pools.append({"name": f"pool-{index}", "kind": "block", "holds": held, **how})
    monitors = draw(st.sampled_from([3, 5]))
    content = {"failureDomain": level, "monitors": monitors, "nodes": nodes, "pools": pools}
    return {"cluster": PLAN["cluster"], **content}
