"""A second plane tried on two real Cephs: hand-over, loss, the way back, and a snapshot's move.

Owns the order of it and what is compared. The image lies where the plane puts a consumer's: in a
part (RADOS namespace) of the pool. Mirror snapshots are taken by hand, since what a schedule adds
is the clock.

Source: Ceph, "RBD Mirroring" (snapshot-based, mode image) and "Incremental snapshots with RBD".
"""

import hashlib
import json
import random
import shutil
import struct
import time
from pathlib import Path
from typing import Any

from lab.ceph.cluster import Ceph
from lab.ceph.measure import OWNER, Report, pools, started
from lab.kubernetes.waiting import NotYetError, wait
from placement.faults import FederationError

PROGRAM = "rbd-mirror"
BYTES = 16 << 20
"""Of the image."""

_CHANGE = 4 << 20
_FEATURES = "layering,exclusive-lock,object-map,fast-diff,deep-flatten"
_SECONDS = 300


def mirroring(first: Ceph, report: Report) -> dict[str, Any]:
    """Mirror an image of *first* to a second cluster; hand over, lose *first*, and bring it back.

    Raises:
        FederationError: rbd-mirror is missing, a step is refused, or a copy does not come in time.
    """
    if shutil.which(PROGRAM) is None:
        raise FederationError(f"{PROGRAM}: not on the PATH; install Ceph's package of that name")
    with started(osds=3) as second:
        report("the second cluster is clean")
        pool, other = (each.name for each in pools())
        image = f"{pool}/{OWNER}/volume"
        refused = _paired(first, second, pool, image)
        report("paired")
        rehearsed = _Rehearsal(first, second, image, report)
        return {
            "bytes": BYTES,
            "imageEnabledWithThePoolAlone": refused,
            "planned": rehearsed.planned(),
            "unplanned": rehearsed.unplanned(),
            "back": rehearsed.back(),
            "migration": _migration(first, second, f"{other}/{OWNER}/volume"),
        }


def _paired(first: Ceph, second: Ceph, pool: str, image: str) -> str:
    """Pair the pools, and mirror an image; what Ceph says where its part is not mirrored too."""
    for site, ceph in (("first", first), ("second", second)):
        ceph.run("rbd", "mirror", "pool", "enable", "--site-name", site, pool, "image")
    peer = ("rbd", "mirror", "pool", "peer", "bootstrap")
    token = first.run(*peer, "create", "--site-name", "first", pool)
    second.run(*peer, "import", "--site-name", "second", pool, "-", given=token)
    _imported(first, image, _data(1))
    enable = ("rbd", "mirror", "image", "enable", image, "snapshot")
    refused = _tried(first, *enable)
    part = image.rpartition("/")[0]
    for ceph in (first, second):
        ceph.run("rbd", "mirror", "pool", "enable", part, "image")
        ceph.start_mirror()
    first.run(*enable)
    return refused


class _Rehearsal:
    """The states that the two planes go through, in their order."""

    def __init__(self, first: Ceph, second: Ceph, image: str, report: Report) -> None:
        self._first, self._second, self._image = first, second, image
        self._report = report

    def planned(self) -> dict[str, Any]:
        """Both live: to the second, and back to the first."""
        _write(self._first, self._image, _data(2, _CHANGE))
        written = _sum(self._first, self._image)
        self._fetched(self._first, self._second)
        refused = _tried(self._second, "rbd", "mirror", "image", "promote", self._image)
        there = self._handed(self._first, self._second)
        promoted = _sum(self._second, self._image)
        self._report("handed over")
        _write(self._second, self._image, _data(3, _CHANGE))
        changed = _sum(self._second, self._image)
        back = self._handed(self._second, self._first)
        self._report("handed back")
        return {
            "promotedBeforeTheFirstIsDemoted": refused,
            "bytesEqual": promoted == written,
            "bytesEqualAfterTheWayBack": _sum(self._first, self._image) == changed != written,
            "secondsToTheSecond": there,
            "secondsBack": back,
        }

    def unplanned(self) -> dict[str, Any]:
        """The first is killed with bytes that no mirror snapshot has."""
        _write(self._first, self._image, _data(4, _CHANGE))
        mirrored = _sum(self._first, self._image)
        self._fetched(self._first, self._second)
        _write(self._first, self._image, _data(5, _CHANGE))
        after = _sum(self._first, self._image)
        self._first.lose()
        self._report("the first is lost")
        begun = time.monotonic()
        self._second.run("rbd", "mirror", "image", "promote", "--force", self._image)
        taken = round(time.monotonic() - begun, 1)
        found = _sum(self._second, self._image)
        return {
            "bytesOfTheLastMirrorSnapshot": found == mirrored,
            "bytesWrittenAfterItAreThere": found == after,
            "secondsToPromote": taken,
        }

    def back(self) -> dict[str, Any]:
        """The first comes back with what nobody else has, is demoted and fetches all anew."""
        _write(self._second, self._image, _data(6, _CHANGE))
        written = _sum(self._second, self._image)
        self._first.bring_back()
        self._report("the first is back")
        own = _sum(self._first, self._image)
        for step in ("demote", "resync"):
            self._first.run("rbd", "mirror", "image", step, self._image)
        begun = time.monotonic()
        self._fetched(self._second, self._first)
        return {
            "bytesDifferBefore": own != written,
            "bytesEqual": _sum(self._first, self._image) == written,
            "secondsToFetch": round(time.monotonic() - begun, 1),
        }

    def _handed(self, giver: Ceph, taker: Ceph) -> float:
        """Demote here, wait for the copy, promote there; the seconds that nobody may write."""
        # Who does not follow yet when the other is demoted never will: neither is primary then.
        self._fetched(giver, taker)
        begun = time.monotonic()
        giver.run("rbd", "mirror", "image", "demote", self._image)
        self._wait(taker, _newest(giver, self._image))

        def promote() -> None:
            code, _, said = taker.tried("rbd", "mirror", "image", "promote", self._image)
            if code:
                raise NotYetError(said.strip())

        wait(promote, _SECONDS, "the image is not promoted")
        return round(time.monotonic() - begun, 1)

    def _fetched(self, giver: Ceph, taker: Ceph) -> None:
        """Take a mirror snapshot and wait until the other side has all of it."""
        giver.run("rbd", "mirror", "image", "snapshot", self._image)
        self._wait(taker, _newest(giver, self._image))

    def _wait(self, taker: Ceph, snapshot: int) -> None:
        def look() -> None:
            found = [each["namespace"] for each in _mirrored(taker, self._image)]
            whole = {each.get("primary_snap_id") for each in found if each["complete"]}
            if snapshot not in whole:
                raise NotYetError(f"snapshot {snapshot} is not there, of {len(found)}")

        wait(look, _SECONDS, "the copy does not come")


def _migration(first: Ceph, second: Ceph, image: str) -> dict[str, Any]:
    """Move two snapshots of an image that is not mirrored, the second by what changed."""
    file = first.folder / "diff"
    _imported(first, image, _data(7))
    first.run("rbd", "snap", "create", f"{image}@one")
    _write(first, image, _data(8, _CHANGE))
    first.run("rbd", "snap", "create", f"{image}@two")
    second.run("rbd", "create", "--size", f"{BYTES}B", "--image-feature", _FEATURES, image)
    whole = _moved(first, second, file, f"{image}@one", image)
    change = _moved(first, second, file, f"{image}@two", image, "--from-snap", "one")
    return {
        "bytesEqual": {
            name: _sum(second, f"{image}@{name}") == _sum(first, f"{image}@{name}")
            for name in ("one", "two")
        },
        "bytesSent": {"one": whole, "two": change},
    }


def _moved(first: Ceph, second: Ceph, file: Path, snapshot: str, image: str, *since: str) -> int:
    first.run("rbd", "export-diff", "--no-progress", *since, snapshot, str(file))
    second.run("rbd", "import-diff", "--no-progress", str(file), image)
    size = file.stat().st_size
    file.unlink()
    return size


def _tried(ceph: Ceph, *command: str) -> str:
    """``done``, or why Ceph refuses *command*."""
    code, _, said = ceph.tried(*command)
    return said.splitlines()[0].rpartition(": ")[2] if code else "done"


def _newest(ceph: Ceph, image: str) -> int:
    """The newest mirror snapshot of an image that is, or was until now, primary."""
    return max(int(each["id"]) for each in _mirrored(ceph, image))


def _mirrored(ceph: Ceph, image: str) -> list[dict[str, Any]]:
    """The mirror snapshots of *image*; none while there is no image, as when it is made anew."""
    code, said, _ = ceph.tried("rbd", "snap", "ls", "--all", image, "--format", "json")
    found = [] if code else json.loads(said)
    return [each for each in found if each["namespace"]["type"] == "mirror"]


def _imported(ceph: Ceph, image: str, data: bytes) -> None:
    """Make *image* of *data*."""
    file = ceph.folder / "import"
    file.write_bytes(data)
    ceph.run("rbd", "import", "--no-progress", "--image-feature", _FEATURES, str(file), image)


def _write(ceph: Ceph, image: str, data: bytes) -> None:
    """Write *data* at the image's beginning, as a diff of the format v1 that says just that."""
    file = ceph.folder / "write"
    file.write_bytes(b"rbd diff v1\nw" + struct.pack("<QQ", 0, len(data)) + data + b"e")
    ceph.run("rbd", "import-diff", "--no-progress", str(file), image)


def _sum(ceph: Ceph, image: str) -> str:
    """SHA-256 of all bytes of *image*."""
    file = ceph.folder / "export"
    file.unlink(missing_ok=True)
    ceph.run("rbd", "export", "--no-progress", image, str(file))
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _data(seed: int, size: int = BYTES) -> bytes:
    return random.Random(seed).randbytes(size)  # noqa: S311 - makes data, no secret
