"""Every third-party chart, manifest and image, each once, and what installs it.

``catalogue.yaml`` says what there is. A component names an entry and gives its values; it never
names a version, a repository or a registry.
"""

from components.catalogue.entry import Catalogue, Entry, catalogue, entry
from components.catalogue.installer import Installer

__all__ = ["Catalogue", "Entry", "Installer", "catalogue", "entry"]
