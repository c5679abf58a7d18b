"""The resources of the federation plane: for each workload a policy, and its object if it is ours."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.federation.members import Members
from components.settings import FederationSettings
from placement.decision import Decision
from placement.emit import objects
from placement.federation import Federation


class KubernetesObject(pulumi.CustomResource):
    """Any Kubernetes object, given whole.

    ``pulumi_kubernetes``'s own ``CustomResource`` takes no other field than ``spec``.
    """

    def __init__(self, name: str, content: Mapping[str, Any], opts: pulumi.ResourceOptions) -> None:
        version = str(content["apiVersion"])
        group = version if "/" in version else f"core/{version}"
        super().__init__(f"kubernetes:{group}:{content['kind']}", name, dict(content), opts)


class FederationPlane(pulumi.ComponentResource):
    """The objects on the Karmada API that reproduce a decision to the replica."""

    def __init__(
        self,
        name: str,
        *,
        federation: Federation,
        decision: Decision,
        directory: Path,
        kubeconfig: pulumi.Output[str],
        settings: FederationSettings,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        props = {"inputHash": decision.input_hash, "replicas": decision.counts}
        super().__init__("federation:federation:Federation", name, props, opts)
        provider = kubernetes.Provider(
            f"{name}-karmada",
            kubeconfig=kubeconfig,
            # Without it a new kubeconfig would replace the provider, and everything on it.
            cluster_identifier=f"{name}-karmada",
            enable_server_side_apply=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        members = Members(federation, decision, kubeconfig, settings.readiness_timeout)
        ready = pulumi.ResourceHook("members-ready", members.wait)
        hooks = pulumi.ResourceHookBinding(before_create=[ready], before_update=[ready])
        policy: pulumi.Resource | None = None
        # A policy stands before the object that it is for, and goes after it: an object without
        # its policy would leave its bindings behind.
        ordered = sorted(
            objects(federation, decision, directory), key=lambda o: o["kind"] != "PropagationPolicy"
        )
        policies: dict[str, pulumi.Resource] = {}
        for content in ordered:
            metadata = content["metadata"]
            title = f"{metadata['namespace']}/{metadata['name']}"
            workload = f"{metadata['namespace']}/{metadata['labels']['federation/workload']}"
            policy = policies.get(workload)
            resource = KubernetesObject(
                f"{title}-{content['kind'].lower()}",
                content,
                pulumi.ResourceOptions(
                    parent=self,
                    provider=provider,
                    hooks=hooks,
                    depends_on=[policy] if policy else None,
                ),
            )
            policies.setdefault(workload, resource)
        self.register_outputs({})
