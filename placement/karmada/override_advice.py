"""Override policies that Karmada accepts and then applies in another way, or not at all.

Sources: ``pkg/util/overridemanager/overridemanager.go``, ``pkg/controllers/binding/common.go`` and
``emptyOverrides`` in ``pkg/util/validation/validation.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from placement.karmada.findings import Finding
from placement.karmada.override_validation import pointer_errors, value_errors

_REPLICAS: Final = frozenset({"", "/spec", "/spec/replicas", "/spec/parallelism"})


def override_findings(spec: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield every finding about an override policy.

    Args:
        spec: the spec in wire form; its values must have the right types.
    """
    rules = spec.get("overrideRules") or []
    old = spec.get("overriders") or {}
    if rules and old.get("fieldOverrider"):
        yield Finding(
            "override-ignored",
            "spec.overriders.fieldOverrider",
            "ignored beside overrideRules, and the webhook does not say so; move it into a rule",
        )
    elif not rules and (spec.get("targetCluster") is not None or any(old.values())):
        yield Finding(
            "override-deprecated",
            "spec.overriders",
            "this form is deprecated, and the webhook checks neither its paths nor its values; "
            "write a rule into overrideRules",
        )
    if not rules:
        yield from _plaintext_findings(old, "spec.overriders")
    for index, rule in enumerate(rules):
        path = f"spec.overrideRules[{index}].overriders"
        yield from _plaintext_findings(rule.get("overriders") or {}, path)
        yield from _image_findings(rule.get("overriders") or {}, path)


def _plaintext_findings(overriders: Mapping[str, Any], path: str) -> Iterator[Finding]:
    for index, patch in enumerate(overriders.get("plaintext") or []):
        here = f"{path}.plaintext[{index}]"
        if patch["path"] in _REPLICAS:
            yield Finding(
                "override-replicas",
                f"{here}.path",
                "overrides come after the scheduler: this value stands in place of the number of "
                "replicas that was decided; change the division instead",
            )
        if any(pointer_errors(patch["path"], here)):
            yield Finding(
                "override-path",
                f"{here}.path",
                f"read {patch['path']}, which is no JSON pointer; the webhook does not look, and "
                "no member gets the object any more; start it with /",
            )
        if any(value_errors(patch, here)):
            yield Finding(
                "override-value",
                f"{here}.value",
                "add and replace need a value, and remove takes none; the webhook does not look, "
                "and a missing value is written as null",
            )


def _image_findings(overriders: Mapping[str, Any], path: str) -> Iterator[Finding]:
    for index, image in enumerate(overriders.get("imageOverrider") or []):
        if image["operator"] in ("add", "replace") and not image.get("value"):
            yield Finding(
                "override-image-value",
                f"{path}.imageOverrider[{index}].value",
                f"{image['operator']} without a value takes the {image['component'].lower()} "
                "away or leaves it; the webhook does not look; write the value, or remove",
            )
