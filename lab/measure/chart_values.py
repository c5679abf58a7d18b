"""What components pass to the charts of the catalogue, with settings that reach all of their keys.

Owns the choice of settings. The values are the components' own.
"""

from collections.abc import Iterator
from typing import Any

from components.carrier import cert_manager, karmada, longhorn, postgres
from components.carrier.monitoring import chart as monitoring
from components.carrier.monitoring import ends_rules, grafana
from components.carrier.rancher import server as rancher
from components.cluster.hetzner.add_ons import cloud_controller, volumes
from components.compute import descheduler, gpu_operator, metrics
from components.settings import HetznerCluster
from components.settings.carrier.longhorn import Longhorn
from components.settings.carrier.monitoring import Grafana, Monitoring
from components.settings.carrier.rancher import Rancher
from components.settings.compute import Accelerators, Descheduler, Metrics
from components.storage import operator as rook

_TAINTS = [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]
_ACCELERATORS = Accelerators(time_slicing={"four": 4}, mig={"small": {"1g.10gb": 7}})
_CLOUD = {
    "maker": "hetzner",
    "name": "alpha",
    "locations": ["nbg1"],
    "k3s": {"version": "v1.36.3+k3s1", "sha256": {"amd64": "a" * 64}},
    "administration": ["203.0.113.0/24"],
    "controlPlane": {"serverTypes": ["cpx32"]},
}


def rows() -> Iterator[tuple[str, dict[str, Any]]]:
    """The name of an entry and the values of one installation of it."""
    cloud = HetznerCluster.model_validate(_CLOUD, by_alias=True, by_name=False)
    receiver = Metrics(remote_write="https://metrics.example.com/api/v1/write")
    front = Rancher(hostname="rancher.example.com", ingress_class="nginx")
    yield "longhorn", longhorn.values(Longhorn())
    yield "cert-manager", cert_manager.values()
    yield "cloudnative-pg", postgres.values()
    yield "plugin-barman-cloud", {}
    yield "rancher", rancher.values(front)
    yield "karmada-operator", karmada.values()
    yield "descheduler", descheduler.values(Descheduler(), _TAINTS)
    yield "gpu-operator", gpu_operator.values(_ACCELERATORS, _TAINTS)
    drawn = Grafana(hostname="grafana.example.com", ingress_class="nginx")
    ends = ends_rules({"apiserver": "2027-11-30T00:00:00+00:00"})
    yield (
        "kube-prometheus-stack",
        monitoring.values(Monitoring(), "longhorn", ends, grafana.values(drawn)),
    )
    yield "kube-prometheus-stack", metrics.values(receiver, "alpha", with_token=True)
    yield "hcloud-cloud-controller-manager", cloud_controller.of_nodes(cloud)
    yield "hcloud-cloud-controller-manager", cloud_controller.of_balancers(cloud)
    yield "hcloud-csi", volumes.values(cloud)
    yield "rook-ceph", rook.rook_values(monitored=True)
    yield "ceph-csi-drivers", rook.csi_values()
