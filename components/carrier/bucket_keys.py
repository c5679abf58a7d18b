"""The keys of the object store for backups, from the stack's secrets."""

from collections.abc import Mapping

import pulumi
import yaml

from components.secret import command, secret, wrong

KEY = "federation:backup"
"""The configuration key of the secret: a mapping in YAML."""

ACCESS, SECRET = "accessKey", "secretKey"
"""The keys of the mapping, and of each Secret in the cluster that holds it."""


def read() -> pulumi.Output[Mapping[str, str]]:
    """The keys that the selected stack holds; a secret.

    Raises:
        BadInputError: there are none, or they lie in clear.
    """
    wanted = f"a mapping with {ACCESS} and {SECRET}"
    try:
        found = yaml.safe_load(secret(KEY, wanted))
    except (yaml.YAMLError, RecursionError):
        found = None
    keys = {
        key: found[key]
        for key in (ACCESS, SECRET)
        if isinstance(found, dict) and isinstance(found.get(key), str) and found[key]
    }
    if len(keys) < len((ACCESS, SECRET)):
        raise wrong(KEY, f"read something else; allowed {wanted}: {command(KEY)}")
    return pulumi.Output.secret(keys)
