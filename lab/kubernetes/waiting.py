"""Waiting for what a server does in its own time, by looking again and again.

Owns the wait alone: what is looked at is the caller's.
"""

from collections.abc import Callable

from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from placement.faults import FederationError

_POLL_SECONDS = 0.1


class NotYetError(Exception):
    """What is waited for is not so yet; the message says what is instead."""


def wait(look: Callable[[], None], seconds: int, failure: str) -> None:
    """Call *look* until it no longer raises ``NotYetError``.

    Args:
        look: looks once.
        seconds: the longest wait.
        failure: what it means if it still raises, as the beginning of a sentence.

    Raises:
        FederationError: it still does after *seconds*.
    """
    try:
        for attempt in Retrying(
            retry=retry_if_exception_type(NotYetError),
            stop=stop_after_delay(seconds),
            wait=wait_fixed(_POLL_SECONDS),
            reraise=True,
        ):
            with attempt:
                look()
    except NotYetError as error:
        raise FederationError(f"{failure} after {seconds} s: {error}") from error
