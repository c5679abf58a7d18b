"""What a server type is made of, as labels of its nodes.

Source: Hetzner Cloud documentation, "Servers: overview" (read 2026-11-30). CX servers are of either
maker, so nothing is said of theirs.
"""

import re

from components.settings.hardware import CPU_DEDICATED, CPU_FAMILY, DISK
from components.settings.hetzner import Pool

_FAMILIES = {"ccx": "amd-epyc", "cpx": "amd-epyc", "cax": "ampere-altra", "cx": None}
_DEDICATED = "ccx"


def labels(kind: str) -> dict[str, str]:
    """The labels of a node of the server type *kind*."""
    line = re.sub(r"\d.*", "", kind)
    family = _FAMILIES[line]
    return {
        CPU_DEDICATED: str(line == _DEDICATED).lower(),
        **({CPU_FAMILY: family} if family else {}),
        DISK: "nvme",
    }


def labelled(pool: Pool, kind: str) -> Pool:
    """The pool for a node of type *kind*; what the user writes overrules what is known."""
    return pool.model_copy(update={"labels": {**labels(kind), **pool.labels}})
