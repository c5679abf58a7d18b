"""Karmada's controllers begin anew, so that they watch a member with the credentials that stand.

Owns the moment between new credentials and the end of the old ones. Karmada 1.18 reads a member's
Secret at every call but one kind: the informers by which it sees statuses keep the client that they
were first made with, until the process ends. With the old token gone the member would stay Ready,
since that is asked by a fresh client, and its statuses would stand still for ever.

The controllers are made to end as their own leader election has it: another holder is written into
their Lease, the leader cannot renew it and exits, and when the Lease has run out another instance,
or the restarted one, takes it with empty caches. That needs nothing but the Karmada API, however
Karmada was installed. karmada-metrics-adapter and karmada-search keep first clients as well and
have no election: where they are used, they are restarted by hand.

Source: Karmada 1.18 ``pkg/controllers/status/cluster_status_controller.go``
(``initializeGenericInformerManagerForCluster``), ``pkg/util/membercluster_client.go``; client-go
``tools/leaderelection/leaderelection.go`` (``tryAcquireOrRenew``).
"""

import asyncio

import pulumi

from components.compute.membership.lease import Lease
from components.federation.patience import until_none
from placement.faults import FederationError

HOLDER = "federation-credentials-changed"
"""What is written into the Lease: no instance calls itself so."""

_SECONDS = 300
"""How long the change of the leader may take: the old one gives up after 10 s without renewal, the
Lease runs out 15 s after it was written, and a kubelet may wait up to five minutes before it starts
a container again that has ended several times."""


class HandOver:
    """The controllers of a Karmada API.

    Args:
        kubeconfig: of the Karmada API; a secret.
    """

    def __init__(self, kubeconfig: pulumi.Output[str]) -> None:
        self._kubeconfig = kubeconfig

    async def run(self, member: pulumi.ResourceHookArgs) -> None:
        """Make the controllers begin anew, and return when they have.

        Raises:
            FederationError: they have no leader or get no new one in time, or the Karmada API does
                not answer. The old credentials then still hold.
        """
        lease = Lease(str(await self._kubeconfig.future()))
        leader = await asyncio.to_thread(lease.holder)
        if not leader:
            raise FederationError(
                f"nobody holds the Lease {lease.name}, so that Karmada's controllers cannot be "
                f"made to use the new credentials of {member.name}; allowed with leader election, "
                "which karmada-controller-manager has by default. The old ones still hold"
            )
        if leader != HOLDER:  # else an earlier run was cut off here
            pulumi.log.info(f"Karmada's controllers begin anew, after {leader}")
            await asyncio.to_thread(lease.give_to, HOLDER)
        waiting = await until_none(
            lambda: _without_leader(lease), _SECONDS, "a new leader of Karmada's controllers"
        )
        if waiting:
            raise FederationError(
                f"after {_SECONDS} s no karmada-controller-manager has taken the Lease "
                f"{lease.name}; see that one runs, and run again. The old credentials of "
                f"{member.name} still hold"
            )


def _without_leader(lease: Lease) -> list[str]:
    holder = lease.holder()
    return [] if holder and holder != HOLDER else ["nobody has taken the Lease yet"]
