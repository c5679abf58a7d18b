"""The federation plane: where every replica runs, as objects on the Karmada API.

Owns the way from published facts and a federation file to resources. The decision is made in
``placement/``; what waits for members stands in ``members.py``.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pulumi
from pydantic import TypeAdapter, ValidationError

from components import outputs
from components.carrier import KARMADA
from components.federation.plane import FederationPlane
from components.settings import StackSettings
from placement.decision import Decision
from placement.faults import BadInputError, Fault, InfeasibleError
from placement.federation import Cluster, Federation, load
from placement.federation.federation import faults
from placement.plan import input_hash, plan


async def federation(settings: StackSettings, root: Path) -> Mapping[str, Any]:
    """Build the federation plane; its decision, and what every plane publishes."""
    if settings.stacks is None:
        raise ValueError("the settings of a federation stack name the other stacks")
    carrier = await outputs.read(settings.stacks.carrier)
    path = root / settings.file
    found = load(path)
    _refuse_carrier(settings, found, carrier.facts)
    for stack in settings.stacks.compute:
        found = _joined(settings.file, found, stack, (await outputs.read(stack)).facts)
    decision = _decide(found, settings.federation.effort, await outputs.last_decision())
    FederationPlane(
        settings.environment,
        federation=found,
        decision=decision,
        directory=path.parent,
        kubeconfig=carrier.kubeconfig(KARMADA),
        settings=settings.federation,
    )
    return {"decision": decision.document()}


def _decide(found: Federation, effort: int, last: Decision | None) -> Decision:
    """The last decision if it answers the same question; else a new one that starts from it."""
    if last is not None and last.input_hash == input_hash(found, effort):
        return last
    decision = plan(found, effort=effort, present=last.counts if last else None)
    if decision.status == "infeasible":
        raise InfeasibleError("no placement meets the requirements:\n" + "\n".join(decision.conflicts))
    return decision


def _refuse_carrier(
    settings: StackSettings, found: Federation, facts: Sequence[Mapping[str, Any]]
) -> None:
    """The carrier runs the control plane and no user workload: it is no target."""
    carriers = {str(cluster["name"]) for cluster in facts}
    wrong = [
        Fault(
            settings.file,
            0,
            f"clusters[{index}].name",
            f"read {cluster.name!r}, the carrier; allowed clusters that take workloads",
        )
        for index, cluster in enumerate(found.clusters)
        if cluster.name in carriers
    ]
    if wrong:
        raise BadInputError(*wrong)


def _joined(
    file: str, found: Federation, stack: str, facts: Sequence[Mapping[str, Any]]
) -> Federation:
    """*found* with the clusters that a compute plane published."""
    try:
        clusters = TypeAdapter(tuple[Cluster, ...]).validate_python(facts)
    except ValidationError as error:
        message = f"{error.error_count()} facts are not those of a cluster"
        raise BadInputError(Fault(f"stack {stack}", 0, "facts.clusters", message)) from None
    joined = found.model_copy(update={"clusters": (*found.clusters, *clusters)})
    wrong = [
        Fault(file, 0, ".".join(map(str, location)), f"with stack {stack}: {message}")
        for location, message in faults(joined)
    ]
    if wrong:
        raise BadInputError(*wrong)
    return joined
