"""What every Karmada kind is made of: the base model, object metadata, tolerations, selectors.

Owns the mapping from Python names to wire names and the types that Kubernetes shares between
kinds. The fields of each model stand in the order of the Go struct, because Karmada quotes a
faulty value in that order.

Sources: ``k8s.io/api/core/v1/types.go``, ``k8s.io/apimachinery/pkg/apis/meta/v1/types.go``.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.alias_generators import to_camel

from placement.quantity import parse_quantity


class WireModel(BaseModel):
    """A part of a Kubernetes object: snake_case in Python, camelCase on the wire, immutable.

    An unknown field is an error, since the API server would drop it without a word.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
    )


@dataclass(frozen=True)
class OmitZero:
    """Marks a number or boolean whose zero value Go leaves out (``omitempty``, not a pointer)."""


OMIT_ZERO: Final = OmitZero()


@dataclass(frozen=True)
class RawJson:
    """Marks a value that may be any JSON: only its absence is empty, ``{}`` and ``0`` are not."""


Json = Annotated[Any, RawJson(), WithJsonSchema({"x-kubernetes-preserve-unknown-fields": True})]
"""Any JSON value; None stands for its absence, as a null does in Go."""


def _quantity_text(value: object) -> object:
    """Return a whole number as text: the API takes ``cpu: 2`` and ``cpu: "2"`` alike."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _quantity(text: str) -> str:
    parse_quantity(text)
    return text


Int32 = Annotated[
    int,
    Field(ge=-(2**31), lt=2**31),
    WithJsonSchema({"type": "integer", "format": "int32"}),
]
Int64 = Annotated[
    int,
    Field(ge=-(2**63), lt=2**63),
    WithJsonSchema({"type": "integer", "format": "int64"}),
]
Time = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
"""A time in RFC 3339, such as ``2026-01-31T12:00:00Z``."""

Quantity = Annotated[
    str,
    BeforeValidator(_quantity_text),
    AfterValidator(_quantity),
    WithJsonSchema(
        {
            "anyOf": [{"type": "integer"}, {"type": "string"}],
            "pattern": (
                r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
                r"(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
            ),
            "x-kubernetes-int-or-string": True,
        }
    ),
]
"""A Kubernetes quantity, such as ``250m`` or ``64Gi``."""

ATOMIC_LIST: Final = Field(default=(), json_schema_extra={"x-kubernetes-list-type": "atomic"})
"""A list that server-side apply replaces whole."""

LIST_BY_TYPE: Final = Field(
    default=(),
    json_schema_extra={"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"]},
)
"""A list that server-side apply merges by the ``type`` of its items."""


class ObjectMeta(WireModel):
    """The metadata that a client writes; what the server adds is not ours to state.

    Attributes:
        namespace: absent for a cluster-scoped kind.
    """

    name: str
    namespace: str | None = None
    labels: dict[str, str] = Field(default_factory=dict)
    annotations: dict[str, str] = Field(default_factory=dict)


class Toleration(WireModel):
    """A toleration of cluster taints.

    Attributes:
        operator: ``Exists`` or ``Equal``; absent means ``Equal``. Karmada refuses ``Lt`` and
            ``Gt``.
        effect: absent tolerates every effect, ``NoSchedule`` included: such a policy is also
            placed on a cluster that is already dead.
        toleration_seconds: seconds; absent tolerates for ever.
    """

    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: str | None = None
    toleration_seconds: Int64 | None = None


class LabelSelectorRequirement(WireModel):
    """One expression of a label selector.

    Attributes:
        operator: ``In``, ``NotIn``, ``Exists`` or ``DoesNotExist``.
    """

    key: str
    operator: str
    values: tuple[str, ...] = ATOMIC_LIST


class LabelSelector(WireModel):
    """A selector over labels; all parts must hold, an empty one matches everything."""

    model_config = ConfigDict(json_schema_extra={"x-kubernetes-map-type": "atomic"})

    match_labels: dict[str, str] = Field(default_factory=dict)
    match_expressions: tuple[LabelSelectorRequirement, ...] = ATOMIC_LIST


class CrossVersionObjectReference(WireModel):
    """An object of the same namespace that is scaled or measured.

    Source: ``k8s.io/api/autoscaling/v2/types.go``.
    """

    kind: str
    name: str
    api_version: str | None = None


_QUALIFIED: Final = (
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
    r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
)
QualifiedType = Annotated[str, Field(max_length=316, pattern=_QUALIFIED)]
"""The type of a condition: a label key with a longer name."""


class Condition(WireModel):
    """A condition of an object's status."""

    type: QualifiedType
    status: Literal["True", "False", "Unknown"]
    observed_generation: Annotated[
        int,
        OMIT_ZERO,
        Field(ge=0, lt=2**63),
        WithJsonSchema({"type": "integer", "format": "int64", "minimum": 0}),
    ] = 0
    last_transition_time: Time
    reason: Annotated[
        str,
        Field(min_length=1, max_length=1024, pattern=r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"),
    ]
    message: Annotated[str, Field(max_length=32768)]
