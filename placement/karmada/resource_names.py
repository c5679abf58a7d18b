"""Names of resources, such as ``cpu``, ``hugepages-2Mi`` and ``nvidia.com/gpu``.

Owns which names Kubernetes takes for its own and which for an extension.

Sources: ``pkg/util/lifted/corev1helpers.go``, ``corehelpers.go`` and ``corevalidation.go``
(Karmada 1.18).
"""

from collections.abc import Iterator, Set
from typing import Final

from placement.karmada.field_errors import FieldError, invalid
from placement.karmada.label_key import label_key_errors

_OWN: Final = "kubernetes.io/"
_REQUESTS: Final = "requests."
_HUGE_PAGES: Final = "hugepages-"


def resource_name_errors(name: str, path: str, standard: Set[str]) -> Iterator[FieldError]:
    """Yield every error of a resource's name.

    Args:
        name: the name.
        path: the path of the field that holds it.
        standard: the names that need no prefix.
    """
    if details := label_key_errors(name):
        for detail in details:
            yield invalid(path, name, detail)
    elif "/" not in name and name not in standard and not is_huge_page_of_quota(name):
        yield invalid(path, name, "must be a standard resource type or fully qualified")


def is_native(name: str) -> bool:
    """Return whether a resource is one of Kubernetes' own."""
    return "/" not in name or _OWN in name


def is_extended(name: str) -> bool:
    """Return whether a resource is an extension that a quota can count."""
    if is_native(name) or name.startswith(_REQUESTS):
        return False
    return not label_key_errors(f"{_REQUESTS}{name}")


def is_huge_page(name: str) -> bool:
    """Return whether a resource is a size of huge pages."""
    return name.startswith(_HUGE_PAGES)


def is_huge_page_of_quota(name: str) -> bool:
    """Return whether a quota's resource is a size of huge pages, used or requested."""
    return is_huge_page(name) or name.startswith(f"{_REQUESTS}{_HUGE_PAGES}")
