"""The resources of the federation plane: for each workload a policy, and its object if it is ours.

Owns their order and what they wait for. What they say is made in ``placement.emit``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.resource import KubernetesObject
from placement.decision import Decision
from placement.emit import WORKLOAD_LABEL, Manifest


@dataclass(frozen=True)
class FederationArgs:
    """What the plane is made from.

    Attributes:
        decision: the decision.
        objects: those that reproduce it.
        kubeconfig: of the Karmada API; a secret.
        hooks: what must hold before anything is written.
        facts: what policies judge the objects by: the carriers and the clusters.
    """

    decision: Decision
    objects: Sequence[Manifest]
    kubeconfig: pulumi.Output[str]
    hooks: pulumi.ResourceHookBinding
    facts: Mapping[str, Any]


class FederationPlane(pulumi.ComponentResource):
    """The objects on the Karmada API that reproduce a decision to the replica.

    Attributes:
        decision: in its JSON form, once every object stands as decided: what a run that failed
            leaves behind is not the present placement.
    """

    decision: pulumi.Output[dict[str, Any]]

    def __init__(
        self, name: str, args: FederationArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {
            "inputHash": args.decision.input_hash,
            "replicas": args.decision.counts,
            **args.facts,
        }
        # The plane waits itself, before its children: what is missing is then said once, by it.
        waiting = pulumi.ResourceOptions(hooks=args.hooks)
        super().__init__(
            "federation:federation:Federation",
            name,
            props,
            pulumi.ResourceOptions.merge(opts, waiting),
        )
        self._hooks = args.hooks
        self._provider = kubernetes.Provider(
            f"{name}-karmada",
            kubeconfig=args.kubeconfig,
            # Without it a new kubeconfig would replace the provider, and everything on it.
            cluster_identifier=f"{name}-karmada",
            enable_server_side_apply=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        # A policy stands before the object that it is for, and goes after it: an object without
        # its policy would leave its bindings behind.
        policies = {_workload(o): self._object(o) for o in args.objects if _is_policy(o)}
        own = [self._object(o, [policies[_workload(o)]]) for o in args.objects if not _is_policy(o)]
        document = args.decision.document()
        written = pulumi.Output.all(*(o.urn for o in (*policies.values(), *own)))
        self.decision = written.apply(lambda _: document)
        self.register_outputs({})

    def _object(self, content: Manifest, after: Iterable[pulumi.Resource] = ()) -> KubernetesObject:
        metadata = content["metadata"]
        return KubernetesObject(
            f"{metadata['namespace']}/{metadata['name']}-{content['kind'].lower()}",
            content,
            pulumi.ResourceOptions(
                parent=self, provider=self._provider, hooks=self._hooks, depends_on=list(after)
            ),
        )


def _is_policy(content: Manifest) -> bool:
    return bool(content["kind"] == "PropagationPolicy")


def _workload(content: Manifest) -> str:
    """The id of the workload that an object is for."""
    metadata = content["metadata"]
    return f"{metadata['namespace']}/{metadata['labels'][WORKLOAD_LABEL]}"
