"""How people log in to Grafana: by Keycloak, as their groups say.

Grafana keeps nothing of its own: dashboards come from ConfigMaps and people from Keycloak, so one
replica does; where it is lost, another one starts.

Source: Grafana documentation, "Configure generic OAuth authentication".
"""

from dataclasses import dataclass
from typing import Any

import pulumi

from components.settings.carrier.monitoring import Grafana

SECRET = "grafana-login"  # noqa: S105 - the name of the object
TLS = "grafana-tls"
_FOLDER = "/etc/grafana-authority"


@dataclass(frozen=True)
class GrafanaLogin:
    """Who lets people in.

    Attributes:
        spec: where Grafana is reached.
        issuer: the realm's URL.
        client: the secret of Grafana's client there.
        authority: the certificate that signed the issuer's, in PEM.
        administrators: the group that administers Grafana.
    """

    spec: Grafana
    issuer: str
    client: pulumi.Output[str]
    authority: pulumi.Output[str]
    administrators: str

    def content(self) -> dict[str, pulumi.Input[str]]:
        """The Secret's data: Grafana's environment, and the authority as a file."""
        prefix, protocol = "GF_AUTH_GENERIC_OAUTH", f"{self.issuer}/protocol/openid-connect"
        role = f"contains(groups[*], '{self.administrators}') && 'Admin' || 'Viewer'"
        return {
            "GF_SERVER_ROOT_URL": f"https://{self.spec.hostname}",
            f"{prefix}_ENABLED": "true",
            f"{prefix}_NAME": "Keycloak",
            f"{prefix}_CLIENT_ID": "grafana",
            f"{prefix}_CLIENT_SECRET": self.client,
            f"{prefix}_SCOPES": "openid profile email",
            f"{prefix}_AUTH_URL": f"{protocol}/auth",
            f"{prefix}_TOKEN_URL": f"{protocol}/token",
            f"{prefix}_API_URL": f"{protocol}/userinfo",
            f"{prefix}_USE_PKCE": "true",
            f"{prefix}_ROLE_ATTRIBUTE_PATH": role,
            f"{prefix}_TLS_CLIENT_CA": f"{_FOLDER}/authority",
            "authority": self.authority,
        }


def values(spec: Grafana) -> dict[str, Any]:
    """Grafana's part of the chart's values."""
    return {
        "ingress": {
            "enabled": True,
            "ingressClassName": spec.ingress_class,
            "hosts": [spec.hostname],
            "tls": [{"hosts": [spec.hostname], "secretName": TLS}],
        },
        "envFromSecret": SECRET,
        "extraSecretMounts": [
            {"name": "authority", "mountPath": _FOLDER, "secretName": SECRET, "readOnly": True}
        ],
    }
