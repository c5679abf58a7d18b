"""A deep scrub of a pool: every copy of every object read and compared.

Owns that it is waited for: a scrub that was asked for and never came would look clean.
"""

from typing import Any

from lab.ceph.cluster import Ceph
from lab.kubernetes.waiting import NotYetError, wait

_SECONDS = 180


def deep_scrub(ceph: Ceph, pool: str) -> list[str]:
    """Scrub *pool*; the placement groups whose copies differ.

    Raises:
        FederationError: a placement group is not scrubbed in time.
    """
    before = {each["pgid"]: each["last_deep_scrub_stamp"] for each in _groups(ceph, pool)}
    ceph.run("ceph", "osd", "pool", "deep-scrub", pool)

    def look() -> None:
        left = [
            each["pgid"]
            for each in _groups(ceph, pool)
            if each["last_deep_scrub_stamp"] == before[each["pgid"]]
        ]
        if left:
            raise NotYetError(f"{', '.join(left)} are not scrubbed")

    wait(look, _SECONDS, "the deep scrub does not end")
    return [each["pgid"] for each in _groups(ceph, pool) if "inconsistent" in each["state"]]


def repair(ceph: Ceph, pool: str, group: str) -> None:
    """Have the copies of a placement group of *pool* made equal.

    Raises:
        FederationError: they are not in time.
    """
    ceph.run("ceph", "pg", "repair", group)

    def look() -> None:
        states = {each["pgid"]: each["state"] for each in _groups(ceph, pool)}
        if "inconsistent" in states[group]:
            raise NotYetError(f"{group} is {states[group]}")

    wait(look, _SECONDS, "the repair does not end")


def _groups(ceph: Ceph, pool: str) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = ceph.asked("pg", "ls-by-pool", pool)["pg_stats"]
    return groups
