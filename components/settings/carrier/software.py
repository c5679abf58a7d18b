"""What is installed on the carrier's cluster: each thing by its own key, an absent one is not."""

from collections.abc import Iterator

from pydantic import model_validator

from components.settings.carrier.cert_manager import CertManager
from components.settings.carrier.etcd import Etcd
from components.settings.carrier.karmada import Karmada
from components.settings.carrier.keycloak import Keycloak
from components.settings.carrier.longhorn import Longhorn
from components.settings.carrier.monitoring import Monitoring
from components.settings.carrier.object_store import Backup
from components.settings.carrier.postgres import Postgres
from components.settings.carrier.rancher import Rancher
from placement.federation.base import Model, Namespace


class Software(Model):
    """The federation's control plane, and what it stands on."""

    karmada: Karmada
    etcd: Etcd = Etcd()
    longhorn: Longhorn | None = None
    cert_manager: CertManager | None = None
    postgres: Postgres | None = None
    keycloak: Keycloak | None = None
    rancher: Rancher | None = None
    monitoring: Monitoring | None = None
    backup: Backup | None = None
    namespaces: tuple[Namespace, ...] = ()
    """Namespaces of the plane beside those that this program makes, for its operators' own tools:
    pods are refused in all others."""

    @model_validator(mode="after")
    def _whole(self) -> "Software":
        if lacking := list(self._lacking()):
            raise ValueError("; ".join(lacking))
        return self

    def _lacking(self) -> Iterator[str]:
        for key, spec in (("etcd", self.etcd), ("postgres", self.postgres)):
            if spec is not None and spec.storage_class is None and self.longhorn is None:
                yield (
                    f"read {key} without storageClass and no longhorn; allowed one of them: its "
                    "data must outlive its pods"
                )
        if self.keycloak is not None and self.postgres is None:
            yield "read keycloak without postgres; allowed both: its users are kept there"
        for key, made in (("keycloak", self.keycloak), ("rancher", self.rancher)):
            if made is not None and self.cert_manager is None:
                yield f"read {key} without certManager; allowed both: it needs a certificate"
        drawn = self.monitoring is not None and self.monitoring.grafana is not None
        if drawn and self.keycloak is None:
            yield "read monitoring.grafana without keycloak; allowed both: it lets people in"
        if self.rancher is not None and self.keycloak is None:
            yield "read rancher without keycloak; allowed both: nobody else lets people in"
        if self.postgres is not None and self.backup is not None and self.cert_manager is None:
            yield "read postgres and backup without certManager; allowed all: its plugin needs one"
        if self.postgres is not None and self.postgres.recovery and self.backup is None:
            yield "read postgres.recovery without backup; allowed both: it begins with one"
