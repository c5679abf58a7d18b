"""From a rule to a policy of Pulumi's policy SDK.

Owns what the SDK does not do: it drops the marks of secrets and ends a rule at the first unknown
value, so the engine's properties are handed on as ``values.read`` reads them. Both are private
names of the SDK, which is pinned for that.
"""

from collections.abc import Iterable
from typing import Any

import pulumi_policy.policy as sdk
from pulumi_policy import (
    EnforcementLevel,
    Policy,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
    StackValidationArgs,
    StackValidationPolicy,
)
from pulumi_policy.proxy import UNKNOWN_STRING_VALUE, UnknownValueError

from policies.known import Known
from policies.resources import NotEvaluableError, Resource
from policies.rule import Rule
from policies.values import read


def _deserialize(props: dict[str, Any], proxy_secrets: bool = False) -> dict[str, Any]:  # noqa: ARG001 - the SDK's
    return {key: read(value) for key, value in props.items()}


def _unchecked(props: dict[str, Any]) -> dict[str, Any]:
    return props


# Not exported, and the only place where the marks of secrets can be kept.
sdk.deserialize_properties = _deserialize  # type: ignore[attr-defined]
sdk.unknown_checking_proxy = _unchecked  # type: ignore[attr-defined]


class _DoubtError(UnknownValueError):
    """What the SDK reports as an advisory: a rule that could not be evaluated."""

    def __init__(self, reason: str) -> None:
        super().__init__(UNKNOWN_STRING_VALUE, [])
        self.message = f"not evaluable yet: {reason}"


def policies(rules: Iterable[Rule]) -> list[Policy]:
    """A policy for each rule; they share what they learn of clusters."""
    known = Known()
    return [_stack(rule, known) if rule.outputs else _resource(rule, known) for rule in rules]


def _resource(rule: Rule, known: Known) -> Policy:
    def validate(args: ResourceValidationArgs, report: ReportViolation) -> None:
        resource = Resource(args.resource_type, args.name, args.props, args.urn)
        known.learn(resource)
        _report(rule, resource, known, report)

    return ResourceValidationPolicy(validate=validate, **_about(rule))


def _stack(rule: Rule, known: Known) -> Policy:
    def validate(args: StackValidationArgs, report: ReportViolation) -> None:
        doubts: list[UnknownValueError] = []
        for each in args.resources:
            resource = Resource(each.resource_type, each.name, each.props, each.urn)
            try:
                _report(rule, resource, known, report)
            except UnknownValueError as doubt:
                doubts.append(doubt)
        if doubts:
            raise doubts[0]

    return StackValidationPolicy(validate=validate, **_about(rule))


def _report(rule: Rule, resource: Resource, known: Known, report: ReportViolation) -> None:
    try:
        for message in rule.check(resource, known):
            report(f"{message}. See {rule.page}", resource.urn)
    except NotEvaluableError as doubt:
        raise _DoubtError(str(doubt)) from None


def _about(rule: Rule) -> dict[str, Any]:
    return {
        "name": rule.name,
        "description": rule.description,
        "enforcement_level": EnforcementLevel(rule.level),
        "severity": Severity(rule.severity),
        "url": rule.page,
    }
