"""A secret of the selected stack's configuration.

Owns the check that it is one: a value that once lay in clear is in the history of the stack's file.
The text itself is never part of a message.
"""

import pulumi
from pulumi.runtime import is_config_secret

from placement.faults import BadInputError, Fault


def secret(key: str, wanted: str) -> str:
    """The secret under *key*, such as ``federation:kubeconfig``, in clear.

    Args:
        key: with its namespace.
        wanted: what it should be, for whoever forgot it.

    Raises:
        BadInputError: it is missing, or lies in clear.
    """
    namespace, _, name = key.partition(":")
    text = pulumi.Config(namespace).get(name)
    if not text:
        raise wrong(key, f"missing; allowed {wanted}, as a secret: {command(key)}")
    if not is_config_secret(key):
        raise wrong(
            key, f"read in clear; allowed as a secret alone, with a new credential: {command(key)}"
        )
    return text


def command(key: str) -> str:
    """The command that sets the secret under *key*."""
    return f"pulumi config set --secret --stack {pulumi.get_stack()} {key} < FILE"


def wrong(place: str, message: str) -> BadInputError:
    """A fault of the secret at *place*, which has no line that could be shown."""
    return BadInputError(Fault(f"Pulumi.{pulumi.get_stack()}.yaml", 0, f"config.{place}", message))
