"""A real Ceph under losses: what was acknowledged stays, identities hold, a mirror takes over."""

import shutil
from collections.abc import Iterator

import pytest

from lab.ceph import Ceph, measure, mirroring, missing

pytestmark = pytest.mark.prove

REFUSED = "(1) Operation not permitted"


@pytest.fixture(scope="module")
def ceph() -> Iterator[Ceph]:
    """A cluster of four OSDs with two pools, where Ceph's packages are installed."""
    if lacking := missing():
        pytest.skip(f"not installed: {', '.join(lacking)} (Debian: apt install ceph-mon ceph-osd)")
    with measure.started() as made:
        yield made


def test_nothing_that_was_acknowledged_is_lost(ceph: Ceph) -> None:
    """An OSD and a client killed and frozen under writes: checksums equal, deep scrub clean."""
    found = measure.losses(ceph, print)
    assert found["objectsAcknowledged"] > 50
    assert found["writesNotAcknowledged"] >= 1, "the killed client's write is not acknowledged"
    assert found["objectsThatReadOtherwise"] == []
    assert found["placementGroupsInconsistent"] == []


def test_an_identity_is_held_to_its_part(ceph: Ceph) -> None:
    """A reader reads and cannot write or delete; nobody reaches another pool or part."""
    found = measure.identities(ceph)["tried"]
    allowed = {name for name, said in found.items() if said == "done"}
    assert allowed == {"owner writes its own part", "reader reads the owner's part"}
    assert {said for name, said in found.items() if name not in allowed} == {REFUSED}


def test_a_deep_scrub_finds_what_is_damaged(ceph: Ceph) -> None:
    """A copy that was changed behind Ceph's back is found and mended: a clean scrub says it all."""
    assert measure.damage(ceph) == {"found": True, "afterRepair": []}


def test_a_mirrored_image_is_promoted_and_brought_back(ceph: Ceph) -> None:
    """Handed over and back, taken over by force, fetched anew, and moved: bytes equal each time."""
    if shutil.which(mirroring.PROGRAM) is None:
        pytest.skip(f"not installed: {mirroring.PROGRAM} (Debian: apt install rbd-mirror)")
    found = mirroring.mirroring(ceph, print)
    assert "not enabled on a namespace" in found["imageEnabledWithThePoolAlone"]
    planned, unplanned, back = found["planned"], found["unplanned"], found["back"]
    assert planned["promotedBeforeTheFirstIsDemoted"] != "done", "two would write"
    assert planned["bytesEqual"]
    assert planned["bytesEqualAfterTheWayBack"]
    assert unplanned["bytesOfTheLastMirrorSnapshot"]
    assert not unplanned["bytesWrittenAfterItAreThere"]
    assert back["bytesDifferBefore"], "else fetching anew proves nothing"
    assert back["bytesEqual"]
    assert found["migration"]["bytesEqual"] == {"one": True, "two": True}
    sent = found["migration"]["bytesSent"]
    assert sent["two"] < sent["one"], "what did not change is not sent"
