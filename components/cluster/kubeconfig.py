"""The kubeconfig of a cluster that exists already, from the stack's secrets.

Owns the check that it can be used at all. It does not call the cluster: a preview must work while
the cluster is away. The text itself is never part of a message.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
import yaml
from pulumi.runtime import is_config_secret

from placement.faults import BadInputError, Fault

KEY = "federation:kubeconfig"
"""The configuration key of the secret."""


@dataclass(frozen=True)
class Kubeconfig:
    """How to reach a cluster.

    Attributes:
        text: a secret.
        endpoint: the URL of its API.
    """

    text: pulumi.Output[str]
    endpoint: str


def read() -> Kubeconfig:
    """The kubeconfig that the selected stack holds.

    Raises:
        BadInputError: there is none, it is not a secret, or nothing can be reached with it.
    """
    command = f"pulumi config set --secret --stack {pulumi.get_stack()} {KEY} < FILE"
    namespace, _, name = KEY.partition(":")
    text = pulumi.Config(namespace).get(name)
    if not text:
        raise _fault(f"missing; allowed a kubeconfig, as a secret: {command}")
    if not is_config_secret(KEY):
        raise _fault(f"read in clear; allowed as a secret alone, with a new credential: {command}")
    try:
        endpoint = _endpoint(yaml.safe_load(text))
    except (yaml.YAMLError, LookupError, TypeError, ValueError, StopIteration, RecursionError):
        raise _fault(
            "read something else than a kubeconfig whose current-context names a cluster and a "
            f"user; allowed one that kubectl works with: {command}"
        ) from None
    if not endpoint.startswith("https://"):
        raise _fault("its server does not begin with https://; allowed https alone")
    return Kubeconfig(pulumi.Output.secret(text), endpoint)


def _fault(message: str) -> BadInputError:
    return BadInputError(Fault(f"Pulumi.{pulumi.get_stack()}.yaml", 0, f"config.{KEY}", message))


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
