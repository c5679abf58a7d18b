"""Kubernetes without containers: API servers, controllers, nodes by KWOK, certificates, clients."""
