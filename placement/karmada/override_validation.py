"""What Karmada's validating webhook says of an override policy.

Owns the rules for ``overrideRules``; the deprecated form beside them is not looked into by the
webhook, which is for ``override_advice`` to say.

Source: ``ValidateOverrideSpec`` in ``pkg/util/validation/validation.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from placement.karmada.affinity import ClusterAffinity
from placement.karmada.affinity_validation import affinity_errors
from placement.karmada.field_errors import FieldError, as_go, invalid, required
from placement.karmada.metadata import annotation_errors, label_errors
from placement.karmada.overriders import FieldOverrider, Overriders
from placement.karmada.validation import namespace_errors

_NOT_A_POINTER: Final = 'JSON pointer must be empty or start with a "/\nJSON pointer error'
"""The text of ``github.com/go-openapi/jsonpointer``, whose quotation mark is never closed."""

_SEEN_BESIDE_RULES: Final = (
    "plaintext",
    "imageOverrider",
    "commandOverrider",
    "argsOverrider",
    "labelsOverrider",
    "annotationsOverrider",
)
"""The overriders that Karmada looks for beside ``overrideRules``; it forgets fieldOverrider."""


def override_errors(spec: Mapping[str, Any], namespace: str = "default") -> list[FieldError]:
    """Return every error of the webhook, sorted by field and message.

    Args:
        spec: the spec in wire form, after the defaults of the server (``defaults``); its values
            must have the right types.
        namespace: the policy's namespace; empty for a ClusterOverridePolicy.
    """
    return sorted(
        (
            *_deprecated_errors(spec),
            *(
                error
                for index, rule in enumerate(spec.get("overrideRules") or [])
                for error in _rule_errors(rule, f"spec.overrideRules[{index}]")
            ),
            *namespace_errors(spec, namespace),
        )
    )


def pointer_errors(pointer: str, path: str) -> Iterator[FieldError]:
    """Yield the error of a text that is no JSON pointer.

    Args:
        pointer: the pointer, such as ``/data/settings.yaml``.
        path: the path of the field that holds it.
    """
    if pointer and not pointer.startswith("/"):
        yield invalid(path, pointer, _NOT_A_POINTER)


def value_errors(operation: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    """Yield the error of a patch whose value does not fit its operator.

    Args:
        operation: a mapping with ``operator`` and, maybe, ``value``.
        path: the path of the value.
    """
    operator, value = operation.get("operator"), operation.get("value")
    if operator in ("add", "replace") and value is None:
        yield invalid(path, None, "value is required for add or replace operation")
    if operator == "remove" and value is not None:
        yield invalid(path, value, "value is not allowed for remove operation")


def _deprecated_errors(spec: Mapping[str, Any]) -> Iterator[FieldError]:
    target = spec.get("targetCluster")
    overriders = spec.get("overriders") or {}
    if target is not None:
        yield from affinity_errors(target, "spec.targetCluster")
    if spec.get("overrideRules") is None:
        return
    if target is not None:
        detail = "overrideRules and targetCluster can't co-exist"
        yield invalid("spec.targetCluster", as_go(target, ClusterAffinity), detail)
    if any(overriders.get(name) for name in _SEEN_BESIDE_RULES):
        detail = "overrideRules and overriders can't co-exist"
        yield invalid("spec.overriders", as_go(overriders, Overriders), detail)


def _rule_errors(rule: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    overriders = rule.get("overriders") or {}
    here = f"{path}.overriders"
    for index, each in enumerate(overriders.get("annotationsOverrider") or []):
        yield from annotation_errors(each["value"], f"{here}.annotationsOverrider[{index}].value")
    for index, each in enumerate(overriders.get("labelsOverrider") or []):
        yield from label_errors(each["value"], f"{here}.labelsOverrider[{index}].value")
    for index, each in enumerate(overriders.get("imageOverrider") or []):
        predicate = each.get("predicate") or {}
        field = f"{here}.imageOverrider[{index}].predicate.path"
        yield from pointer_errors(predicate.get("path") or "", field)
    for index, each in enumerate(overriders.get("fieldOverrider") or []):
        yield from _field_errors(each, f"{here}.fieldOverrider[{index}]")
    yield from affinity_errors(rule.get("targetCluster") or {}, f"{path}.targetCluster")


def _field_errors(overrider: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    operations: dict[str, Sequence[Mapping[str, Any]]] = {
        language: overrider.get(language) or [] for language in ("json", "yaml")
    }
    if all(operations.values()):
        detail = "FieldOverrider has both YAML and JSON set. Only one is allowed"
        yield invalid(path, as_go(overrider, FieldOverrider), detail)
    if not any(operations.values()):
        yield required(path, "FieldOverrider must have either JSON or YAML set")
    yield from pointer_errors(overrider["fieldPath"], f"{path}.fieldPath")
    for language, each in operations.items():
        for index, operation in enumerate(each):
            here = f"{path}.{language}[{index}]"
            yield from pointer_errors(operation["subPath"], f"{here}.subPath")
            yield from value_errors(operation, f"{here}.value")
