"""The Karmada API that clusters join, and what is asked of it before it is written to.

Owns the hooks, of which a program may have each name once: all memberships of a stack share them.
What each asks is in a module of its own.
"""

from dataclasses import dataclass

import pulumi

from components.compute.membership.departure import Departure
from components.compute.membership.hand_over import HandOver
from components.compute.membership.identity import Identities
from components.compute.membership.mode import same_mode


@dataclass(frozen=True)
class ControlPlane:
    """The Karmada API.

    Attributes:
        kubeconfig: of its administrator; a secret.
        distinct: refuses that a cluster joins twice.
        same_mode: refuses that a member changes who speaks first.
        emptied: refuses that a cluster leaves that is still used.
        handed_over: lets the controllers begin anew with the credentials that stand.
    """

    kubeconfig: pulumi.Output[str]
    distinct: pulumi.ResourceHook
    same_mode: pulumi.ResourceHook
    emptied: pulumi.ResourceHook
    handed_over: pulumi.ResourceHook

    @classmethod
    def of(cls, kubeconfig: pulumi.Output[str]) -> "ControlPlane":
        """The Karmada API whose administrator has *kubeconfig*."""
        return cls(
            kubeconfig,
            pulumi.ResourceHook("members-distinct", Identities(kubeconfig).look),
            pulumi.ResourceHook(
                "members-keep-their-mode", same_mode, pulumi.ResourceHookOptions(on_dry_run=True)
            ),
            pulumi.ResourceHook("members-emptied", Departure(kubeconfig).look),
            pulumi.ResourceHook("controllers-handed-over", HandOver(kubeconfig).run),
        )
