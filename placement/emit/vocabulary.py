"""The names by which this project's objects on the Karmada API are known.

Owns labels, annotations and the way a name is made. Karmada's own keys stand where they are used.
"""

from typing import Any

from placement.federation.workload import Template, Workload

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
