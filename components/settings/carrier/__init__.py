"""What a carrier stack's configuration may say."""

from components.settings.carrier.cert_manager import CertManager
from components.settings.carrier.cluster import Date, ExistingCluster
from components.settings.carrier.etcd import Etcd
from components.settings.carrier.karmada import Karmada, Oidc
from components.settings.carrier.keycloak import Keycloak
from components.settings.carrier.longhorn import Longhorn
from components.settings.carrier.monitoring import Monitoring
from components.settings.carrier.object_store import Backup, ObjectStore
from components.settings.carrier.plane import CarrierSettings
from components.settings.carrier.postgres import Postgres
from components.settings.carrier.rancher import Rancher
from components.settings.carrier.software import Software

__all__ = [
    "Backup",
    "CarrierSettings",
    "CertManager",
    "Date",
    "Etcd",
    "ExistingCluster",
    "Karmada",
    "Keycloak",
    "Longhorn",
    "Monitoring",
    "ObjectStore",
    "Oidc",
    "Postgres",
    "Rancher",
    "Software",
]
