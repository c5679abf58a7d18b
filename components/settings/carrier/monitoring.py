"""What the plane keeps of its measurements, and who looks at them."""

from typing import Annotated

from pydantic import Field

from components.settings.carrier.keycloak import Hostname
from placement.federation.base import Model, ObjectName, Quantity


class Grafana(Model):
    """Grafana behind an ingress, with Keycloak's login."""

    hostname: Hostname
    """Under which browsers reach it."""
    ingress_class: ObjectName
    """Of an ingress controller that the cluster has."""


class Monitoring(Model):
    """Prometheus, Alertmanager and Grafana, with this project's dashboards and alerts."""

    storage_class: ObjectName | None = None
    """Of their volumes; absent: Longhorn's with several replicas, else the cluster's default."""
    storage: Quantity = "50Gi"
    """Of each Prometheus."""
    retention_days: Annotated[int, Field(ge=1, le=3650)] = 30
    grafana: Grafana | None = None
    """Absent: Grafana is reached through ``kubectl port-forward`` alone."""
