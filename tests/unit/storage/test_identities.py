"""Who may do what, as Ceph is told; that Ceph holds to it is tried in ``tests/prove``."""

import json

from components.storage.buckets import claim, users
from components.storage.identities import identities
from tests.unit.storage.plans import Plain, plan, read


def _pools(content: Plain) -> None:
    content["pools"].append({"name": "files", "kind": "filesystem", "holds": "100Gi"})
    content["pools"].append(
        {"name": "cold", "kind": "block", "erasure": {"data": 2, "coding": 2}, "holds": "100Gi"}
    )
    content["consumers"][0]["mounts"] += [{"pool": "files"}, {"pool": "cold"}]
    reader = {"name": "reader", "mounts": [{"pool": "block", "access": "read", "owner": "near"}]}
    content["consumers"].append({**content["consumers"][0], **reader})


def test_no_identity_reaches_beyond_its_consumers_parts() -> None:
    """Each capability for data names the pool and the part, or the one filesystem and the path."""
    spec = read(plan(_pools))
    for consumer in spec.consumers:
        parts = {consumer.part(mount) for mount in consumer.mounts}
        for each in identities(spec, consumer):
            for grant in each.caps.get("osd", "").split(", ") if "osd" in each.caps else ():
                block = any(grant.endswith(f" namespace={part}") for part in parts)
                assert (block and " pool=" in grant) or " tag cephfs " in grant, each
            assert "*" not in each.caps.get("osd", "")
            if "mds" in each.caps:
                assert "fsname=files" in each.caps["mds"]


def test_a_reader_is_given_nothing_to_write_with() -> None:
    """No profile that writes, in no daemon, and no provisioner."""
    spec = read(plan(_pools))
    found = list(identities(spec, spec.consumers[2]))
    assert [each.name for each in found] == ["reader-health-1", "reader-block-reader-1"]
    assert found[1].caps == {
        "mon": "profile rbd-read-only",
        "osd": "profile rbd-read-only pool=block namespace=near",
    }


def test_both_keys_hold_while_they_change() -> None:
    """Every identity is there once for each key."""

    def change(content: Plain) -> None:
        content["consumers"][0]["keys"] = [3, 4]

    spec = read(plan(change))
    names = {each.name for each in identities(spec, spec.consumers[0])}
    assert {name.replace("-3", "-4") for name in names if name.endswith("-3")} == {
        name for name in names if name.endswith("-4")
    }
    policy = json.loads(claim(spec, spec.buckets[0])["spec"]["additionalConfig"]["bucketPolicy"])
    assert policy["Statement"][0]["Principal"]["AWS"] == [
        "arn:aws:iam:::user/near-3",
        "arn:aws:iam:::user/near-4",
    ]


def test_who_only_reads_buckets_is_masked() -> None:
    """The mask holds whatever a policy says."""
    spec = read(plan())
    masks = {
        user.name: user.manifest()["spec"]["opMask"]
        for consumer in spec.consumers
        for user in users(spec, consumer)
    }
    assert masks == {"near-1": ["read", "write", "delete"], "far-1": ["read"]}
