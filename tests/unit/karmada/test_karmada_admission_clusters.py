"""Each rule for services, rebalancers and clusters fires on its fault."""

import pytest

from placement.karmada.admission import admission_errors
from tests.unit.karmada.edits import Edit, append, assert_one_error, both, put
from tests.unit.karmada.sound_kinds import sound

_LAST_MODEL = "spec.resourceModels.1.ranges.0"

_FAULTS: list[tuple[str, Edit, str, str]] = [
    (
        "MultiClusterService",
        append("spec.types", "LoadBalancer"),
        "spec.types",
        "should not contain more than one type",
    ),
    ("MultiClusterService", put("spec.types", ["X"]), "spec.types[0]", "ExposureType Error"),
    (
        "MultiClusterService",
        put("metadata.name", "9shop"),
        "metadata.name",
        "a DNS-1035 label must consist",
    ),
    (
        "MultiClusterService",
        put("spec.ports.1.name", "http"),
        "spec.ports[1].name",
        'Duplicate value: "http"',
    ),
    (
        "MultiClusterService",
        put("spec.ports.0.port", 0),
        "spec.ports[0].port",
        "must be between 1 and 65535, inclusive",
    ),
    (
        "MultiClusterService",
        put("spec.providerClusters.0.name", ""),
        "spec.range.providerClusters[0]",
        "must be not empty",
    ),
    (
        "MultiClusterService",
        put("spec.consumerClusters.0.name", "x" * 49),
        "spec.range.consumerClusters[0]",
        "must be no more than 48 characters",
    ),
    ("Cluster", put("metadata.name", "x" * 49), "metadata.name", "no more than 48 characters"),
    (
        "Cluster",
        put("spec.apiEndpoint", "10.0.0.1:6443"),
        "spec.apiEndpoint",
        "first path segment in URL cannot contain colon",
    ),
    ("Cluster", put("spec.apiEndpoint", "fsn:6443"), "spec.apiEndpoint", "host must be provided"),
    ("Cluster", put("spec.apiEndpoint", "https://u@h"), "spec.apiEndpoint", "user information"),
    ("Cluster", put("spec.apiEndpoint", "https://h?a"), "spec.apiEndpoint", "query parameters"),
    ("Cluster", put("spec.apiEndpoint", "https://h#a"), "spec.apiEndpoint", "fragments"),
    ("Cluster", put("spec.proxyURL", "ftp://h"), "spec.proxyURL", 'unsupported scheme "ftp"'),
    ("Cluster", put("spec.secretRef.name", ""), "spec.secretRef.name", "Required value"),
    ("Cluster", put("spec.region", "a b"), "spec.region", "a valid label must be"),
    ("Cluster", put("spec.zones", ["a b"]), "spec.Zones", "a valid label must be"),
    ("Cluster", put("spec.zone", "fsn1"), "spec.spec", "Zone and Zones cannot co-exist"),
    (
        "Cluster",
        both(put("spec.zone", "fsn1"), put("spec.proxyHeader", {"b": "1", "a": "2"})),
        "spec.spec",
        '"ProxyHeader":{"a":"2","b":"1"}',
    ),
    (
        "Cluster",
        put("spec.taints", [{"key": "a", "effect": "PreferNoSchedule"}]),
        "spec.taints[0].effect",
        'supported values: "NoSchedule", "NoExecute"',
    ),
    (
        "Cluster",
        put("spec.taints", [{"key": "a", "effect": "NoExecute"}] * 2),
        "spec.taints[1]",
        "taints must be unique by key and effect pair",
    ),
    (
        "Cluster",
        put(f"{_LAST_MODEL}.min", "5"),
        "spec.resourceModels",
        "must be contiguous and non-overlapping",
    ),
    (
        "Cluster",
        put(f"{_LAST_MODEL}.name", "memory"),
        "spec.resourceModels",
        "The resource types of each models should be the same",
    ),
    (
        "Cluster",
        put("spec.resourceModels.1.grade", 0),
        "spec.resourceModels",
        "The grade of each models should not be the same",
    ),
    ("WorkloadRebalancer", put("spec.workloads", []), "spec.workloads", "at least 1 item"),
    ("MultiClusterService", put("metadata.labels", {"a": 1}), "metadata.labels.a", "valid string"),
]


@pytest.mark.parametrize(("kind", "edit", "field", "says"), _FAULTS)
def test_a_fault_is_named(kind: str, edit: Edit, field: str, says: str) -> None:
    """One fault in a sound object gives one error, at its field, in Karmada's words."""
    assert_one_error(sound(kind), edit, field, says)


def test_a_namespace_of_a_cluster_is_forgotten() -> None:
    """An object of a kind without namespaces may name one: the server takes it away."""
    manifest = sound("Cluster")
    put("metadata.namespace", "default")(manifest)
    assert admission_errors(manifest) == []
