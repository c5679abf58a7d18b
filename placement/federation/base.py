"""The base model and the vocabulary of constrained types for what users write.

Owns how a key is spelt (camelCase in files, snake_case in Python), that unknown keys are refused,
and the named types shared by several models. It does not read files: ``file.py`` does.
"""

from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.alias_generators import to_camel

from placement.quantity import parse_quantity


class Model(BaseModel):
    """A frozen model of plain values: unknown keys are refused, keys are camelCase in files."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, alias_generator=to_camel, populate_by_name=True
    )


def _decimal(value: object) -> object:
    """Take a number as it is written, so that 0.1 stays 0.1."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float, Decimal)):
        raise ValueError("allowed a decimal number")
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        raise ValueError('allowed a decimal number such as "0.0829"') from None
    if not number.is_finite():
        raise ValueError("allowed a finite decimal number")
    return number


def _quantity(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise ValueError('allowed a Kubernetes quantity such as "500m" or 16Gi')
    if parse_quantity(str(value)) < 0:
        raise ValueError("allowed a quantity of 0 or more")
    return str(value)


NAME_PATTERN = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"
_NUMBER_SCHEMA = {
    "anyOf": [{"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?$"}, {"type": "number"}]
}

Amount = Annotated[Decimal, BeforeValidator(_decimal), Field(ge=0), WithJsonSchema(_NUMBER_SCHEMA)]
"""A decimal of 0 or more, kept exactly as written."""

PositiveAmount = Annotated[
    Decimal, BeforeValidator(_decimal), Field(gt=0), WithJsonSchema(_NUMBER_SCHEMA)
]
"""A decimal above 0, kept exactly as written."""

Quantity = Annotated[
    str,
    BeforeValidator(_quantity),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
]
"""A Kubernetes quantity of 0 or more, kept as written: ``500m``, ``16Gi``."""

Count = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]
"""A number of replicas."""

Resources = Annotated[dict[str, Quantity], Field(description="quantities by resource name")]

ClusterName = Annotated[str, Field(pattern=NAME_PATTERN, max_length=48)]
"""A member's name: DNS-1123 label of at most 48 characters, as Karmada demands."""

ObjectName = Annotated[str, Field(pattern=r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$", max_length=253)]
"""The name of a Kubernetes object."""

Namespace = Annotated[str, Field(pattern=NAME_PATTERN, max_length=63)]

LabelValue = Annotated[
    str, Field(pattern=r"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$", max_length=63)
]

Region = Annotated[str, Field(pattern=r"^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$", max_length=63)]
"""A region as the provider calls it; a label value, since Karmada makes it one."""

Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
"""An ISO 4217 code."""

Continent = Literal[
    "africa", "antarctica", "asia", "europe", "north-america", "oceania", "south-america"
]

Level = Literal["cluster", "region", "zone", "provider", "continent"]
"""What a workload can be spread over."""


def _not_empty(text: str) -> str:
    if not text.strip():
        raise ValueError("allowed a source that a reader can look up")
    return text


class Sourced(Model):
    """A fact of the outside world: nothing is taken without where and when it was read."""

    source: Annotated[str, AfterValidator(_not_empty)]
    """Where the figure was published."""
    date: date
    """The day for which it holds, or on which it was read."""
    proxy: str | None = None
    """What the figure really describes, where it stands in for something unpublished."""


class Money(Model):
    """An amount of money a month."""

    amount: PositiveAmount
    currency: Currency
