"""The realm: groups of people, and the clients that log them in.

Owns what tokens say. Who the people are is not here: they come from an identity provider that an
administrator connects, or are made in Keycloak's console.

The provider logs in only when something is to change, so a preview works while Keycloak is away.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_keycloak as keycloak
import pulumi_random as random

from components.carrier.keycloak import ADMINISTRATOR, url
from components.settings.carrier.keycloak import Keycloak as KeycloakSettings

KARMADA, RANCHER, GRAFANA = "karmada", "rancher", "grafana"
GROUPS_CLAIM = "groups"
_ACCESS_LIFE = "5m0s"
"""How long a stolen token lives."""
_PASSWORDS = "length(14) and notUsername"


@dataclass(frozen=True)
class RealmArgs:
    """What the realm is made from.

    Attributes:
        spec: Keycloak's settings.
        password: of Keycloak's administrator; a secret.
        authority: the certificate that signed Keycloak's, in PEM.
        rancher: Rancher's host; None without Rancher.
        grafana: Grafana's host; None without Grafana.
        rotate: the text whose change renews the clients' secrets.
        after: what Keycloak's answers wait for.
    """

    spec: KeycloakSettings
    password: pulumi.Output[str]
    authority: pulumi.Output[str]
    rancher: str | None
    grafana: str | None
    rotate: str
    after: list[pulumi.Resource]


class Realm(pulumi.ComponentResource):
    """The realm with its groups and clients.

    Attributes:
        issuer: as tokens name it.
        secrets: of each client that keeps one, by its name.
        ready: what a login waits for.
    """

    issuer: str
    secrets: dict[str, pulumi.Output[str]]
    ready: list[pulumi.Resource]

    def __init__(
        self, name: str, args: RealmArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = args.spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:carrier:Realm", name, props, opts)
        self._name, self._args = name, args
        self.issuer, self.secrets, self.ready = issuer(args.spec), {}, []
        provider = keycloak.Provider(
            name,
            url=url(args.spec),
            client_id="admin-cli",
            username=ADMINISTRATOR,
            password=args.password,
            root_ca_certificate=args.authority,
            initial_login=False,
            client_timeout=30,
            opts=pulumi.ResourceOptions(parent=self, depends_on=args.after),
        )
        self._below = pulumi.ResourceOptions(parent=self, provider=provider)
        self._realm = keycloak.Realm(
            name,
            realm=args.spec.realm,
            enabled=True,
            ssl_required="all",
            registration_allowed=False,
            access_token_lifespan=_ACCESS_LIFE,
            sso_session_idle_timeout="1h0m0s",
            sso_session_max_lifespan="10h0m0s",
            revoke_refresh_token=True,
            password_policy=_PASSWORDS,
            security_defenses=keycloak.RealmSecurityDefensesArgs(
                brute_force_detection=keycloak.RealmSecurityDefensesBruteForceDetectionArgs(
                    max_login_failures=10, wait_increment_seconds=60, max_failure_wait_seconds=900
                )
            ),
            opts=self._below,
        )
        for group in (args.spec.administrators, *args.spec.groups):
            made = keycloak.Group(
                f"{name}-{group}", realm_id=self._realm.id, name=group, opts=self._below
            )
            self.ready.append(made)
        self._client(KARMADA, args.spec.redirects, keeps_secret=False)
        if args.rancher is not None:
            client = self._client(
                RANCHER, [f"https://{args.rancher}/verify-auth"], keeps_secret=True
            )
            self._for_rancher(client)
        if args.grafana is not None:
            self._client(
                GRAFANA, [f"https://{args.grafana}/login/generic_oauth"], keeps_secret=True
            )
        self.register_outputs({"issuer": self.issuer})

    def _client(
        self, client: str, redirects: Sequence[str], *, keeps_secret: bool
    ) -> keycloak.openid.Client:
        """A client that logs people in by the code flow alone, with PKCE."""
        secret = None
        if keeps_secret:
            secret = random.RandomPassword(
                f"{self._name}-{client}",
                length=48,
                special=False,
                keepers={"rotate": self._args.rotate},
                opts=pulumi.ResourceOptions(parent=self),
            ).result
            self.secrets[client] = secret
        made = keycloak.openid.Client(
            f"{self._name}-{client}",
            realm_id=self._realm.id,
            client_id=client,
            name=client,
            enabled=True,
            access_type="CONFIDENTIAL" if keeps_secret else "PUBLIC",
            client_secret=secret,
            standard_flow_enabled=True,
            implicit_flow_enabled=False,
            direct_access_grants_enabled=False,
            service_accounts_enabled=False,
            pkce_code_challenge_method="S256",
            valid_redirect_uris=list(redirects),
            opts=self._below,
        )
        groups = keycloak.openid.GroupMembershipProtocolMapper(
            f"{self._name}-{client}-groups",
            realm_id=self._realm.id,
            client_id=made.id,
            name=GROUPS_CLAIM,
            claim_name=GROUPS_CLAIM,
            # A group's name alone, as RBAC writes it.
            full_path=False,
            opts=self._below,
        )
        self.ready += [made, groups]
        return made

    def _for_rancher(self, client: keycloak.openid.Client) -> None:
        """What Rancher reads beside the groups' names (its documentation, "Keycloak (OIDC)")."""
        path = keycloak.openid.GroupMembershipProtocolMapper(
            f"{self._name}-{RANCHER}-group-path",
            realm_id=self._realm.id,
            client_id=client.id,
            name="full_group_path",
            claim_name="full_group_path",
            full_path=True,
            opts=self._below,
        )
        audience = keycloak.openid.AudienceProtocolMapper(
            f"{self._name}-{RANCHER}-audience",
            realm_id=self._realm.id,
            client_id=client.id,
            name="audience",
            included_client_audience=RANCHER,
            opts=pulumi.ResourceOptions.merge(
                self._below, pulumi.ResourceOptions(depends_on=[client])
            ),
        )
        self.ready += [path, audience]


def issuer(spec: KeycloakSettings) -> str:
    """The issuer of the realm's tokens."""
    return f"{url(spec)}/realms/{spec.realm}"
