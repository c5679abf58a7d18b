"""Asking again until nothing is missing any more.

Owns the pause, the telling and the end. What is asked is the caller's.
"""

import asyncio
from collections.abc import Callable

import pulumi
import tenacity

_PAUSE = 1.0
"""Seconds between two questions."""


async def until_none(ask: Callable[[], list[str]], seconds: int, what: str) -> list[str]:
    """Ask until the answer is empty; what is still missing after *seconds*.

    Args:
        ask: a line for each thing that is missing; each call is a thread of its own, so that an
            interrupted run has no long one to wait for.
        seconds: the longest wait.
        what: is waited for, to be shown when the answer changes.
    """
    told: list[str] = []

    def tell(state: tenacity.RetryCallState) -> None:
        nonlocal told
        lines = _lines(state)
        if lines != told:
            told = lines
            pulumi.log.info(f"waiting for {what}: {'; '.join(lines)}", ephemeral=True)

    retry = tenacity.AsyncRetrying(
        retry=tenacity.retry_if_result(bool),
        wait=tenacity.wait_fixed(_PAUSE),
        stop=tenacity.stop_after_delay(seconds),
        before_sleep=tell,
        retry_error_callback=_lines,
    )
    lines: list[str] = await retry(asyncio.to_thread, ask)
    return lines


def _lines(state: tenacity.RetryCallState) -> list[str]:
    """The outcome of the last question."""
    return state.outcome.result() if state.outcome else []
