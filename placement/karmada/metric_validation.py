"""What Karmada's validating webhook says of the metrics of a FederatedHPA.

Source: ``validateMetrics`` in ``pkg/util/lifted/validatingfhpa.go`` (Karmada 1.18).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from placement.karmada.canonical_quantity import as_printed
from placement.karmada.field_errors import (
    FieldError,
    forbidden,
    invalid,
    not_supported,
    required,
)
from placement.karmada.names import dns_label_errors, path_segment_errors
from placement.karmada.resource_names import (
    is_extended,
    is_huge_page,
    is_native,
    resource_name_errors,
)
from placement.quantity import parse_quantity

_SOURCES: Final = {
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
    "ContainerResource": "containerResource",
}
_TYPES: Final = tuple(sorted(_SOURCES))
_TARGETS: Final = ("Utilization", "Value", "AverageValue")
_IN_CONTAINERS: Final = frozenset({"cpu", "memory", "ephemeral-storage"})
_KNOWN: Final = frozenset(
    {
        *_IN_CONTAINERS,
        *("requests.cpu", "requests.memory", "requests.ephemeral-storage", "requests.storage"),
        *("limits.cpu", "limits.memory", "limits.ephemeral-storage", "storage"),
        *("pods", "resourcequotas", "services", "replicationcontrollers", "secrets"),
        *("configmaps", "persistentvolumeclaims"),
        *("services.nodeports", "services.loadbalancers"),
    }
)


def metric_errors(metrics: Sequence[Mapping[str, Any]], path: str) -> Iterator[FieldError]:
    """Yield every error of a list of metrics.

    Args:
        metrics: the metrics in wire form; their values must have the right types.
        path: the path of the list, such as ``spec.metrics``.
    """
    for index, metric in enumerate(metrics):
        yield from _spec_errors(metric, f"{path}[{index}]")


def reference_errors(reference: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    """Yield every error of a reference to an object by kind and name.

    Args:
        reference: the reference in wire form.
        path: its path, such as ``spec.scaleTargetRef``.
    """
    for key in ("kind", "name"):
        value = reference.get(key) or ""
        if not value:
            yield required(f"{path}.{key}")
        for detail in path_segment_errors(value):
            yield invalid(f"{path}.{key}", value, detail)


def _spec_errors(metric: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    kind = metric.get("type") or ""
    if not kind:
        yield required(f"{path}.type", "must specify a metric source type")
    if kind not in _SOURCES:
        # Karmada looks twice, and says it twice.
        yield not_supported(f"{path}.type", kind, _TYPES)
        yield not_supported(f"{path}.type", kind, _TYPES)

    present = [source for source in _CHECKS if metric.get(source) is not None]
    for source in present[:1]:  # the webhook reads the first source alone
        yield from _CHECKS[source](metric[source], f"{path}.{source}")
    expected = _SOURCES.get(kind)
    if expected is not None and expected not in present:
        yield required(
            f"{path}.{expected}", "must populate information for the given metric source"
        )
    if len(present) != 1:
        for source in present:
            if source != expected:
                yield forbidden(f"{path}.{source}", "must populate the given metric source only")


def _object_errors(source: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    yield from reference_errors(source["describedObject"], f"{path}.describedObject")
    yield from _name_errors(source["metric"], f"{path}.metric")
    yield from _target_errors(source["target"], f"{path}.target")
    if source["target"].get("value") is None and source["target"].get("averageValue") is None:
        detail = "must set either a target value or averageValue"
        yield required(f"{path}.target.averageValue", detail)


def _pods_errors(source: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    yield from _name_errors(source["metric"], f"{path}.metric")
    yield from _target_errors(source["target"], f"{path}.target")
    if source["target"].get("averageValue") is None:
        detail = "must specify a positive target averageValue"
        yield required(f"{path}.target.averageValue", detail)


def _resource_errors(source: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    if not source.get("name"):
        yield required(f"{path}.name", "must specify a resource name")
    yield from _usage_errors(source["target"], f"{path}.target")


def _container_errors(source: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    name, container = source.get("name") or "", source.get("container") or ""
    if not name:
        yield required(f"{path}.name", "must specify a resource name")
    else:
        yield from _container_resource_errors(name, f"{path}.name")
    if not container:
        yield required(f"{path}.container", "must specify a container")
    else:
        for detail in dns_label_errors(container):
            yield invalid(f"{path}.container", container, detail)
    yield from _usage_errors(source["target"], f"{path}.target")


_CHECKS: Final[dict[str, Callable[[Mapping[str, Any], str], Iterator[FieldError]]]] = {
    "object": _object_errors,
    "pods": _pods_errors,
    "resource": _resource_errors,
    "containerResource": _container_errors,
}
"""By source, in the order in which the webhook looks for them."""


def _container_resource_errors(name: str, path: str) -> Iterator[FieldError]:
    yield from resource_name_errors(name, path, _KNOWN)
    if "/" not in name:
        if name not in _IN_CONTAINERS and not is_huge_page(name):
            yield invalid(path, name, "must be a standard resource for containers")
    elif not is_native(name) and not is_extended(name):
        yield invalid(path, name, "doesn't follow extended resource name standard")


def _usage_errors(target: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    yield from _target_errors(target, path)
    share, amount = target.get("averageUtilization"), target.get("averageValue")
    if share is None and amount is None:
        detail = "must set either a target raw value or a target utilization"
        yield required(f"{path}.averageUtilization", detail)
    if share is not None and amount is not None:
        detail = "may not set both a target raw value and a target utilization"
        yield forbidden(f"{path}.averageValue", detail)


def _target_errors(target: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    kind = target.get("type") or ""
    if not kind:
        yield required(f"{path}.type", "must specify a metric target type")
    if kind not in _TARGETS:
        detail = "must be either Utilization, Value, or AverageValue"
        yield invalid(f"{path}.type", kind, detail)
    for key in ("value", "averageValue"):
        amount = target.get(key)
        if amount is not None and parse_quantity(str(amount)) <= 0:
            yield invalid(f"{path}.{key}", as_printed(str(amount)), "must be positive")
    share = target.get("averageUtilization")
    if share is not None and share < 1:
        yield invalid(f"{path}.averageUtilization", share, "must be greater than 0")


def _name_errors(metric: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    name = metric.get("name") or ""
    if not name:
        yield required(f"{path}.name", "must specify a metric name")
    for detail in path_segment_errors(name):
        yield invalid(f"{path}.name", name, detail)
