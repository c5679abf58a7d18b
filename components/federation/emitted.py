"""What the emitted objects say of themselves: which policy is for which workload and object."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from placement.emit import REPLICAS_ANNOTATION, WORKLOAD_LABEL, Manifest

Key = tuple[str, str, str]
"""Namespace, kind and name of an object of a user's."""


@dataclass(frozen=True)
class Policy:
    """A PropagationPolicy of ours.

    Attributes:
        workload: the id of its workload.
        target: the object that it selects.
        api_version: of that object.
        replicas: as decided, by cluster.
        content: the policy.
    """

    workload: str
    target: Key
    api_version: str
    replicas: dict[str, int]
    content: Manifest


def workload_of(content: Manifest) -> str | None:
    """The id of the workload that an object is for; None where it stands for all."""
    metadata = content["metadata"]
    name = (metadata.get("labels") or {}).get(WORKLOAD_LABEL)
    return None if name is None else f"{metadata['namespace']}/{name}"


def policies(emitted: Iterable[Manifest]) -> Iterator[Policy]:
    """The policies of the workloads among our objects."""
    for content in emitted:
        workload = workload_of(content)
        if workload is None or content["kind"] != "PropagationPolicy":
            continue
        metadata, (selector,) = content["metadata"], content["spec"]["resourceSelectors"]
        yield Policy(
            workload=workload,
            target=(metadata["namespace"], selector["kind"], selector["name"]),
            api_version=selector["apiVersion"],
            replicas=json.loads(metadata["annotations"][REPLICAS_ANNOTATION]),
            content=content,
        )
