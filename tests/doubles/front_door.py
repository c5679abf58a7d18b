"""The providers of Keycloak and Rancher, and all that software on a carrier needs.

What replaces is what the published schemas of pulumi-keycloak 6.13.0 and pulumi-rancher2 12.1.1
say (read on 2026-11-30).
"""

import importlib.metadata
import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pulumi_keycloak as keycloak
import pulumi_rancher2 as rancher2
import pytest

from tests.doubles.keys import Keys
from tests.doubles.provider import Package
from tests.doubles.schema import Plain
from tests.doubles.sdk import sdk_schema
from tests.doubles.serving import Served, served
from tests.doubles.small import random_package

RANCHER_TOKEN = "token-planted"


def keycloak_package() -> Package:
    """The Keycloak provider."""
    numbers = itertools.count(1)

    def make(kind: str, inputs: Plain) -> tuple[str, Plain]:
        name = inputs["realm"] if kind.endswith(":Realm") else f"keycloak{next(numbers)}"
        return str(name), {}

    audience, groups = (
        keycloak.openid.AudienceProtocolMapper,
        keycloak.openid.GroupMembershipProtocolMapper,
    )
    return Package(
        name="keycloak",
        version=importlib.metadata.version("pulumi-keycloak"),
        schema=sdk_schema(keycloak.Realm, keycloak.Group, keycloak.openid.Client, audience, groups),
        make=make,
        replacing={
            "Realm": {"realm", "internalId"},
            "Group": {"realmId", "parentId", "organizationId"},
            "Client": {"realmId", "import"},
            audience.__name__: {"realmId", "clientId", "clientScopeId"},
            groups.__name__: {"realmId", "clientId", "clientScopeId", "name"},
        },
    )


def rancher_package() -> Package:
    """The Rancher provider."""
    numbers = itertools.count(1)

    def make(kind: str, inputs: Plain) -> tuple[str, Plain]:
        identity = f"c-{next(numbers)}"
        if kind.endswith(":Bootstrap"):
            return identity, {"token": RANCHER_TOKEN}
        if kind.endswith(":Cluster"):
            address = f"https://rancher.example.com/v3/import/{inputs['name']}-planted.yaml"
            return identity, {"clusterRegistrationToken": {"manifestUrl": address}}
        return identity, {}

    return Package(
        name="rancher2",
        version=importlib.metadata.version("pulumi-rancher2"),
        schema=sdk_schema(
            rancher2.AuthConfigKeycloakOidc,
            rancher2.Bootstrap,
            rancher2.Cluster,
            rancher2.GlobalRoleBinding,
        ),
        make=make,
        replacing={
            "Cluster": {"windowsPreferedCluster"},
            "GlobalRoleBinding": {"globalRoleId", "groupPrincipalId", "name", "userId"},
        },
    )


@contextmanager
def software() -> Iterator[Served]:
    """Serve what software on a carrier needs; a skip where the published schemas are not there."""
    schemas = Path(os.environ.get("REFERENCE_DIR") or "/nowhere") / "schemas"
    if not schemas.is_dir():
        pytest.skip("no published schemas (set REFERENCE_DIR)")
    keys, values = Keys(schemas).package, random_package(schemas)
    with served([keys, values, keycloak_package(), rancher_package()]) as doubles:
        yield doubles
