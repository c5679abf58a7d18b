"""What Karmada's validating webhook says of a MultiClusterService.

Source: ``pkg/webhook/multiclusterservice/validating.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from placement.karmada.field_errors import FieldError, duplicate, invalid
from placement.karmada.metadata import metadata_errors
from placement.karmada.names import cluster_name_errors, dns_1035_errors, dns_label_errors

_TYPES: Final = ("CrossCluster", "LoadBalancer")


def service_errors(manifest: Mapping[str, Any]) -> list[FieldError]:
    """Return every error of the webhook on creation, sorted by field and message.

    Args:
        manifest: the whole object in wire form; the values of its spec must have the right types.
    """
    spec = manifest["spec"]
    return sorted(
        (
            *metadata_errors(manifest, dns_1035_errors),
            *_port_errors(spec.get("ports") or []),
            *_type_errors(spec["types"]),
            *_cluster_errors(spec, "providerClusters"),
            *_cluster_errors(spec, "consumerClusters"),
        )
    )


def type_update_errors(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[FieldError]:
    """Return the error for a change of the types.

    Args:
        old: the object as it is stored.
        new: the object as it would be stored.
    """
    before = list(old["spec"]["types"])
    if before == list(new["spec"]["types"]):
        return []
    # Karmada quotes the old types.
    return [invalid("spec.types", before, "MultiClusterService types are immutable")]


def _port_errors(ports: Sequence[Mapping[str, Any]]) -> Iterator[FieldError]:
    names: set[str] = set()
    for index, port in enumerate(ports):
        path = f"spec.ports[{index}]"
        if name := port.get("name"):
            for detail in dns_label_errors(name):
                yield invalid(f"{path}.name", name, detail)
            if name in names:
                yield duplicate(f"{path}.name", name)
            names.add(name)
        if not 1 <= port["port"] <= 65535:
            detail = "must be between 1 and 65535, inclusive"
            yield invalid(f"{path}.port", port["port"], detail)


def _type_errors(types: Sequence[str]) -> Iterator[FieldError]:
    for index, each in enumerate(types):
        if each not in _TYPES:
            yield invalid(f"spec.types[{index}]", each, "ExposureType Error")
    if len(set(types)) > 1:
        detail = "MultiClusterService types should not contain more than one type"
        yield invalid("spec.types", list(types), detail)


def _cluster_errors(spec: Mapping[str, Any], side: str) -> Iterator[FieldError]:
    for index, cluster in enumerate(spec.get(side) or []):
        if details := cluster_name_errors(cluster["name"]):
            # Karmada names the field as it was called once, below the range.
            yield invalid(f"spec.range.{side}[{index}]", cluster["name"], ",".join(details))
