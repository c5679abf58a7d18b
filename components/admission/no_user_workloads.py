"""No pod outside a plane's own namespaces: what keeps the carrier and the storage plane free.

Owns the rule, and the glass that may be broken: a namespace whose label says why may hold other
pods, and only members of one group may set that label. Pods are made by controllers, so who wants
them is not known when they are; who labels a namespace is. Whoever may change the policies
themselves is held by RBAC alone, and pods that were there before stay.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.admission.policy import Namespaces, Policy, declare

BREAK_GLASS = "federation/break-glass"
"""The label of a namespace that may hold other pods; its value, not empty, says why."""

BREAK_GLASS_GROUP = "federation:break-glass"
"""Who may set the label: members of this group, and an administrator who impersonates it."""

_ACCOUNTS = "system:serviceaccounts:"
"""The group of a namespace's ServiceAccounts is this, and the namespace."""


@dataclass(frozen=True)
class NoUserWorkloadsArgs:
    """What is declared, and where.

    Attributes:
        provider: of the plane's cluster.
        namespaces: of the plane; only the group and the plane's own controllers make new ones
            under its prefixes.
        group: that may break the glass.
    """

    provider: kubernetes.Provider
    namespaces: Namespaces
    group: str = BREAK_GLASS_GROUP


class NoUserWorkloads(pulumi.ComponentResource):
    """Pods outside the plane's namespaces are refused."""

    def __init__(
        self, name: str, args: NoUserWorkloadsArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {
            "namespaces": list(args.namespaces.names),
            "prefixes": list(args.namespaces.prefixes),
            "group": args.group,
        }
        super().__init__("federation:admission:NoUserWorkloads", name, props, opts)
        declare(self, name, args.provider, list(policies(args.namespaces, args.group)))
        self.register_outputs({})


def policies(namespaces: Namespaces, group: str) -> Iterator[Policy]:
    """The rule for pods, and what guards its two exceptions."""
    yield Policy(
        name="federation-no-user-workloads",
        resources=["pods"],
        variables={"glass": _label("namespaceObject")},
        requires=f"{namespaces.contain('request.namespace')} || variables.glass != ''",
        message=(
            "'read a pod in namespace ' + request.namespace + '; allowed pods of the plane: user "
            f"workloads run on compute planes. In an emergency a member of {group} labels the "
            f"namespace {BREAK_GLASS}=REASON'"
        ),
    )
    member = f"request.userInfo.?groups.orValue([]).exists(g, g == {json.dumps(group)})"
    yield Policy(
        name="federation-break-glass",
        # Status and finalizers carry labels along.
        resources=["namespaces", "namespaces/status", "namespaces/finalize"],
        operations=["CREATE", "UPDATE"],
        variables={"before": f"oldObject == null ? '' : {_label('oldObject')}"},
        requires=f"{_label('object')} in ['', variables.before] || {member}",
        message=f"'read label {BREAK_GLASS}; allowed to members of {group}'",
    )
    if namespaces.prefixes:
        own = namespaces.contain("g", _ACCOUNTS)
        whole = Namespaces(namespaces.names).contain("object.metadata.name")
        begins = namespaces.contain("object.metadata.name")
        yield Policy(
            name="federation-reserved-namespaces",
            resources=["namespaces"],
            when=f"{begins} && !{whole}",
            requires=f"{member} || request.userInfo.?groups.orValue([]).exists(g, {own})",
            message=(
                "'read namespace ' + object.metadata.name + '; allowed to the controllers of the "
                f"plane and to members of {group}: its pods count as those of the plane'"
            ),
        )


def _label(owner: str) -> str:
    """CEL of the value of the label; empty where there is none."""
    return f"{owner}.metadata.?labels[?{json.dumps(BREAK_GLASS)}].orValue('')"
