"""Reading a federation file, with the manifests it names."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from placement.document import Document, Location
from placement.faults import BadInputError, Fault
from placement.federation.cluster import Cluster
from placement.federation.consistency import faults
from placement.federation.delivery import SCALABLE
from placement.federation.federation import Federation
from placement.federation.workload import DIVISIBLE, Range, Workload


def load(path: Path, joined: Sequence[Cluster] = ()) -> Federation:
    """The federation that the file at *path* describes.

    Args:
        path: the file.
        joined: clusters that are known from elsewhere; the file may name them as its own.

    Raises:
        BadInputError: with one fault for each thing that is wrong.
    """
    document = Document(path)
    federation = document.validate(Federation)
    own = len(federation.clusters)
    federation = federation.model_copy(update={"clusters": (*federation.clusters, *joined)})
    found = [
        _fault(document, location, message, own, joined) for location, message in faults(federation)
    ]
    for index, workload in enumerate(federation.workloads):
        if workload.manifest is not None:
            found.extend(_manifest_faults(document, index, path.parent, workload))
    if found:
        raise BadInputError(*found)
    return federation


def _fault(
    document: Document, location: Location, message: str, own: int, joined: Sequence[Cluster]
) -> Fault:
    """A fault where the user can mend it: a joined cluster stands in no line of this file."""
    match location:
        case ("clusters", int(index), *_) if index >= own:
            name = joined[index - own].name
            return document.fault(("clusters",), f"with the joined cluster {name}: {message}")
        case _:
            return document.fault(location, message)


def manifest(directory: Path, workload: Workload) -> dict[str, Any]:
    """The object of a workload that has a manifest; *directory* is the federation file's.

    Raises:
        BadInputError: the manifest cannot be read.
    """
    if workload.manifest is None:
        raise ValueError(f"{workload.id} has no manifest")
    return dict(Document(directory / workload.manifest).plain)


def replicas_of(manifest: dict[str, Any]) -> int | None:
    """The replicas that Karmada's interpreter reads from an object; None where it reads none.

    Source: Karmada ``pkg/resourceinterpreter/default/native/replica.go``.
    """
    spec = manifest.get("spec")
    spec = spec if isinstance(spec, dict) else {}
    if manifest.get("kind") == "Job":
        parallelism, completions = spec.get("parallelism", 1), spec.get("completions")
        counts = [n for n in (parallelism, completions) if isinstance(n, int)]
        return min(counts) if counts else None
    count = spec.get("replicas", 1)
    return count if isinstance(count, int) else None


def _manifest_faults(
    document: Document, index: int, directory: Path, workload: Workload
) -> list[Fault]:
    here = ("workloads", index, "manifest")
    try:
        content = manifest(directory, workload)
    except BadInputError as error:
        return [document.fault(here, f"{fault}") for fault in error.faults]
    metadata = content.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    wrong = []
    if content.get("kind") not in DIVISIBLE:
        wrong.append(f"kind is {content.get('kind')!r}; allowed {', '.join(DIVISIBLE)}")
    if not isinstance(content.get("apiVersion"), str):
        wrong.append("apiVersion is missing; allowed such as apps/v1")
    if metadata.get("name") != workload.name:
        wrong.append(f"metadata.name is {metadata.get('name')!r}; allowed {workload.name!r}")
    if metadata.get("namespace", "default") != workload.namespace:
        wrong.append(
            f"metadata.namespace is {metadata.get('namespace', 'default')!r}; "
            f"allowed {workload.namespace!r}"
        )
    if not wrong and isinstance(workload.replicas, int):
        count = replicas_of(content)
        if count != workload.replicas:
            wrong.append(
                f"asks for {count} replicas where the workload has {workload.replicas}; "
                "allowed the same number in both"
            )
    if not wrong and isinstance(workload.replicas, Range):
        wrong.extend(_scaled_faults(content, workload, workload.replicas))
    return [document.fault(here, f"{workload.manifest}: {message}") for message in wrong]


def _scaled_faults(content: dict[str, Any], workload: Workload, bounds: Range) -> Iterator[str]:
    """What of a manifest does not fit a range of replicas."""
    if workload.autoscaler is not None and content["kind"] not in SCALABLE:
        yield f"kind is {content['kind']!r}; with an autoscaler allowed {', '.join(SCALABLE)}"
    spec = content.get("spec")
    count = replicas_of(content) if isinstance(spec, dict) and "replicas" in spec else None
    if count is not None and not bounds.min <= count <= bounds.max:
        yield f"asks for {count} replicas; allowed none, or {bounds.min} to {bounds.max}"
