"""The carrier plane: the cluster that carries the federation's control plane.

No user workload ever runs here: the carrier is never a target of the federation plane, and its API
refuses pods outside the plane's namespaces.
"""
