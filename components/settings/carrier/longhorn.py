"""Longhorn: the durable volumes of the plane."""

from typing import Annotated, Literal

from pydantic import Field

from placement.federation.base import Model


class Longhorn(Model):
    """Volumes on the nodes' own disks."""

    data_path: Annotated[str, Field(pattern=r"^/[^\s]*[^\s/]$")] = "/var/lib/longhorn"
    """Where each node keeps its replicas: a disk of its own is best, since etcd waits for it."""
    reserved_percent: Annotated[int, Field(ge=0, le=90)] = 25
    """Of that disk, what is left to others."""
    replicas: Literal[2, 3] = 3
    """Of a volume whose data no database copies; those of etcd and PostgreSQL have one."""
    may_be_removed: bool = False
    """Longhorn's own guard, and with it every volume's: true, and ``up``, before ``destroy``."""
