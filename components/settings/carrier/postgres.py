"""PostgreSQL, by CloudNativePG: what Keycloak keeps its realms and users in."""

from typing import Annotated

from pydantic import AwareDatetime, Field

from placement.federation.base import Model, ObjectName, Quantity, Resources


class Recovery(Model):
    """The present data is given up for that of a backup: a new generation of it."""

    generation: Annotated[int, Field(ge=2)]
    """One more than the one that is given up; the first is 1, and the backup of each is its own."""
    until: AwareDatetime | None = None
    """What was written later is left out; absent: nothing is."""


class Postgres(Model):
    """Three instances, one of which answers a commit beside the primary."""

    storage_class: ObjectName | None = None
    """Of the instances' volumes; absent: Longhorn's for data that a database copies itself."""
    storage: Quantity = "20Gi"
    """Of each instance, its write-ahead log included."""
    request: Resources = Field(default={"cpu": "500m", "memory": "1Gi"})
    """What each instance asks for; of memory it gets no more."""
    recovery: Recovery | None = None
    """Stays for as long as the generation lives that began with it."""

    @property
    def generation(self) -> int:
        """Which generation of the data there is."""
        return 1 if self.recovery is None else self.recovery.generation
