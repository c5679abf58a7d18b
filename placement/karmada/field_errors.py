"""One error of Karmada's validating webhook, in Kubernetes' words.

Owns the wording ``FIELD: Invalid value: VALUE: DETAIL``, with the value as Go prints it.

Source: ``pkg/util/validation/field/errors.go`` in ``k8s.io/apimachinery``.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from placement.karmada.encoding import encode
from placement.karmada.meta import WireModel


@dataclass(frozen=True, order=True)
class FieldError:
    """What the webhook says of one field.

    Attributes:
        field: the path, such as ``spec.placement.spreadConstraints[0]``.
        type: the kind of error in Kubernetes' words, such as ``FieldValueInvalid``.
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
    allowed = ", ".join(map(quoted, supported))
    # The value is of a type of its own there, not plain text, and so printed as JSON.
    message = f"{field}: Unsupported value: {_json(value)}: supported values: {allowed}"
    return FieldError(field, "FieldValueNotSupported", message)


def type_invalid(field: str, value: object, detail: str) -> FieldError:
    """Return the error for a value that cannot be read as what it stands for."""
    message = f"{field}: Invalid value: {_go(value)}: {detail}"
    return FieldError(field, "FieldValueTypeInvalid", message)


def required(field: str, detail: str = "") -> FieldError:
    """Return the error for a value that is absent or empty."""
    return FieldError(field, "FieldValueRequired", _line(f"{field}: Required value", detail))


def forbidden(field: str, detail: str) -> FieldError:
    """Return the error for a value that other settings would allow."""
    return FieldError(field, "FieldValueForbidden", _line(f"{field}: Forbidden", detail))


def duplicate(field: str, value: object, detail: str = "") -> FieldError:
    """Return the error for a value that must be there once."""
    message = _line(f"{field}: Duplicate value: {_go(value)}", detail)
    return FieldError(field, "FieldValueDuplicate", message)


def too_long(field: str, limit: int) -> FieldError:
    """Return the error for a text or a map of more than *limit* bytes."""
    message = f"{field}: Too long: may not be more than {limit} bytes"
    return FieldError(field, "FieldValueTooLong", message)


def _line(start: str, detail: str) -> str:
    return f"{start}: {detail}" if detail else start


def as_go(value: Any, model: type[WireModel]) -> Any:
    """Return an object, or a list of objects, of the struct *model* in the order of Go's fields."""
    if isinstance(value, list | tuple):
        return [encode(item, model, nulls=True) for item in value]
    return encode(value, model, nulls=True)


def quoted(text: str) -> str:
    """Return a text in quotation marks, as Go's ``strconv.Quote`` writes it."""
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if short := _SHORT_ESCAPES.get(character):
        return short
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_SHORT_ESCAPES: Final = {
    '"': r"\"",
    "\\": r"\\",
    "\a": r"\a",
    "\b": r"\b",
    "\f": r"\f",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
    "\v": r"\v",
}


def _go(value: object) -> str:
    return quoted(value) if isinstance(value, str) else _json(value)


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Go's encoder escapes what could end a script in HTML.
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")
