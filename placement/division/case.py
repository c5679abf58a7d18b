"""A line of a conformance corpus, or of the input of ``python -m placement divide``.

Owns the JSON form of a case: the binding and the clusters as Karmada writes them, flattened.
It checks shapes and not Karmada's validation: what a policy may say is checked elsewhere.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from placement.division.binding import Binding, TargetCluster
from placement.division.types import (
    ClusterState,
    Count,
    Placement,
    Resources,
)
from placement.faults import BadInputError, Fault


@dataclass(frozen=True)
class Case:
    """One question to the scheduler.

    Attributes:
        id: how the answer names the case.
        clusters: every member cluster.
        placement: of the policy.
        replicas: the total wanted.
        request: of one replica; None when the pod template requests nothing.
        uid: of the workload's object.
        previous: the present division.
    """

    # What else a line holds, such as the expected answer, is nothing that the scheduler reads.
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="ignore", strict=True)

    id: str
    clusters: tuple[ClusterState, ...]
    placement: Placement
    replicas: Count
    request: Resources | None = None
    uid: str = ""
    previous: tuple[TargetCluster, ...] = ()

    @property
    def binding(self) -> Binding:
        """The binding that the scheduler works on."""
        return Binding(
            placement=self.placement,
            replicas=self.replicas,
            request=self.request,
            uid=self.uid,
            previous=self.previous,
        )


_CASES: TypeAdapter[Case] = TypeAdapter(Case)
_PLACEMENTS: TypeAdapter[Placement] = TypeAdapter(Placement)


def parse_case(line: str, *, number: int, file: str) -> Case:
    """Return the case of a line.

    Args:
        line: a JSON object.
        number: of the line, from 1, for messages.
        file: that the line comes from, for messages.

    Raises:
        BadInputError: the line is not JSON or not a case; one fault for each thing wrong.
    """
    try:
        case = _CASES.validate_json(line)
    except ValidationError as error:
        raise _bad_input(error, file, number) from None
    counts = Counter(cluster.name for cluster in case.clusters)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        message = f"read {', '.join(twice)} more than once; allowed each name once"
        raise BadInputError(Fault(file, number, "clusters", message))
    return case


def parse_placement(manifest: Mapping[str, object], *, number: int, file: str) -> Placement:
    """Return the placement of a propagation policy.

    Args:
        manifest: ``spec.placement`` of the policy, with Karmada's own keys.
        number: of the line where it stands, 0 when it has none, for messages.
        file: where it stands, for messages.

    Raises:
        BadInputError: it is no placement; one fault for each thing wrong.
    """
    try:
        # Through JSON: there an array is a tuple without any other conversion being allowed.
        return _PLACEMENTS.validate_json(json.dumps(manifest))
    except ValidationError as error:
        raise _bad_input(error, file, number) from None


def _bad_input(error: ValidationError, file: str, number: int) -> BadInputError:
    faults = []
    for detail in error.errors(include_url=False):
        if detail["type"] == "value_error":
            message = str(detail["ctx"]["error"])
        elif detail["type"] == "missing":
            message = "read nothing; this key is required"
        else:
            message = f"read {detail['input']!r:.80}; {detail['msg']}"
        faults.append(Fault(file, number, _key(detail["loc"]), message))
    return BadInputError(*faults)


def _key(location: tuple[int | str, ...]) -> str:
    """Return the path of keys, such as ``clusters[2].name``."""
    path = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in location)
    return path.removeprefix(".") or "line"
