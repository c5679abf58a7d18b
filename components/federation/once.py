"""A look at the Karmada API that all resources of a run share.

Owns that it is taken once, by whichever resource comes first, and how its end reaches each of them:
the first has the reason, the others point to it.
"""

import asyncio
from collections.abc import Callable, Coroutine

import pulumi

from placement.faults import FederationError

LOOK = "members-look"
"""The name of every task that looks; who runs the program inline cancels it on an interrupt."""


class Once:
    """A look that is taken once.

    Args:
        look: takes it.
    """

    def __init__(self, look: Callable[[], Coroutine[None, None, None]]) -> None:
        self._take = look
        self._look: asyncio.Task[None] | None = None
        self._first = ""

    async def wait(self, resource: pulumi.ResourceHookArgs) -> None:
        """Return once the look has found everything in place.

        Raises:
            FederationError: the engine then does not write the resource.
        """
        if self._look is None:
            self._first = resource.name
            self._look = asyncio.create_task(self._take(), name=LOOK)
        try:
            await asyncio.shield(self._look)
        except asyncio.CancelledError:
            raise FederationError("interrupted; nothing was written") from None
        except FederationError as error:
            if resource.name == self._first:
                raise FederationError(f"\n{error}") from None
            raise FederationError(f"as for {self._first}") from None
