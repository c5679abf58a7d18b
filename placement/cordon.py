"""Cordoned clusters: what runs there may stay or shrink, and nothing is added.

Owns what a cordon means for a decision: a bound on every workload, at what it has there now. The
rest of the engine knows bounds and no cordon.
"""

from placement.federation.federation import Federation
from placement.federation.workload import Workload
from placement.program import Present


def with_cordons(federation: Federation, present: Present | None) -> Federation:
    """The federation with ``cordoned`` turned into ``atMost``.

    Args:
        federation: as its file says.
        present: where replicas run now; where it is unknown, nothing is taken to run.
    """
    closed = [cluster.name for cluster in federation.clusters if cluster.cordoned]
    if not closed:
        return federation

    def bounded(workload: Workload) -> Workload:
        here = (present or {}).get(workload.id, {})
        most = dict(workload.at_most)
        for name in closed:
            most[name] = min(here.get(name, 0), most.get(name, here.get(name, 0)))
        return workload.model_copy(update={"at_most": most})

    return federation.model_copy(
        update={"workloads": tuple(bounded(workload) for workload in federation.workloads)}
    )
