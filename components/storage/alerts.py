"""What wakes somebody: the ``PrometheusRule`` of the storage plane.

Owns the rules. Rook's own dashboard rules are not repeated: these are what can cost data.

Source: Rook 1.20, ``prometheus/localrules.yaml``, for the names of metrics and health checks.
"""

from typing import Any

from components.settings.storage import StorageSettings
from components.storage.names import NAMESPACE

_RUNBOOK = "docs/storage.md"

_CHECKS = (
    # alert, health check, how long, severity, what it means
    ("CephOSDDown", "OSD_DOWN", "5m", "warning", "an OSD is down: one copy of its data is away"),
    ("CephMonitorDown", "MON_DOWN", "5m", "critical", "a monitor is down: quorum has less to lose"),
    ("CephUnavailable", "PG_AVAILABILITY", "1m", "critical", "data is under its least copies"),
    ("CephDamaged", "PG_DAMAGED", "1m", "critical", "copies differ: a scrub found it"),
    ("CephNotDeepScrubbed", "PG_NOT_DEEP_SCRUBBED", "1h", "warning", "data was not read for long"),
    ("CephNearFull", "OSD_NEARFULL", "5m", "warning", "no room to make a lost domain's data anew"),
    ("CephFull", "OSD_FULL", "1m", "critical", "writes stop"),
    ("CephUnfound", "OBJECT_UNFOUND", "1m", "critical", "an object has no copy that is up to date"),
)

LAG = (
    "max by (pool, namespace, image) (ceph_rbd_mirror_snapshot_image_remote_timestamp - "
    "ceph_rbd_mirror_snapshot_image_local_timestamp)"
)
"""Seconds by which a mirrored image is behind: the newest mirror snapshot of the original against
the newest that is here."""

LAG_METRIC = "federation:rbd_mirror_lag:seconds"


def rule(spec: StorageSettings) -> dict[str, Any]:
    """The object."""
    rules: list[dict[str, Any]] = [
        _alert(name, f'ceph_health_detail{{name="{check}"}} > 0', wait, severity, summary)
        for name, check, wait, severity, summary in _CHECKS
    ]
    rules.append(
        _alert(
            "CephMetricsMissing",
            'absent(up{job="rook-ceph-mgr"} == 1)',
            "5m",
            "critical",
            "Ceph says nothing: no other alert of this group can fire",
        )
    )
    if spec.mirror_of is not None:
        rules.append({"record": LAG_METRIC, "expr": LAG})
        behind = "an image is an hour behind its original: that much a promotion would lose"
        rules.append(_alert("CephMirrorBehind", f"{LAG_METRIC} > 3600", "15m", "warning", behind))
    return {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {"name": "federation-storage", "namespace": NAMESPACE},
        "spec": {"groups": [{"name": "federation-storage", "rules": rules}]},
    }


def _alert(name: str, expression: str, wait: str, severity: str, summary: str) -> dict[str, Any]:
    return {
        "alert": name,
        "expr": expression,
        "for": wait,
        "labels": {"severity": severity},
        "annotations": {"summary": summary, "runbook": _RUNBOOK},
    }
