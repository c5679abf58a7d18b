"""The names by which the parts of Karmada's control plane find each other.

The operator derives the names of what it makes from that of the resource; those of its Secrets are
demanded of whoever makes them beforehand.

Source: Karmada ``operator/pkg/util/naming.go``.
"""

NAMESPACE = "karmada-system"
"""Where Karmada and its store run. The operator's components elect their leaders there, too."""

MONITORING = "monitoring"
"""Where Prometheus and Grafana run, and what they read with."""

INSTANCE = "karmada"
"""The name of the ``Karmada`` resource."""

CERTIFICATES = f"{INSTANCE}-cert"
"""The Secret with every certificate of the control plane."""

ETCD_CREDENTIALS = f"{INSTANCE}-etcd-cert"
"""The Secret with which API servers reach etcd."""
