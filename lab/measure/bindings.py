"""What Karmada's scheduler made of each workload: the ResourceBindings, read and compared.

Owns the reading of a binding and the wait until what is predicted is so. It changes nothing.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lab.kubernetes.client import Api

BINDING = ("work.karmada.io/v1alpha2", "ResourceBinding")

REBALANCER_SECONDS = 1.1
"""To wait from a scheduling to a rebalancer, which is heeded by its creation in whole seconds."""

_POLL_SECONDS = 0.2
_STILL_SECONDS = 1.0


@dataclass(frozen=True, order=True)
class Key:
    """Which object of a user a binding is of."""

    namespace: str
    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True)
class Binding:
    """What the scheduler made of an object.

    Attributes:
        name: of the ResourceBinding, in the object's namespace.
        replicas: by cluster.
        evicting: the clusters that it is being moved away from.
        message: of the scheduler, such as why no cluster fits.
        reason: of the scheduler, in a word, such as ``NoClusterFit``.
    """

    name: str
    replicas: dict[str, int]
    evicting: frozenset[str] = frozenset()
    message: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Mismatch:
    """A workload that Karmada does not divide as predicted.

    Attributes:
        workload: ``namespace/name``.
        predicted: replicas by cluster.
        actual: replicas by cluster; None where there is no binding.
        message: what the scheduler says.
    """

    workload: str
    predicted: dict[str, int]
    actual: dict[str, int] | None
    message: str


def read(api: Api, namespace: str | None = None) -> dict[Key, Binding]:
    """Every binding, by the object that it is of.

    Raises:
        FederationError: the Karmada API is not reached.
    """
    return dict(_binding(item) for item in api.list(*BINDING, namespace))


def _binding(item: Mapping[str, Any]) -> tuple[Key, Binding]:
    spec, status = item["spec"], item.get("status", {})
    resource = spec["resource"]
    scheduled = [c for c in status.get("conditions") or () if c["type"] == "Scheduled"]
    return Key(resource["namespace"], resource["kind"], resource["name"]), Binding(
        name=item["metadata"]["name"],
        replicas={c["name"]: c.get("replicas", 0) for c in spec.get("clusters") or ()},
        evicting=frozenset(task["fromCluster"] for task in spec.get("gracefulEvictionTasks") or ()),
        message="; ".join(c["message"] for c in scheduled),
        reason="; ".join(c["reason"] for c in scheduled),
    )


def mismatches(
    api: Api,
    predicted: Mapping[Key, Mapping[str, int]],
    seconds: float,
    *,
    namespace: str | None = None,
    still: float = _STILL_SECONDS,
) -> tuple[Mismatch, ...]:
    """Wait until every workload is divided as *predicted*, and stays so; those that are not.

    Args:
        api: a client of the Karmada API.
        predicted: replicas by cluster, by object.
        seconds: the longest wait.
        namespace: of all objects, where they are in one.
        still: seconds after which all are looked at once more; 0: the caller does.

    Raises:
        FederationError: the Karmada API is not reached.
    """
    end = time.monotonic() + seconds
    while True:
        found = differing(predicted, read(api, namespace))
        if not found and still:
            time.sleep(still)
            found = differing(predicted, read(api, namespace))
        if not found:
            return ()
        if time.monotonic() > end:
            return found
        time.sleep(_POLL_SECONDS)


def differing(
    predicted: Mapping[Key, Mapping[str, int]], actual: Mapping[Key, Binding]
) -> tuple[Mismatch, ...]:
    """The workloads whose *actual* division is not as *predicted*."""
    return tuple(
        _mismatch(key, dict(wanted), actual.get(key))
        for key, wanted in predicted.items()
        if key not in actual or actual[key].replicas != wanted
    )


def _mismatch(key: Key, predicted: dict[str, int], actual: Binding | None) -> Mismatch:
    if actual is None:
        return Mismatch(str(key), predicted, None, "there is no ResourceBinding")
    return Mismatch(str(key), predicted, actual.replicas, actual.message)
