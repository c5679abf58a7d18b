"""What a change of each setting of a compute plane does, held against docs/compute.md.

One plane is brought up; the real engine previews each change. Which settings there are is read from
their models, so that a new one without a row fails here. What those of a cluster do that is made on
Hetzner Cloud stands in ``test_engine_hetzner.py``.
"""

import copy
from collections.abc import Iterator

import pytest

from components.settings.compute import ComputeSettings, HetznerMember
from lab.engine import CHECKOUT
from tests.engine.compute import GPU, MEMBER, SPEC, STACK, Plain, Plane, aegis, standing
from tests.engine.edits import Change, every, into, out, put
from tests.engine.effects import GONE, LESS, MORE, effects, held, row, table, wanted

PAGE = CHECKOUT / "docs" / "compute.md"


def existing(name: str, **facts: object) -> Plain:
    """A cluster that exists, like the member."""
    return {**aegis(), "name": name, "maker": "existing", **facts}


_SERVES = [{"groupVersion": "apps/v1", "kinds": ["Deployment"]}]
_SERVES.append({"groupVersion": "batch/v1", "kinds": ["Job"]})
_TAINT = {"key": "example.com/own", "value": "first", "effect": "NoSchedule"}
_NODE = {"cpu": "8", "memory": "32Gi", "pods": "110"}


def changed(*changes: Change) -> Plain:
    """The settings with some things changed."""
    spec: Plain = copy.deepcopy(SPEC)
    for change in changes:
        change(spec)
    return spec


_more = every(
    put("clusters.0.apis", _SERVES),
    put("clusters.0.labels", {"tier": "gpu"}),
    put("clusters.0.jurisdiction", "eu"),
    into("clusters.0.taints", _TAINT),
    into("clusters.0.nodeClasses.0.taints", _TAINT),
    into("clusters", existing("gone", lost=True)),
    into("software.namespaces", {"name": "web", "request": {"cpu": "100m"}}),
)
"""Something of every kind that the settings know, and a cluster that is lost."""

BASE = changed(_more)

_ONE = "clusters.0"
_CLASS = f"{_ONE}.nodeClasses.0"
_SPREAD = "software.descheduler"
ROWS = (
    row(
        "asOf clusters[].continent clusters[].jurisdiction clusters[].taints[].key "
        "clusters[].taints[].value clusters[].taints[].effect clusters[].apis[].groupVersion "
        "clusters[].apis[].kinds clusters[].nodeClasses[].name clusters[].nodeClasses[].count "
        "clusters[].nodeClasses[].allocatable clusters[].nodeClasses[].inUse "
        "clusters[].nodeClasses[].model clusters[].nodeClasses[].labels "
        "clusters[].nodeClasses[].spot clusters[].headroom clusters[].reserve clusters[].ready "
        "clusters[].cordoned clusters[].drained",
        every(
            put("asOf", "2026-12-01"),
            put(f"{_ONE}.continent", "asia"),
            put(f"{_ONE}.jurisdiction", "ch"),
            put(f"{_ONE}.taints.1", {"key": "other", "value": "2", "effect": "NoExecute"}),
            put(f"{_ONE}.apis.0", {"groupVersion": "apps/v2", "kinds": ["DaemonSet"]}),
            put(f"{_CLASS}.name", "other"),
            put(f"{_CLASS}.count", 2),
            put(f"{_CLASS}.allocatable.cpu", "7"),
            put(f"{_CLASS}.inUse", {"cpu": "1"}),
            put(f"{_ONE}.nodeClasses.1.model", "H100"),
            put(f"{_CLASS}.labels", {"federation/disk": "nvme"}),
            put(f"{_CLASS}.spot", True),
            put(f"{_ONE}.headroom", "0.1"),
            put(f"{_ONE}.reserve", {"cpu": "1"}),
            put(f"{_ONE}.ready", False),
            put(f"{_ONE}.cordoned", True),
            put(f"{_ONE}.drained", True),
        ),
    ),
    row("clusters", into("clusters", existing("more")), MORE),
    row("clusters", out("clusters.0"), LESS),
    row("clusters[].maker", put(f"{_ONE}.maker", "hetzner")),
    row("clusters[].membership", put(f"{_ONE}.membership", "pull")),
    row("clusters[].lost", put(f"{_ONE}.lost", True)),
    row("clusters[].name", put(f"{_ONE}.name", "other")),
    row("clusters[].provider", put(f"{_ONE}.provider", "other")),
    row("clusters[].region", put(f"{_ONE}.region", "other")),
    row("clusters[].zones", put(f"{_ONE}.zones", ["one"])),
    row("clusters[].labels", put(f"{_ONE}.labels.tier", "other")),
    row(
        "clusters[].taints clusters[].apis clusters[].nodeClasses",
        every(
            into(f"{_ONE}.taints", {"key": "own", "effect": "NoExecute"}),
            into(f"{_ONE}.apis", {"groupVersion": "v1", "kinds": ["Pod"]}),
            into(f"{_ONE}.nodeClasses", {"name": "more", "count": 1, "allocatable": _NODE}),
        ),
        MORE,
    ),
    row(
        "clusters[].taints clusters[].apis",
        every(out(f"{_ONE}.taints.1"), out(f"{_ONE}.apis.1")),
        LESS,
    ),
    row("clusters[].nodeClasses", out(f"{_ONE}.nodeClasses.0"), LESS),
    row(
        "clusters[].nodeClasses[].allocatable",
        put(f"{_ONE}.nodeClasses.1.allocatable", {**_NODE, GPU: "8", "amd.com/gpu": "1"}),
        "another accelerator",
    ),
    row(
        "clusters[].nodeClasses[].taints",
        into(f"{_CLASS}.taints", {"key": "own", "effect": "NoSchedule"}),
        MORE,
    ),
    row("clusters[].nodeClasses[].taints", out(f"{_CLASS}.taints.0"), LESS),
    row("clusters[].nodeClasses[].taints[].key", put(f"{_CLASS}.taints.0.key", "other")),
    row("clusters[].nodeClasses[].taints[].value", put(f"{_CLASS}.taints.0.value", "other")),
    row("clusters[].nodeClasses[].taints[].effect", put(f"{_CLASS}.taints.0.effect", "NoExecute")),
    row("software", out("software"), GONE),
    row(_SPREAD, out(_SPREAD), GONE),
    row(f"{_SPREAD}.intervalMinutes", put(f"{_SPREAD}.intervalMinutes", 10)),
    row(f"{_SPREAD}.underUsed", put(f"{_SPREAD}.underUsed", 30)),
    row(f"{_SPREAD}.overUsed", put(f"{_SPREAD}.overUsed", 70)),
    row(f"{_SPREAD}.evictionsPerNode", put(f"{_SPREAD}.evictionsPerNode", 3)),
    row("software.accelerators", out("software.accelerators"), GONE),
    row("software.accelerators.driver", put("software.accelerators.driver", False)),
    row(
        "software.accelerators.timeSlicing",
        put("software.accelerators.timeSlicing.batch", 2),
    ),
    row(
        "software.accelerators.mig",
        put("software.accelerators.mig", {"inference": {"1g.10gb": 4}}),
    ),
    row("software.stateless", out("software.stateless"), GONE),
    row("software.stateless.storageClasses", put("software.stateless.storageClasses", ["other"])),
    row(
        "software.namespaces",
        into("software.namespaces", {"name": "more", "request": {"cpu": "100m"}}),
        MORE,
    ),
    row("software.namespaces", out("software.namespaces.1"), LESS),
    row("software.namespaces[].name", put("software.namespaces.0.name", "other")),
    row("software.namespaces[].request", put("software.namespaces.0.request.cpu", "200m")),
    row("software.namespaces[].limit", put("software.namespaces.0.limit", {"cpu": "1"})),
    row("software.namespaces[].quota", put("software.namespaces.0.quota.pods", "30")),
    row("software.namespaces[].quota", out("software.namespaces.0.quota"), GONE),
    row("software.metrics", out("software.metrics"), GONE),
    row("software.metrics.remoteWrite", put("software.metrics.remoteWrite", "https://b.example/w")),
    row("software.systemNamespaces", put("software.systemNamespaces", ["network"])),
)
"""A change of every setting, from ``BASE``."""


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plane]:
    """A plane with everything that a compute plane may have, up."""
    with standing(tmp_path_factory.mktemp("settings")) as made:
        made.reach(gone="gone.invalid", more="localhost", other="localhost")
        made.write(BASE)
        made.stack.up()
        yield made


@pytest.fixture(scope="module")
def found(plane: Plane) -> dict[str, str]:
    """What a preview would do for each change."""

    def write(change: Change) -> None:
        plane.write(changed(_more, change))

    return effects(ROWS, write, plane.stack, f"{STACK}-", f"{MEMBER}-")


def test_every_setting_has_a_row() -> None:
    """The models' settings and the table's are the same ones, and each row changes its own."""
    held(ROWS, BASE, wanted(ComputeSettings, HetznerMember))


def test_the_page_says_what_updates_and_what_replaces(found: dict[str, str]) -> None:
    """The table of docs/compute.md is what the real engine says of each change."""
    derived = [f"| {what} | {does} |" for what, does in found.items()]
    assert table(PAGE, "| change of a setting | what a run does |") == derived


def test_several_settings_in_one_row_do_nothing(found: dict[str, str]) -> None:
    """Else the row would not say which of them does it."""
    assert {found[each.label] for each in ROWS if len(each.keys) > 1} == {"nothing"}
