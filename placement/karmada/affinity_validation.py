"""What Karmada's validating webhook says of one cluster affinity.

Source: ``ValidateClusterAffinity`` in ``pkg/util/validation/validation.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from placement.karmada.affinity import FieldSelector
from placement.karmada.field_errors import FieldError, as_go, invalid

_FIELD_KEYS: Final = ("provider", "region", "zone")
_FIELD_OPERATORS: Final = ("In", "NotIn")


def affinity_errors(affinity: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    """Yield the error of an affinity, of which there is one at most.

    Args:
        affinity: the affinity in wire form.
        path: its path, such as ``spec.placement.clusterAffinity``.
    """
    selector = affinity.get("fieldSelector")
    if selector is None:
        return
    for expression in selector.get("matchExpressions") or []:
        key = expression.get("key") or ""
        operator = expression.get("operator") or ""
        if key not in _FIELD_KEYS:
            detail = f'unsupported key "{key}", must be provider, region, or zone'
        elif operator not in _FIELD_OPERATORS:
            detail = f'unsupported operator "{operator}", must be In or NotIn'
        else:
            continue
        yield invalid(f"{path}.fieldSelector", as_go(selector, FieldSelector), detail)
        return  # Karmada stops at the first expression at fault
