"""The names by which this project's objects on the Karmada API are known.

Owns labels, annotations, the way a name is made, and how an object says which workload it is for.
Karmada's own keys stand where they are used.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from placement.federation.workload import Template, Workload
from placement.karmada.meta import ObjectMeta
from placement.karmada.propagation import ResourceSelector

WORKLOAD_LABEL = "federation/workload"
"""On every object that is for one workload: its name. Whatever bears it is this project's."""

REPLICAS_ANNOTATION = "federation/replicas"
"""On a policy: the decided replicas by cluster, as JSON."""

SKIP_AWAIT = "pulumi.com/skipAwait"
"""Templates on the Karmada API run nowhere there, so nothing may wait for them to become ready."""

Manifest = dict[str, Any]
"""A Kubernetes object in wire form."""


def object_name(workload: Workload, template: Template) -> str:
    """The name of every object that is made for a workload's template."""
    return f"{workload.name}-{template.kind.lower()}"


def metadata(
    workload: Workload, template: Template, annotations: Mapping[str, str] = MappingProxyType({})
) -> ObjectMeta:
    """The metadata of an object that is made for a workload's template."""
    return ObjectMeta(
        name=object_name(workload, template),
        namespace=workload.namespace,
        labels={WORKLOAD_LABEL: workload.name},
        annotations=dict(annotations),
    )


def selector(workload: Workload, template: Template) -> ResourceSelector:
    """What selects a workload's template, and nothing else."""
    return ResourceSelector(
        api_version=template.api_version,
        kind=template.kind,
        name=template.name,
        namespace=workload.namespace,
    )
