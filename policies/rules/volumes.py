"""FED009: a workload keeps no data on the disks of a compute plane.

Its nodes come and go with all that is on them, and a replica that moves to another cluster finds
nothing of what it wrote in the first. Data is kept by the storage plane, behind StorageClasses that
exist in every cluster under the same name.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from policies.known import Known
from policies.resources import NotEvaluableError, Resource
from policies.rule import Rule

_POD_SPECS: Final = {
    "core/Pod": ("spec",),
    "apps/DaemonSet": ("spec", "template", "spec"),
    "apps/Deployment": ("spec", "template", "spec"),
    "apps/ReplicaSet": ("spec", "template", "spec"),
    "apps/StatefulSet": ("spec", "template", "spec"),
    "batch/CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
    "batch/Job": ("spec", "template", "spec"),
}
"""Where each kind says what its pods are."""

_WAY_OUT: Final = "keep data on a StorageClass of the storage plane, scratch in an emptyDir"


def _check(resource: Resource, known: Known) -> Iterator[str]:
    if not known.places_workloads:
        return  # what the carrier and the storage plane run has disks to keep
    if resource.kind == "core/PersistentVolume":
        for source in ("hostPath", "local"):
            if resource.read("spec", source) is not None:
                yield f"spec.{source} is a disk of a node; {_WAY_OUT}"
    elif resource.kind == "core/PersistentVolumeClaim":
        yield from _claim(resource.read("spec"), "spec", known)
    elif resource.kind in _POD_SPECS:
        yield from _volumes(resource, known)
        if resource.kind == "apps/StatefulSet":
            templates = resource.objects("spec", "volumeClaimTemplates")
            for index, template in enumerate(templates):
                path = f"spec.volumeClaimTemplates[{index}].spec"
                yield from _claim(template.get("spec"), path, known)


def _volumes(resource: Resource, known: Known) -> Iterator[str]:
    path = (*_POD_SPECS[resource.kind], "volumes")
    for index, volume in enumerate(resource.objects(*path)):
        here = f"{'.'.join(path)}[{index}]"
        if volume.get("hostPath") is not None:
            yield f"{here}.hostPath is a disk of a node; {_WAY_OUT}"
        if volume.get("ephemeral") is not None:
            template = volume["ephemeral"].get("volumeClaimTemplate") or {}
            yield from _claim(
                template.get("spec"), f"{here}.ephemeral.volumeClaimTemplate.spec", known
            )


def _claim(spec: Mapping[str, Any] | None, path: str, known: Known) -> Iterator[str]:
    """What is wrong with the class of a claim; one without a class takes each cluster's own."""
    name = (spec or {}).get("storageClassName") or ""
    classes = known.storage_classes
    if classes is None:
        raise NotEvaluableError(
            f"{path}.storageClassName: federation.storageClasses does not say which classes are of "
            "the storage plane"
        )
    if name not in classes:
        allowed = ", ".join(sorted(classes)) or "none"
        yield (
            f"{path}.storageClassName is {name!r} where {allowed} keeps data off the nodes; "
            f"{_WAY_OUT}"
        )


VOLUMES = Rule(
    code="FED009",
    title="volumes",
    description="A workload keeps no data on the disks of a compute plane.",
    level="mandatory",
    severity="high",
    check=_check,
)
