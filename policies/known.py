"""What is known of clusters and workloads, beside the resource that a rule looks at.

Owns where such facts come from: resources of the same stack that the engine has shown before. It
shows a component before its children, and reads a stack's state in the same order.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from policies.resources import NotEvaluableError, Resource

CLUSTER: Final = "cluster.karmada.io/Cluster"
_COMPONENT: Final = "federation:"
_CARRIER: Final = "federation:carrier:Carrier"
_FEDERATION: Final = "federation:federation:Federation"
_FIELDS: Final = {
    "region": ("region",),
    "provider": ("provider",),
    "zone": ("zones", "zone"),
    "continent": ("continent",),
}
"""The keys in which each group of clusters may stand: one text, or a list."""


class Known:
    """Facts of clusters and workloads, gathered as the engine shows resource after resource.

    Attributes:
        said: the URN and the path of each input that was found in clear: what is also an output
            need not be said twice.
        places_workloads: whether the stack is one of the federation plane.
        storage_classes: those of the storage plane; None where nothing has said them.
    """

    said: set[tuple[str, str]]
    places_workloads: bool
    storage_classes: frozenset[str] | None

    def __init__(self) -> None:
        self.said = set()
        self.places_workloads = False
        self.storage_classes = None
        self._carriers: set[str] = set()
        self._clusters: dict[str, Mapping[str, Any]] = {}
        self._workloads: dict[str, Mapping[str, Any]] = {}

    @property
    def carriers(self) -> frozenset[str]:
        """The clusters that carry the control plane.

        Raises:
            NotEvaluableError: no resource has named any.
        """
        if not self._carriers:
            raise NotEvaluableError("no resource of this stack says which cluster is the carrier")
        return frozenset(self._carriers)

    def groups(self, field: str, clusters: Sequence[str]) -> frozenset[str]:
        """The groups of *field* that *clusters* are in.

        Args:
            field: ``cluster``, ``region``, ``provider``, ``zone`` or ``continent``.
            clusters: by name.

        Raises:
            NotEvaluableError: the group of some cluster is not known.
        """
        if field == "cluster":
            return frozenset(clusters)
        found: set[str] = set()
        unknown: list[str] = []
        for name in clusters:
            groups = self._of(name, field)
            found.update(groups or ())
            if groups is None:
                unknown.append(name)
        if unknown:
            raise NotEvaluableError(f"the {field} of {', '.join(sorted(unknown))} is not known")
        return frozenset(found)

    def workload(self, name: str) -> Mapping[str, Any]:
        """What the workload *name* (``namespace/name``) demands: its class, its continents.

        Raises:
            NotEvaluableError: no resource has said it.
        """
        if name not in self._workloads:
            raise NotEvaluableError(f"no resource of this stack says what {name} demands")
        return self._workloads[name]

    def learn(self, resource: Resource) -> None:
        """Take from a resource what it says of clusters and workloads."""
        if resource.type == _CARRIER:
            self._learn_carriers([_at(resource.props, "cluster", "name")])
        if resource.type == _FEDERATION:
            self.places_workloads = True
            classes = resource.props.get("storageClasses")
            if isinstance(classes, list):
                self.storage_classes = frozenset(classes)
        if resource.type.startswith(_COMPONENT):
            self._learn_carriers(resource.props.get("carriers"))
            clusters = resource.props.get("clusters")
            for name, facts in clusters.items() if isinstance(clusters, Mapping) else ():
                self._learn_cluster(name, facts)
            workloads = resource.props.get("workloads")
            if isinstance(workloads, Mapping):
                self._workloads.update(workloads)
        if resource.kind == CLUSTER:
            self._learn_cluster(_at(resource.props, "metadata", "name"), resource.props.get("spec"))

    def _learn_carriers(self, names: Any) -> None:
        if isinstance(names, list):
            self._carriers.update(name for name in names if isinstance(name, str))

    def _learn_cluster(self, name: Any, facts: Any) -> None:
        if isinstance(name, str) and isinstance(facts, Mapping):
            self._clusters[name] = {**self._clusters.get(name, {}), **facts}

    def _of(self, name: str, field: str) -> frozenset[str] | None:
        facts = self._clusters.get(name, {})
        for key in _FIELDS[field]:
            value = facts.get(key)
            listed = value if isinstance(value, list) else [value]
            if value is not None and all(isinstance(item, str) and item for item in listed):
                return frozenset(listed)
        return None


def _at(props: Mapping[str, Any], *keys: str) -> Any:
    value: Any = props
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
