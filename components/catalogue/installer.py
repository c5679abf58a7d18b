"""Entries of the catalogue in one cluster.

Owns where an entry comes from, how it is named and how long it may take. Its namespace and its
values are the component's that installs it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi_kubernetes.helm.v3 import Release, ReleaseArgs, RepositoryOptsArgs
from pulumi_kubernetes.helm.v4 import Chart, ChartArgs
from pulumi_kubernetes.helm.v4 import RepositoryOptsArgs as ChartRepositoryOptsArgs

from components.catalogue.entry import Entry, catalogue, entry
from components.catalogue.images import mirrored, with_mirror
from components.catalogue.manifest import Manifest, documents
from components.settings.mirror import OCI, Mirror
from placement.faults import FederationError

_MINUTES = 15
"""How long an entry may take to be ready: a gigabyte of images over 50 Mbit/s takes three minutes,
a node at a time, and Longhorn and the GPU operator start one after another on every node."""


class Installer:
    """What puts entries of the catalogue into one cluster.

    Args:
        provider: of the cluster; its name begins the name of what is installed.
        mirror: where charts, manifests and images come from, if not from their makers.
    """

    def __init__(self, provider: kubernetes.Provider, mirror: Mirror | None) -> None:
        self._provider = provider
        self._mirror = mirror

    def image(self, name: str) -> str:
        """The image *name* of the catalogue, for objects of the project's own."""
        return mirrored(catalogue().images[name], self._mirror)

    def repository(self, name: str) -> str:
        """The image *name* without its tag, for who gives it another."""
        return self.image(name).rpartition(":")[0]

    def install(
        self,
        name: str,
        *,
        alias: str | None = None,
        namespace: str,
        values: Mapping[str, Any] | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> pulumi.Resource:
        """The entry *name* in *namespace*, which must exist unless its manifest brings it.

        Args:
            name: of the entry.
            alias: under which a chart is installed, where one cluster has it twice.
            namespace: for the objects of the entry.
            values: of a chart; those that say where its images are come from the mirror.
            opts: the parent, and what must be ready before.

        Returns:
            A resource that is there when all that it installed is ready.

        Raises:
            FederationError: the mirror lacks the entry, or a manifest cannot be read.
        """
        wanted = entry(name)
        own_name = alias or name
        full = f"{self._provider.pulumi_resource_name}-{own_name}"
        timeout = f"{_MINUTES}m"
        own = pulumi.ResourceOptions(
            provider=self._provider,
            custom_timeouts=pulumi.CustomTimeouts(create=timeout, update=timeout, delete=timeout),
        )
        options = pulumi.ResourceOptions.merge(opts, own)
        if wanted.install == "manifest":
            content = documents(wanted, namespace, self._mirror)
            return Manifest(full, wanted, content, options)
        chart, repository = self._source(wanted)
        told = with_mirror(wanted, values or {}, self._mirror)
        if wanted.install == "release":
            return Release(
                full,
                ReleaseArgs(
                    name=own_name,
                    chart=chart,
                    version=wanted.version,
                    repository_opts=RepositoryOptsArgs(repo=repository) if repository else None,
                    namespace=namespace,
                    values=told,
                    timeout=_MINUTES * 60,
                    # A failed installation leaves nothing that the next run would stumble over.
                    atomic=True,
                ),
                options,
            )
        return Chart(
            full,
            ChartArgs(
                name=own_name,
                chart=chart,
                version=wanted.version,
                repository_opts=ChartRepositoryOptsArgs(repo=repository) if repository else None,
                namespace=namespace,
                values=told,
            ),
            options,
        )

    def _source(self, wanted: Entry) -> tuple[str, str | None]:
        """The chart as Helm is told it, and the repository that lists it, where one does."""
        if self._mirror is not None:
            folder = self._mirror.charts.rstrip("/")
            if folder.startswith(OCI):
                return f"{folder}/{wanted.name}", None
            path = Path(folder) / wanted.file
            if not path.is_file():
                raise FederationError(
                    f"{path}: not there; federation:mirror says that it holds the charts: put "
                    f"{wanted.name} {wanted.version} there"
                )
            return str(path), None
        if wanted.archive is not None:
            return wanted.archive, None
        return wanted.name, wanted.repository
