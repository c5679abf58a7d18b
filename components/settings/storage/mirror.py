"""What a second storage plane takes from a first."""

from typing import Annotated

from pydantic import Field

from components.settings.storage.pools import PoolName
from placement.federation.base import Model

StackName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]+$", max_length=100)]


class MirrorOf(Model):
    """Pools of another storage plane that are kept here too."""

    stack: StackName
    """The storage stack that holds the originals."""
    pools: Annotated[tuple[PoolName, ...], Field(min_length=1)]
    """Block pools that both planes have under the same name."""
