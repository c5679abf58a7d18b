"""The trace's nodes and pods, grouped by what is alike.

Source: alibaba/clusterdata, cluster-trace-gpu-v2023: 1,523 nodes and 8,152 pods, of which 5,193
were running. A part of an accelerator is counted in thousandths (``gpu_milli``); that two parts
must fit one accelerator of a node is not in the sums, for no method.
"""

import csv
from collections import Counter
from dataclasses import dataclass

from bench.reference import reference


@dataclass(frozen=True, order=True)
class Shape:
    """Nodes that are alike: milli-CPU, MiB, accelerators, model ("" for none)."""

    cpu: int
    memory: int
    gpus: int
    model: str


@dataclass(frozen=True, order=True)
class Kind:
    """Pods that are alike: milli-CPU, MiB, thousandths of an accelerator, class of service."""

    cpu: int
    memory: int
    gpu_milli: int
    qos: str


def shapes() -> dict[Shape, int]:
    """Nodes by shape, the most frequent first."""
    rows = _rows("openb_node_list_all_node.csv")
    found = Counter(
        Shape(int(r["cpu_milli"]), int(r["memory_mib"]), int(r["gpu"] or 0), r["model"])
        for r in rows
    )
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def kinds() -> dict[Kind, int]:
    """Running pods by kind, in the order of their first appearance."""
    return dict(
        Counter(
            Kind(
                int(r["cpu_milli"]),
                int(r["memory_mib"]),
                int(r["num_gpu"]) * int(r["gpu_milli"] or 0),
                r["qos"],
            )
            for r in _rows("openb_pod_list_default.csv")
            if r["pod_phase"] == "Running"
        )
    )


def _rows(name: str) -> list[dict[str, str]]:
    with reference("data", "openb", name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
