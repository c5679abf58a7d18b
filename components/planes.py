"""From the selected stack to its plane.

Owns the choice of the plane and the way errors leave a Pulumi program: as their message alone. The
engine runs a program in the folder of its ``Pulumi.yaml``, so paths in settings are as written.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pulumi

from components import settings
from components.carrier import carrier
from components.cluster.hetzner import refuse_losses
from components.compute import compute
from components.federation import federation
from components.settings import StackSettings
from components.storage import storage
from placement.faults import FederationError

_PLANES: dict[str, Callable[[StackSettings], Awaitable[Mapping[str, Any]]]] = {
    "carrier": carrier,
    "compute": compute,
    "storage": storage,
    "federation": federation,
}


async def build() -> Mapping[str, Any]:
    """Build the plane of the selected stack; what it publishes.

    Raises:
        pulumi.RunError: with one line for each fault.
    """
    try:
        chosen = settings.read(pulumi.get_stack())
        await refuse_losses(chosen)
        return await _PLANES[chosen.plane](chosen)
    except FederationError as error:
        # The engine puts "error: " before it; each fault then begins its own line.
        raise pulumi.RunError(f"\n{error}") from None
