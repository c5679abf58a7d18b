"""A resource, as the engine shows it to a rule.

Owns how a rule reads properties, so that a value that nobody knows yet is never taken for a good
one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from policies.values import Hidden, Unknown, walk

_KUBERNETES: Final = "kubernetes:"
_KARMADA: Final = "policy.karmada.io/"


class NotEvaluableError(Exception):
    """What the rule needs is not known (yet): it neither holds nor is broken."""


@dataclass(frozen=True)
class Resource:
    """A resource of the stack.

    Attributes:
        type: its type token, such as ``kubernetes:apps/v1:Deployment``.
        name: its name in the program.
        props: its properties, as ``values.read`` gives them.
        urn: its URN.
    """

    type: str
    name: str
    props: Mapping[str, Any]
    urn: str = ""

    @property
    def kind(self) -> str:
        """The kind of a Kubernetes object with its group, such as ``apps/Deployment``."""
        if not self.type.startswith(_KUBERNETES):
            return ""
        version, _, kind = self.type.removeprefix(_KUBERNETES).rpartition(":")
        return f"{version.partition('/')[0]}/{kind}"

    @property
    def is_propagation(self) -> bool:
        """Whether it is a PropagationPolicy or a ClusterPropagationPolicy."""
        kinds = ("PropagationPolicy", "ClusterPropagationPolicy")
        return self.kind in [f"{_KARMADA}{kind}" for kind in kinds]

    def read(self, *keys: str) -> Any:
        """The property under *keys*; None where there is none.

        Raises:
            NotEvaluableError: it, or a part of it, is unknown or secret.
        """
        value: Any = self.props
        path = ""
        for key in keys:
            path = f"{path}.{key}" if path else key
            value = value.get(key) if isinstance(value, Mapping) else None
            _refuse(value, path)
        for leaf, item in walk(value, path):
            _refuse(item, leaf)
        return value

    def objects(self, *keys: str) -> Sequence[Mapping[str, Any]]:
        """The list of objects under *keys*; empty where there is none.

        Raises:
            NotEvaluableError: as ``read``, or it is something else than such a list.
        """
        value = self.read(*keys) or []
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            raise NotEvaluableError(f"{'.'.join(keys)} is no list of objects")
        return value


def _refuse(value: Any, path: str) -> None:
    if isinstance(value, Unknown):
        raise NotEvaluableError(f"{path} is known after the update only")
    if isinstance(value, Hidden):
        raise NotEvaluableError(f"{path} is secret")
