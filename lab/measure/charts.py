"""The real charts and manifests of the catalogue, rendered with our values and judged.

Owns the rendering, by the Helm inside the Kubernetes provider, and the judgement: a real API
server takes every object in a dry run, where unknown fields are errors, after it has taken all
definitions. Nothing is installed: what Helm's hooks and the programs in the images would do is not
seen.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from components.catalogue import Entry, entry
from components.catalogue.manifest import documents
from components.settings import Mirror
from lab.engine import Workspace
from lab.kubernetes.client import Api
from placement.faults import FederationError

_TEMPLATE = "kubernetes:helm:template"
_DEFINITION = "CustomResourceDefinition"
_NAMESPACES = {
    "ceph-csi-drivers": "rook-ceph",
    "keycloak-operator": "keycloak",
    "system-upgrade-controller": "system-upgrade",
}
"""Where an entry goes that has no namespace of its own name."""

Plain = dict[str, Any]


@dataclass(frozen=True)
class Rendered:
    """An entry as it would be installed.

    Attributes:
        namespace: where it goes.
        objects: all of it, its hooks included.
    """

    entry: Entry
    namespace: str
    objects: tuple[Plain, ...]


@dataclass(frozen=True)
class Judged:
    """What the API server says of it.

    Attributes:
        refused: each object that it would not take, with its words.
        unlisted: images in the objects that the catalogue does not list.
    """

    rendered: Rendered
    refused: tuple[str, ...]
    unlisted: tuple[str, ...]

    def plain(self) -> Plain:
        """For the record."""
        kinds = Counter(each["kind"] for each in self.rendered.objects)
        return {
            "chart": self.rendered.entry.name,
            "version": self.rendered.entry.version,
            "objects": dict(sorted(kinds.items())),
            "refused": list(self.refused),
            "imagesNotInTheCatalogue": list(self.unlisted),
        }


def render(
    rows: Sequence[tuple[str, Mapping[str, Any]]], mirror: Mirror, workspace: Workspace, server: str
) -> list[Rendered]:
    """Each of *rows* as it would be installed in a cluster that serves what *server* does.

    Args:
        rows: names of entries with values.
        mirror: a folder that has the archives and files.
        workspace: to run the engine in.
        server: the kubeconfig of a cluster, which is asked for its version and its kinds.

    Raises:
        FederationError: a manifest is not there.
        pulumi.automation.CommandError: a chart is not there, or cannot be rendered.
    """
    texts: dict[int, list[Plain]] = {}

    def program() -> None:
        provider = kubernetes.Provider("charts", kubeconfig=server, cluster_identifier="charts")
        for number, (name, values) in enumerate(rows):
            if entry(name).install != "manifest":
                keep = partial(texts.__setitem__, number)
                _rendered(entry(name), values, mirror, provider).apply(keep)

    workspace.stack("tokyo", program).preview()
    return [
        Rendered(entry(name), _namespace(entry(name)), tuple(texts[number]))
        if number in texts
        else _manifest(entry(name), mirror)
        for number, (name, _) in enumerate(rows)
    ]


def _manifest(wanted: Entry, mirror: Mirror) -> Rendered:
    namespace = _namespace(wanted)
    return Rendered(wanted, namespace, tuple(documents(wanted, namespace, mirror)))


def _rendered(
    wanted: Entry, values: Mapping[str, Any], mirror: Mirror, provider: kubernetes.Provider
) -> pulumi.Output[list[Plain]]:
    options = {
        "path": mirror.charts,
        "chart": wanted.file,
        "release_name": wanted.name,
        "namespace": _namespace(wanted),
        "values": dict(values),
    }

    async def ask(text: str) -> list[Plain]:
        opts = pulumi.InvokeOptions(provider=provider)
        answer = await pulumi.runtime.invoke_async(_TEMPLATE, {"jsonOpts": text}, opts)
        return list(_flat(_whole(answer["result"])))

    return pulumi.Output.from_input(json.dumps(options)).apply(ask)


def _flat(objects: Iterable[Plain]) -> Iterator[Plain]:
    """*objects* with the items of a ``List`` in its place."""
    for each in objects:
        yield from each["items"] if each["kind"] == "List" else [each]


def _whole(content: Any) -> Any:
    """*content* with whole numbers as such: on their way here all became floats."""
    if isinstance(content, dict):
        return {key: _whole(value) for key, value in content.items()}
    if isinstance(content, list):
        return [_whole(value) for value in content]
    return int(content) if isinstance(content, float) and content.is_integer() else content


def _namespace(wanted: Entry) -> str:
    return _NAMESPACES.get(wanted.name, wanted.name)


def define(rendered: Iterable[Rendered], api: Api) -> None:
    """Give the API server behind *api* all definitions.

    Raises:
        FederationError: it refuses one.
    """
    for each in rendered:
        for content in each.objects:
            if content["kind"] == _DEFINITION:
                api.apply(content)


def judge(rendered: Sequence[Rendered], api: Api) -> list[Judged]:
    """What the API server behind *api*, which has all definitions, says of each object.

    It gets the namespaces; everything else is a dry run.
    """
    named = {
        o["metadata"].get("namespace", each.namespace) for each in rendered for o in each.objects
    }
    for name in sorted(named):
        api.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    return [
        Judged(
            each,
            tuple(r for o in each.objects for r in _refusal(api, o, each.namespace)),
            tuple(_unlisted(each)),
        )
        for each in rendered
    ]


def _refusal(api: Api, content: Plain, namespace: str) -> list[str]:
    """Why the server does not take *content*, in *namespace* where it names none."""
    try:
        if api.namespaced(content["apiVersion"], content["kind"]):
            metadata = {"namespace": namespace, **content["metadata"]}
            api.apply({**content, "metadata": metadata}, dry_run=True)
        else:
            api.apply(content, dry_run=True)
    except FederationError as error:
        return [str(error)]
    return []


def _unlisted(rendered: Rendered) -> list[str]:
    return sorted(set(_images(list(rendered.objects))) - set(rendered.entry.images))


def _images(content: Any) -> Iterator[str]:
    """Each image with a tag, and with the registry that is meant where it names none.

    Objects of an operator's own kinds name parts of images, without a tag.
    """
    if isinstance(content, dict):
        for key, value in content.items():
            if key == "image" and isinstance(value, str):
                if ":" in value:
                    yield value if "." in value.partition("/")[0] else f"docker.io/{value}"
            else:
                yield from _images(value)
    elif isinstance(content, list):
        for value in content:
            yield from _images(value)
