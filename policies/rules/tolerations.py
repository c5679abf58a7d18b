"""FED004: how long a workload bears a lost cluster is said, and said so that it works.

Karmada has had no default tolerations since 1.15: without one, a cluster that is away for half a
minute starts a migration. A toleration without an effect tolerates ``NoSchedule`` as well, and so
places on a cluster that is dead already.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from placement.division import Taint, Toleration
from placement.division.filters import untolerated
from policies.known import Known
from policies.resources import NotEvaluableError, Resource
from policies.rule import Rule

_KEYS: Final = ("cluster.karmada.io/not-ready", "cluster.karmada.io/unreachable")
_PATH: Final = "spec.placement.clusterTolerations"


def _check(resource: Resource, _: Known) -> Iterator[str]:
    if not resource.is_propagation:
        return
    given = resource.objects("spec", "placement", "clusterTolerations")
    tolerations = [_toleration(item) for item in given]
    for key in _KEYS:
        if untolerated([Taint(key, effect="NoExecute")], tolerations) is not None:
            yield (
                f"{_PATH} tolerates no {key} with effect NoExecute: every replica is evicted as "
                "soon as the cluster is noticed to be lost; add {key: "
                f"{key}, operator: Exists, effect: NoExecute, tolerationSeconds: N}}"
            )
        if untolerated([Taint(key, effect="NoSchedule")], tolerations) is None:
            yield (
                f"{_PATH} tolerates {key} with effect NoSchedule too, so replicas are also placed "
                "on a cluster that is dead already; write effect: NoExecute"
            )


def _toleration(item: Mapping[str, Any]) -> Toleration:
    texts = {name: item.get(name) or "" for name in ("key", "operator", "value", "effect")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise NotEvaluableError(f"{_PATH} is no list of tolerations")
    return Toleration(texts["key"], texts["operator"], texts["value"], texts["effect"])


TOLERATIONS = Rule(
    code="FED004",
    title="tolerations",
    description="A policy says how long its workload bears a lost cluster.",
    level="mandatory",
    severity="high",
    check=_check,
)
