"""NVIDIA's GPU operator: drivers, the device plugin, and the sharing of GPUs.

Owns the map from the settings to the chart. Whether nodes are declared as they will be shared is
the settings' to check; who may use them is ``components/admission``'s.

Source: NVIDIA k8s-device-plugin, "Configuration"; NVIDIA mig-parted, ``examples/config.yaml``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from components.settings.compute import Accelerators
from components.settings.compute.accelerators import DISABLED, GPU, WHOLE

_SHARING, _PARTITIONS = "federation-gpu-sharing", "federation-gpu-partitions"
"""ConfigMaps: how GPUs are shared in time, and how they are partitioned."""


def values(spec: Accelerators, tolerations: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """The values of the chart.

    Args:
        spec: the settings.
        tolerations: of all that runs on a node with a GPU.
    """
    found: dict[str, Any] = {
        "driver": {"enabled": spec.driver},
        "daemonsets": {"tolerations": [dict(each) for each in tolerations]},
        # By profile, so that a pod asks for the partition that it needs.
        "mig": {"strategy": "mixed"},
        "devicePlugin": {
            "config": {
                "create": True,
                "name": _SHARING,
                "default": WHOLE,
                "data": {
                    WHOLE: _text(_plugin()),
                    **{name: _text(_plugin(n)) for name, n in sorted(spec.time_slicing.items())},
                },
            }
        },
        "node-feature-discovery": {"worker": {"tolerations": [dict(t) for t in tolerations]}},
    }
    if spec.mig:
        found["migManager"] = {
            "config": {
                "create": True,
                "name": _PARTITIONS,
                "default": DISABLED,
                "data": {"config.yaml": _text(_partitions(spec.mig))},
            }
        }
    return found


def _plugin(slices: int | None = None) -> dict[str, Any]:
    config: dict[str, Any] = {"version": "v1", "flags": {"migStrategy": "mixed"}}
    if slices is not None:
        config["sharing"] = {
            "timeSlicing": {
                # Two slices are no more of a GPU than one: whoever asks for them is mistaken.
                "failRequestsGreaterThanOne": True,
                "resources": [{"name": GPU, "replicas": slices}],
            }
        }
    return config


def _partitions(mig: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    partitioned = {
        name: [{"devices": "all", "mig-enabled": True, "mig-devices": dict(devices)}]
        for name, devices in sorted(mig.items())
    }
    whole = [{"devices": "all", "mig-enabled": False}]
    return {"version": "v1", "mig-configs": {DISABLED: whole, **partitioned}}


def _text(content: Mapping[str, Any]) -> str:
    return yaml.safe_dump(content, sort_keys=False)
