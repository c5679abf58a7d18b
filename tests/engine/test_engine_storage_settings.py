"""What a change of each setting of the storage plane does, held against docs/storage.md.

One plane is brought up; the real engine previews each change. Which settings there are is read from
their models, so that a new one without a row fails here.
"""

from collections.abc import Iterator

import pytest

from components.settings.storage import StorageSettings
from lab import Lab
from lab.engine import CHECKOUT
from tests.built import FULL_MEMBER, skip_without
from tests.charts import fixture_charts, kinds
from tests.engine.case import cluster, workload, write_federation
from tests.engine.edits import Change, every, into, out, put
from tests.engine.effects import GONE, LESS, MORE, Row, effects, held, row, table, wanted
from tests.engine.rook import rook
from tests.engine.storage import STACK, Plain, Plane, changed, without

PAGE = CHECKOUT / "docs" / "storage.md"
_NEAR = {"milliseconds": "0.8", "source": "a test", "proxy": "a host", "date": "2026-11-30"}


def _more(spec: Plain) -> None:
    """Something of every kind that the settings know."""
    for index, node in enumerate(spec["nodes"]):
        node["zone"] = f"zone-{index}"
    spec["nodes"].append({**node_of(4), "zone": "zone-4"})
    spec["nodes"][0]["devices"].append({"path": "/dev/disk/by-id/second", "size": "4T"})
    spec["cluster"] |= {"zones": ["one"], "cost": {"amount": "1200", "currency": "EUR"}}
    spec["cluster"]["cost"] |= {"vat": "net", "source": "a test", "date": "2026-11-30"}
    spec["pools"] += [
        {"name": "copy", "kind": "block", "holds": "100Gi"},
        {"name": "archive", "kind": "objects", "holds": "100Gi"},
    ]
    spec["buckets"].append({"name": "logs", "pool": "objects"})
    spec["mirrorOf"] = {"stack": "first", "pools": ["copy"]}
    spec["consumers"][0] |= {"roundTrip": _NEAR}
    reads = {"pool": "block", "access": "read", "owner": "destroyer"}
    spec["consumers"].append(
        {"name": "reports", "jurisdiction": "us", "roundTrip": _NEAR, "mounts": [reads]}
    )


def node_of(index: int) -> Plain:
    """A machine with one disk."""
    return {
        "name": f"storage-{index}",
        "devices": [{"path": f"/dev/disk/by-id/disk-{index}", "size": "4T"}],
    }


BASE = changed(_more)


def allowed(key: str, word: str, change: Change, how: str = "") -> Row:
    """The same change with its word."""
    return row(key, every(change, put("allow", word)), f"{how} with `allow: {word}`".strip())


_COST = "cluster.cost."
ROWS = (
    row(
        "cluster.provider cluster.region cluster.continent cluster.zones cluster.jurisdiction "
        "cluster.asOf cluster.cost.source cluster.cost.date cluster.cost.proxy "
        "cluster.cost.amount cluster.cost.currency cluster.cost.vat nodes[].devices[].size "
        "pools[].residency consumers[].jurisdiction consumers[].roundTrip.source "
        "consumers[].roundTrip.date consumers[].roundTrip.proxy "
        "consumers[].roundTrip.milliseconds mountLimit cost.amount cost.currency",
        every(
            put("cluster.provider", "another"),
            put("cluster.region", "another"),
            put("cluster.continent", "europe"),
            put("cluster.zones", ["two"]),
            put("cluster.jurisdiction", "ca"),
            put("cluster.asOf", "2026-12-01"),
            put(
                "cluster.cost",
                {
                    "source": "b",
                    "date": "2026-12-01",
                    "proxy": "c",
                    "amount": "1",
                    "currency": "USD",
                    "vat": "gross",
                },
            ),
            put("nodes.0.devices.0.size", "5T"),
            put("pools.0.residency", ["us", "ca"]),
            put("consumers.1.jurisdiction", "fr"),
            put(
                "consumers.0.roundTrip",
                {"source": "b", "date": "2026-12-01", "proxy": "c", "milliseconds": "0.9"},
            ),
            put("mountLimit", 11),
            put("cost", {"amount": "1", "currency": "USD"}),
        ),
    ),
    row("cluster.cost cost", every(out("cluster.cost"), out("cost")), GONE),
    row("cluster.maker", put("cluster.maker", "hetzner")),
    row("cluster.name", put("cluster.name", "another")),
    row("failureDomain", put("failureDomain", "zone")),
    allowed("failureDomain", "failureDomain/zone", put("failureDomain", "zone")),
    row("monitors", put("monitors", 5), "5"),
    row("nodes", into("nodes", node_of(5) | {"zone": "zone-5"}), MORE),
    row("nodes", out("nodes.4"), LESS),
    allowed("nodes", "node/storage-4", out("nodes.4"), LESS),
    row("nodes[].name", put("nodes.4.name", "storage-5")),
    row("nodes[].zone", put("nodes.4.zone", "zone-5")),
    row(
        "nodes[].devices",
        into("nodes.4.devices", {"path": "/dev/disk/by-id/more", "size": "4T"}),
        MORE,
    ),
    row("nodes[].devices", out("nodes.0.devices.1"), LESS),
    allowed("nodes[].devices", "device/storage-0/second", out("nodes.0.devices.1"), LESS),
    row("nodes[].devices[].path", put("nodes.4.devices.0.path", "/dev/disk/by-id/another")),
    row("pools", into("pools", {"name": "more", "kind": "filesystem", "holds": "10Gi"}), MORE),
    row("pools", without("pools", "files"), f"{LESS}, and its mounts"),
    row("allow", put("allow", "pool/files"), "`pool/files`"),
    row(
        "pools[].name",
        every(put("pools.4.name", "other"), put("mirrorOf.pools", ["other"])),
        "and `mirrorOf.pools` likewise",
    ),
    row("pools[].kind", put("pools.2.kind", "block")),
    row("pools[].replicas", put("pools.0.replicas", 4)),
    row("pools[].erasure", out("pools.1.erasure"), GONE),
    row("pools[].erasure.data", put("pools.1.erasure.data", 3)),
    row("pools[].erasure.coding", put("pools.1.erasure.coding", 3)),
    row("pools[].holds", put("pools.0.holds", "600Gi")),
    row("pools[].mirror", put("pools.0.mirror", "2h")),
    row("pools[].mirror", out("pools.0.mirror"), GONE),
    row("gateway", out("gateway"), GONE),
    row("gateway.host", put("gateway.host", "s3.example.org")),
    row("gateway.certificate", put("gateway.certificate", "another")),
    row("gateway.instances", put("gateway.instances", 3)),
    row("buckets", into("buckets", {"name": "more", "pool": "objects"}), MORE),
    row("buckets", without("buckets", "logs"), LESS),
    row("buckets[].name", put("buckets.1.name", "other")),
    row("buckets[].pool", put("buckets.1.pool", "archive")),
    row(
        "consumers",
        into("consumers", {"name": "more", "roundTrip": _NEAR, "mounts": [{"pool": "files"}]}),
        MORE,
    ),
    row("consumers", out("consumers.1"), LESS),
    row("consumers[].name", put("consumers.1.name", "other")),
    row("consumers[].roundTrip", out("consumers.0.roundTrip"), GONE),
    row("consumers[].mounts", into("consumers.0.mounts", {"pool": "copy"}), MORE),
    row("consumers[].mounts", out("consumers.0.mounts.2"), LESS),
    row("consumers[].mounts[].pool", put("consumers.0.mounts.2.pool", "copy")),
    row("consumers[].mounts[].access", put("consumers.0.mounts.2.access", "read")),
    row("consumers[].mounts[].owner", out("consumers.2.mounts.0.owner"), GONE),
    row("consumers[].buckets", into("consumers.1.buckets", {"name": "logs"}), MORE),
    row("consumers[].buckets", out("consumers.1.buckets.0"), LESS),
    row("consumers[].buckets[].name", put("consumers.1.buckets.0.name", "logs")),
    row("consumers[].buckets[].access", put("consumers.1.buckets.0.access", "write")),
    row("consumers[].keys", put("consumers.0.keys", [1, 2]), "`[1, 2]`"),
    row("mirrorOf", out("mirrorOf"), GONE),
    row("mirrorOf.stack", put("mirrorOf.stack", "second")),
    row(
        "mirrorOf.pools",
        every(
            into("pools", {"name": "more", "kind": "block", "holds": "10Gi"}),
            into("mirrorOf.pools", "more"),
        ),
        "and a pool for it",
    ),
    row("systemNamespaces", put("systemNamespaces", ["monitoring"])),
    row("alerts", put("alerts", True)),
)
"""A change of every setting, from ``BASE``."""


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plane]:
    """A plane with something of every kind, up; Rook is stood in for."""
    skip_without(*FULL_MEMBER)
    root = tmp_path_factory.mktemp("settings")
    charts = ("rook-ceph", "ceph-csi-drivers")
    mirror = fixture_charts(root / "charts", *charts, definitions=False)
    node = {"cpu": "8", "memory": "32Gi", "pods": "110"}
    classes = [{"name": "storage", "count": 6, "allocatable": node}]
    file = write_federation(
        root / "federation.yaml",
        [cluster(STACK, nodeClasses=classes)],
        workload("any", weights={STACK: 1}),
    )
    with pytest.MonkeyPatch.context() as patch, Lab(root / "labs", "settings") as lab:
        patch.delenv("KARMADA_DIR", raising=False)
        lab.up(file, members="all")
        for kind in kinds("rook-ceph"):
            lab.api(STACK).apply(kind)
        with rook(lab.kubeconfig(STACK), root):
            made = Plane(root / "workspace", lab.kubeconfig(STACK), mirror)
            for name in ("first", "second"):
                made.original(name, ["copy", "more"]).up()
            made.write(BASE)
            made.stack.up()
            yield made


@pytest.fixture(scope="module")
def found(plane: Plane) -> dict[str, str]:
    """What a preview would do for each change."""

    def write(change: Change) -> None:
        plane.write(changed(_more, change))

    return effects(ROWS, write, plane.stack, f"{STACK}-", f"{STACK}-")


def test_every_setting_has_a_row() -> None:
    """The models' settings and the table's are the same ones, and each row changes its own."""
    held(ROWS, BASE, wanted(StorageSettings))


def test_the_page_says_what_updates_and_what_replaces(found: dict[str, str]) -> None:
    """The table of docs/storage.md is what the real engine says of each change."""
    derived = [f"| {what} | {does} |" for what, does in found.items()]
    assert table(PAGE, "| change of a setting | what a run does |") == derived


def test_several_settings_in_one_row_do_nothing(found: dict[str, str]) -> None:
    """Else the row would not say which of them does it."""
    assert {found[each.label] for each in ROWS if len(each.keys) > 1} == {"nothing"}


def test_no_setting_replaces_anything(found: dict[str, str]) -> None:
    """What stands stays: it is changed in place, goes by its word, or the change is refused."""
    assert not [what for what, does in found.items() if "replace" in does]
