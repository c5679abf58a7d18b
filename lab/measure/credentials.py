"""The token of a member in a rehearsal: how long an old one holds, and one changed by hand.

Owns both. What they show is said in ``membership``.
"""

import threading
from typing import Self

from lab.kubernetes.waiting import NotYetError, wait
from lab.measure.rehearsal import CREDENTIALS, Rehearsal


class Overlap:
    """Whether an old token holds as long as the controllers lead that use it, looked at in a block.

    Args:
        case: the rehearsal.
        cluster: the member.
        token: of it.
    """

    def __init__(self, case: Rehearsal, cluster: str, token: str) -> None:
        self._case, self._cluster, self._token = case, cluster, token
        self._leader = case.leader()
        self._seen: list[bool] = []
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()
        self._thread.join()

    @property
    def held(self) -> bool:
        """Whether there were looks, and all of them found the token to hold."""
        return bool(self._seen) and all(self._seen)

    def _look(self) -> None:
        while not self._left.wait(1):
            accepted = self._case.accepts(self._cluster, self._token)
            if self._case.leader() == self._leader:
                self._seen.append(accepted)


def change_token(case: Rehearsal, cluster: str) -> None:
    """What a rotation does on both sides, but for the hand-over."""
    member, karmada = case.lab.api(cluster), case.lab.api()
    account = f"karmada-{cluster}"
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {
            "name": f"{account}-by-hand",
            "namespace": CREDENTIALS,
            "annotations": {"kubernetes.io/service-account.name": account},
        },
        "type": "kubernetes.io/service-account-token",
    }
    member.apply(secret)
    new = ""

    def filled() -> None:
        nonlocal new
        found = member.get("v1", "Secret", f"{account}-by-hand", CREDENTIALS) or {}
        new = (found.get("data") or {}).get("token", "")
        if not new:
            raise NotYetError("it has no token")

    wait(filled, 30, "the Secret is not filled")
    karmada.patch(
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": cluster, "namespace": CREDENTIALS},
            "data": {"token": new},
        }
    )
    member.delete("v1", "Secret", account, CREDENTIALS)
