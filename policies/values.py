"""What the engine says of a resource's properties, as plain values.

Owns the two things that a property can be besides a plain value: secret, or unknown until the
update. The policy SDK drops the first and stops at the second, so both are read here, from the
engine's own form.

Source: ``sdk/go/common/resource/sig`` and ``sdk/go/propertyrpc`` of Pulumi.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

SIGNATURE: Final = "4dabf18193072939515e22adb298388d"
"""The key by which the engine marks a value that is more than a plain one."""

SECRET: Final = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105 - marks a secret, is none
_OUTPUT: Final = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
_UNKNOWN: Final = frozenset(
    {
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
        "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
        "030794c1-ac77-496b-92df-f27374a8bd58",
        "e48ece36-62e2-4504-bad9-02848725956a",
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
    }
)


@dataclass(frozen=True)
class Unknown:
    """A value that only the update will tell."""


@dataclass(frozen=True, repr=False)
class Hidden:
    """A value that is marked secret; what it is stays here."""


def read(value: Any) -> Any:
    """Return a property in plain form, with ``Hidden`` and ``Unknown`` in their places.

    Whole numbers become ``int``: on the engine's wire every number is a double.

    Args:
        value: of the engine's JSON form.
    """
    if isinstance(value, dict):
        return _read_object(value)
    if isinstance(value, list):
        return [read(item) for item in value]
    if isinstance(value, str) and value in _UNKNOWN:
        return Unknown()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _read_object(value: dict[str, Any]) -> Any:
    match value.get(SIGNATURE):
        case str(mark) if mark == SECRET or (mark == _OUTPUT and value.get("secret")):
            return Hidden()
        case str(mark) if mark == _OUTPUT:
            return read(value["value"]) if "value" in value else Unknown()
        case _:
            # Assets and references keep their fields: a text in them is a text like any other.
            return {key: read(item) for key, item in value.items() if key != SIGNATURE}


def walk(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every leaf with its path, such as ``("data.token", Hidden())``, in order."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from walk(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from walk(item, f"{path}[{index}]")
    else:
        yield path, value
