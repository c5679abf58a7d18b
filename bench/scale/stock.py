"""How many nodes the clusters of an instance have, from what its workloads ask for.

Owns the last step of an instance: until then a node class has a size beside others, then a count.
"""

import math
from collections.abc import Sequence

from bench.scale.geography import Plain


def stock(clusters: Sequence[Plain], workloads: Sequence[Plain]) -> None:
    """Accelerators by what is asked for: of each workload, of its clusters by their sizes."""
    classes = {c["name"]: n for c in clusters for n in c["nodeClasses"] if n["name"] == "g8"}
    asked = dict.fromkeys(classes, 0.0)
    for workload in workloads:
        if "nvidia.com/gpu" in workload["request"]:
            names = workload["affinity"]["clusterNames"]
            total = sum(classes[name]["size"] for name in names)
            for name in names:
                asked[name] += workload["replicas"] * classes[name]["size"] / total
    for name, node_class in classes.items():
        node_class["size"] = asked[name]


def nodes(clusters: Sequence[Plain], workloads: Sequence[Plain], load: float) -> None:
    """Node counts such that the workloads ask for *load* of what there is."""
    plain_cpu = sum(
        w["replicas"] * _milli(w) for w in workloads if "nvidia.com/gpu" not in w["request"]
    )
    accelerators = sum(w["replicas"] for w in workloads if "nvidia.com/gpu" in w["request"])
    for name, wanted in (
        ("n16", plain_cpu / load / 15890),
        ("g8", accelerators / load / 8),
    ):
        of_class = [n for c in clusters for n in c["nodeClasses"] if n["name"] == name]
        total = sum(n["size"] for n in of_class)
        for node_class in of_class:
            node_class["count"] = max(2, math.ceil(wanted * node_class["size"] / total))
    for cluster in clusters:
        for node_class in cluster["nodeClasses"]:
            del node_class["size"]


def _milli(workload: Plain) -> int:
    cpu: str = workload["request"]["cpu"]
    return int(cpu[:-1]) if cpu.endswith("m") else 1000 * int(cpu)
