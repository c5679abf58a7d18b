"""The calls that users make meanwhile: in turn a read and a write, through to the store.

Owns the proof that no write is lost: each write has a key of its own, and what was acknowledged
must be there at the end.
"""

from collections import defaultdict

from drill.carrier.client import Call, Client
from placement.faults import FederationError

RATE = 20
"""Calls a second."""

_OBJECTS = 20
"""Writes are dealt over so many objects: those that wait for an election do not meet in one."""


class Load:
    """The calls of one kill.

    Args:
        client: makes them.
        namespace: whose objects they are about; it is there.

    Attributes:
        calls: what became of each.
    """

    def __init__(self, client: Client, namespace: str) -> None:
        self._client = client
        self._path = f"/api/v1/namespaces/{namespace}/configmaps"
        self._acknowledged: dict[str, set[str]] = defaultdict(set)
        self.calls: list[Call] = []

    def prepare(self) -> None:
        """Make the objects that are read and written.

        Raises:
            FederationError: the API refuses.
        """
        for number in range(_OBJECTS):
            body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"c{number}"}}
            made = self._client.call("POST", self._path, body)
            if not made.ok:
                raise FederationError(f"the objects of the rehearsal cannot be made: {made}")

    def call(self, number: int) -> None:
        """The call *number*: a read where it is even, else a write."""
        turn, writes = divmod(number, 2)
        name, key = f"c{turn % _OBJECTS}", f"k{number}"
        path = f"{self._path}/{name}"
        if writes:
            done = self._client.call("PATCH", path, {"data": {key: ""}})
            if done.ok:
                self._acknowledged[name].add(key)
        else:
            done = self._client.call("GET", path)
        self.calls.append(done)

    def lost(self) -> int:
        """How many writes were acknowledged and are not there.

        Raises:
            FederationError: the API does not answer.
        """
        gone = 0
        for name, keys in self._acknowledged.items():
            found = self._client.call("GET", f"{self._path}/{name}")
            if not found.ok:
                raise FederationError(f"what was written cannot be read: {found}")
            gone += len(keys - (found.content().get("data") or {}).keys())
        return gone
