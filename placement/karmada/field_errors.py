"""One error of Karmada's validating webhook, in Kubernetes' words.

Owns the wording ``FIELD: Invalid value: VALUE: DETAIL``, with the value as Go prints it.

Source: ``pkg/util/validation/field/errors.go`` in ``k8s.io/apimachinery``.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from placement.karmada.encoding import encode
from placement.karmada.meta import WireModel


@dataclass(frozen=True, order=True)
class FieldError:
    """What the webhook says of one field.

    Attributes:
        field: the path, such as ``spec.placement.spreadConstraints[0]``.
        type: ``FieldValueInvalid`` or ``FieldValueNotSupported``.
        message: the whole text; it starts with the path.
    """

    field: str
    type: str
    message: str


def invalid(field: str, value: object, detail: str) -> FieldError:
    """Return the error for a value that breaks a rule.

    Args:
        field: the path.
        value: the value in wire form; see ``as_go`` for an object.
        detail: the rule.
    """
    return FieldError(field, "FieldValueInvalid", f"{field}: Invalid value: {_go(value)}: {detail}")


def not_supported(field: str, value: str, supported: Sequence[str]) -> FieldError:
    """Return the error for a value that is none of the *supported* ones."""
    allowed = ", ".join(_go(each) for each in supported)
    message = f"{field}: Unsupported value: {_go(value)}: supported values: {allowed}"
    return FieldError(field, "FieldValueNotSupported", message)


def as_go(value: Any, model: type[WireModel]) -> Any:  # noqa: ANN401 - a value from the wire
    """Return an object, or a list of objects, of the struct *model* in the order of Go's fields."""
    if isinstance(value, list | tuple):
        return [encode(item, model) for item in value]
    return encode(value, model)


def _go(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, str):
        return text
    # Go's encoder escapes what could end a script in HTML.
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")
