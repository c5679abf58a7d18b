"""Federation files of any size, with the statistics of federations that companies run.

Owns the instances of the scale benchmark: clusters of three providers with prices and grids of
different kinds, workloads with log-normal replicas, and what they ask for.
It writes what a user would write; it knows nothing of the engine.

The file is deliberately tight: the workloads ask for ``LOAD`` of all CPU, and a share of every
cluster must stay free. The same seed gives the same file.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from bench.scale.geography import FACT, Plain, Region, kilometres, latency, make_regions
from bench.scale.stock import nodes, stock

LOAD = 0.65
"""The part of all CPU that the workloads ask for together."""

_HEADROOM = "0.15"
_CRITICAL = 0.2
_NODE = {"cpu": "15890m", "memory": "58Gi", "pods": "110"}
_GPU_NODE = {"cpu": "63770m", "memory": "490Gi", "pods": "110", "nvidia.com/gpu": "8"}
_NODE_PRICE, _GPU_NODE_PRICE = 420.0, 9_800.0
_PROVIDERS = ("p1", "p2", "p3")
_INTENSITIES = (25, 60, 130, 240, 370, 480, 650)


@dataclass(frozen=True)
class Size:
    """How large an instance is.

    Attributes:
        clusters: how many.
        workloads: how many.
        candidates: clusters that each workload names; None: whatever its other wishes allow.
        mean: replicas of a workload.
        copies: workloads that are alike but for their names.
        load: as ``LOAD``.
        stocked: whether accelerators are where the workloads that ask for them may run, so that
            they have a placement whatever the seed; else clusters have them by chance.
    """

    clusters: int
    workloads: int
    candidates: int | None = None
    mean: float = 45.0
    copies: int = 1
    load: float = LOAD
    stocked: bool = False


def generate(size: Size, seed: int) -> tuple[Plain, dict[str, dict[str, int]]]:
    """A federation file, and where some 80 % of its workloads run now, by id and cluster."""
    random = Random(seed)  # noqa: S311 - makes an instance, no secret
    regions = make_regions(random, max(6, round(size.clusters**0.7)))
    clusters = [_cluster(random, number, regions) for number in range(size.clusters)]
    places = {c["name"]: c for c in clusters}
    by_name = {region.name: region for region in regions}
    workloads: list[Plain] = []
    while len(workloads) < size.workloads:
        plain = _workload(random, len(workloads), clusters, by_name, size)
        for copy in range(min(size.copies, size.workloads - len(workloads))):
            name = plain["name"] if copy == 0 else f"{plain['name']}-{copy}"
            workloads.append(
                {**plain, "name": name, "template": {**plain["template"], "name": name}}
            )
    if size.stocked:
        stock(clusters, workloads)
    nodes(clusters, workloads, size.load)
    served = sum(w["replicas"] for w in workloads if "demand" in w)
    document: Plain = {
        "apiVersion": "federation/v1alpha1",
        "objective": {
            "weighted": {
                "cost": 1,
                "carbon": 0.12,  # EUR/kg
                "latency": round(0.02 * max(1, served), 2),  # 2 cents per ms and replica
                "churn": 0.5,  # EUR for a replica moved
            }
        },
        "clusters": clusters,
        "prices": [_price(random, c, n) for c in clusters for n in c["nodeClasses"]],
        "latency": latency(regions),
        "carbon": {
            "intensity": [
                {
                    **FACT,
                    "region": region.name,
                    "gramsPerKilowattHour": random.choice(_INTENSITIES),
                    "basis": "average",
                }
                for region in regions
            ],
            "power": [
                {**FACT, "resource": "cpu", "watts": 4},
                {**FACT, "resource": "memory", "watts": 0.4},
                {**FACT, "resource": "nvidia.com/gpu", "watts": 350},
            ],
        },
        "workloads": workloads,
    }
    return document, _present(random, workloads, places)


def text(document: Plain) -> str:
    """The file's text: JSON, which is YAML, a value of the top-level lists a line."""
    parts = []
    for key, value in document.items():
        if isinstance(value, list):
            lines = ",\n  ".join(json.dumps(item) for item in value)
            parts.append(f"{json.dumps(key)}: [\n  {lines}\n]")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _cluster(random: Random, number: int, regions: Sequence[Region]) -> Plain:
    region = regions[number] if number < len(regions) else random.choice(regions)
    plain: Plain = {
        "name": f"c{number:04d}",
        "provider": random.choice(_PROVIDERS),
        "region": region.name,
        "continent": region.continent,
        "jurisdiction": region.continent,
        "zones": [f"{region.name}-{zone}" for zone in "abc"[: random.randint(1, 3)]],
        "labels": {"tier": random.choice(("gold", "gold", "silver", "bronze"))},
        "headroom": _HEADROOM,
        "nodeClasses": [
            {"name": "n16", "allocatable": _NODE, "size": random.lognormvariate(0, 0.6)}
        ],
    }
    if random.random() < 0.3:
        gpu = {
            "name": "g8",
            "allocatable": _GPU_NODE,
            "model": "H100",
            "taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}],
            "size": random.lognormvariate(0, 0.4),
        }
        plain["nodeClasses"].append(gpu)
    return plain


def _workload(
    random: Random,
    number: int,
    clusters: Sequence[Plain],
    regions: dict[str, Region],
    size: Size,
) -> Plain:
    kind = random.random()
    gpu = random.random() < 0.05
    name = f"w{number:05d}"
    replicas = max(2, round(random.lognormvariate(math.log(size.mean) - 0.5, 1.0)))
    replicas = min(replicas, round(12 * size.mean))
    milli = 50 * max(5, min(80, round(random.lognormvariate(math.log(16), 0.7))))
    if kind < _CRITICAL:  # many and small: what must survive a loss fits what a loss leaves
        replicas = min(replicas, round(size.mean))
    if gpu:
        replicas, milli = max(2, replicas // 8), 6000
    plain: Plain = {
        "name": name,
        "namespace": f"team-{number % 10}",
        "template": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
        "class": "critical" if kind < _CRITICAL else "standard" if kind < 0.8 else "batch",
        "replicas": replicas,
        "request": {"cpu": f"{milli}m", "memory": f"{round(milli * random.uniform(1, 8) / 2)}Mi"},
    }
    if gpu:
        plain["request"] = {"cpu": "6", "memory": "48Gi", "nvidia.com/gpu": "1"}
        plain["tolerations"] = [
            {
                "key": "nvidia.com/gpu",
                "operator": "Equal",
                "value": "present",
                "effect": "NoSchedule",
            }
        ]
    allowed = [c for c in clusters if not gpu or len(c["nodeClasses"]) > 1]
    spreads = len({c["region"] for c in allowed}) >= 4
    if random.random() < 0.35:
        continent = random.choice(sorted({c["continent"] for c in allowed}))
        inside = [c for c in allowed if c["continent"] == continent]
        if len({c["region"] for c in inside}) >= 4 and len(inside) >= 8:
            plain["residency"] = [continent]
            allowed = inside
    if random.random() < 0.2:
        inside = [c for c in allowed if c["labels"]["tier"] == "gold"]
        if len({c["region"] for c in inside}) >= 4 and len(inside) >= 8:
            plain["affinity"] = {"labelSelector": {"matchLabels": {"tier": "gold"}}}
            allowed = inside
    _spread(random, plain, spreads=spreads)
    home = regions[random.choice(allowed)["region"]]
    if plain["class"] != "batch":
        users = _users(random, home, list(regions.values()))
        plain["demand"] = [{"region": r.name, "share": s} for r, s in users]
    if size.candidates is not None:
        named = _named(random, home, allowed, regions, size.candidates)
        plain.setdefault("affinity", {})["clusterNames"] = named
    return plain


def _spread(random: Random, plain: Plain, *, spreads: bool) -> None:
    """Clusters and regions to use at least and at most, and the loss to survive."""
    spread: Plain = {}
    critical = plain["class"] == "critical"
    if critical or random.random() < 0.56:
        least = random.randint(3, 4) if critical else random.randint(1, 3)
        least = min(least, plain["replicas"])
        spread["cluster"] = {"minGroups": least, "maxGroups": least + random.randint(1, 4)}
    if spreads and (critical or random.random() < 0.25):
        spread["region"] = {"minGroups": 2}
    if spread:
        plain["spread"] = spread
    if critical:
        plain["survive"] = {"loss": "cluster", "keep": "capacity"}
        if not spread:
            plain["acceptSingleContinent"] = True
    if plain["replicas"] >= 20 and random.random() < 0.3:
        plain["perCluster"] = {"min": 2}


def _users(random: Random, home: Region, regions: Sequence[Region]) -> list[tuple[Region, int]]:
    """One to three regions with users: at home, the others rather near."""
    near = sorted(regions, key=lambda r: (kilometres(home, r), r.name))
    found = {home.name: (home, random.randint(30, 70))}
    for _ in range(random.randint(0, 2)):
        other = near[min(len(near) - 1, int(random.expovariate(1 / 3.0)) + 1)]
        found.setdefault(other.name, (other, random.randint(10, 40)))
    return list(found.values())


def _named(
    random: Random,
    home: Region,
    allowed: Sequence[Plain],
    regions: dict[str, Region],
    count: int,
) -> list[str]:
    """Clusters near home, and one of each of some other regions, so that spread has a choice."""
    near = sorted(allowed, key=lambda c: (kilometres(home, regions[c["region"]]), c["name"]))
    chosen = {c["name"] for c in near[: count // 2]}
    others = near[count // 2 :]
    random.shuffle(others)
    first = {c["region"]: c["name"] for c in reversed(others)}  # of each region the first
    for cluster in sorted(others, key=lambda c: first[c["region"]] != c["name"]):
        if len(chosen) >= count:
            break
        chosen.add(cluster["name"])
    return sorted(chosen)


def _price(random: Random, cluster: Plain, node_class: Plain) -> Plain:
    base = _NODE_PRICE if node_class["name"] == "n16" else _GPU_NODE_PRICE
    return {
        **FACT,
        "cluster": cluster["name"],
        "nodeClass": node_class["name"],
        "amount": f"{base * random.uniform(0.85, 1.5):.2f}",
        "currency": "EUR",
        "vat": "net",
        "per": "month",
    }


def _present(
    random: Random, workloads: Sequence[Plain], clusters: dict[str, Plain]
) -> dict[str, dict[str, int]]:
    """Where four of five workloads run now: on a few of the clusters that they may use."""
    present: dict[str, dict[str, int]] = {}
    for workload in workloads:
        names = workload.get("affinity", {}).get("clusterNames") or _eligible(workload, clusters)
        few = random.sample(names, min(len(names), random.randint(2, 5), workload["replicas"]))
        if random.random() < 0.8 and few:
            each, more = divmod(workload["replicas"], len(few))
            present[f"{workload['namespace']}/{workload['name']}"] = {
                name: each + (index < more) for index, name in enumerate(few)
            }
    return present


def _eligible(workload: Plain, clusters: dict[str, Plain]) -> list[str]:
    labels = workload.get("affinity", {}).get("labelSelector", {}).get("matchLabels", {})
    return [
        name
        for name, cluster in clusters.items()
        if ("nvidia.com/gpu" not in workload["request"] or len(cluster["nodeClasses"]) > 1)
        and cluster["jurisdiction"] in workload.get("residency", [cluster["jurisdiction"]])
        and labels.items() <= cluster["labels"].items()
    ]
