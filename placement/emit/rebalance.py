"""The WorkloadRebalancers: what makes Karmada divide anew where it would stay put.

Owns which workloads are in one, and its name. A rebalancer acts once, when it is created, so its
name follows from its occasion: the same decision has the same one, and nothing happens a second
time. Karmada divides by itself whenever a policy changes; it does not where only the estimate did,
nor when a lost cluster is back.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping

from placement.decision import Decision
from placement.emit.accepted import accepted
from placement.emit.vocabulary import Manifest
from placement.federation.workload import Template
from placement.karmada.findings import Facts
from placement.karmada.meta import ObjectMeta
from placement.karmada.rebalancer import (
    ObjectReference,
    WorkloadRebalancer,
    WorkloadRebalancerSpec,
)


def rebalancers(
    decision: Decision, templates: Mapping[str, Template], rebalance: str
) -> Iterator[Manifest]:
    """The rebalancers that *decision* needs.

    Args:
        decision: the decision.
        templates: the object of each workload, by workload id.
        rebalance: see ``placement.emit.objects``.
    """
    if rebalance:
        yield _rebalancer(rebalance, templates)
    moved = {move.workload for move in decision.moves}
    due = [w.id for w in decision.workloads if w.estimate and w.id in moved]
    if due:
        occasion = json.dumps([decision.input_hash, due])
        yield _rebalancer(occasion, {name: templates[name] for name in due})


def _rebalancer(occasion: str, templates: Mapping[str, Template]) -> Manifest:
    mark = hashlib.sha256(occasion.encode()).hexdigest()[:8]
    body = WorkloadRebalancer(
        # Without a time to live: what Karmada deletes, the next run would create, and move again.
        metadata=ObjectMeta(name=f"federation-{mark}"),
        spec=WorkloadRebalancerSpec(
            workloads=tuple(
                ObjectReference(
                    api_version=template.api_version,
                    kind=template.kind,
                    name=template.name,
                    namespace=name.partition("/")[0],
                )
                for name, template in templates.items()
            )
        ),
    )
    return accepted(body, "the federation", Facts(acted=frozenset()))
