"""Images from a mirror: which name they have there, and what tells a chart or a manifest so.

Owns the rule: a mirror has every image under its own path, without its registry's name. That is how
a chart reads a registry's name that it takes for all of its images.
"""

from collections.abc import Mapping
from typing import Any

from components.catalogue.entry import Entry
from components.settings.mirror import Mirror

_DOCKER = "docker.io"
"""The registry of an image that names none."""


def mirrored(image: str, mirror: Mirror | None) -> str:
    """*image*, or a repository without a tag, where *mirror* has it."""
    if mirror is None or mirror.images is None:
        return image
    return f"{mirror.images}/{image.partition('/')[2]}"


def with_mirror(entry: Entry, values: Mapping[str, Any], mirror: Mirror | None) -> dict[str, Any]:
    """The *values* of a chart, with those that say where its images are."""
    told = dict(values)
    if mirror is None or mirror.images is None:
        return told
    for path in entry.registries:
        told = _set(told, path.split("."), mirror.images)
    for path, repository in entry.repositories.items():
        told = _set(told, path.split("."), mirrored(repository, mirror))
    return told


def _set(values: Mapping[str, Any], path: list[str], value: str) -> dict[str, Any]:
    key, *rest = path
    return {**values, key: _set(values.get(key, {}), rest, value) if rest else value}


def pinned(entry: Entry, content: Any, mirror: Mirror | None) -> Any:
    """The *content* of a manifest with the images of *entry*, from *mirror*.

    A string that names an image of the entry's gets the entry's tag: some projects stamp it only
    into the files of their releases.
    """
    known = {_repository(image): mirrored(image, mirror) for image in entry.images}
    return _replaced(content, known)


def _replaced(content: Any, known: Mapping[str, str]) -> Any:
    if isinstance(content, dict):
        return {key: _replaced(value, known) for key, value in content.items()}
    if isinstance(content, list):
        return [_replaced(value, known) for value in content]
    return known.get(_repository(content), content) if isinstance(content, str) else content


def _repository(image: str) -> str:
    """The name of *image* with its registry and without its tag."""
    first, _, _ = image.partition("/")
    full = image if "." in first or ":" in first else f"{_DOCKER}/{image}"
    head, _, tag = full.rpartition(":")
    return head if head and "/" not in tag else full
