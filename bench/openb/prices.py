"""What a core, a GiB and an accelerator cost at each provider, from public price lists.

The trace's machines are no provider's types, so a machine is priced by its parts: those prices of a
core and a GiB that fit a provider's list best (least squares over its x86 types that are not
burstable). Accelerators come as part of a type or of their own; where the list has no such model,
another stands in, and says so.
"""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.reference import reference

HETZNER_VAT = 1.19
"""The data set's Hetzner file is gross, although nothing in it says so; all others are net."""

_CATEGORIES = ("general", "compute", "memory", "dedicated")
_HOURS = 730


@dataclass(frozen=True)
class Parts:
    """EUR a month, net, of a core and of a GiB.

    Attributes:
        date: of the list.
        source: the list, with how the parts were found.
    """

    core: float
    gibibyte: float
    date: str
    source: str

    def of(self, cores: float, gibibytes: float) -> float:
        """The price of a machine without accelerators."""
        return cores * self.core + gibibytes * self.gibibyte


@dataclass(frozen=True)
class Accelerator:
    """EUR a month, net, of one accelerator; what it really is the price of; watts at most."""

    price: float
    proxy: str
    watts: int


def parts(provider: str) -> Parts:
    """The prices of a provider's parts."""
    content = _list(provider)
    types = [
        i
        for i in content["instances"]
        if i.get("category") in _CATEGORIES and i.get("architecture") == "x86"
    ]
    size = np.array([[i["vcpu"], i["ram_gb"]] for i in types], dtype=float)
    price = np.array([i["price_monthly"] for i in types], dtype=float)
    if provider == "hetzner":
        price /= HETZNER_VAT
    # Relative errors count, so that the largest types do not decide alone.
    core, gibibyte = np.linalg.lstsq(size / price[:, None], np.ones(len(price)), rcond=None)[0]
    return Parts(
        core=max(0.0, float(core)),
        gibibyte=max(0.0, float(gibibyte)),
        date=str(content["fetched_at"])[:10],
        source=f"mixxor/eu-cloud-prices, {provider}, least squares over {len(types)} types",
    )


def accelerators() -> dict[str, Accelerator]:
    """By the trace's model names; G2 and G3 are names that hide the model."""
    ovh, scaleway = parts("ovh"), parts("scaleway")
    v100 = _type("ovh", "t2-le-45")["price_monthly"] - ovh.of(15, 45)
    p100 = _type("scaleway", "RENDER-S")["price_monthly"] - scaleway.of(10, 42)
    rate = float(_list("nebius")["eur_usd_rate"])
    l40s, pro = (_hourly(name) * rate * _HOURS for name in ("l40s-intel", "rtx-pro-6000"))
    t4 = 0.95 * rate * _HOURS
    return {
        "V100M16": Accelerator(v100, "OVH t2-le-45 less its cores and memory", 300),
        "V100M32": Accelerator(v100, "OVH t2-le-45 less its cores and memory", 300),
        "P100": Accelerator(p100, "Scaleway RENDER-S less its cores and memory", 250),
        "T4": Accelerator(t4, "OpenCost's default GPU, 0.95 USD an hour", 70),
        "A10": Accelerator(t4, "OpenCost's default GPU, 0.95 USD an hour", 150),
        "G2": Accelerator(l40s, "Nebius L40S, for a model that the trace hides", 350),
        "G3": Accelerator(pro, "Nebius RTX PRO 6000, for a model that the trace hides", 600),
    }


def _list(provider: str) -> Any:
    return json.loads(reference("data", "prices", f"{provider}.json").read_text(encoding="utf-8"))


def _type(provider: str, name: str) -> Any:
    return next(i for i in _list(provider)["instances"] if i["id"] == name)


def _hourly(name: str) -> float:
    gpus = _list("nebius")["gpu_pricing"]["gpus"]
    return float(next(g["price_per_gpu_hour_usd"] for g in gpus if g["id"] == name))
