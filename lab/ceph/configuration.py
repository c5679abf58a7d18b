"""How a small Ceph is configured: everything in one folder, messages encrypted.

Owns the file ``ceph.conf``. Source: Ceph, "Configuration Reference".
"""

from pathlib import Path

from jinja2 import Template

_UNUSED = (
    "alerts",
    "balancer",
    "crash",
    "devicehealth",
    "influx",
    "insights",
    "iostat",
    "localpool",
    "mirroring",
    "nfs",
    "orchestrator",
    "osd_perf_query",
    "osd_support",
    "pg_autoscaler",
    "progress",
    "prometheus",
    "rbd_support",
    "restful",
    "selftest",
    "snap_schedule",
    "stats",
    "status",
    "telegraf",
    "telemetry",
    "test_orchestrator",
    "volumes",
    "zabbix",
)
"""Modules of the manager."""

_CONFIG = Template(
    """\
[global]
fsid = {{ fsid }}
mon host = [v2:{{ host }}:{{ port }}]
public addr = {{ host }}
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
ms cluster mode = secure
ms service mode = secure
ms client mode = secure
ms mon cluster mode = secure
ms mon service mode = secure
ms mon client mode = secure
ms bind msgr1 = false
keyring = {{ folder }}/$name.keyring
run dir = {{ folder }}/run
admin socket = {{ folder }}/run/$name.asok
log file = {{ folder }}/log/$name.log
crash dir = {{ folder }}/crash
mon data = {{ folder }}/$name
mgr data = {{ folder }}/$name
osd data = {{ folder }}/$name
osd pool default size = 3
osd pool default min size = 2
osd pool default pg autoscale mode = off
# Each OSD is a failure domain here: they share a machine.
osd crush chooseleaf type = 0
osd objectstore = bluestore
bluestore block size = {{ size }}
osd memory target = 939524096
# Else the manager loads for a minute what is not used here.
mgr disabled modules = {{ modules }}
# They count by machine, and there is one.
mon osd min down reporters = 1
mon allow pool delete = true
mon warn on insecure global id reclaim allowed = false
auth allow insecure global id reclaim = false
""",
    trim_blocks=True,
    keep_trailing_newline=True,
)


def text(fsid: str, host: str, port: int, folder: Path, size: int) -> str:
    """The file's text.

    Args:
        fsid: the cluster's own id.
        host: the address of its monitor.
        port: of its monitor.
        folder: of everything.
        size: bytes of each OSD's file.
    """
    modules = ",".join(_UNUSED)
    rendered: str = _CONFIG.render(
        fsid=fsid, host=host, port=port, folder=folder, size=size, modules=modules
    )
    return rendered
