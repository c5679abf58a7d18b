"""From the selected stack to its plane.

Owns the choice of the plane and the way errors leave a Pulumi program: as their message alone.
"""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pulumi

from components import settings
from components.carrier import carrier
from components.federation import federation
from components.settings import StackSettings
from placement.faults import FederationError

_PLANES: dict[str, Callable[[StackSettings, Path], Awaitable[Mapping[str, Any]]]] = {
    "carrier": carrier,
    "federation": federation,
}


async def build() -> Mapping[str, Any]:
    """Build the plane of the selected stack; what it publishes.

    Raises:
        pulumi.RunError: with one line for each fault.
    """
    try:
        root = Path.cwd()  # the engine runs a program in the folder of its Pulumi.yaml
        chosen = settings.read(pulumi.get_stack(), root)
        return await _PLANES[chosen.plane](chosen, root)
    except FederationError as error:
        raise pulumi.RunError(f"\n{error}") from None
