"""What Karmada's validating webhook says of a FederatedResourceQuota.

Owns the rules for resource names in a quota, for quantities, and for the sum of the assignments.

Sources: ``pkg/webhook/federatedresourcequota/validating.go``, ``pkg/util/lifted/corevalidation.go``
and ``corehelpers.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from placement.karmada.canonical_quantity import as_printed
from placement.karmada.field_errors import FieldError, invalid
from placement.karmada.names import cluster_name_errors
from placement.karmada.resource_names import (
    is_extended,
    is_huge_page_of_quota,
    resource_name_errors,
)
from placement.quantity import parse_quantity, rounded_up

_NAME_BYTES: Final = 63
_COUNTED: Final = frozenset(
    {
        "pods",
        "resourcequotas",
        "services",
        "replicationcontrollers",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    }
)
_QUOTA_NAMES: Final = _COUNTED | {
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.storage",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
}


def quota_errors(manifest: Mapping[str, Any]) -> list[FieldError]:
    """Return every error of the webhook, sorted by field and message.

    Args:
        manifest: the whole object in wire form; the values of its spec must have the right types.
    """
    name = (manifest.get("metadata") or {}).get("name") or ""
    spec = manifest["spec"]
    overall: Mapping[str, str] = spec["overall"]
    assignments: Sequence[Mapping[str, Any]] = spec.get("staticAssignments") or []
    found = [*_list_errors(overall, "spec.overall"), *_sum_errors(overall, assignments)]
    if len(name.encode()) > _NAME_BYTES:
        detail = f"must be no more than {_NAME_BYTES} characters"
        found.append(invalid("metadata.name", name, detail))
    for index, assignment in enumerate(assignments):
        path = f"spec.staticAssignments[{index}]"
        found.extend(_assignment_errors(assignment, overall, path))
    return sorted(found)


def _assignment_errors(
    assignment: Mapping[str, Any], overall: Mapping[str, str], path: str
) -> Iterator[FieldError]:
    cluster, hard = assignment["clusterName"], assignment["hard"]
    if details := cluster_name_errors(cluster):
        yield invalid(f"{path}.clusterName", cluster, ",".join(details))
    yield from _list_errors(hard, f"{path}.hard")
    for resource in hard:
        if resource not in overall:
            detail = "assignment resourceName is not exist in overall"
            yield invalid(f"{path}.hard[{resource}]", resource, detail)


def _sum_errors(
    overall: Mapping[str, str], assignments: Sequence[Mapping[str, Any]]
) -> Iterator[FieldError]:
    for resource, amount in overall.items():
        assigned = sum(
            (
                parse_quantity(str(assignment["hard"][resource]))
                for assignment in assignments
                if resource in assignment["hard"]
            ),
            Decimal(0),
        )
        if parse_quantity(str(amount)) < assigned:
            detail = "overall is less than assignments"
            yield invalid(f"spec.overall[{resource}]", as_printed(str(amount)), detail)


def _list_errors(amounts: Mapping[str, str], path: str) -> Iterator[FieldError]:
    for resource, amount in amounts.items():
        field = f"{path}[{resource}]"
        yield from resource_name_errors(resource, field, _QUOTA_NAMES | {"storage"})
        if "/" not in resource and not (
            resource in _QUOTA_NAMES or is_huge_page_of_quota(resource)
        ):
            yield invalid(field, resource, "must be a standard resource for quota")
        value = parse_quantity(str(amount))
        if value < 0:
            detail = "must be greater than or equal to 0"
            yield invalid(field, as_printed(str(amount)), detail)
        if (resource in _COUNTED or is_extended(resource)) and rounded_up(value, 1000) % 1000:
            yield invalid(field, as_printed(str(amount)), "must be an integer")
