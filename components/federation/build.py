"""From the settings of a federation stack to its plane.

Owns the way from published facts and a federation file to resources. The decision is made in
``placement/``; each step here has a module of its own.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from components import outputs
from components.federation.deciding import decide
from components.federation.members import Members
from components.federation.plane import FederationArgs, FederationPlane
from components.federation.rollout import Rollout
from components.federation.waves import Waves
from components.outputs import KARMADA, Published
from components.settings import StackSettings
from placement.document import Document, describe
from placement.emit import objects
from placement.faults import BadInputError, Fault
from placement.federation import Cluster, Federation, Workload, load
from placement.federation.base import Model
from placement.federation.workload import Range


class _Facts(Model):
    """The facts of a compute plane, as the federation file has them."""

    clusters: tuple[Cluster, ...]


async def federation(settings: StackSettings) -> Mapping[str, Any]:
    """Build the federation plane; its decision, and what every plane publishes."""
    if settings.stacks is None:
        raise ValueError("the settings of a federation stack name the other stacks")
    path = Path(settings.file)
    carrier = await outputs.read(settings.stacks.carrier)
    kubeconfig = carrier.kubeconfig(KARMADA)
    joined = [c for s in settings.stacks.compute for c in _clusters(await outputs.read(s))]
    found = load(path, joined)
    _refuse_carrier(path, found, carrier)
    own = settings.federation
    decision = decide(path, found, own, await outputs.last_decision())
    emitted = tuple(
        objects(found, decision, path.parent, failover=own.failover, rebalance=own.rebalance)
    )
    rollout = Rollout(found, decision, emitted, kubeconfig, own.readiness_timeout)
    ready = Members(rollout).hook
    args = FederationArgs(
        decision=decision,
        objects=emitted,
        kubeconfig=kubeconfig,
        ready=ready,
        waves=tuple(Waves(rollout).behind(ready)),
        autoscaled=frozenset(w.id for w in found.workloads if isinstance(w.replicas, Range)),
        facts=_judged_by(found, carrier, settings.federation.storage_classes),
    )
    return {"decision": FederationPlane(settings.environment, args).decision}


def _judged_by(
    found: Federation, carrier: Published, storage_classes: tuple[str, ...] | None
) -> dict[str, Any]:
    """What the policy pack must know beside a policy: carriers, clusters, and what was demanded."""
    classes = {} if storage_classes is None else {"storageClasses": list(storage_classes)}
    return {
        **classes,
        "carriers": [str(cluster["name"]) for cluster in carrier.facts],
        "clusters": {
            c.name: {
                "region": c.region,
                "provider": c.provider,
                "zones": list(c.zones),
                "continent": c.continent,
            }
            for c in found.clusters
        },
        "workloads": {w.id: _demanded(w) for w in found.workloads},
    }


def _demanded(workload: Workload) -> dict[str, Any]:
    """What the pack judges the workload's policy by."""
    continents = workload.groups.get("continent")
    survive = workload.survive
    return {
        "class": workload.class_,
        "continents": continents.min_groups if continents else 1,
        "keepsSpreadAfter": survive.loss if survive and survive.keep == "spread" else None,
    }


def _refuse_carrier(path: Path, found: Federation, carrier: Published) -> None:
    """The carrier runs the control plane and no user workload: it is no target."""
    carriers = {str(cluster["name"]) for cluster in carrier.facts}
    wrong = [
        Document(path).fault(
            ("clusters", index, "name"),
            f"read {cluster.name!r}, the carrier; allowed clusters that take workloads",
        )
        for index, cluster in enumerate(found.clusters)
        if cluster.name in carriers
    ]
    if wrong:
        raise BadInputError(*wrong)


def _clusters(compute: Published) -> tuple[Cluster, ...]:
    """The clusters that a compute plane published.

    Raises:
        BadInputError: with one fault for each fact that is not one of a cluster.
    """
    try:
        return _Facts.model_validate({"clusters": compute.facts}).clusters
    except ValidationError as error:
        raise BadInputError(
            *(
                Fault(f"stack {compute.stack}", 0, ".".join(map(str, ("facts", *where))), message)
                for where, message in describe(error, _Facts)
            )
        ) from None
