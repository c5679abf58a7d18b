"""Random federations: small ones of every shape, the same for the same seed.

Owns what is drawn and how likely. Two to eight of the clusters ``m1`` to ``m8``, whose places,
labels, taints and nodes are drawn anew each time, and three to ten workloads with spreads,
affinities, bounds, wanted ratios and promises. Each workload is one that could be placed were it
alone, more or less; what is infeasible together is for the caller to count.
"""

import random
from typing import Any

from placement.federation import Federation

CLUSTERS = tuple(f"m{number}" for number in range(1, 9))
"""The members that a lab for random federations has."""

TIER_LABEL = "tier"
NAMESPACE = "random"

_REGIONS = {
    "fra": "europe",
    "par": "europe",
    "ash": "north-america",
    "sin": "asia",
    "syd": "oceania",
}
_PROVIDERS = ("hetzner", "aws", "gcp")
_TIERS = ("production", "burst", "edge")
_TAINT = {"key": "example.com/dedicated", "value": "batch", "effect": "NoSchedule"}
KINDS = (("apps/v1", "Deployment"), ("apps/v1", "StatefulSet"), ("batch/v1", "Job"))

Plain = dict[str, Any]


def base() -> Plain:
    """A federation file with all clusters and no workload, to bring a lab up from."""
    draw = random.Random(0)  # noqa: S311 - reproducible and no secret
    clusters = [_cluster(draw, name) for name in CLUSTERS]
    return {"apiVersion": "federation/v1alpha1", "clusters": clusters, "workloads": []}


def federation(seed: int) -> Federation:
    """The random federation of *seed*."""
    draw = random.Random(seed)  # noqa: S311 - reproducible and no secret
    names = sorted(draw.sample(CLUSTERS, draw.randint(2, len(CLUSTERS))))
    clusters = [_cluster(draw, name) for name in names]
    workloads = [_workload(draw, f"w{i}-{seed}", clusters) for i in range(draw.randint(3, 10))]
    return Federation.model_validate(
        {
            "apiVersion": "federation/v1alpha1",
            "clusters": clusters,
            "prices": [_price(draw, cluster["name"]) for cluster in clusters],
            "workloads": workloads,
        }
    )


def _likely(draw: random.Random, chance: float) -> bool:
    return draw.random() < chance


def _cluster(draw: random.Random, name: str) -> Plain:
    region = draw.choice(sorted(_REGIONS))
    cpu = draw.choice((8, 16, 32))
    plain: Plain = {
        "name": name,
        "provider": draw.choice(_PROVIDERS),
        "region": region,
        "continent": _REGIONS[region],
        "zones": [f"{region}-{zone}" for zone in "abc"[: draw.randint(0, 3)]],
        "labels": {TIER_LABEL: draw.choice(_TIERS)},
        "nodeClasses": [
            {
                "name": "n",
                "count": draw.randint(2, 10),
                "allocatable": {"cpu": str(cpu), "memory": f"{4 * cpu}Gi", "pods": "110"},
            }
        ],
    }
    if _likely(draw, 0.15):
        plain["taints"] = [_TAINT]
    return plain


def _price(draw: random.Random, cluster: str) -> Plain:
    return {
        "cluster": cluster,
        "nodeClass": "n",
        "amount": str(draw.randint(50, 400)),
        "currency": "EUR",
        "vat": "net",
        "per": "month",
        "source": "drawn",
        "date": "2026-11-30",
    }


def _workload(draw: random.Random, name: str, clusters: list[Plain]) -> Plain:
    api_version, kind = draw.choice(KINDS)
    replicas = draw.randint(1, 24)
    plain: Plain = {
        "name": name,
        "namespace": NAMESPACE,
        "class": draw.choice(("critical", "standard", "standard", "batch")),
        "template": {"apiVersion": api_version, "kind": kind, "name": name},
        "replicas": replicas,
        "request": {
            "cpu": draw.choice(("100m", "250m", "500m", "1")),
            "memory": draw.choice(("128Mi", "512Mi", "1Gi")),
        },
    }
    open_to_all = [c for c in clusters if "taints" not in c]
    if not open_to_all or _likely(draw, 0.3):
        plain["tolerations"] = [{**_TAINT, "operator": "Equal"}]
        open_to_all = clusters
    if _likely(draw, 0.2):
        plain["affinity"] = _affinity(draw, open_to_all)
    elif _likely(draw, 0.3):
        chosen = draw.sample(open_to_all, draw.randint(1, min(3, len(open_to_all))))
        plain["weights"] = {cluster["name"]: draw.randint(1, 9) for cluster in chosen}
    else:
        if len(open_to_all) > 1 and _likely(draw, 0.6):
            plain["spread"] = _spread(draw, replicas, open_to_all)
        if len(open_to_all) > 2 and _likely(draw, 0.3):
            plain["perCluster"] = {"max": draw.randint(-(-replicas // 2), replicas)}
        if len(open_to_all) > 1 and _likely(draw, 0.2):
            plain["atMost"] = {draw.choice(open_to_all)["name"]: draw.randint(0, replicas)}
    if plain["class"] == "critical" and "spread" not in plain:
        plain["acceptSingleContinent"] = True
    if kind == "StatefulSet":
        plain["stateful"] = _likely(draw, 0.5)
    elif replicas > 1 and "spread" in plain and _likely(draw, 0.2):
        plain["survive"] = {"loss": "cluster", "keep": "capacity"}
    return plain


def _spread(draw: random.Random, replicas: int, clusters: list[Plain]) -> Plain:
    level = draw.choice(("cluster", "region", "continent", "provider"))
    there = {cluster["name" if level == "cluster" else level] for cluster in clusters}
    least = draw.randint(1, max(1, min(3, replicas, len(there) - 1)))
    groups: Plain = {"minGroups": least}
    if _likely(draw, 0.5):
        groups["maxGroups"] = least + draw.randint(0, 2)
    return {level: groups}


def _affinity(draw: random.Random, clusters: list[Plain]) -> Plain:
    """An affinity that at least one of *clusters* meets."""
    one = draw.choice(clusters)
    chosen = draw.randint(0, 2)
    if chosen == 0:
        return {"labelSelector": {"matchLabels": dict(one["labels"])}}
    if chosen == 1:
        expression = {"key": "provider", "operator": "In", "values": [one["provider"]]}
        return {"fieldSelector": {"matchExpressions": [expression]}}
    return {"exclude": [c["name"] for c in clusters if c is not one][:2]}
