"""What a carrier stack may say of its software: what goes together, and what an error says."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from components.settings.carrier import CarrierSettings, Karmada, Software

PAGE = Path(__file__).parents[3] / "docs" / "carrier.md"
Plain = dict[str, Any]
KARMADA: Plain = {"endpoint": "https://karmada.example.com:5443"}
KEYCLOAK: Plain = {"hostname": "login.example.com"}
FRONT: Plain = {"hostname": "front.example.com", "ingressClass": "traefik"}

ALONE = {
    "etcd without storageClass and no longhorn": {},
    "postgres without storageClass and no longhorn": {
        "etcd": {"storageClass": "fast"},
        "postgres": {},
    },
    "keycloak without postgres": {"longhorn": {}, "certManager": {}, "keycloak": KEYCLOAK},
    "keycloak without certManager": {"longhorn": {}, "postgres": {}, "keycloak": KEYCLOAK},
    "rancher without keycloak": {"longhorn": {}, "certManager": {}, "rancher": FRONT},
    "monitoring.grafana without keycloak": {"longhorn": {}, "monitoring": {"grafana": FRONT}},
}


@pytest.mark.parametrize("words", ALONE)
def test_what_lacks_its_ground_is_refused(words: str) -> None:
    """A part whose ground is missing is named, with what it needs, before anything is made."""
    with pytest.raises(ValidationError) as caught:
        Software.model_validate({"karmada": KARMADA, **ALONE[words]})
    assert f"read {words}; allowed" in str(caught.value)


def test_the_page_shows_what_a_stack_may_say() -> None:
    """The stack file of docs/carrier.md is accepted as it stands."""
    (text,) = re.findall(
        r"```yaml\n(# Pulumi\.tokyo\.yaml.*?)```", PAGE.read_text("utf-8"), re.DOTALL
    )
    written = yaml.safe_load(text)["config"]["federation:carrier"]
    spec = CarrierSettings.model_validate(written, by_alias=True, by_name=False)
    assert spec.software is not None
    assert None not in (spec.software.longhorn, spec.software.rancher, spec.software.backup)


def test_karmada_alone_is_enough() -> None:
    """On a cluster with storage of its own, nothing else is asked for."""
    Software.model_validate({"karmada": KARMADA, "etcd": {"storageClass": "fast"}})


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://karmada.example.com:5443",
        "https://karmada.example.com",
        "https://karmada.example.com:99999",
        "https://karmada.example.com:5443/path",
        "karmada.example.com:5443",
    ],
)
def test_an_endpoint_is_a_host_and_a_port(endpoint: str) -> None:
    """What a kubeconfig could not hold, or a certificate not name, is refused."""
    with pytest.raises(ValidationError, match="allowed https://HOST:PORT"):
        Karmada.model_validate({"endpoint": endpoint})


def test_the_host_of_an_endpoint_may_be_an_address() -> None:
    """Both forms of an address are hosts, without brackets."""
    assert Karmada(endpoint="https://192.0.2.1:5443").host == "192.0.2.1"
    assert Karmada(endpoint="https://[2001:db8::1]:5443").host == "2001:db8::1"


def test_a_class_of_load_balancers_needs_a_load_balancer() -> None:
    """The operator would ignore the class of another kind of Service."""
    service = {"type": "NodePort", "loadBalancerClass": "internal"}
    with pytest.raises(ValidationError, match="loadBalancerClass with type NodePort"):
        Karmada.model_validate({**KARMADA, "service": service})
