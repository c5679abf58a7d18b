"""A Kubernetes cluster, by one of its makers."""

from components.cluster.existing import Existing

__all__ = ["Existing"]
