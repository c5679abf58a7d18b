"""How long a workload bears a cluster that is lost.

Tolerations are explicit, since Karmada has had no default ones since 1.15, and name the effect
``NoExecute``: an empty effect would also place on a cluster that is dead already.
"""

from placement.karmada.meta import Toleration

DETECTION = 30
"""Seconds from the last heartbeat of a push member to its taint: Karmada's failure threshold."""

LOST_KEYS = ("cluster.karmada.io/not-ready", "cluster.karmada.io/unreachable")
"""The taints of a lost cluster; see ``standing.taint_policies``."""


def lost_for(threshold: int | None) -> tuple[Toleration, ...]:
    """Tolerations of both taints of a lost cluster.

    Args:
        threshold: seconds from the last heartbeat to the eviction; None: never evicted.
    """
    return tuple(
        Toleration(
            key=key,
            operator="Exists",
            effect="NoExecute",
            toleration_seconds=None if threshold is None else threshold - DETECTION,
        )
        for key in LOST_KEYS
    )
