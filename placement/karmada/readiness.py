"""Whether Karmada can use a member, as its ``Cluster`` object says.

Owns the reading of the conditions and of the taint that go with it. It asks no server and waits
for nothing.

Source: ``pkg/controllers/status/cluster_status_controller.go`` (Karmada 1.18).
"""

from collections.abc import Mapping
from typing import Any, Final

_CONDITIONS: Final = ("Ready", "CompleteAPIEnablements")
_NOT_READY: Final = "cluster.karmada.io/not-ready"


def unready(cluster: Mapping[str, Any] | None) -> str | None:
    """What keeps a member from taking workloads; None where nothing does.

    Before that the scheduler leaves it out, and a division that is once made stays.

    Args:
        cluster: its ``Cluster`` object in wire form; None where there is none.
    """
    if cluster is None:
        return "not a member (no Cluster of this name on the Karmada API)"
    conditions = {c["type"]: c for c in (cluster.get("status") or {}).get("conditions") or ()}
    for wanted in _CONDITIONS:
        condition = conditions.get(wanted)
        if condition is None or condition["status"] != "True":
            reason = f" ({condition.get('message')})" if condition else " (not reported)"
            return f"{wanted} is not True{reason}"
    # It goes a moment after the condition has come.
    taints = cluster["spec"].get("taints") or ()
    return f"tainted {_NOT_READY}" if any(t["key"] == _NOT_READY for t in taints) else None
