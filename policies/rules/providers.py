"""FED005: a Kubernetes provider knows its cluster by a name that outlives the kubeconfig."""

from collections.abc import Iterator

from policies.known import Known
from policies.resources import Resource
from policies.rule import Rule

_PROVIDER = "pulumi:providers:kubernetes"


def _check(resource: Resource, _: Known) -> Iterator[str]:
    if resource.type != _PROVIDER:
        return
    if resource.read("renderYamlToDirectory") or resource.read("clusterIdentifier"):
        return  # what renders files has no cluster
    yield (
        "clusterIdentifier is missing: a new kubeconfig, such as one with a rotated credential, "
        "would replace the provider and delete and create again everything on it; give a name "
        "that stays (cluster_identifier in Python)"
    )


PROVIDERS = Rule(
    code="FED005",
    title="provider",
    description="A Kubernetes provider has a cluster_identifier.",
    level="mandatory",
    severity="high",
    check=_check,
)
