"""One name for a cluster: Karmada itself lets one cluster join under two, and fills it twice.

Owns the two refusals: of kubeconfigs that lead to one address, before any call, and of a cluster
that has joined under another name, before anything is written. What tells a cluster from others is
the UID of its namespace ``kube-system``, which ``Cluster`` objects carry as ``spec.id``.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping

import pulumi

from components.cluster.kubeconfig import KEYS, Kubeconfig
from components.federation.api import KarmadaApi
from placement.faults import BadInputError, Fault, FederationError


class Identities:
    """Which cluster has which name.

    Args:
        kubeconfig: of the Karmada API; a secret.
    """

    def __init__(self, kubeconfig: pulumi.Output[str]) -> None:
        self._kubeconfig = kubeconfig
        self._here: dict[str, str] = {}

    async def look(self, resource: pulumi.ResourceHookArgs) -> None:
        """See that the cluster of a membership has joined under no other name.

        Raises:
            FederationError: it has, or the Karmada API does not answer.
        """
        inputs = resource.new_inputs or {}
        name, identity = str(inputs["cluster"]), str(inputs["id"])
        # Of two in one run neither has joined yet.
        other = self._here.setdefault(identity, name)
        if other == name:
            kubeconfig = str(await self._kubeconfig.future())
            joined = await asyncio.to_thread(lambda: KarmadaApi(kubeconfig).clusters())
            names = (n for n, c in joined.items() if c["spec"].get("id") == identity)
            other = next((n for n in names if n != name), name)
        if other != name:
            raise FederationError(
                f"read clusters {other} and {name}, which are one cluster (the same namespace "
                f"kube-system, UID {identity}); allowed one name for each: give {name} the "
                f"kubeconfig of another cluster, or take {other} out first and bring its stack up"
            )


def distinct(kubeconfigs: Mapping[str, Kubeconfig]) -> None:
    """See that no two of *kubeconfigs*, by cluster, lead to one address.

    Raises:
        BadInputError: with one fault for each address that several lead to.
    """
    names = defaultdict[str, list[str]](list)
    for name, found in kubeconfigs.items():
        names[str(found.endpoint)].append(name)
    wrong = [
        Fault(
            f"Pulumi.{pulumi.get_stack()}.yaml",
            0,
            f"config.{KEYS}",
            f"read {endpoint} for {', '.join(several)}; allowed a cluster under one name",
        )
        for endpoint, several in names.items()
        if len(several) > 1
    ]
    if wrong:
        raise BadInputError(*wrong)
