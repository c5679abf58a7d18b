"""Small federations with one conflict that is known: what is planted is all that stands in the way.

Each maker adds one conflict to a federation that has room for everything else, and says which
requirements it is made of, by their keys.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.unit.federations import Plain, cluster, latency, node_class, plain, workload

Planted = tuple[Plain, set[str]]
"""A federation file as plain values, and the keys of the requirements that conflict."""

_PLACES = (
    ("a", "fr", "europe", "eu"),
    ("b", "de", "europe", "eu"),
    ("c", "us", "north-america", "us"),
    ("d", "jp", "asia", "jp"),
)
_ROUND_TRIPS = {
    "users": {"fr": 5, "de": 15, "us": 90, "jp": 240},
    "far": {"fr": 140, "de": 150, "us": 160, "jp": 170},
}


def planted(random: Random) -> Planted:
    """A federation of three or four clusters and one to four workloads with one conflict."""
    clusters = [
        cluster(
            name,
            node_class(cpu=random.choice([8, 16]), count=random.randint(2, 3)),
            price=random.randint(20, 99),
            region=region,
            continent=continent,
            jurisdiction=jurisdiction,
        )
        for name, region, continent, jurisdiction in _PLACES[: random.randint(3, 4)]
    ]
    others = [
        workload(f"o{n}", random.randint(1, 3), spread={"region": {"minGroups": 1}})
        for n in range(random.randint(0, 2))
    ]
    workloads = [*others, workload("w", random.randint(3, 5))]
    keys = random.choice(_MAKERS)(_Draft(random, clusters, workloads))
    known = latency({source: dict(row) for source, row in _ROUND_TRIPS.items()})
    return plain(clusters, workloads, latency=known), keys


@dataclass(frozen=True)
class _Draft:
    """A federation in the making; the conflict is about its last workload."""

    random: Random
    clusters: list[Plain]
    workloads: list[Plain]

    @property
    def given(self) -> Plain:
        """The last workload so far."""
        return self.workloads[-1]

    @property
    def at(self) -> str:
        """Its key."""
        return f"workloads[{len(self.workloads) - 1}]"


def _too_many_groups(draft: _Draft) -> set[str]:
    level = draft.random.choice(["region", "continent", "cluster"])
    draft.given.update({"replicas": 6, "spread": {level: {"minGroups": 5}}})
    return {f"{draft.at}.spread.{level}.minGroups"}


def _nowhere_resident(draft: _Draft) -> set[str]:
    draft.given["residency"] = ["ch"]
    return {f"{draft.at}.residency"}


def _users_too_far(draft: _Draft) -> set[str]:
    draft.given.update({"demand": [{"region": "far", "share": 1}], "latencyLimit": 100})
    return {f"{draft.at}.latencyLimit"}


def _data_too_far(draft: _Draft) -> set[str]:
    data = {"name": "set", "region": "users", "gigabytesPerMonth": "1", "rttLimit": "10"}
    draft.given["data"] = [data]  # no round trip to it is known from anywhere
    return {f"{draft.at}.data[0].rttLimit"}


def _near_or_resident(draft: _Draft) -> set[str]:
    draft.given.update(
        {
            "demand": [{"region": "users", "share": 1}],
            "latencyLimit": 20,
            "residency": ["us"],
        }
    )
    return {f"{draft.at}.latencyLimit", f"{draft.at}.residency"}


def _named_or_resident(draft: _Draft) -> set[str]:
    draft.given.update({"affinity": {"clusterNames": ["c"]}, "residency": ["eu"]})
    return {f"{draft.at}.affinity.clusterNames", f"{draft.at}.residency"}


def _excluded_or_named(draft: _Draft) -> set[str]:
    draft.given["affinity"] = {"clusterNames": ["a", "b"], "exclude": ["b", "a"]}
    return {f"{draft.at}.affinity.{key}" for key in ("clusterNames", "exclude")}


def _named_or_spread(draft: _Draft) -> set[str]:
    draft.given.update(
        {
            "affinity": {"clusterNames": ["a", "b"]},
            "spread": {"continent": {"minGroups": 2}},
        }
    )
    return {
        f"{draft.at}.affinity.clusterNames",
        f"{draft.at}.spread.continent.minGroups",
    }


def _named_or_surviving(draft: _Draft) -> set[str]:
    draft.given.update({"affinity": {"clusterNames": ["b"]}, "survive": {"loss": "cluster"}})
    return {f"{draft.at}.affinity.clusterNames", f"{draft.at}.survive"}


def _least_above_most(draft: _Draft) -> set[str]:
    most = draft.random.randint(1, 2)
    draft.given.update({"perCluster": {"max": most}, "atLeast": {"a": most + 1}})
    return {f"{draft.at}.perCluster.max", f"{draft.at}.atLeast.a"}


def _few_groups_of_few(draft: _Draft) -> set[str]:
    level = draft.random.choice(["cluster", "region"])
    draft.given.update(
        {
            "replicas": 5,
            "perCluster": {"max": 2},
            "spread": {level: {"maxGroups": 2}},
        }
    )
    return {
        f"{draft.at}.replicas",
        f"{draft.at}.perCluster.max",
        f"{draft.at}.spread.{level}.maxGroups",
    }


def _apart_in_one_place(draft: _Draft) -> set[str]:
    draft.given["affinity"] = {"clusterNames": ["a"]}
    first = draft.at
    draft.workloads.append(
        workload(
            "v",
            2,
            affinity={"clusterNames": ["a"]},
            workloadAntiAffinity=[{"workload": "default/w"}],
        )
    )
    second = draft.at
    return {
        f"{first}.affinity.clusterNames",
        f"{second}.affinity.clusterNames",
        f"{second}.workloadAntiAffinity[0]",
    }


def _full_cluster(draft: _Draft) -> set[str]:
    nodes = draft.clusters[0]["cluster"]["nodeClasses"][0]
    cores = nodes["count"] * int(nodes["allocatable"]["cpu"])
    draft.given.update(
        {
            "replicas": cores + draft.random.randint(1, 3),
            "request": {"cpu": "1", "memory": "100Mi"},
            "affinity": {"clusterNames": ["a"]},
        }
    )
    here = draft.at
    return {
        "clusters[0].nodeClasses[0].allocatable.cpu",
        f"{here}.replicas",
        f"{here}.request.cpu",
        f"{here}.affinity.clusterNames",
    }


def _large_replica(draft: _Draft) -> set[str]:
    resource, amount = draft.random.choice([("cpu", "17"), ("memory", "17Gi")])
    draft.given["request"] = {"cpu": "1", "memory": "1Gi", resource: amount}
    draft.given["affinity"] = {"clusterNames": ["b"]}
    draft.clusters[2]["cluster"]["nodeClasses"] = [node_class(cpu=32, memory="64Gi", count=9)]
    here = draft.at
    return {
        f"clusters[1].nodeClasses[0].allocatable.{resource}",
        f"{here}.request.{resource}",
        f"{here}.affinity.clusterNames",
    }


def _not_ready(draft: _Draft) -> set[str]:
    draft.clusters[2]["cluster"]["ready"] = False
    draft.given["residency"] = ["us"]
    return {"clusters[2].ready", f"{draft.at}.residency"}


def _tainted(draft: _Draft) -> set[str]:
    taint = {"key": "own", "value": "them", "effect": "NoSchedule"}
    draft.clusters[1]["cluster"]["taints"] = [taint]
    draft.given["affinity"] = {"clusterNames": ["b"]}
    return {"clusters[1].taints", f"{draft.at}.affinity.clusterNames"}


def _cordoned(draft: _Draft) -> set[str]:
    draft.clusters[0]["cluster"]["cordoned"] = True
    draft.given["affinity"] = {"clusterNames": ["a"]}
    return {"clusters[0].cordoned", f"{draft.at}.affinity.clusterNames"}


def _with_and_apart(draft: _Draft) -> set[str]:
    neighbours = [{"workload": "default/w"}]
    draft.workloads.append(
        workload("v", 2, workloadAffinity=neighbours, workloadAntiAffinity=neighbours)
    )
    return {f"{draft.at}.{key}[0]" for key in ("workloadAffinity", "workloadAntiAffinity")}


def _ratio_elsewhere(draft: _Draft) -> set[str]:
    draft.given.update({"weights": {"a": 1, "c": 1}, "residency": ["eu"], "replicas": 4})
    return {
        f"{draft.at}.replicas",
        f"{draft.at}.weights",
        f"{draft.at}.residency",
    }


_MAKERS: tuple[Callable[[_Draft], set[str]], ...] = (
    _too_many_groups,
    _nowhere_resident,
    _users_too_far,
    _data_too_far,
    _near_or_resident,
    _named_or_resident,
    _excluded_or_named,
    _named_or_spread,
    _named_or_surviving,
    _least_above_most,
    _few_groups_of_few,
    _apart_in_one_place,
    _full_cluster,
    _large_replica,
    _not_ready,
    _tainted,
    _cordoned,
    _with_and_apart,
    _ratio_elsewhere,
)
