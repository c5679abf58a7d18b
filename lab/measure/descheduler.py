"""``python -m lab.measure.descheduler``: the real descheduler on a member with one hot node.

Owns the member, how one of its nodes gets hot, and what is measured: the share of each node that is
asked for before and after, and which pods were evicted on the way. What the descheduler is told is
``components.compute.descheduler``'s: the same text that goes to a compute plane. Leaves nothing
running.
"""

import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import click
import yaml
from tenacity import Retrying, retry_if_result, stop_after_delay, wait_fixed

from components.compute import descheduler
from components.settings.compute import Descheduler
from lab import tools
from lab.kubernetes.client import Api
from lab.lifecycle import Lab
from lab.measure import record
from lab.tools.catalogue import tool
from placement import console
from placement.emit.standing import PRIORITIES, priority_class_name
from placement.faults import ExitCode, FederationError
from placement.federation.workload import ServiceClass
from placement.quantity import parse_quantity

OUTPUT = record.FOLDER / "descheduler.json"

MEMBER, NAMESPACE = "hot", "users"
NODES, CORES = 6, 8
REPLICAS: dict[ServiceClass, int] = {"critical": 6, "standard": 6, "batch": 3}
"""Of half a core each, all on one node in the beginning: 7.5 of its 8 cores."""

_ROUNDS = 10
_RUN_SECONDS = 180
_SETTLED_SECONDS = 180


@dataclass(frozen=True)
class Evened:
    """What became of a hot node.

    Attributes:
        before: the part of each node's cores that is asked for, from the fullest to the emptiest.
        after: the same when the descheduler found nothing more to do.
        evicted: pods that were evicted, by class.
        rounds: runs of the descheduler until one changed nothing.
    """

    before: tuple[float, ...]
    after: tuple[float, ...]
    evicted: Mapping[str, int]
    rounds: int

    @property
    def spread_before(self) -> float:
        """The fullest node less the emptiest."""
        return round(self.before[0] - self.before[-1], 4)

    @property
    def spread_after(self) -> float:
        """The same afterwards."""
        return round(self.after[0] - self.after[-1], 4)


def measure(folder: Path, spec: Descheduler) -> Evened:
    """Heat a node of a new member, and let the descheduler run until it changes nothing.

    Args:
        folder: for the lab and the descheduler's policy.
        spec: what the descheduler is told.

    Raises:
        FederationError: a tool is not built, the lab fails, or the pods do not come to rest.
    """
    file = folder / "federation.yaml"
    file.write_text(yaml.safe_dump(_federation()), "utf-8")
    policy = folder / "policy.yaml"
    head = {"apiVersion": "descheduler/v1alpha2", "kind": "DeschedulerPolicy"}
    policy.write_text(yaml.safe_dump({**head, **descheduler.policy(spec)}), "utf-8")
    with Lab(folder / "labs", "descheduler") as lab:
        lab.up(file, members=MEMBER)
        api = lab.api(MEMBER)
        _heat(api)
        first = _settled(api)
        before, known, evicted = _shares(api, first), _classes(first), Counter[str]()
        rounds, moving = 0, True
        while moving and rounds < _ROUNDS:
            rounds += 1
            _deschedule(lab.kubeconfig(MEMBER), policy)
            now = _classes(_settled(api))
            gone = Counter(known[uid] for uid in set(known) - set(now))
            evicted += gone
            known, moving = now, bool(gone)
        return Evened(before, _shares(api, _settled(api)), dict(evicted), rounds)


def _federation() -> dict[str, Any]:
    """A federation of one member, whose nodes are alike."""
    node = {"cpu": str(CORES), "memory": "32Gi", "pods": "110"}
    return {
        "apiVersion": "federation/v1alpha1",
        "objective": {"lexicographic": [{"term": "fit"}]},
        "clusters": [
            {
                "name": MEMBER,
                "provider": "lab",
                "region": "lab",
                "continent": "europe",
                "nodeClasses": [{"name": "node", "count": NODES, "allocatable": node}],
            }
        ],
    }


def _heat(api: Api) -> None:
    """Let all pods go to the one node that takes any, then open the others."""
    names = [node["metadata"]["name"] for node in api.list("v1", "Node")]
    for name in names[1:]:
        _cordon(api, name, closed=True)
    api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    for class_, replicas in REPLICAS.items():
        api.apply(
            {
                "apiVersion": "scheduling.k8s.io/v1",
                "kind": "PriorityClass",
                "metadata": {"name": priority_class_name(class_)},
                "value": PRIORITIES[class_],
            }
        )
        api.apply(_deployment(class_, replicas))
    _settled(api)
    for name in names[1:]:
        _cordon(api, name, closed=False)


def _cordon(api: Api, node: str, *, closed: bool) -> None:
    spec = {"unschedulable": closed}
    api.patch({"apiVersion": "v1", "kind": "Node", "metadata": {"name": node}, "spec": spec})


def _deployment(class_: ServiceClass, replicas: int) -> dict[str, Any]:
    labels = {"class": class_}
    container = {
        "name": "main",
        "image": "workload",
        "resources": {"requests": {"cpu": "500m", "memory": "256Mi"}},
    }
    pod = {"containers": [container], "priorityClassName": priority_class_name(class_)}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": class_, "namespace": NAMESPACE},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }


def _deschedule(kubeconfig: Path, policy: Path) -> None:
    """One run of the descheduler."""
    done = subprocess.run(
        [
            str(tools.path("descheduler")),
            f"--kubeconfig={kubeconfig}",
            f"--policy-config-file={policy}",
            "--descheduling-interval=0",
            "--leader-elect=false",
            "--secure-port=0",
        ],
        capture_output=True,
        text=True,
        timeout=_RUN_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        raise FederationError(
            f"the descheduler ended with {done.returncode}:\n{done.stderr[-2000:]}"
        )


def _settled(api: Api) -> list[dict[str, Any]]:
    """The pods, once each is running that is wanted and none is on its way out."""

    def look() -> list[dict[str, Any]]:
        found = api.list("v1", "Pod", NAMESPACE)
        at_rest = all(
            pod["status"].get("phase") == "Running" and "deletionTimestamp" not in pod["metadata"]
            for pod in found
        )
        return found if at_rest and len(found) == sum(REPLICAS.values()) else []

    wait = Retrying(
        retry=retry_if_result(lambda found: not found),
        stop=stop_after_delay(_SETTLED_SECONDS),
        wait=wait_fixed(0.3),
        retry_error_callback=lambda _: [],
    )
    found: list[dict[str, Any]] = wait(look)
    if not found:
        raise FederationError(f"the pods did not come to rest in {_SETTLED_SECONDS} s")
    return found


def _classes(pods: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The class of each pod by its UID."""
    return {pod["metadata"]["uid"]: pod["metadata"]["labels"]["class"] for pod in pods}


def _shares(api: Api, pods: Sequence[Mapping[str, Any]]) -> tuple[float, ...]:
    asked = {node["metadata"]["name"]: Decimal(0) for node in api.list("v1", "Node")}
    for pod in pods:
        for container in pod["spec"]["containers"]:
            asked[pod["spec"]["nodeName"]] += parse_quantity(
                container["resources"]["requests"]["cpu"]
            )
    return tuple(sorted((round(float(cpu / CORES), 4) for cpu in asked.values()), reverse=True))


@click.command()
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=OUTPUT,
    help="Where the result goes.  [default: docs/measured/descheduler.json]",
)
def main(output: Path) -> ExitCode:
    """Even out a member with one hot node by the real descheduler, and write down what moved."""
    spec = Descheduler()
    with tempfile.TemporaryDirectory(prefix="federation-descheduler-") as folder:
        found = measure(Path(folder), spec)
    said = record.run("")
    versions = {k: v for k, v in said["versions"].items() if k != "karmada"}
    versions["descheduler"] = tool("descheduler").version
    content = {
        **said,
        "versions": versions,
        "settings": spec.model_dump(mode="json", by_alias=True),
        "nodes": NODES,
        "pods": dict(REPLICAS),
        "cpuAskedBefore": list(found.before),
        "cpuAskedAfter": list(found.after),
        "spreadBefore": found.spread_before,
        "spreadAfter": found.spread_after,
        "evicted": {class_: found.evicted.get(class_, 0) for class_ in REPLICAS},
        "rounds": found.rounds,
    }
    record.write(output, "hotNode", content)
    click.echo(
        f"spread {found.spread_before:.0%} -> {found.spread_after:.0%} in {found.rounds} runs; "
        f"evicted {content['evicted']}"
    )
    return ExitCode.INFEASIBLE if found.evicted.get("critical") else ExitCode.DONE


if __name__ == "__main__":
    console.run(main, "lab.measure.descheduler")
