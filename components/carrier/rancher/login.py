"""Rancher's login by Keycloak, and what the administrators' group may do.

Owns that nobody gets in who is in none of the realm's groups. Rights beyond the administrators' are
given in Rancher or by RBAC in the clusters.
"""

from dataclasses import dataclass

import pulumi
import pulumi_rancher2 as rancher2

from components.carrier.rancher.reached import Reached, provider
from components.carrier.realm import GROUPS_CLAIM, RANCHER, Realm
from components.settings.carrier.keycloak import Keycloak as KeycloakSettings


@dataclass(frozen=True)
class LoginArgs:
    """What the login is made from.

    Attributes:
        spec: Keycloak's settings.
        realm: the realm.
        rancher: how Rancher is called.
    """

    spec: KeycloakSettings
    realm: Realm
    rancher: Reached


class Login(pulumi.ComponentResource):
    """Rancher's login by Keycloak."""

    def __init__(
        self, name: str, args: LoginArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        groups = [principal(g) for g in (args.spec.administrators, *args.spec.groups)]
        props = {"issuer": args.realm.issuer, "groups": groups}
        super().__init__("federation:carrier:Login", name, props, opts)
        calls = provider(name, args.rancher, pulumi.ResourceOptions(parent=self))
        login = rancher2.AuthConfigKeycloakOidc(
            name,
            client_id=RANCHER,
            client_secret=args.realm.secrets[RANCHER],
            issuer=args.realm.issuer,
            auth_endpoint=f"{args.realm.issuer}/protocol/openid-connect/auth",
            rancher_url=pulumi.Output.concat(args.rancher.url, "/verify-auth"),
            scopes="openid profile email",
            groups_field=GROUPS_CLAIM,
            pkce_method="S256",
            access_mode="restricted",
            allowed_principal_ids=groups,
            opts=pulumi.ResourceOptions(parent=self, provider=calls, depends_on=args.realm.ready),
        )
        rancher2.GlobalRoleBinding(
            f"{name}-administrators",
            global_role_id="admin",
            group_principal_id=principal(args.spec.administrators),
            opts=pulumi.ResourceOptions(parent=self, provider=calls, depends_on=[login]),
        )
        self.register_outputs({})


def principal(group: str) -> str:
    """A group of the realm as Rancher names it."""
    return f"keycloakoidc_group://{group}"
