"""Members join the federation by the project's own component, and are waited for.

Owns the stack in which the lab declares the memberships, and the wait. What a membership is made
of is in ``components.compute``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pulumi
import pulumi_kubernetes as kubernetes
from pulumi import automation as auto

from components.catalogue import catalogue
from components.compute.membership import ControlPlane, Membership, MembershipArgs
from lab.engine import Workspace
from lab.kubernetes.client import Api
from lab.kubernetes.waiting import NotYetError, wait
from lab.site import KARMADA
from placement.faults import FederationError
from placement.federation import Cluster
from placement.karmada.readiness import unready

_STACK = "members"
_READY_SECONDS = 90
_CLUSTER = ("cluster.karmada.io/v1alpha1", "Cluster")


@dataclass(frozen=True)
class Member:
    """A cluster that answers.

    Attributes:
        cluster: what the federation file says of it.
        endpoint: its address, such as ``https://127.0.0.1:6443``.
        kubeconfig: the file of its administrator's.
    """

    cluster: Cluster
    endpoint: str
    kubeconfig: Path


@dataclass(frozen=True)
class Registration:
    """The members of a lab, as a stack.

    Attributes:
        folder: of the stack's workspace.
        karmada: the kubeconfig of the Karmada API's administrator.
        members: who belongs to the federation.
    """

    folder: Path
    karmada: Path
    members: Sequence[Member]

    def up(self) -> None:
        """Let the members join; what was deleted meanwhile is made again.

        Raises:
            FederationError: a tool is not built, or the engine failed.
        """
        try:
            stack = self._stack()
            try:
                stack.up(refresh=True)
            except auto.ConcurrentUpdateError:
                # Left by a lab command that was killed: one at a time is here.
                stack.cancel()
                stack.up(refresh=True)
        except auto.CommandError as error:
            raise FederationError(f"the members did not join:\n{error}") from error

    def destroy(self) -> None:
        """Let the members leave.

        Raises:
            FederationError: a tool is not built, or the engine failed.
        """
        try:
            self._stack().destroy()
        except auto.CommandError as error:
            raise FederationError(f"the members did not leave:\n{error}") from error

    def _stack(self) -> auto.Stack:
        stack = Workspace(self.folder).stack(_STACK, self._declare)
        stack.set_config("federation:plane", auto.ConfigValue("compute"))
        return stack

    def _declare(self) -> None:
        karmada = _provider(KARMADA, self.karmada)
        control_plane = ControlPlane.of(_secret(self.karmada))
        image = catalogue().images["karmada-agent"]
        for member in self.members:
            name = member.cluster.name
            reached = _provider(name, member.kubeconfig)
            args = MembershipArgs(
                member.cluster, member.endpoint, reached, karmada, control_plane, image
            )
            Membership(name, args)


def _provider(name: str, kubeconfig: Path) -> kubernetes.Provider:
    return kubernetes.Provider(
        name,
        kubeconfig=_secret(kubeconfig),
        cluster_identifier=name,
        enable_server_side_apply=True,
        enable_secret_mutable=True,
    )


def _secret(kubeconfig: Path) -> pulumi.Output[str]:
    return pulumi.Output.secret(kubeconfig.read_text("utf-8"))


def wait_ready(karmada: Api, names: Sequence[str]) -> None:
    """Wait until Karmada finds every one of *names* ready and knows what it serves.

    Raises:
        FederationError: it does not in time; the message says what it says instead.
    """
    wait(lambda: _all_ready(karmada, names), _READY_SECONDS, "these members are not ready")


def _all_ready(karmada: Api, names: Sequence[str]) -> None:
    there = {item["metadata"]["name"]: item for item in karmada.list(*_CLUSTER)}
    wrong = [f"{name}: {why}" for name in names if (why := unready(there.get(name)))]
    if wrong:
        raise NotYetError("; ".join(wrong))
