"""What Kubernetes says of labels, annotations and the metadata of an object.

Owns the part of the object's metadata that a client writes.

Source: ``ValidateObjectMeta`` in ``pkg/api/validation/objectmeta.go`` and ``ValidateLabels`` in
``pkg/apis/meta/v1/validation/validation.go`` of ``k8s.io/apimachinery``.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from placement.karmada.field_errors import FieldError, forbidden, invalid, required, too_long
from placement.karmada.label_key import label_key_errors
from placement.karmada.names import dns_label_errors, label_value_errors

_ANNOTATION_BYTES: Final = 256 * 2**10
_PATH: Final = "metadata"


def metadata_errors(
    manifest: Mapping[str, Any],
    name_rule: Callable[[str], list[str]],
    *,
    namespaced: bool = True,
) -> Iterator[FieldError]:
    """Yield every error of an object's metadata.

    Args:
        manifest: the object in wire form.
        name_rule: what is wrong with a name, such as ``names.dns_subdomain_errors``.
        namespaced: whether the kind has a namespace; where it has, an absent one is ``default``,
            as for every client.
    """
    metadata = manifest.get("metadata") or {}
    name, namespace = metadata.get("name") or "", metadata.get("namespace") or ""
    if not name:
        yield required(f"{_PATH}.name", "name or generateName is required")
    else:
        for detail in name_rule(name):
            yield invalid(f"{_PATH}.name", name, detail)
    if namespace and not namespaced:
        yield forbidden(f"{_PATH}.namespace", "not allowed on this type")
    elif namespace:
        for detail in dns_label_errors(namespace):
            yield invalid(f"{_PATH}.namespace", namespace, detail)
    yield from label_errors(metadata.get("labels") or {}, f"{_PATH}.labels")
    yield from annotation_errors(metadata.get("annotations") or {}, f"{_PATH}.annotations")


def label_errors(labels: Mapping[str, str], path: str) -> Iterator[FieldError]:
    """Yield every error of a map of labels."""
    for key, value in labels.items():
        for detail in label_key_errors(key):
            yield invalid(path, key, detail)
        for detail in label_value_errors(value):
            yield invalid(path, value, detail)


def annotation_errors(annotations: Mapping[str, str], path: str) -> Iterator[FieldError]:
    """Yield every error of a map of annotations, whose keys may have capitals anywhere."""
    for key in annotations:
        for detail in label_key_errors(key.lower()):
            yield invalid(path, key, detail)
    size = sum(len(key.encode()) + len(value.encode()) for key, value in annotations.items())
    if size > _ANNOTATION_BYTES:
        yield too_long(path, _ANNOTATION_BYTES)
