"""The objects of Karmada's control plane, held against the operator's published definition."""

import functools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from components.carrier import etcd
from components.carrier.karmada import components, digest_of, resource_spec, subjects
from components.catalogue import catalogue
from components.settings.carrier import Etcd, Karmada

Plain = dict[str, Any]
SPEC = Karmada.model_validate(
    {
        "endpoint": "https://karmada.example.com:5443",
        "service": {"annotations": {"a": "b"}, "loadBalancerClass": "internal"},
        "crds": "https://mirror.example.com/crds.tar.gz",
    }
)


def whole() -> Plain:
    """The resource's spec, with everything that a setting can add."""
    found = components(SPEC, None, catalogue().images.__getitem__, "digest")
    return {**resource_spec(SPEC), "components": found}


@functools.cache
def schema() -> Plain:
    """The published schema of the resource's spec."""
    root = os.environ.get("REFERENCE_DIR")
    if not root:
        pytest.skip("no published definitions (set REFERENCE_DIR)")
    file = Path(root) / "karmada-1.18.2/operator-crds/operator.karmada.io_karmadas.yaml"
    (version,) = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)["spec"]["versions"]
    found: Plain = version["schema"]["openAPIV3Schema"]["properties"]["spec"]
    return found


def unknown(value: Any, spec: Plain, place: str) -> Iterator[str]:
    """The keys of *value* that the schema would prune, and values of another type."""
    if isinstance(value, dict):
        for key, item in value.items():
            below = spec.get("properties", {}).get(key) or spec.get("additionalProperties")
            if below is None:
                yield f"{place}.{key}"
            elif isinstance(below, dict):
                yield from unknown(item, below, f"{place}.{key}")
    elif isinstance(value, list):
        for item in value:
            yield from unknown(item, spec["items"], f"{place}[]")
    elif not spec.get("x-kubernetes-int-or-string"):
        kinds = {"string": str, "integer": int, "boolean": bool}
        if not isinstance(value, kinds[spec["type"]]):
            yield f"{place}: {value!r} is no {spec['type']}"


def test_the_operator_knows_every_key() -> None:
    """An API server drops what a definition lacks, without a word: nothing of ours is dropped."""
    assert list(unknown(whole(), schema(), "spec")) == []


def test_a_key_that_is_not_there_is_found() -> None:
    """The walk itself sees a slip and a wrong type."""
    wrong = {"components": {"karmadaScheduler": {"replica": 3, "imageTag": 1}}}
    assert len(list(unknown(wrong, schema(), "spec"))) == 2


def test_no_component_runs_whatever_is_newest() -> None:
    """Every component names its image and tag: the operator ignores a registry for all of them."""
    for name, component in whole()["components"].items():
        if name != "etcd":
            assert component["imageTag"].startswith("v1.")
            assert "/" in component["imageRepository"]


@given(
    st.dictionaries(st.sampled_from("abcd"), st.text(min_size=1), min_size=1),
    st.text(min_size=1),
)
@settings(derandomize=True, max_examples=50)
def test_any_other_certificate_makes_another_digest(found: dict[str, str], other: str) -> None:
    """Whichever certificate is renewed, its holders are restarted; the order changes nothing."""
    key = min(found)
    changed = {**found, key: found[key] + other}
    assert digest_of(found) != digest_of(changed)
    assert digest_of(found) == digest_of(dict(reversed(found.items())))


def test_the_api_server_s_certificate_is_for_the_address_outside() -> None:
    """Who calls from outside checks the host of the endpoint; the inside is the operator's list."""
    for name in ("karmada", "apiserver"):
        hosts = subjects(SPEC.host)[name].hosts
        assert "karmada.example.com" in hosts
        assert "*.karmada-system.svc" in hosts


def test_members_of_etcd_are_named_in_their_certificate() -> None:
    """A member checks that a peer's certificate is for a name that leads to the peer."""
    names = {url.removeprefix("https://").partition(":")[0] for url in etcd.endpoints()}
    assert len(names) == etcd.MEMBERS
    assert names < set(etcd.hosts())


def test_a_founded_store_is_never_founded_again() -> None:
    """Another state changes the ConfigMap alone: no member is restarted for it."""
    before, after = (Etcd(founded=founded) for founded in (False, True))
    assert etcd.genesis_object(founded=False) != etcd.genesis_object(founded=True)
    first, second = (etcd.members_object(spec, "fast", "etcd:1") for spec in (before, after))
    assert first == second
