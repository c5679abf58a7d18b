"""What Karmada's validating webhook says of a ClusterTaintPolicy.

Source: ``pkg/webhook/clustertaintpolicy/validating.go`` (Karmada 1.18).
"""

from collections.abc import Mapping
from typing import Any, Final

from placement.karmada.field_errors import FieldError, duplicate, forbidden

_NO_EXECUTE: Final = (
    "Configuring taint with NoExecute effect is not allowed, this capability must be explicitly "
    "enabled by administrators through command-line flags"
)


def taint_policy_errors(
    spec: Mapping[str, Any], *, allow_no_execute: bool = False
) -> list[FieldError]:
    """Return every error of the webhook, sorted by field and message.

    Args:
        spec: the spec in wire form; its values must have the right types.
        allow_no_execute: whether the webhook runs with ``--allow-no-execute-taint-policy``, which
            it does not by itself; the carrier of this project sets it.
    """
    found = []
    taints = [(taint["key"], taint["effect"]) for taint in spec["taints"]]
    for index, (key, effect) in enumerate(taints):
        path = f"spec.taints[{index}]"
        if effect == "NoExecute" and not allow_no_execute:
            found.append(forbidden(path, _NO_EXECUTE))
        if (key, effect) in taints[index + 1 :]:
            value = f"Duplicate taint with the same key({key}) and effect({effect}) is not allowed"
            found.append(duplicate(path, value))
    return sorted(found)
