"""A ValidatingAdmissionPolicy and its binding, as the two objects of one rule.

Owns their form, and how a set of namespaces is said in CEL. What is refused is for the modules
beside it.

Source: Kubernetes documentation, "Validating Admission Policy".
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pulumi
import pulumi_kubernetes as kubernetes

from components.resource import KubernetesObject

SYSTEM = ("kube-node-lease", "kube-public", "kube-system")
"""The namespaces of Kubernetes itself, whose pods are every cluster's own."""

_VERSION = "admissionregistration.k8s.io/v1"


@dataclass(frozen=True)
class Namespaces:
    """Namespaces by name, and those that are made at run time by how their names begin.

    Attributes:
        names: whole names; those of Kubernetes itself always belong to them.
        prefixes: such as ``cattle-``.
    """

    names: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()

    def contain(self, name: str, before: str = "") -> str:
        """CEL that is true where *name*, itself CEL, is one of them.

        Args:
            name: an expression of a string.
            before: a text that stands before the namespace in that string.
        """
        names = json.dumps([before + each for each in sorted({*SYSTEM, *self.names})])
        begins = json.dumps([before + each for each in sorted(self.prefixes)])
        return f"({name} in {names} || {begins}.exists(p, {name}.startsWith(p)))"


@dataclass(frozen=True)
class Policy:
    """What is refused.

    Attributes:
        name: of both objects.
        resources: what is looked at, of the core group, such as ``pods``.
        requires: CEL that is true for what is admitted.
        message: CEL of the text that whoever is refused reads.
        when: CEL that must be true for the policy to look at all; none: it always looks.
        variables: CEL by name, for ``requires`` and ``message``; one may use those before it.
        operations: the requests that are looked at.
    """

    name: str
    resources: Sequence[str]
    requires: str
    message: str
    when: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    operations: Sequence[Literal["CREATE", "UPDATE"]] = ("CREATE",)

    def manifests(self) -> Iterator[dict[str, Any]]:
        """The policy and its binding; a policy that fails to evaluate refuses."""
        rule = {
            "apiGroups": [""],
            "apiVersions": ["v1"],
            "operations": list(self.operations),
            "resources": list(self.resources),
        }
        spec: dict[str, Any] = {
            "failurePolicy": "Fail",
            "matchConstraints": {"resourceRules": [rule]},
            "validations": [{"expression": self.requires, "messageExpression": self.message}],
        }
        if self.when:
            spec["matchConditions"] = [{"name": "when", "expression": self.when}]
        if self.variables:
            spec["variables"] = [{"name": n, "expression": e} for n, e in self.variables.items()]
        yield self._object("ValidatingAdmissionPolicy", spec)
        yield self._object(
            "ValidatingAdmissionPolicyBinding",
            {"policyName": self.name, "validationActions": ["Deny"]},
        )

    def _object(self, kind: str, spec: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "apiVersion": _VERSION,
            "kind": kind,
            "metadata": {"name": self.name},
            "spec": dict(spec),
        }


def declare(
    parent: pulumi.Resource, name: str, provider: kubernetes.Provider, policies: Sequence[Policy]
) -> None:
    """Declare *policies* in the cluster of *provider*, as children of *parent*."""
    for policy in policies:
        for manifest in policy.manifests():
            options = pulumi.ResourceOptions(parent=parent, provider=provider)
            KubernetesObject(f"{name}-{policy.name}-{manifest['kind'].lower()}", manifest, options)
