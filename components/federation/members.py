"""Waiting for the members, and looking before anything is written.

Owns the check that runs before the first policy is created or updated: that the Karmada API
answers, that every target cluster is Ready with its APIs known, that the namespaces are there, and
that no template contradicts the decision. Karmada divides once and then stays put, so a policy that
goes out too early stays wrong. It runs on ``up`` alone: a preview must work without the API.
"""

import asyncio
from collections.abc import Iterator
from typing import Any

import pulumi
import tenacity
import urllib3
import yaml
from kubernetes import client, config
from kubernetes.client.exceptions import ApiException
from kubernetes.dynamic import DynamicClient
from kubernetes.dynamic.exceptions import NotFoundError

from placement.decision import Decision
from placement.division import webster
from placement.federation import Federation, Workload
from placement.federation.file import replicas_of

_PAUSE = 2.0
"""Seconds between two looks at the clusters."""

_ANSWER = 10
"""Seconds that the Karmada API may take for one answer."""


class Members:
    """The target clusters of a decision, as the Karmada API sees them.

    Args:
        federation: what was decided on.
        decision: the decision.
        kubeconfig: of the Karmada API; a secret.
        timeout: seconds to wait for the clusters.
    """

    def __init__(
        self,
        federation: Federation,
        decision: Decision,
        kubeconfig: pulumi.Output[str],
        timeout: int,
    ) -> None:
        self._federation = federation
        self._decision = decision
        self._kubeconfig = kubeconfig
        self._timeout = timeout
        self._once: asyncio.Task[None] | None = None

    async def wait(self, _: pulumi.ResourceHookArgs) -> None:
        """Return once everything is in place; the same look serves all resources of a run.

        Raises:
            Exception: with the reason; the engine then writes nothing.
        """
        if self._once is None:
            self._once = asyncio.ensure_future(self._look())
        await asyncio.shield(self._once)

    async def _look(self) -> None:
        kubeconfig = await self._kubeconfig.future()
        await asyncio.to_thread(self._check, str(kubeconfig))

    def _check(self, kubeconfig: str) -> None:
        api = _connect(kubeconfig)
        try:
            self._await_ready(api)
            faults = [*self._namespaces(api), *self._templates(api)]
        except (ApiException, urllib3.exceptions.HTTPError) as error:
            raise RuntimeError(_unreachable(api, error)) from None
        if faults:
            raise RuntimeError("\n" + "\n".join(faults))

    def _await_ready(self, api: DynamicClient) -> None:
        names = {name for counts in self._decision.counts.values() for name in counts}
        clusters = api.resources.get(api_version="cluster.karmada.io/v1alpha1", kind="Cluster")

        def missing() -> list[str]:
            found = {item["metadata"]["name"]: item for item in clusters.get().to_dict()["items"]}
            return [line for name in sorted(names) if (line := _unready(name, found.get(name)))]

        def tell(state: tenacity.RetryCallState) -> None:
            outcome = state.outcome.result() if state.outcome else []
            pulumi.log.info(f"waiting for members: {'; '.join(outcome)}", ephemeral=True)

        retry = tenacity.Retrying(
            retry=tenacity.retry_if_result(bool),
            wait=tenacity.wait_fixed(_PAUSE),
            stop=tenacity.stop_after_delay(self._timeout),
            before_sleep=tell,
            retry_error_callback=lambda state: state.outcome.result() if state.outcome else [],
        )
        lines = retry(missing)
        if lines:
            raise RuntimeError(
                f"\nafter {self._timeout} s (federation:federation.readinessTimeout) "
                "not every target cluster can take workloads:\n" + "\n".join(lines)
            )

    def _namespaces(self, api: DynamicClient) -> Iterator[str]:
        namespaces = api.resources.get(api_version="v1", kind="Namespace")
        present = {item["metadata"]["name"] for item in namespaces.get().to_dict()["items"]}
        for name in sorted({w.namespace for w in self._federation.workloads} - present):
            yield (
                f"namespace {name} does not exist on the Karmada API; create it: "
                f"kubectl create namespace {name}"
            )

    def _templates(self, api: DynamicClient) -> Iterator[str]:
        for workload in self._federation.workloads:
            template = workload.template
            if template is None or not isinstance(workload.replicas, int):
                continue  # ours follow the decision; an autoscaler's number is its own
            kind = api.resources.get(api_version=template.api_version, kind=template.kind)
            try:
                found = kind.get(name=template.name, namespace=workload.namespace).to_dict()
            except NotFoundError:
                continue  # the user adds it when it suits: the policy waits for it
            count = replicas_of(found)
            if count is not None and count != workload.replicas:
                yield _contradiction(workload, self._decision, count)


def _contradiction(workload: Workload, decision: Decision, count: int) -> str:
    placed = decision.workload(workload.id)
    split = {name: n for name, n in webster(count, placed.weights).items() if n}
    return (
        f"{workload.id}: the template on the Karmada API has {count} replicas where the federation "
        f"file has {workload.replicas}; Karmada would divide them {_shown(split)} where "
        f"{_shown(placed.replicas)} was decided. Make the two numbers equal."
    )


def _shown(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items()) or "nowhere"


def _unready(name: str, cluster: Any) -> str | None:
    """Why a cluster cannot take workloads yet."""
    if cluster is None:
        return f"{name}: not a member (no Cluster of this name on the Karmada API)"
    conditions = {
        c["type"]: c for c in (cluster.get("status") or {}).get("conditions") or []
    }
    for wanted in ("Ready", "CompleteAPIEnablements"):
        condition = conditions.get(wanted)
        if condition is None or condition["status"] != "True":
            reason = f" ({condition.get('message')})" if condition else " (not reported)"
            return f"{name}: {wanted} is not True{reason}"
    return None


def _connect(kubeconfig: str) -> DynamicClient:
    loaded = yaml.safe_load(kubeconfig)
    settings = client.Configuration()
    config.load_kube_config_from_dict(loaded, client_configuration=settings)
    settings.retries = urllib3.Retry(total=2, backoff_factor=0.5)
    api = client.ApiClient(settings)
    api.rest_client.pool_manager.connection_pool_kw["timeout"] = urllib3.Timeout(total=_ANSWER)
    try:
        return DynamicClient(api)
    except (ApiException, urllib3.exceptions.HTTPError) as error:
        raise RuntimeError(_unreachable_host(settings.host, error)) from None


def _unreachable(api: DynamicClient, error: Exception) -> str:
    return _unreachable_host(api.configuration.host, error)


def _unreachable_host(host: str, error: Exception) -> str:
    if isinstance(error, ApiException):
        what = f"answered {error.status} {error.reason}"
    else:
        cause = getattr(error, "reason", None) or error
        what = f"does not answer: {type(cause).__name__}"
    return (
        f"\nthe Karmada API at {host} {what}; nothing was written. Check that it runs and that the "
        "carrier stack's federation:kubeconfig is right"
    )
