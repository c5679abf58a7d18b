"""A Kubernetes cluster, by one of its makers."""

from components.cluster.existing import Existing
from components.cluster.hetzner import Hetzner, Prepared, prepare
from components.cluster.kubeconfig import Kubeconfig

__all__ = ["Existing", "Hetzner", "Kubeconfig", "Prepared", "prepare"]
