"""The federation file: the trace's nodes cut into twelve clusters on four continents.

Owns what the trace does not say and the benchmark adds: where the clusters are, what their parts
cost, how clean their grids are, where the users of long-running services (``LS``) are, and that
those with several replicas are spread over two regions.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from bench.openb.prices import Accelerator, Parts, accelerators, parts
from bench.openb.trace import Kind, Shape, kinds, shapes
from bench.reference import reference
from placement.facts.basis import one_basis
from placement.facts.formats import FORMATS
from placement.facts.fragment import fragment
from placement.facts.given import Given
from placement.federation import Federation

Plain = dict[str, Any]

GPU = "alibaba/gpu-milli"
SITES = (
    ("aws-frankfurt", "aws", "eu-central-1", "europe"),
    ("azure-london", "azure", "uksouth", "europe"),
    ("ovh-paris", "ovh", "GRA", "europe"),
    ("hetzner-virginia", "hetzner", "ash", "north-america"),
    ("aws-ohio", "aws", "us-east-2", "north-america"),
    ("gcp-oregon", "gcp", "us-west1", "north-america"),
    ("gcp-tokyo", "gcp", "asia-northeast1", "asia"),
    ("azure-seoul", "azure", "koreacentral", "asia"),
    ("hetzner-singapore", "hetzner", "sin", "asia"),
    ("aws-mumbai", "aws", "ap-south-1", "asia"),
    ("ovh-sydney", "ovh", "SYD1", "oceania"),
    ("azure-sydney", "azure", "australiaeast", "oceania"),
)
"""Name, provider, region and continent."""

_USERS = ("eu-central-1", "us-east-2", "asia-northeast1", "SYD1")
"""A region with users on each continent: six tenths of a service's are on one of them."""

_TOGETHER = 48
"""Nodes of one shape that stay together: a machine hall has few shapes, and each in numbers."""

_SPREAD_FROM = 10
"""Replicas from which a long-running service is spread over two regions."""

_HEADROOM = "0.1"
"""As in examples/global.yaml: nodes never fill evenly."""

_CPU_WATTS, _GIB_WATTS = "2.12", "0.392"
"""Cloud Carbon Footprint, Methodology, as of 2023-09-12; see examples/global.yaml."""


def federation() -> Federation:
    """The trace as a federation.

    Raises:
        BadInputError: REFERENCE_DIR does not name the published data.
    """
    bare = _bare()
    return Federation.model_validate(bare | _facts(Federation.model_validate(bare)))


def _bare() -> Plain:
    """Without latencies and carbon intensities."""
    halls = _halls(shapes())
    models = accelerators()
    lists = {provider: parts(provider) for _, provider, _, _ in SITES}
    return {
        "apiVersion": "federation/v1alpha1",
        "clusters": [
            {
                "name": name,
                "provider": provider,
                "region": region,
                "continent": continent,
                "headroom": _HEADROOM,
                "nodeClasses": [_node_class(shape, n) for shape, n in halls[name].items()],
            }
            for name, provider, region, continent in SITES
        ],
        "prices": [
            _price(name, lists[provider], shape, models.get(shape.model))
            for name, provider, _, _ in SITES
            for shape in halls[name]
        ],
        "carbon": {"power": list(_power(models))},
        "workloads": [_workload(i, kind, n) for i, (kind, n) in enumerate(kinds().items())],
        # The users' regions must be known before their latencies are.
        "latency": {
            "source": "none",
            "date": "2024-04-19",
            "statistic": "mean",
            "sites": {},
            "roundTrip": {},
        },
    }


def _halls(nodes: Mapping[Shape, int]) -> dict[str, dict[Shape, int]]:
    """The nodes of each cluster: blocks of one shape, dealt to the clusters in turn."""
    halls: dict[str, dict[Shape, int]] = {name: {} for name, _, _, _ in SITES}
    turn = 0
    for shape, count in nodes.items():
        left = count
        while left:
            block = min(left, _TOGETHER)
            hall = halls[SITES[turn % len(SITES)][0]]
            hall[shape] = hall.get(shape, 0) + block
            left -= block
            turn += 1
    return halls


def _name(shape: Shape) -> str:
    kind = f"{shape.gpus}x{shape.model.lower()}" if shape.gpus else "cpu"
    return f"{kind}-{shape.cpu // 1000}c-{shape.memory // 1024}g"


def _node_class(shape: Shape, count: int) -> Plain:
    allocatable = {"cpu": f"{shape.cpu}m", "memory": f"{shape.memory}Mi", "pods": "110"}
    plain: Plain = {"name": _name(shape), "count": count, "allocatable": allocatable}
    if shape.gpus:
        allocatable[GPU] = str(1000 * shape.gpus)
        plain["model"] = shape.model
    return plain


def _price(cluster: str, list_: Parts, shape: Shape, accelerator: Accelerator | None) -> Plain:
    amount = list_.of(shape.cpu / 1000, shape.memory / 1024)
    proxy = "a region of the EU, for one that the list does not have"
    if accelerator is not None:
        amount += shape.gpus * accelerator.price
        proxy += f"; accelerators: {accelerator.proxy}"
    return {
        "cluster": cluster,
        "nodeClass": _name(shape),
        "amount": f"{amount:.2f}",
        "currency": "EUR",
        "vat": "net",
        "per": "month",
        "source": list_.source,
        "date": list_.date,
        "proxy": proxy,
    }


def _power(models: Mapping[str, Accelerator]) -> Iterator[Plain]:
    footprint = {"source": "Cloud Carbon Footprint, Methodology", "date": "2023-09-12"}
    yield {"resource": "cpu", "watts": _CPU_WATTS, **footprint}
    yield {"resource": "memory", "watts": _GIB_WATTS, **footprint}
    for model, accelerator in models.items():
        yield {
            "resource": GPU,
            "model": model,
            "watts": f"{accelerator.watts / 1000}",
            "source": "the maker's maximum thermal design power",
            "date": "2022-11-30",
        }


def _workload(number: int, kind: Kind, replicas: int) -> Plain:
    request = {"cpu": f"{kind.cpu}m", "memory": f"{kind.memory}Mi"}
    if kind.gpu_milli:
        request[GPU] = str(kind.gpu_milli)
    name = f"{kind.qos.lower()}-{number:03d}"
    plain: Plain = {
        "name": name,
        "namespace": "openb",
        "class": "standard" if kind.qos == "LS" else "batch",
        "template": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
        "replicas": replicas,
        "request": request,
    }
    if kind.qos == "LS":
        home = _USERS[number % len(_USERS)]
        plain["demand"] = [
            {"region": region, "share": 60 if region == home else 40 / 3} for region in _USERS
        ]
        if replicas >= _SPREAD_FROM:
            plain["spread"] = {"region": {"minGroups": 2}}
    return plain


def _facts(bare: Federation) -> Plain:
    """Latencies and intensities by the project's own loaders, with their proxies."""
    trips = reference("data", "latency", "aws-cross-region-2024-04-19.csv")
    grids = reference("data", "google-region-carbon-2024.csv")
    read = (
        FORMATS["cloudping-csv"](trips, Given(trips.name, date(2024, 4, 19))),
        FORMATS["google-carbon"](grids, Given(grids.name, date(2024, 12, 31))),
    )
    plain: Plain = {}
    for rows in read:
        plain |= fragment(one_basis(rows, None), bare, {}).plain
    power = bare.model_dump(mode="json", by_alias=True)["carbon"]["power"]
    return {**plain, "carbon": {**plain["carbon"], "power": power}}
