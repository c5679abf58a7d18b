"""What Karmada's aggregated API server says of the resource models of a Cluster.

Owns the rule that the grades of each resource cover everything from 0 on, without gap or overlap.

Source: ``ValidateClusterResourceModels`` in ``pkg/apis/cluster/validation/validation.go`` (Karmada
1.18).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from placement.karmada.canonical_quantity import as_printed
from placement.karmada.field_errors import FieldError, invalid
from placement.quantity import parse_quantity, rounded_up

_LARGEST: Final = 2**63 - 1


def model_errors(models: Sequence[Mapping[str, Any]], path: str) -> Iterator[FieldError]:
    """Yield the error of a list of resource models, of which there is one at most.

    Args:
        models: the models in wire form; their values must have the right types.
        path: the path of the list, such as ``spec.resourceModels``.
    """
    for index, model in enumerate(models):
        before = models[index - 1] if index else None
        if detail := _model_fault(model, before, last=index == len(models) - 1):
            yield invalid(path, internal_models(models), detail)
            return  # Karmada stops at the first


def internal_models(models: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return resource models as Karmada prints its internal form, with Go's own names."""
    return [
        {
            "Grade": model["grade"],
            "Ranges": [
                {
                    "Name": each["name"],
                    "Min": as_printed(str(each["min"])),
                    "Max": as_printed(str(each["max"])),
                }
                for each in model["ranges"]
            ],
        }
        for model in models
    ]


def _model_fault(model: Mapping[str, Any], before: Mapping[str, Any] | None, *, last: bool) -> str:
    if before is not None and model["grade"] == before["grade"]:
        return "The grade of each models should not be the same"
    if before is not None and len(model["ranges"]) != len(before["ranges"]):
        return "The number of resource types should be the same"
    for position, each in enumerate(model["ranges"]):
        above = before["ranges"][position] if before is not None else None
        if fault := _range_fault(each, above, last=last):
            return fault
    return ""


def _range_fault(each: Mapping[str, Any], above: Mapping[str, Any] | None, *, last: bool) -> str:
    low, high = parse_quantity(str(each["min"])), parse_quantity(str(each["max"]))
    if high <= low:
        return "The max value of each resource must be greater than the min value"
    if above is None and low:
        return "The min value of each resource in the first model should be 0"
    if above is not None and above["name"] != each["name"]:
        return "The resource types of each models should be the same"
    # Karmada compares how the amounts are written: 1Gi does not go on at 1024Mi.
    if above is not None and str(above["max"]) != str(each["min"]):
        return "Model intervals for resources must be contiguous and non-overlapping"
    if last and rounded_up(high) != _LARGEST:
        return "The max value of each resource in the last model should be MaxInt64"
    return ""
