"""The objects that a user would keep on the Karmada API, for workloads that name a template.

Owns their form alone: the replicas that were decided, the requests and the tolerations of the
federation file, and a container that no lab runs.
"""

from typing import Any

from placement.federation import Workload

_IMAGE = "workload"
"""Nobody pulls it: KWOK runs pods without containers."""


def template(workload: Workload, replicas: int) -> dict[str, Any] | None:
    """The object of *workload* with *replicas*; None where the federation file has a manifest.

    Args:
        workload: the workload.
        replicas: as decided; for a Job the pods that run at once, all of which must succeed.
    """
    named = workload.template
    if named is None:
        return None
    labels = {"app": workload.name}
    pod: dict[str, Any] = {
        "containers": [
            {
                "name": "main",
                "image": _IMAGE,
                "resources": {
                    # Accelerators and other extended resources must have an equal limit.
                    "limits": {k: str(v) for k, v in workload.request.items() if "/" in k},
                    "requests": {k: str(v) for k, v in workload.request.items()},
                },
            }
        ],
        "tolerations": [
            toleration.model_dump(mode="json", by_alias=True, exclude_none=True)
            for toleration in workload.tolerations
        ],
    }
    body: dict[str, Any] = {"metadata": {"labels": labels}, "spec": pod}
    if named.kind == "Job":
        pod["restartPolicy"] = "Never"
        spec = {"parallelism": replicas, "completions": replicas, "template": body}
    else:
        spec = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": body}
    if named.kind == "StatefulSet":
        spec["serviceName"] = workload.name
    return {
        "apiVersion": named.api_version,
        "kind": named.kind,
        "metadata": {"name": named.name, "namespace": workload.namespace},
        "spec": spec,
    }
