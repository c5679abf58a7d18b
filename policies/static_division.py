"""What Karmada makes of a policy's static weights, whatever the template's UID will be.

Owns the way from a policy's properties to ``placement.division``. It predicts for clusters that are
ready and have no taints: what else there is, no policy says.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from placement.division import ClusterState, Division, Placement, parse_placement, predict
from placement.faults import BadInputError
from placement.karmada.defaults import with_defaults
from placement.karmada.named_clusters import is_static, selections
from policies.propagation import placement
from policies.resources import NotEvaluableError, Resource

ANNOTATION: Final = "federation/replicas"
"""The annotation in which the wanted counts stand, as JSON by cluster."""

_UIDS: Final = ("a", "b")
"""Two UIDs of the two kinds that there are: a tie goes to the first name, or to the last."""

_LIST: Final = "spec.placement.replicaScheduling.weightPreference.staticWeightList"


@dataclass(frozen=True)
class StaticDivision:
    """The static weights of a policy.

    Attributes:
        placement: in wire form, with the defaults of the server.
        weighted: for each affinity in order, the clusters that a weight is for.
    """

    placement: Mapping[str, Any]
    weighted: Sequence[frozenset[str]]

    def outcomes(
        self, replicas: int, lost: frozenset[str] = frozenset()
    ) -> list[list[dict[str, int]]]:
        """For each affinity in order, every division that Karmada may make; empty for none.

        Args:
            replicas: to divide.
            lost: clusters that are gone, from which Karmada has evicted the workload.
        """
        parsed = self._parsed()
        terms = parsed.cluster_affinities
        tries = [replace(parsed, cluster_affinities=(term,)) for term in terms] or [parsed]
        return [
            self._divide(each, sorted(names - lost), replicas)
            for each, names in zip(tries, self.weighted, strict=True)
        ]

    def _divide(
        self, parsed: Placement, names: Sequence[str], replicas: int
    ) -> list[dict[str, int]]:
        # Any group will do: with static weights the scheduler asks only that there is one.
        clusters = [ClusterState(n, region="any", provider="any", zones=("any",)) for n in names]
        found: list[dict[str, int]] = []
        for uid in _UIDS:
            answer = predict(clusters, parsed, replicas, uid=uid)
            counts = answer.replicas if isinstance(answer, Division) else {}
            counts = {name: count for name, count in counts.items() if count}
            if counts not in found:
                found.append(counts)
        return found

    def _parsed(self) -> Placement:
        try:
            return parse_placement(self.placement, number=0, file="spec.placement")
        except BadInputError as error:
            raise NotEvaluableError(f"Karmada's division cannot be foretold: {error}") from None


def static_division(policy: Resource) -> StaticDivision | None:
    """The static weights of a policy; None where it divides in another way, or not at all.

    Raises:
        NotEvaluableError: the placement is not known whole, or weights go to clusters that are
            selected by label or field.
    """
    stored = with_defaults({"spec": {"placement": placement(policy)}})
    given = stored["spec"]["placement"]
    if not is_static(given):
        return None
    chosen = selections(given)
    if chosen is None:
        raise NotEvaluableError(f"{_LIST}, or the affinity, selects clusters by label or field")
    return StaticDivision(given, [frozenset(weights) for weights in chosen])


def wanted(policy: Resource) -> Mapping[str, int] | None:
    """The wanted counts that a policy is annotated with; None where it is not.

    Raises:
        NotEvaluableError: they are not known yet.
        ValueError: the annotation is something else.
    """
    text = policy.read("metadata", "annotations", ANNOTATION)
    if text is None:
        return None
    counts = json.loads(text) if isinstance(text, str) else None
    if not isinstance(counts, dict) or not all(type(n) is int and n >= 0 for n in counts.values()):
        raise ValueError("not a count by cluster")
    return counts
