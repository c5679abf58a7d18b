"""Random ``Cluster`` objects, sound and unsound ones, the same for the same seed.

Owns what is drawn and how likely. Every value has the type that its field wants, so that it is the
rules of the kind that speak and not the decoder.
"""

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

Plain = dict[str, Any]

_SOUND_CHANCE = 0.85
_MOST = "9223372036854775807"
"""What the last grade of resource models must reach."""

_NAMES = ("fsn", "a", "m-1", "9a", "a" * 48), ("Up", "a.b", "-a", "a_b", "a" * 49)
_ENDPOINTS = (
    ("https://x:6443", "https://10.0.0.1:6443/p", "HTTPS://x", "http://[::1]:6443", "tcp://x"),
    (
        "x:6443",
        "10.0.0.1:6443",
        "https://",
        "https://u:p@x",
        "https://x?a=b",
        "https://x#f",
        "://x",
        "https://x:port",
        "https://x y",
        "https://%zz",
    ),
)
_PROXIES = (
    ("http://p", "https://p:3128", "socks5://p:1080"),
    ("ftp://p", "p", "://", "socks4://p", "http://p:port"),
)
_VALUES = ("hetzner", "eu-central", "a.b_c", "x" * 63), ("a b", "x" * 64, "-a", "a/b", "ü")
_KEYS = (
    ("tier", "example.com/tier", "a.b_c", "x" * 63),
    ("", "a b", "/tier", "Example.com/x", "a/b/c", "x" * 64, "-a"),
)
_EFFECTS = ("NoSchedule", "NoExecute"), ("PreferNoSchedule", "", "noexecute")


def cluster(seed: int) -> Plain:
    """The random object of *seed*."""
    draw = random.Random(seed)  # noqa: S311 - reproducible and no secret
    metadata: Plain = {"name": _one(draw, _NAMES)}
    if draw.random() < 0.3:
        metadata["labels"] = {_one(draw, _KEYS): _one(draw, _VALUES)}
    spec: Plain = {"syncMode": draw.choice(("Push", "Pull"))}
    for field, value in _FIELDS.items():
        if draw.random() < 0.35:
            spec[field] = value(draw)
    return {
        "apiVersion": "cluster.karmada.io/v1alpha1",
        "kind": "Cluster",
        "metadata": metadata,
        "spec": spec,
    }


def _one(draw: random.Random, pools: tuple[Sequence[str], Sequence[str]]) -> str:
    """One of the sound values, more likely than one of the others."""
    sound, unsound = pools
    return draw.choice(sound if draw.random() < _SOUND_CHANCE else unsound)


def _zones(draw: random.Random) -> list[str]:
    return [_one(draw, _VALUES) for _ in range(draw.randint(0, 2))]


def _secret(draw: random.Random) -> Plain:
    parts = ("n", "") if draw.random() < _SOUND_CHANCE else ("", "n")
    return {"namespace": parts[0], "name": draw.choice(parts)}


def _taints(draw: random.Random) -> list[Plain]:
    taints: list[Plain] = []
    for _ in range(draw.randint(0, 3)):
        taint: Plain = {"key": _one(draw, _KEYS), "effect": _one(draw, _EFFECTS)}
        if draw.random() < 0.5:
            taint["value"] = _one(draw, _VALUES)
        taints.append(taint)
    return taints


def _models(draw: random.Random) -> list[Plain]:
    """Grades that follow each other from nothing to the most; one of the numbers may be off."""
    bounds = ["0", *map(str, range(1, draw.randint(1, 4))), _MOST]
    names = draw.sample(("cpu", "memory", "example.com/x"), draw.randint(1, 2))
    models: list[Plain] = [
        {
            "grade": grade,
            "ranges": [{"name": name, "min": least, "max": most} for name in names],
        }
        for grade, (least, most) in enumerate(pairwise(bounds))
    ]
    if draw.random() > _SOUND_CHANCE:
        model = draw.choice(models)
        part = draw.choice(("grade", "min", "max", "name", "ranges"))
        if part == "grade":
            model["grade"] += draw.choice((-1, 1))
        elif part == "ranges":
            model["ranges"] = model["ranges"][1:]
        else:
            found = draw.choice(model["ranges"])
            found[part] = draw.choice(("7", "-1")) if part != "name" else draw.choice(("", "cpu"))
    return models


_FIELDS: dict[str, Callable[[random.Random], Any]] = {
    "id": lambda draw: draw.choice(("", "u", "1f0c")),
    "apiEndpoint": lambda draw: _one(draw, _ENDPOINTS),
    "secretRef": _secret,
    "impersonatorSecretRef": _secret,
    "insecureSkipTLSVerification": lambda draw: draw.random() < 0.5,
    "proxyURL": lambda draw: _one(draw, _PROXIES),
    "proxyHeader": lambda draw: {"a": draw.choice("12")},
    "provider": lambda draw: _one(draw, _VALUES),
    "region": lambda draw: _one(draw, _VALUES),
    "zone": lambda draw: _one(draw, _VALUES),
    "zones": _zones,
    "taints": _taints,
    "resourceModels": _models,
}
