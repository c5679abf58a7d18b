"""The federation plane: where every replica runs, as objects on the Karmada API.

Owns the way from published facts and a federation file to resources. The decision is made in
``placement/``; what waits for members stands in ``members.py``.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from components import outputs
from components.carrier import KARMADA
from components.federation.members import Members
from components.federation.plane import FederationArgs, FederationPlane
from components.outputs import Published
from components.settings import StackSettings
from placement.decision import Decision
from placement.document import Document, describe
from placement.emit import objects
from placement.faults import BadInputError, Fault, InfeasibleError
from placement.federation import Cluster, Federation, load
from placement.federation.base import Model
from placement.plan import input_hash, plan


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
    decision = _decide(found, settings.federation.effort, await outputs.last_decision())
    members = Members(found, decision, kubeconfig, settings.federation.readiness_timeout)
    args = FederationArgs(
        decision=decision,
        objects=tuple(objects(found, decision, path.parent)),
        kubeconfig=kubeconfig,
        hooks=members.hooks(),
        facts=_judged_by(found, carrier),
    )
    return {"decision": FederationPlane(settings.environment, args).decision}


def _judged_by(found: Federation, carrier: Published) -> dict[str, Any]:
    """What the policy pack must know beside a policy: who carries, and where each cluster is."""
    return {
        "carriers": [str(cluster["name"]) for cluster in carrier.facts],
        "clusters": {
            c.name: {"region": c.region, "provider": c.provider, "zones": list(c.zones)}
            for c in found.clusters
        },
    }


def _decide(found: Federation, effort: int, last: Decision | None) -> Decision:
    """The last decision if it answers the same question; else a new one that starts from it."""
    if last is not None and last.input_hash == input_hash(found, effort):
        return last
    decision = plan(found, effort=effort, present=last.counts if last else None)
    if decision.status == "infeasible":
        raise InfeasibleError(
            "no placement meets the requirements:\n" + "\n".join(decision.conflicts)
        )
    return decision


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
