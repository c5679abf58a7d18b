"""The placement of a propagation policy, in the shape that Karmada's API asks for."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from placement.karmada.placement_spec import Placement
from policies.resources import NotEvaluableError, Resource


def placement(policy: Resource) -> Mapping[str, Any]:
    """The placement in wire form, every value of its right type.

    Raises:
        NotEvaluableError: it is not known whole, or the API server refuses it by itself.
    """
    given = policy.read("spec", "placement") or {}
    try:
        # JSON, because its strict mode knows lists where Python's asks for tuples.
        Placement.model_validate_json(json.dumps(given), strict=True, by_alias=True, by_name=False)
    except ValidationError as error:
        fault = error.errors()[0]
        path = ".".join(str(part) for part in ("spec.placement", *fault["loc"]))
        raise NotEvaluableError(f"the API server refuses {path}: {fault['msg']}") from None
    content: Mapping[str, Any] = given
    return content
