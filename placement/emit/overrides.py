"""The OverridePolicy of a workload that is not the same on all clusters.

Owns the way from the federation file's words to Karmada's overriders. Karmada applies them after it
has written the replicas, so none of them may touch these: ``karmada.override_advice`` sees to it.
"""

from collections.abc import Iterator
from typing import Literal

from placement.emit.accepted import accepted
from placement.emit.vocabulary import Manifest, metadata, selector
from placement.faults import FederationError
from placement.federation import Workload
from placement.federation.delivery import Image, Override
from placement.federation.workload import Template
from placement.karmada.override import OverridePolicy, OverrideSpec, RuleWithCluster
from placement.karmada.overriders import ImageOverrider, Overriders, PlaintextOverrider


def override_policy(workload: Workload, template: Template, claims: int) -> Manifest:
    """The override policy of *workload*, which has overrides.

    Args:
        workload: the workload.
        template: its object on the Karmada API.
        claims: how many volume claims the object makes for each replica.

    Raises:
        FederationError: Karmada would refuse it, or not carry it out.
    """
    body = OverridePolicy(
        metadata=metadata(workload, template),
        spec=OverrideSpec(
            resource_selectors=(selector(workload, template),),
            override_rules=tuple(
                RuleWithCluster(
                    target_cluster=override.clusters,
                    overriders=Overriders(
                        image_overrider=tuple(_image(override.image or Image())),
                        plaintext=tuple(_patches(workload, override, template, claims)),
                    ),
                )
                for override in workload.overrides
            ),
        ),
    )
    return accepted(body, workload.id)


def _image(image: Image) -> Iterator[ImageOverrider]:
    parts: tuple[tuple[Literal["Registry", "Repository", "Tag"], str | None], ...] = (
        ("Registry", image.registry),
        ("Repository", image.repository),
        ("Tag", image.tag),
    )
    for component, value in parts:
        if value is not None:
            yield ImageOverrider(component=component, operator="replace", value=value)


def _patches(
    workload: Workload, override: Override, template: Template, claims: int
) -> Iterator[PlaintextOverrider]:
    if override.storage_class is not None:
        if template.kind != "StatefulSet":
            raise FederationError(
                f"{workload.id}: read overrides[].storageClass for a {template.kind}; allowed for "
                "a StatefulSet, whose volume claims it is for, or patches"
            )
        for index in range(claims):
            yield PlaintextOverrider(
                path=f"/spec/volumeClaimTemplates/{index}/spec/storageClassName",
                operator="add",  # which also replaces
                value=override.storage_class,
            )
    if override.node_selector:
        path = "/spec/template/spec/nodeSelector"
        yield PlaintextOverrider(path=path, operator="add", value=override.node_selector)
    yield from override.patches
