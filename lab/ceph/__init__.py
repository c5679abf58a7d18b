"""A small Ceph of Debian's daemons, on files: where storage identities and losses are tried.

It stands beside the lab, not in it: no Kubernetes and no Rook. ``python -m lab.ceph`` measures and
writes ``docs/measured/ceph.json``.
"""

from lab.ceph.cluster import Ceph, missing

__all__ = ["Ceph", "missing"]
