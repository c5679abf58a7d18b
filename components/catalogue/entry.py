"""What the catalogue says: every third-party chart, manifest and image, each once.

Owns the form of ``catalogue.yaml`` and the look-up by name. How an entry gets into a cluster is the
installer's to know.
"""

import functools
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, model_validator
from semver import Version

from placement.federation.base import Model

FILE = Path(__file__).with_name("catalogue.yaml")

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256 in hexadecimal."""

Image = Annotated[str, Field(pattern=r"^[a-z0-9.-]+\.[a-z]+(/[a-z0-9._-]+)+:[A-Za-z0-9._-]+$")]
"""An image with its registry and its tag."""

ValuePath = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$")]
"""Where a value stands among a chart's values: ``image.repository``."""


class Entry(Model):
    """A chart, or a set of manifests, of somebody else's.

    Attributes:
        install: ``release`` for a chart with hooks, which Helm runs; ``chart`` for one without,
            whose objects the engine manages one by one; ``manifest`` for plain files.
        repository: of a chart, with its index; for a manifest the address under which its files
            lie.
        archive: the chart's archive, where its repository does not list it.
        digest: SHA-256 of the chart's archive; absent where nobody has read the archive yet.
        files: of a manifest, in the order in which they are applied, with the SHA-256 of each.
        images: what its pods run, as the catalogue's settings make it.
        registries: the chart's values that take the name of a registry for all of its images.
        repositories: the chart's values that take a repository, with what stands there.
        crds: who brings the definitions of its kinds: ``templates`` are upgraded with the rest,
            those of a ``folder`` are installed once and never upgraded by Helm.
        kubernetes: the versions of Kubernetes that it runs on.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    install: Literal["release", "chart", "manifest"]
    repository: Annotated[str, Field(pattern=r"^https?://")]
    version: Annotated[str, Field(pattern=r"^v?\d+\.\d+\.\d+$")]
    archive: str | None = None
    digest: Digest | None = None
    files: Annotated[dict[str, Digest], Field(default_factory=dict)]
    images: tuple[Image, ...]
    registries: tuple[ValuePath, ...] = ()
    repositories: Annotated[dict[ValuePath, str], Field(default_factory=dict)]
    crds: Literal["none", "templates", "folder"]
    kubernetes: Annotated[str, Field(pattern=r"^(>=|<)\d+\.\d+\.\d+(,<\d+\.\d+\.\d+)?$")]

    @model_validator(mode="after")
    def _files_of_a_manifest(self) -> "Entry":
        if (self.install == "manifest") != bool(self.files):
            raise ValueError(f"read {self.name}; allowed files for a manifest, and for it alone")
        return self

    def fits(self, kubernetes: str) -> bool:
        """Whether it runs on *kubernetes*, such as ``1.36.3``."""
        version = Version.parse(kubernetes)
        return all(version.match(part) for part in self.kubernetes.split(","))

    @property
    def file(self) -> str:
        """The name of the chart's archive, as ``helm pull`` makes it."""
        return f"{self.name}-{self.version}.tgz"


class Catalogue(Model):
    """All of it.

    Attributes:
        images: what objects of this project's own run, by name.
    """

    entries: tuple[Entry, ...]
    images: dict[str, Image]

    @model_validator(mode="after")
    def _once(self) -> "Catalogue":
        names = [entry.name for entry in self.entries]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"read {', '.join(twice)} more than once; allowed each once")
        return self

    def unfit(self, kubernetes: str) -> tuple[Entry, ...]:
        """What does not run on *kubernetes*, such as ``1.36.3``."""
        return tuple(entry for entry in self.entries if not entry.fits(kubernetes))


@functools.cache
def catalogue() -> Catalogue:
    """The catalogue that the project ships."""
    content: Any = yaml.safe_load(FILE.read_text("utf-8"))
    return Catalogue.model_validate(content, by_alias=True, by_name=False)


def entry(name: str) -> Entry:
    """The entry *name*.

    Raises:
        KeyError: there is none.
    """
    return {entry.name: entry for entry in catalogue().entries}[name]
