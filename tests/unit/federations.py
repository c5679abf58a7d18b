"""Small federations made by hand: plain values as a file would hold them, and their models."""

from pathlib import Path
from typing import Any

import yaml

from placement.federation import Federation

Plain = dict[str, Any]


def node_class(name: str = "n", count: int = 1, **changes: Any) -> Plain:
    """Nodes of 4 CPU and 16 GiB; ``cpu``, ``memory``, ``pods``, ``gpu`` change what a node has."""
    allocatable = {
        "cpu": str(changes.pop("cpu", 4)),
        "memory": str(changes.pop("memory", "16Gi")),
        "pods": str(changes.pop("pods", 110)),
    }
    gpu = changes.pop("gpu", None)
    if gpu is not None:
        allocatable["nvidia.com/gpu"] = str(gpu)
    return {"name": name, "count": count, "allocatable": allocatable, **changes}


def cluster(name: str, *nodes: Plain, price: float | str | None = 100, **changes: Any) -> Plain:
    """A European cluster in a region of its own name, with one node of 4 CPU if none is given.

    Args:
        name: of the cluster, and of its region unless ``region`` is given.
        nodes: its node classes.
        price: EUR a month of a node of its first class; None: unknown.
        changes: further keys, as in the file.
    """
    plain = {
        "name": name,
        "provider": "hetzner",
        "region": name,
        "continent": "europe",
        "nodeClasses": list(nodes or [node_class()]),
        **changes,
    }
    return {"cluster": plain, "price": price}


def workload(name: str, replicas: Any = 1, cpu: Any = 1, **changes: Any) -> Plain:
    """A Deployment whose replicas ask for 1 CPU and 1 GiB; ``request`` and more may be given."""
    request = {
        "cpu": str(cpu),
        "memory": str(changes.pop("memory", "1Gi")),
        **changes.pop("request", {}),
    }
    template = {"apiVersion": "apps/v1", "kind": changes.pop("kind", "Deployment"), "name": name}
    return {"name": name, "template": template, "replicas": replicas, "request": request, **changes}


def price(of: str, amount: Any, node: str = "n", **changes: Any) -> Plain:
    """A price in EUR a month, net."""
    return {
        "cluster": of,
        "nodeClass": node,
        "amount": str(amount),
        "currency": "EUR",
        "vat": "net",
        "per": "month",
        "source": "by hand",
        "date": "2026-08-14",
        **changes,
    }


def plain(clusters: list[Plain], workloads: list[Plain], **changes: Any) -> Plain:
    """A federation file as plain values; ``prices`` are added to those of the clusters."""
    prices = [
        price(c["cluster"]["name"], c["price"], c["cluster"]["nodeClasses"][0]["name"])
        for c in clusters
        if c["price"] is not None
    ]
    return {
        "apiVersion": "federation/v1alpha1",
        "clusters": [c["cluster"] for c in clusters],
        "prices": prices + changes.pop("prices", []),
        "workloads": workloads,
        **changes,
    }


def federation(clusters: list[Plain], workloads: list[Plain], **changes: Any) -> Federation:
    """The model of ``plain`` with the same arguments."""
    return Federation.model_validate(plain(clusters, workloads, **changes))


def latency(milliseconds: dict[str, dict[str, float]]) -> Plain:
    """Round trips from region to region; each region is a site of its own."""
    names = {*milliseconds, *(name for row in milliseconds.values() for name in row)}
    return {
        "source": "by hand",
        "date": "2026-08-14",
        "statistic": "mean",
        "sites": {name: {"site": name} for name in sorted(names)},
        "roundTrip": milliseconds,
    }


def write(path: Path, content: Plain) -> Path:
    """*content* as a YAML file at *path*."""
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return path
