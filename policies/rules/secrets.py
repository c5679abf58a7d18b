"""FED006: what opens something is marked secret, so that it is encrypted in state and never shown.

Owns what a secret looks like. A message names the path and the look, never the value.
"""

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from policies.known import Known
from policies.resources import NotEvaluableError, Resource
from policies.rule import Rule
from policies.values import Unknown

_OBJECT: Final = "core/Secret"
_CONTENT: Final = ("data", "stringData")
_STACK: Final = "pulumi:pulumi:Stack"

_LOOKS: Final = (
    ("a private key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")),
    (
        "a kubeconfig with a credential",
        # Either order; one that names files or a command holds no secret.
        re.compile(
            r"(?s)(?=.*\bcurrent-context\b)"
            r"""(?=.*\b(?:client-key-data|password|token)["']?\s*:\s*["']?[^\s"'{}])"""
        ),
    ),
    ("a JSON web token", re.compile(r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}")),
    ("a bootstrap token", re.compile(r"^[a-z0-9]{6}\.[a-z0-9]{16}$")),
    ("an access key of a cloud", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    (
        "an access token",
        re.compile(
            r"\b(?:gh[pousr]_\w{36,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abpr]-[\w-]{10,}"
            r"|pul-[0-9a-f]{40})"
        ),
    ),
)
_NAMES: Final = re.compile(
    r"(?:^|[_.-])(?:password|passwd|passphrase|token|api_?key|access_?key|secret_?key"
    r"|private_?key|client_?secret)$"
)
"""Names of fields, settings and variables, in snake case, whose value is a secret."""

_BASE64: Final = re.compile(r"[A-Za-z0-9+/\s]{40,}={0,2}\s*")


@dataclass(frozen=True)
class _Leaf:
    """A value that is no object and no list.

    Attributes:
        path: such as ``spec.env[0].value``.
        name: what it is the value of: its key, or for an environment the variable.
    """

    path: str
    name: str
    value: Any


def _check_inputs(resource: Resource, known: Known) -> Iterator[str]:
    for path, look in _clear(resource):
        known.said.add((resource.urn, path))
        yield (
            f"{path} is {look} and not marked secret: it stands readable in state, plans and "
            "previews; wrap it (pulumi.Output.secret, pulumi config set --secret), and replace "
            "the credential if it was ever stored"
        )
    if unknown := _unknown(resource):
        raise NotEvaluableError(unknown)


def _check_outputs(resource: Resource, known: Known) -> Iterator[str]:
    for path, look in _clear(resource):
        if (resource.urn, path) in known.said:
            continue
        yield (
            f"output {path} is {look} and not marked secret: it stands readable in the state and "
            "is printed by pulumi stack output; wrap it (pulumi.Output.secret), and replace the "
            "credential if it was ever stored"
        )
    # What providers compute is unknown at every first preview; what a stack publishes is ours.
    if resource.type == _STACK and (unknown := _unknown(resource)):
        raise NotEvaluableError(unknown)


def _clear(resource: Resource) -> Iterator[tuple[str, str]]:
    """What stands in clear: the path of each, and what it looks like."""
    for leaf in _leaves(resource.props):
        if isinstance(leaf.value, str) and leaf.value and (look := _look(resource, leaf)):
            yield leaf.path, look


def _unknown(resource: Resource) -> str:
    """What is not known yet, in words; empty if everything is."""
    paths = [leaf.path for leaf in _leaves(resource.props) if isinstance(leaf.value, Unknown)]
    if not paths:
        return ""
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return f"{', '.join(paths[:3])}{more}: known after the update only"


def _look(resource: Resource, leaf: _Leaf) -> str | None:
    if resource.kind == _OBJECT and leaf.path.partition(".")[0] in _CONTENT:
        return "content of a Secret"
    if _NAMES.search(_snake(leaf.name)):
        return f"a value named {leaf.name}"
    texts = (leaf.value, _decoded(leaf.value))
    return next(
        (look for look, pattern in _LOOKS if any(pattern.search(text) for text in texts)), None
    )


def _leaves(value: Any, path: str = "", name: str = "") -> Iterator[_Leaf]:
    if isinstance(value, dict):
        titled = value.get("name") if "value" in value else None
        for key, item in value.items():
            title = titled if key == "value" and isinstance(titled, str) else str(key)
            yield from _leaves(item, f"{path}.{key}" if path else str(key), title)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(item, f"{path}[{index}]", name)
    else:
        yield _Leaf(path, name, value)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _decoded(text: str) -> str:
    """What base64 stands for; empty where it is none, or no text."""
    if not _BASE64.fullmatch(text):
        return ""
    try:
        return base64.b64decode(text).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


_DESCRIPTION: Final = "A credential is marked secret."

SECRET_INPUTS = Rule(
    code="FED006",
    title="secret",
    description=_DESCRIPTION,
    level="mandatory",
    severity="critical",
    check=_check_inputs,
)

SECRET_OUTPUTS = Rule(
    code="FED006",
    title="secret-output",
    description=_DESCRIPTION,
    level="mandatory",
    severity="critical",
    check=_check_outputs,
    outputs=True,
)
