"""Rancher: the planes' clusters side by side, with Keycloak's login."""

from pydantic import Field

from components.settings.carrier.keycloak import Hostname
from placement.federation.base import Model, ObjectName, Resources


class Rancher(Model):
    """Three replicas behind an ingress, where the chart takes its certificate."""

    hostname: Hostname
    """Under which browsers, the clusters' agents and this program reach it."""
    ingress_class: ObjectName
    """Of an ingress controller that the cluster has."""
    request: Resources = Field(default={"cpu": "1", "memory": "2Gi"})
    """What each replica asks for; of memory it gets no more."""
