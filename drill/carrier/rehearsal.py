"""The rehearsal itself: a lab of three of each part, and one kill after the other.

Owns the order and the times of a kill: calls, the kill, what comes of it, the instance started
again, and calls until the end.
"""

import itertools
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tenacity import Retrying, retry_if_result, stop_after_delay, wait_fixed

from drill.carrier import leader
from drill.carrier.client import Client, credentials
from drill.carrier.load import RATE, Load
from drill.carrier.rows import Row, row
from drill.carrier.scheduling import LOOKS, TEMPLATES, Scheduling
from drill.steady import Steady
from lab import Lab
from placement.faults import FederationError
from placement.federation import load

ETCD = "etcd"
PARTS = (
    ETCD,
    "karmada-apiserver",
    "kube-controller-manager",
    "karmada-aggregated-apiserver",
    "karmada-webhook",
    "karmada-controller-manager",
    "karmada-scheduler",
)
"""What is killed, in this order; each has three instances."""

_BEFORE = 3.0
"""Seconds of calls before a kill, and after the instance runs again."""

_AFTER = 20.0
"""Seconds from a kill until the instance may come back: a Lease ends after 15, and who waits for
it asks every 2."""

_PATIENCE = 60.0
"""Seconds that a template may wait beyond that."""


class Rehearsal:
    """One rehearsal.

    Args:
        folder: of the lab.
        file: the federation file whose clusters are its members.
        report: called with a line for each step.
    """

    def __init__(self, folder: Path, file: Path, report: Callable[[str], None]) -> None:
        self._lab = Lab(folder, "carrier")
        self._file, self._report = file, report
        self._members = [cluster.name for cluster in load(file).clusters]
        self._numbers = itertools.count(1)

    def run(self, parts: Sequence[str]) -> list[Row]:
        """Kill each instance of *parts* in turn; the first row is of no kill.

        Raises:
            FederationError: the lab does not come up, or nobody answers.
        """
        with self._lab as lab:
            self._report("bringing up a lab of three of each part")
            lab.up(self._file, members="all", bare=True, high_availability=True)
            _, *each = lab.endpoints()
            self._tls = credentials(lab.kubeconfig())
            self._client = Client(each, self._tls)
            instances = [row.name for row in lab.status()]
            rows = [self._kill("", "")]
            for part in parts:
                mine = [name for name in instances if name.rpartition("-")[0] == part]
                rows.extend(self._kill(part, name) for name in mine)
            return rows

    def _kill(self, part: str, name: str) -> Row:
        """Kill the instance *name* of *part*, or none, and see what comes of it."""
        namespace = f"rehearsal-{next(self._numbers)}"
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
        made = self._client.call("POST", "/api/v1/namespaces", body)
        if not made.ok:
            raise FederationError(f"the namespace of the rehearsal cannot be made: {made}")
        calls, scheduling = Load(self._client, namespace), Scheduling(self._client, namespace)
        calls.prepare()
        scheduling.prepare(self._members)
        before = self._acting(part, name)
        with Steady(LOOKS, scheduling.look), Steady(RATE, calls.call):
            with Steady(TEMPLATES, scheduling.make):
                time.sleep(_BEFORE)
                if name:
                    self._lab.kill(name)
                time.sleep(_AFTER)
            wait = Retrying(
                retry=retry_if_result(bool),
                stop=stop_after_delay(_PATIENCE),
                wait=wait_fixed(1 / LOOKS),
                retry_error_callback=lambda _: None,
            )
            wait(scheduling.waiting)
            led = self._led(part, before)
            if name:
                self._lab.start(self._file, name)
            time.sleep(_BEFORE)
        found = row(name, led=led, calls=calls.calls, lost=calls.lost(), pause=scheduling.pause())
        self._client.call("DELETE", f"/api/v1/namespaces/{namespace}")
        pause = "no end" if found.pause is None else f"{found.pause:.1f} s"
        self._report(
            f"{name or 'nothing'} killed: {found.failed} of {found.calls} calls failed, "
            f"pause in scheduling {pause}"
        )
        return found

    def _acting(self, part: str, name: str) -> str | bool | None:
        """Before a kill: who acts of *part*, or whether *name* does."""
        if part == ETCD:
            port = next(row.ports[0] for row in self._lab.status() if row.name == name)
            return leader.leads(Client([f"https://127.0.0.1:{port}"], self._tls))
        return leader.holder(self._client, part) if part in leader.LEASES else None

    def _led(self, part: str, before: str | bool | None) -> bool | None:
        """After a kill: whether the one that was killed had acted; None where nobody says."""
        if part in leader.LEASES:
            after = leader.holder(self._client, part)
            return None if None in (before, after) else after != before
        return before if isinstance(before, bool) else None
