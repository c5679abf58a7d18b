"""The resources of the federation plane, in the order in which they may be written.

Owns that order: what stands for all, then the workloads wave by wave, and for each of them what it
needs before what needs it. What the objects say is made in ``placement.emit``, what the waves are
in ``waves``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.federation.emitted import workload_of
from components.federation.waves import Wave
from components.resource import KubernetesObject
from placement.decision import Decision
from placement.emit import Manifest

_LAST = "WorkloadRebalancer"
"""The kind that acts on what stands, so that it is written when all the rest is."""


@dataclass(frozen=True)
class FederationArgs:
    """What the plane is made from.

    Attributes:
        decision: the decision.
        objects: those that reproduce it, each after those that it needs.
        kubeconfig: of the Karmada API; a secret.
        ready: what must hold before anything is written.
        waves: the workloads in the order in which they roll out.
        autoscaled: the ids of the workloads whose replicas an autoscaler writes.
        facts: what the policy pack judges the objects by: carriers, clusters, and what was
            demanded of each workload.
    """

    decision: Decision
    objects: Sequence[Manifest]
    kubeconfig: pulumi.Output[str]
    ready: pulumi.ResourceHook
    waves: Sequence[Wave]
    autoscaled: frozenset[str]
    facts: Mapping[str, Any]


@dataclass
class _Written:
    """The resources so far: those for all workloads, and those of each."""

    standing: list[pulumi.Resource] = field(default_factory=list)
    by_workload: dict[str, list[pulumi.Resource]] = field(default_factory=dict)

    @property
    def all(self) -> list[pulumi.Resource]:
        return [*self.standing, *(r for own in self.by_workload.values() for r in own)]


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
        ready = pulumi.ResourceHookBinding(before_create=[args.ready], before_update=[args.ready])
        super().__init__(
            "federation:federation:Federation",
            name,
            props,
            pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(hooks=ready)),
        )
        self._provider = kubernetes.Provider(
            f"{name}-karmada",
            kubeconfig=args.kubeconfig,
            # Without it a new kubeconfig would replace the provider, and everything on it.
            cluster_identifier=f"{name}-karmada",
            enable_server_side_apply=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        written = _Written()
        shared = [o for o in args.objects if workload_of(o) is None]
        for content in shared:
            if content["kind"] != _LAST:
                written.standing.append(self._object(content, ready, written.standing))
        for wave in args.waves:
            self._roll_out(args, wave, written)
        last = [self._object(o, ready, written.all) for o in shared if o["kind"] == _LAST]
        document = args.decision.document()
        urns = pulumi.Output.all(*(resource.urn for resource in (*written.all, *last)))
        self.decision = urns.apply(lambda _: document)
        self.register_outputs({})

    def _roll_out(self, args: FederationArgs, wave: Wave, written: _Written) -> None:
        """Write the workloads of *wave* behind those that moved in the waves before."""
        # The objects of a workload are a chain: the first waits for the last of the others.
        before = [
            written.by_workload[name][-1]
            for earlier in args.waves[: args.waves.index(wave)]
            for name in sorted(earlier.moved)
        ]
        for content in args.objects:
            workload = workload_of(content)
            if workload is None or workload not in wave.workloads:
                continue
            # What a workload needs stands before it, and goes after it: an object without its
            # policy would leave its bindings behind.
            own = written.by_workload.setdefault(workload, [])
            scaled = workload in args.autoscaled and "replicas" in content["spec"]
            own.append(
                self._object(
                    content,
                    wave.hooks,
                    own[-1:] or [*written.standing, *before],
                    ["spec.replicas"] if scaled else [],
                )
            )

    def _object(
        self,
        content: Manifest,
        hooks: pulumi.ResourceHookBinding,
        after: Sequence[pulumi.Resource],
        ignored: Sequence[str] = (),
    ) -> KubernetesObject:
        metadata = content["metadata"]
        namespace = f"{metadata['namespace']}/" if "namespace" in metadata else ""
        return KubernetesObject(
            f"{namespace}{metadata['name']}-{content['kind'].lower()}",
            content,
            pulumi.ResourceOptions(
                parent=self,
                provider=self._provider,
                hooks=hooks,
                depends_on=list(after),
                ignore_changes=list(ignored),
            ),
        )
