"""``python -m lab.measure.emission``: every emitted form on the real Karmada, measured.

Owns the small federation that has each form once, the steps, and ``docs/measured/emission.json``.
What is predicted is the engine's own; the seconds are until Karmada and the members show it. Leaves
nothing running.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import yaml

from lab.karmada import installation
from lab.kubernetes.client import Api
from lab.lifecycle import Lab
from lab.measure import losses, record
from lab.measure.bindings import REBALANCER_SECONDS, Key, read
from lab.measure.templates import template
from placement import console, federation
from placement.decision import Decision
from placement.division import webster
from placement.emit import Manifest, objects
from placement.faults import ExitCode
from placement.federation import Federation
from placement.federation.workload import Range
from placement.karmada.kinds import KINDS
from placement.plan import plan

OUTPUT = record.FOLDER / "emission.json"

_SECONDS = 60
_POLL_SECONDS = 0.1
_NAMESPACE = "forms"
_MEMBERS = {"m1": "fra", "m2": "ash", "m3": "sin"}
_SPREAD = {"cluster": {"minGroups": 2, "maxGroups": 2}}
_WORKLOADS: Mapping[str, Mapping[str, Any]] = {
    "fixed": {"replicas": 6, "spread": _SPREAD},
    "backed": {"replicas": 6},
    "scaled": {"replicas": {"min": 2, "max": 12}, "spread": _SPREAD, "autoscaler": {}},
    "free": {"replicas": 6, "spread": _SPREAD, "division": "dynamic"},
    "different": {
        "replicas": 6,
        "spread": _SPREAD,
        "overrides": [{"clusters": {}, "image": {"registry": "mirror.invalid"}}],
    },
}


@dataclass(frozen=True)
class _Case:
    """The federation, decided, on a Karmada API."""

    lab: Lab
    api: Api
    federation: Federation
    decision: Decision

    def emitted(self, word: str = "") -> list[Manifest]:
        """What is emitted; clusters are lost by hand, so without taint policies."""
        return list(objects(self.federation, self.decision, Path(), failover=False, rebalance=word))

    def counts(self, name: str) -> dict[str, int]:
        """The decided replicas of a workload."""
        return self.decision.counts[f"{_NAMESPACE}/{name}"]

    def division(self, name: str) -> dict[str, int] | None:
        """What Karmada made of it."""
        found = read(self.api, _NAMESPACE).get(Key(_NAMESPACE, "Deployment", name))
        return found.replicas if found else None


@click.command()
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=OUTPUT,
    help="Where the result goes.  [default: docs/measured/emission.json]",
)
def main(output: Path) -> ExitCode:
    """Measure each form that a policy may have. Needs KARMADA_DIR; exit code 3 where one fails."""
    real = installation.required()
    with tempfile.TemporaryDirectory(prefix="federation-emission-") as folder:
        file = Path(folder) / "federation.yaml"
        file.write_text(yaml.safe_dump(_document()), "utf-8")
        with Lab(Path(folder), "emission") as lab:
            lab.up(file, members="all", bare=True, report=click.echo)
            given = federation.load(file)
            case = _Case(lab, lab.api(), given, plan(given))
            found = {}
            for name, result in _steps(case):
                found[name] = result
                click.echo(f"{name}: {result}")
    record.write(output, "forms", {**record.run(real.version), "members": "3, bare", **found})
    click.echo(f"written: {output}")
    return ExitCode.DONE if all(_holds(r) for r in found.values()) else ExitCode.INFEASIBLE


def _holds(result: Mapping[str, Any]) -> bool:
    return bool(result["equal"] == result["of"])


def _document() -> dict[str, Any]:
    nodes = {
        "name": "n",
        "count": 2,
        "allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110"},
    }
    own = {"provider": "lab", "continent": "europe", "nodeClasses": [nodes]}
    return {
        "apiVersion": "federation/v1alpha1",
        "objective": {"lexicographic": [{"term": "fit"}]},
        "clusters": [{"name": n, "region": region, **own} for n, region in _MEMBERS.items()],
        "workloads": [
            {
                "name": name,
                "namespace": _NAMESPACE,
                "template": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
                "request": {"cpu": "100m", "memory": "64Mi"},
                **form,
            }
            for name, form in _WORKLOADS.items()
        ],
    }


def _steps(case: _Case) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each measurement by its name: how many of how many were as said, and after how long."""
    yield "storedAsSent", _stored(case)
    for workload in case.federation.workloads:
        found = template(workload, workload.size)
        if found is not None:
            case.api.apply(found)
    fixed = [n for n in _WORKLOADS if _WORKLOADS[n].get("division", "fixed") == "fixed"]
    yield "divided", _timed(lambda: [case.division(n) == case.counts(n) for n in fixed])
    yield "priorityClasses", _timed(lambda: [_classes(case.lab.api(m)) == 3 for m in _MEMBERS])
    yield "overridden", _timed(lambda: [_overridden(case, m) for m in case.counts("different")])
    yield "autoscaledTotals", _totals(case)
    (home,) = case.counts("backed")
    (backup,) = case.decision.workload(f"{_NAMESPACE}/backed").backups
    losses.lose(case.api, home)
    yield "backupAfterLoss", _timed(lambda: [case.division("backed") == {backup: 6}])
    losses.find_again(case.api, home)
    time.sleep(REBALANCER_SECONDS)
    for content in case.emitted("again"):
        case.api.apply(content)
    yield "backByTheWord", _timed(lambda: [case.division(n) == case.counts(n) for n in fixed[:2]])


def _stored(case: _Case) -> dict[str, Any]:
    """Every object is accepted, and those of Karmada's own kinds come back as they were sent."""
    known = {served.kind for served in KINDS}
    begun = time.monotonic()
    sent = case.emitted()
    equal = 0
    for content in sent:
        stored = case.api.apply(content)
        equal += content["kind"] not in known or stored["spec"] == content["spec"]
    return {"equal": equal, "of": len(sent), "seconds": round(time.monotonic() - begun, 1)}


def _totals(case: _Case) -> dict[str, Any]:
    """Whatever total the autoscaler may write is divided as predicted."""
    (workload,) = [w for w in case.federation.workloads if isinstance(w.replicas, Range)]
    bounds = workload.replicas
    if not isinstance(bounds, Range):
        raise TypeError("the workload has a range")
    weights = case.decision.workload(workload.id).weights
    begun = time.monotonic()
    results = []
    for total in range(bounds.min, bounds.max + 1):
        found = template(workload, total)
        if found is not None:
            case.api.apply(found)
        wanted = {name: n for name, n in webster(total, weights).items() if n}
        look = partial(_divided, case, workload.name, wanted)
        results.append(_timed(look)["equal"])
    return {
        "equal": sum(results),
        "of": len(results),
        "seconds": round(time.monotonic() - begun, 1),
    }


def _divided(case: _Case, name: str, wanted: Mapping[str, int]) -> list[bool]:
    return [case.division(name) == wanted]


def _classes(member: Api) -> int:
    found = member.list("scheduling.k8s.io/v1", "PriorityClass")
    return sum(c["metadata"]["name"].startswith("federation-") for c in found)


def _overridden(case: _Case, member: str) -> bool:
    found = case.lab.api(member).get("apps/v1", "Deployment", "different", _NAMESPACE)
    if found is None:
        return False
    image: str = found["spec"]["template"]["spec"]["containers"][0]["image"]
    return image.startswith("mirror.invalid/")


def _timed(look: Callable[[], list[bool]]) -> dict[str, Any]:
    """Look until all hold; how many did, and after how many seconds."""
    begun = time.monotonic()
    while True:
        found = look()
        seconds = time.monotonic() - begun
        if all(found) or seconds > _SECONDS:
            return {"equal": sum(found), "of": len(found), "seconds": round(seconds, 1)}
        time.sleep(_POLL_SECONDS)


if __name__ == "__main__":
    console.run(main, "lab.measure.emission")
