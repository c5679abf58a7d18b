"""No pod without an accelerator: what keeps the nodes of a GPU plane for those who need them.

Owns the rule. A taint keeps pods away from nodes that carry it; this refuses them on any node of
the cluster, and at once instead of pending for ever. What an accelerator is follows from the
cluster's facts: every extended resource of its node classes.
"""

import json
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.admission.policy import Namespaces, Policy, declare


@dataclass(frozen=True)
class AcceleratorsOnlyArgs:
    """What is declared, and where.

    Attributes:
        provider: of the cluster.
        namespaces: of the cluster's own software, which needs no accelerator.
        accelerators: resource names, such as ``nvidia.com/gpu``.
    """

    provider: kubernetes.Provider
    namespaces: Namespaces
    accelerators: tuple[str, ...]


class AcceleratorsOnly(pulumi.ComponentResource):
    """Pods that ask for no accelerator are refused."""

    def __init__(
        self, name: str, args: AcceleratorsOnlyArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {
            "namespaces": list(args.namespaces.names),
            "accelerators": list(args.accelerators),
        }
        super().__init__("federation:admission:AcceleratorsOnly", name, props, opts)
        declare(self, name, args.provider, [policy(args.namespaces, args.accelerators)])
        self.register_outputs({})


def policy(namespaces: Namespaces, accelerators: tuple[str, ...]) -> Policy:
    """The rule; an accelerator of an init container counts, since it is held as well."""
    names = json.dumps(sorted(accelerators))
    # The request of an extended resource equals its limit, which is where it has to be said.
    limits = "c.?resources.?limits.orValue({})"
    asks = (
        f"{limits}.exists(r, r in {names} && "
        f"quantity(string({limits}[r])).isGreaterThan(quantity('0')))"
    )
    return Policy(
        name="federation-accelerators-only",
        resources=["pods"],
        when=f"!{namespaces.contain('request.namespace')}",
        variables={
            "containers": "object.spec.containers + object.spec.?initContainers.orValue([])"
        },
        requires=f"variables.containers.exists(c, {asks})",
        message=(
            "'read a pod without an accelerator in namespace ' + request.namespace + "
            f"'; allowed pods with a limit of {' or '.join(sorted(accelerators))}: others run on "
            "CPU planes'"
        ),
    )
