"""What nodes say of their hardware: the labels, and which values they take.

Owns the vocabulary. Clusters made here get them from their server types; of clusters that exist
they are declared, by whoever labels their nodes. Zone, region and server type have Kubernetes' own
keys.
"""

import re
from collections.abc import Iterator, Mapping

CPU_FAMILY = "federation/cpu-family"
"""Such as ``amd-epyc``, for code that is built for one."""

CPU_DEDICATED = "federation/cpu-dedicated"
"""``true`` where no other customer's load is on the node's cores."""

DISK = "federation/disk"
"""What ``emptyDir`` is on: ``nvme``, ``ssd``, ``hdd`` or ``network``."""

ACCELERATOR_MODEL = "federation/accelerator-model"
"""Such as ``H100``, as in the node class's ``model``."""

ACCELERATOR_MEMORY = "federation/accelerator-memory"
"""Of one accelerator, such as ``80Gi``."""

_PREFIX = "federation/"
_VALUES = {
    CPU_FAMILY: r"[a-z0-9]+(-[a-z0-9]+)*",
    CPU_DEDICATED: r"true|false",
    DISK: r"nvme|ssd|hdd|network",
    ACCELERATOR_MODEL: r".+",
    ACCELERATOR_MEMORY: r"[1-9][0-9]*Gi",
}


def wrong(labels: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the labels of nodes under this project's prefix, a message each."""
    for key, value in labels.items():
        if not key.startswith(_PREFIX):
            continue
        if key not in _VALUES:
            yield f"read label {key}; allowed {', '.join(_VALUES)}"
        elif not re.fullmatch(_VALUES[key], value):
            yield f"read {key}: {value!r}; allowed {_VALUES[key]}"
