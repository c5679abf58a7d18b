"""A publisher for each test."""

import threading
from collections.abc import Iterator

import pytest

from tests.unit.catalogue.publisher import Publisher


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    """A server that has published nothing."""
    made = Publisher()
    threading.Thread(target=made.server.serve_forever, daemon=True).start()
    yield made
    made.server.shutdown()
    made.server.server_close()
