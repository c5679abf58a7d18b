"""What the carrier's control plane stands on: settings that are refused, and forms of objects."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from components.carrier.postgres import cluster
from components.settings.carrier.cert_manager import CertManager
from components.settings.carrier.keycloak import Keycloak
from components.settings.carrier.longhorn import Longhorn
from components.settings.carrier.postgres import Postgres
from components.settings.carrier.rancher import Rancher

Plain = dict[str, Any]


@pytest.mark.parametrize(
    ("model", "written"),
    [
        (CertManager, {"hours": 720, "renewBeforeHours": 720}),  # renewed for ever
        (CertManager, {"hours": 0}),
        (Keycloak, {"hostname": "https://login.example.com"}),  # a URL
        (Keycloak, {"hostname": "login"}),  # no domain
        (Keycloak, {"hostname": "login.example.com", "administrators": "two words"}),
        (Longhorn, {"replicas": 1}),  # lost with its node
        (Longhorn, {"dataPath": "var/lib/longhorn"}),  # relative to nothing
        (Postgres, {"recovery": {"generation": 1}}),  # nothing was before the first
        (Postgres, {"recovery": {"generation": 2, "until": "2026-11-30T08:00:00"}}),  # where?
        (Postgres, {"instances": 1}),  # unknown: there are three
        (Rancher, {"hostname": "rancher.example.com"}),  # no ingress to put it behind
    ],
)
def test_a_setting_that_would_harm_is_refused(model: type[BaseModel], written: Plain) -> None:
    """What would lose data, lock people out or never end is no setting."""
    with pytest.raises(ValidationError):
        model.model_validate(written, by_alias=True, by_name=False)


@settings(derandomize=True, deadline=None)
@given(st.integers(min_value=2, max_value=1000))
def test_a_recovered_database_begins_with_the_generation_before_its_own(generation: int) -> None:
    """It reads what the generation before wrote, and never writes into the same place."""
    recovered = spec(generation)
    begins = recovered["externalClusters"][0]["plugin"]["parameters"]
    assert recovered["bootstrap"]["recovery"]["source"] == recovered["externalClusters"][0]["name"]
    assert begins == archive(spec(generation - 1))
    assert begins != archive(recovered)


def test_a_moment_to_go_back_to_keeps_its_zone() -> None:
    """The log is played back to the very moment that was written, wherever it was written."""
    written = {"recovery": {"generation": 2, "until": "2026-11-30T08:00:00+09:00"}}
    chosen = Postgres.model_validate(written, by_alias=True, by_name=False)
    content = cluster(chosen, "keycloak", "local", "postgresql:18.6", backed_up=True)
    target = content["spec"]["bootstrap"]["recovery"]["recoveryTarget"]
    assert target == {"targetTime": "2026-11-30T08:00:00+09:00"}


def test_a_database_without_a_backup_archives_nothing() -> None:
    """A plugin without a store would fill the volume with a log that goes nowhere."""
    content = cluster(Postgres(), "keycloak", "local", "postgresql:18.6", backed_up=False)
    assert "plugins" not in content["spec"]
    assert "initdb" in content["spec"]["bootstrap"]


def spec(generation: int) -> Plain:
    """The specification of a generation of the database."""
    written = {"recovery": {"generation": generation}} if generation > 1 else {}
    chosen = Postgres.model_validate(written, by_alias=True, by_name=False)
    content = cluster(chosen, "keycloak", "local", "postgresql:18.6", backed_up=True)
    found: Plain = content["spec"]
    return found


def archive(specification: Plain) -> Plain:
    """Where a generation writes its backups."""
    (plugin,) = specification["plugins"]
    found: Plain = plugin["parameters"]
    return found
