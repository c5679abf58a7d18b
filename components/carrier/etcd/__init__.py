"""Karmada's store: three etcd members of ours."""

from components.carrier.etcd.cluster import EtcdArgs, EtcdCluster
from components.carrier.etcd.members import (
    ANY,
    CERTIFICATES,
    LABELS,
    MEMBERS,
    NAME,
    endpoints,
    genesis_object,
    hosts,
    members_object,
)

__all__ = [
    "ANY",
    "CERTIFICATES",
    "LABELS",
    "MEMBERS",
    "NAME",
    "EtcdArgs",
    "EtcdCluster",
    "endpoints",
    "genesis_object",
    "hosts",
    "members_object",
]
