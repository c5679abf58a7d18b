"""From the selected stack to its plane.

Owns the choice of the plane and the way errors leave a Pulumi program: as their message alone. The
engine runs a program in the folder of its ``Pulumi.yaml``, so paths in settings are as written.
"""

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any

import pulumi

from components import settings
from components.losses import refuse_losses
from components.settings import StackSettings
from placement.faults import FederationError

_PLANES = {
    "carrier": "components.carrier.plane",
    "compute": "components.compute.plane",
    "storage": "components.storage.plane",
    "federation": "components.federation.build",
}
"""The module of each plane, which has what builds it under the plane's own name. It is imported
when it is asked for: each needs providers of its own, which take longer to load than a run."""


async def build() -> Mapping[str, Any]:
    """Build the plane of the selected stack; what it publishes.

    Raises:
        pulumi.RunError: with one line for each fault.
    """
    try:
        chosen = settings.read(pulumi.get_stack())
        await refuse_losses(chosen)
        module = import_module(_PLANES[chosen.plane])
        plane: Callable[[StackSettings], Awaitable[Mapping[str, Any]]]
        plane = getattr(module, chosen.plane)
        return await plane(chosen)
    except FederationError as error:
        # The engine puts "error: " before it; each fault then begins its own line.
        raise pulumi.RunError(f"\n{error}") from None
