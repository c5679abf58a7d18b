"""The object of a workload that the federation stack creates itself, and any object's template.

Owns what is added to a manifest: namespace, label, the annotation that nothing waits for it, the
PriorityClass of its class, and the first number of replicas of an autoscaled one.
"""

from copy import deepcopy
from pathlib import Path
from typing import Any

from placement.emit.standing import priority_class_name
from placement.emit.vocabulary import SKIP_AWAIT, WORKLOAD_LABEL, Manifest
from placement.federation import Workload
from placement.federation.file import manifest
from placement.federation.workload import Range, Template


def own_object(workload: Workload, directory: Path) -> Manifest | None:
    """The object of *workload*; None where it is the user's own.

    Args:
        workload: the workload.
        directory: where the federation file is; manifests are relative to it.

    Raises:
        BadInputError: the manifest cannot be read.
    """
    if workload.manifest is None:
        return None
    content = deepcopy(manifest(directory, workload))
    metadata = content.setdefault("metadata", {})
    metadata["namespace"] = workload.namespace
    metadata["labels"] = {**metadata.get("labels", {}), WORKLOAD_LABEL: workload.name}
    metadata["annotations"] = {**metadata.get("annotations", {}), SKIP_AWAIT: "true"}
    spec: dict[str, Any] = content.get("spec") or {}
    pod = (spec.get("template") or {}).get("spec")
    if isinstance(pod, dict):
        pod.setdefault("priorityClassName", priority_class_name(workload.class_))
    if isinstance(workload.replicas, Range):
        spec.setdefault("replicas", workload.replicas.min)
    return content


def template_of(workload: Workload, own: Manifest | None) -> Template:
    """What a policy selects: the object that the workload names, or its own."""
    if workload.template is not None:
        return workload.template
    if own is None:
        raise ValueError(f"{workload.id} has neither template nor manifest")
    return Template(api_version=own["apiVersion"], kind=own["kind"], name=own["metadata"]["name"])
