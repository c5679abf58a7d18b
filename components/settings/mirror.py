"""Where charts, manifests and images come from in place of their makers, for air-gapped clusters.

Owns the setting. Which file or image of it stands for which entry is the catalogue's to say.
"""

from typing import Annotated

from pydantic import Field, model_validator

from placement.federation.base import Model

OCI = "oci://"

Registry = Annotated[
    str, Field(pattern=r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[0-9]{1,5})?(/[a-z0-9._-]+)*$")
]
"""A container registry, with a path where it has one: ``registry.example:5000/mirror``."""


class Mirror(Model):
    """Copies of everything that the catalogue names.

    Attributes:
        charts: a folder that holds ``<name>-<version>.tgz`` for each chart, relative to the
            project, or an OCI registry (``oci://…``) with an artifact of each chart's name.
        manifests: a folder that holds ``<name>-<version>/<file>`` for each manifest; the one of the
            charts where that is a folder.
        images: the registry that has every image under its own path, without its registry's name;
            where it is not given, images come from their makers.
    """

    charts: Annotated[str, Field(min_length=1)]
    manifests: Annotated[str, Field(min_length=1)] | None = None
    images: Registry | None = None

    @model_validator(mode="after")
    def _a_folder_for_manifests(self) -> "Mirror":
        if self.manifests is None and self.charts.startswith(OCI):
            raise ValueError(
                f"read charts {self.charts} and no manifests; allowed a folder under manifests: an "
                "OCI registry of charts holds no plain files"
            )
        return self
