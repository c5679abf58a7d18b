"""The kubeconfig of a cluster; of one that exists already, from the stack's secrets.

Owns the check that it can be used at all. It does not call the cluster: a preview must work while
the cluster is away. The text itself is never part of a message.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import yaml

from components.secret import command, secret, wrong

KEY = "federation:kubeconfig"
"""The configuration key of the secret, for a plane on one cluster."""

KEYS = "federation:kubeconfigs"
"""The configuration key of the secret with several: a mapping in YAML, kubeconfigs by cluster."""


@dataclass(frozen=True)
class Kubeconfig:
    """How to reach a cluster.

    Attributes:
        text: a secret.
        endpoint: the URL of its API.
    """

    text: pulumi.Output[str]
    endpoint: pulumi.Input[str]


def read() -> Kubeconfig:
    """The kubeconfig that the selected stack holds.

    Raises:
        BadInputError: there is none, it is not a secret, or nothing can be reached with it.
    """
    return _checked(KEY, KEY, secret(KEY, "a kubeconfig"))


def read_all(names: Sequence[str]) -> dict[str, Kubeconfig]:
    """The kubeconfigs that the selected stack holds for the clusters *names*.

    Raises:
        BadInputError: one is missing, they are not secret, or nothing can be reached with one.
    """
    wanted = "a mapping of kubeconfigs by cluster"
    try:
        found = yaml.safe_load(secret(KEYS, wanted))
    except (yaml.YAMLError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise wrong(KEYS, f"read something else; allowed {wanted}: {command(KEYS)}")
    absent = [name for name in names if name not in found]
    if absent:
        raise wrong(KEYS, f"lacks {', '.join(absent)}; allowed one for each cluster of the plane")
    return {name: _checked(KEYS, f"{KEYS}.{name}", _text(found[name])) for name in names}


def _text(found: Any) -> str:
    """A kubeconfig as text, whether it was given as such or as a mapping."""
    return found if isinstance(found, str) else yaml.safe_dump(found)


def _checked(key: str, place: str, text: str) -> Kubeconfig:
    try:
        endpoint = _endpoint(yaml.safe_load(text))
    except (yaml.YAMLError, LookupError, TypeError, ValueError, StopIteration, RecursionError):
        raise wrong(
            place,
            "read something else than a kubeconfig whose current-context names a cluster and a "
            f"user; allowed one that kubectl works with: {command(key)}",
        ) from None
    if not endpoint.startswith("https://"):
        raise wrong(place, "its server does not begin with https://; allowed https alone")
    return Kubeconfig(pulumi.Output.secret(text), endpoint)


def _endpoint(content: Any) -> str:
    """The server of the current context; any exception where the content is no kubeconfig."""
    context = _named(content["contexts"], content["current-context"])["context"]
    cluster = _named(content["clusters"], context["cluster"])["cluster"]
    user = _named(content["users"], context["user"])["user"]
    for part in (cluster, user):
        for key, value in part.items() if isinstance(part, Mapping) else ():
            if key.endswith("-data"):
                base64.b64decode(value, validate=True)
    return str(cluster["server"])


def _named(entries: Any, name: str) -> Any:
    return next(entry for entry in entries if entry["name"] == name)
