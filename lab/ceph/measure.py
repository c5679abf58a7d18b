"""What the storage plane promises, tried on a real Ceph: losses under writes, and identities.

Owns the order of what is broken and what is then looked at. Pools and capabilities are those that
the plane's own settings make.
"""

import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from components.settings.storage import Pool
from components.storage.identities import identity
from lab.ceph.cluster import Ceph, version
from lab.ceph.scrub import deep_scrub, repair
from lab.ceph.writing import BYTES, Writers, wrong

OWNER, STRANGER = "destroyer", "aegis"
_GROUPS = "16"
_FROZEN_SECONDS = 12
_BETWEEN_SECONDS = 3

Report = Callable[[str], None]


@contextmanager
def started(osds: int = 4) -> Iterator[Ceph]:
    """A cluster with the pools ``block`` and ``other`` as the plane would make them."""
    with tempfile.TemporaryDirectory(prefix="ceph-") as folder, Ceph(Path(folder), osds) as ceph:
        for pool in pools():
            ceph.run("ceph", "osd", "pool", "create", pool.name, _GROUPS)
            for key, value in (
                ("size", pool.redundancy.width),
                ("min_size", pool.redundancy.least),
            ):
                ceph.run("ceph", "osd", "pool", "set", pool.name, key, str(value))
            ceph.run("ceph", "osd", "pool", "application", "enable", pool.name, "rbd")
            for part in (OWNER, STRANGER):
                ceph.run("rbd", "namespace", "create", f"{pool.name}/{part}")
        ceph.wait_clean()
        yield ceph


def pools() -> tuple[Pool, Pool]:
    """Two pools of the plane's settings."""
    return (
        Pool(name="block", kind="block", replicas=3, holds="1Gi"),
        Pool(name="other", kind="block", replicas=3, holds="1Gi"),
    )


def losses(ceph: Ceph, report: Report) -> dict[str, Any]:
    """An OSD and a client killed and frozen under writes; then every byte looked at."""
    block, _ = pools()
    node = _let_in(ceph, OWNER, block, OWNER, "node")
    reader = _let_in(ceph, STRANGER, block, OWNER, "reader")
    killed, frozen = 1, 2
    hurts = (
        ("OSD killed, then started again", killed, ceph.kill_osd, ceph.start_osd),
        ("OSD frozen, then thawed", frozen, ceph.freeze_osd, ceph.thaw_osd),
    )
    pauses: dict[str, float] = {}
    with Writers(ceph, node, block.name, OWNER) as writers:
        for name, number, hurt, mend in hurts:
            report(name)
            begun = time.monotonic()
            hurt(number)
            ceph.wait_down(number)
            time.sleep(_FROZEN_SECONDS)
            mend(number)
            ceph.wait_clean()
            pauses[name] = round(writers.written.pause(begun, time.monotonic()), 1)
        report("client killed")
        writers.signal(0, signal.SIGKILL)
        report("client frozen, then thawed")
        begun = time.monotonic()
        writers.signal(1, signal.SIGSTOP)
        time.sleep(_FROZEN_SECONDS)
        pauses["client frozen: the others"] = round(
            writers.written.pause(begun, time.monotonic()), 1
        )
        writers.signal(1, signal.SIGCONT)
        time.sleep(_BETWEEN_SECONDS)
    ceph.wait_clean()
    report("every object read by another identity; deep scrub")
    sums = writers.written.sums
    return {
        "objectsAcknowledged": len(sums),
        "bytesOfEach": BYTES,
        "writesNotAcknowledged": writers.written.failed,
        "objectsThatReadOtherwise": wrong(ceph, reader, block.name, OWNER, sums),
        "placementGroupsInconsistent": deep_scrub(ceph, block.name),
        "longestPauseSeconds": pauses,
    }


def identities(ceph: Ceph) -> dict[str, Any]:
    """What the identities of two consumers may do, each tried: ``done`` or Ceph's refusal."""
    block, other = pools()
    node = _let_in(ceph, OWNER, block, OWNER, "node")
    reader = _let_in(ceph, STRANGER, block, OWNER, "reader")
    file = ceph.folder / "tried"
    file.write_bytes(random.Random(1).randbytes(4096))  # noqa: S311 - makes data, no secret

    def tried(user: str, pool: Pool, part: str, *command: str) -> str:
        place = ("-p", pool.name, "-N", part)
        code, _, said = ceph.tried("rados", *place, *command, user=user)
        return "done" if code == 0 else said.strip().rsplit(": ", 1)[-1]

    put, get = ("put", "tried", str(file)), ("get", "tried", "/dev/null")
    found = {
        "owner writes its own part": tried(node, block, OWNER, *put),
        "owner writes another's part": tried(node, block, STRANGER, *put),
        "owner writes outside any part": tried(node, block, "", *put),
        "owner writes another pool": tried(node, other, OWNER, *put),
        "owner reads another pool": tried(node, other, OWNER, *get),
        "reader reads the owner's part": tried(reader, block, OWNER, *get),
        "reader writes the owner's part": tried(reader, block, OWNER, *put),
        "reader deletes in the owner's part": tried(reader, block, OWNER, "rm", "tried"),
        "reader reads another pool": tried(reader, other, OWNER, *get),
    }
    return {"tried": found}


def damage(ceph: Ceph) -> dict[str, Any]:
    """A copy of an object changed behind Ceph's back: a deep scrub finds it, and a repair mends it.

    Without it a clean scrub would prove nothing.
    """
    block, _ = pools()
    node = _let_in(ceph, OWNER, block, OWNER, "node")
    good, bad = ceph.folder / "good", ceph.folder / "bad"
    good.write_bytes(b"good" * 1024)
    bad.write_bytes(b"evil" * 1024)
    place = ("-p", block.name, "-N", OWNER)
    ceph.run("rados", *place, "put", "damaged", str(good), user=node)
    where = ceph.asked("osd", "map", block.name, "damaged", OWNER)
    group, osd = where["pgid"], where["acting"][-1]
    ceph.kill_osd(osd)
    ceph.wait_down(osd)
    ceph.change_copy(osd, group, "damaged", bad)
    ceph.start_osd(osd)
    ceph.wait_clean()
    found = deep_scrub(ceph, block.name)
    repair(ceph, block.name, group)
    return {"found": group in found, "afterRepair": deep_scrub(ceph, block.name)}


def _let_in(ceph: Ceph, consumer: str, pool: Pool, part: str, role: Any) -> str:
    found = identity(consumer, pool, part, role, 1)
    return ceph.let_in(found.name, found.caps)


def about() -> dict[str, Any]:
    """What was measured with."""
    return {
        "ceph": version(),
        "note": (
            "Debian's own packages, older than the 20.2 that Rook 1.20.6 runs: BlueStore on files, "
            "one monitor, each OSD a failure domain of its own on one machine. Heartbeats are as "
            "Ceph has them: a frozen OSD is noticed after some 20 s."
        ),
    }
