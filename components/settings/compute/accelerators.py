"""How accelerators are driven, and how one of them is shared by several pods."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, StrictBool, model_validator

from placement.federation.base import NAME_PATTERN, Model

GPU = "nvidia.com/gpu"
"""The resource name of a GPU, whole or a slice of its time."""

SHARING_LABEL = "nvidia.com/device-plugin.config"
"""The label of a node that chooses how its GPUs are shared in time."""

MIG_LABEL = "nvidia.com/mig.config"
"""The label of a node that chooses how its GPUs are partitioned."""

WHOLE, DISABLED = "whole", "all-disabled"
"""What holds on nodes without the labels: no sharing, no partitions."""

_PROFILE = re.compile(r"([1-7])g\.[0-9]+gb(\.me|\+me)?")
_SLICES = 7


def _partition(devices: dict[str, int]) -> dict[str, int]:
    used = 0
    for profile, count in devices.items():
        found = _PROFILE.fullmatch(profile)
        if found is None:
            raise ValueError(f"read MIG profile {profile!r}; allowed one such as 1g.10gb, 3g.40gb")
        used += int(found[1]) * count
    if used > _SLICES:
        raise ValueError(
            f"read {used} compute slices; allowed {_SLICES}, which is what one GPU is divided into"
        )
    return devices


_Name = Annotated[str, Field(pattern=NAME_PATTERN, max_length=63)]
_Slices = Annotated[int, Field(strict=True, ge=2, le=64)]
_Partitions = Annotated[
    dict[str, Annotated[int, Field(strict=True, ge=1, le=_SLICES)]],
    Field(min_length=1),
    AfterValidator(_partition),
]


class Accelerators(Model):
    """NVIDIA's GPU operator. A node takes part in a way of sharing by its label."""

    driver: StrictBool = True
    """Whether the operator installs the driver; not where the system image has it."""
    time_slicing: Annotated[dict[_Name, _Slices], Field(default_factory=dict)]
    """By name, how many pods take turns on one GPU; they share its memory without any wall."""
    mig: Annotated[dict[_Name, _Partitions], Field(default_factory=dict)]
    """By name, the partitions of one GPU by profile; each has memory and compute of its own."""

    @model_validator(mode="after")
    def _free(self) -> "Accelerators":
        for key, names, taken in (
            ("timeSlicing", self.time_slicing, WHOLE),
            ("mig", self.mig, DISABLED),
        ):
            if taken in names:
                raise ValueError(
                    f"read {key}.{taken}, which is what holds without one; allowed another name"
                )
        return self
