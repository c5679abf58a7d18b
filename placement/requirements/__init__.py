"""The requirements of a federation file, one by one, by the keys that the user wrote.

Owns the list of what a file asks for, and for each entry how the file reads without it and how it
may be eased step by step. It does not know which requirements matter: ``conflicts`` finds those
that cannot hold together, ``prices`` what the binding ones cost.

A key that is added to the models belongs in one of the lists here, unless it only permits
something: ``tests/unit/test_requirements.py`` holds every key against them.
"""

from placement.federation.federation import Federation
from placement.requirements.change import Change, changed, patch
from placement.requirements.clusters import of_clusters
from placement.requirements.requirement import Ladder, Requirement, Step, named, without
from placement.requirements.shared import of_all
from placement.requirements.workloads import of_workloads

__all__ = [
    "Change",
    "Ladder",
    "Requirement",
    "Step",
    "changed",
    "named",
    "patch",
    "requirements",
    "without",
]


def requirements(federation: Federation) -> tuple[Requirement, ...]:
    """Every requirement of *federation*: clusters, workloads, then what is shared."""
    return (*of_clusters(federation), *of_workloads(federation), *of_all(federation))
