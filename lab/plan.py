"""How a lab comes up: which processes, in which order, and what is applied between them.

Owns the phases. All processes of a phase start together and are then waited for; what follows from
that is applied; then comes the next phase. What the processes are is in ``control_plane``,
``karmada`` and ``member``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lab import control_plane, karmada, member, nodes, objects, registration, stages
from lab.access import encoded, write_kubeconfig
from lab.client import Api
from lab.installation import Installation
from lab.processes import Process
from lab.shape import Shape
from lab.site import KARMADA, Site
from placement.federation import Cluster, Federation
from placement.karmada.crds import custom_resource_definitions


@dataclass(frozen=True)
class Phase:
    """Processes that start together, and what is done when all are ready.

    Attributes:
        processes: the processes.
        title: what is done, for the report; empty where nothing is.
        then: does it.
    """

    processes: tuple[Process, ...]
    title: str
    then: Callable[[], None]


def ports(shape: Shape) -> tuple[str, ...]:
    """What the ports of a lab of *shape* are for; those of added members come last."""
    return (
        *control_plane.PORTS,
        *(karmada.PORTS if shape.karmada else ()),
        *(port for name in shape.members for port in member.ports(name, bare=shape.bare)),
    )


@dataclass(frozen=True)
class Plan:
    """How one lab comes up.

    Attributes:
        site: where it is.
        shape: what it is made of.
        federation: whose clusters are its members.
        installation: the real Karmada, if it has one.
    """

    site: Site
    shape: Shape
    federation: Federation
    installation: Installation | None

    def write_files(self) -> None:
        """Write the kubeconfigs and the settings that the processes read."""
        for name, port in (
            (KARMADA, KARMADA),
            *((name, member.api_port(name)) for name in self.shape.members),
        ):
            file = self.site.kubeconfig(name)
            write_kubeconfig(file, name, self.site.url(port), self.site.pki)
        if self.shape.members and not self.shape.bare:
            stages.write(self.site.stages)

    def phases(self) -> tuple[Phase, ...]:
        """The phases, in order.

        Raises:
            FederationError: a tool is not built.
        """
        site, members = self.site, self.shape.members
        servers = (
            control_plane.karmada_api_server(site),
            *(member.member_api_server(site, name) for name in members),
        )
        rest = [control_plane.karmada_controllers(site)]
        if self.installation:
            rest.append(karmada.aggregated_api_server(site, self.installation))
            rest.append(karmada.webhook(site, self.installation))
        if not self.shape.bare:
            rest.extend(part for name in members for part in member.parts(site, name))
        return (
            Phase((control_plane.etcd(site),), "", lambda: None),
            Phase(servers, self._said_of_kinds(), self._apply_kinds),
            Phase(tuple(rest), self._said_of_clusters(), self._apply_clusters),
            *self._karmada(),
        )

    def _karmada(self) -> Iterator[Phase]:
        """The last phase, where Karmada is real: it acts, and finds its members ready."""
        if self.installation is None:
            return
        yield Phase(
            (
                karmada.controllers(self.site, self.installation, karmada.Timing()),
                karmada.scheduler(self.site, self.installation),
            ),
            f"{len(self.shape.members)} members ready" if self.shape.members else "",
            lambda: registration.wait_ready(self.api(), self.shape.members),
        )

    def api(self, cluster: str = KARMADA) -> Api:
        """A client of the administrator of *cluster*.

        Raises:
            FederationError: it is not reached.
        """
        return Api(self.site.kubeconfig(cluster), self.site.discovery(cluster))

    def _said_of_kinds(self) -> str:
        count = sum(c.count for m in self._members() for c in m.node_classes)
        return "kinds" + (f", {count} nodes" if count else "") + " applied"

    def _apply_kinds(self) -> None:
        """Namespaces, Karmada's kinds, and the members' nodes."""
        api = self.api()
        objects.apply_namespaces(sorted({w.namespace for w in self.federation.workloads}), api)
        if self.installation is None:
            objects.apply_kinds(custom_resource_definitions(), api)
        else:
            objects.apply_kinds(self.installation.kinds(), api)
            for manifest in karmada.aggregation(self.site, encoded(self.site.pki.ca.public)):
                api.apply(manifest)
        for cluster in self._members():
            nodes.create(self.api(cluster.name), cluster)

    def _said_of_clusters(self) -> str:
        if self.installation is None:
            return f"{len(self.federation.clusters)} clusters applied"
        return f"{len(self.shape.members)} members registered"

    def _apply_clusters(self) -> None:
        """The clusters: registered with the real Karmada, else with a status of our own."""
        api = self.api()
        if self.installation is None:
            objects.apply_stand_ins([objects.stand_in(c) for c in self.federation.clusters], api)
            return
        objects.wait_clusters_served(api)
        for manifest in karmada.webhook_configurations(self.site, self.installation):
            api.apply(manifest)
        for cluster in self._members():
            registered = registration.Member(
                cluster,
                self.site.url(member.api_port(cluster.name)),
                self.api(cluster.name),
                self.shape.bare,
            )
            registration.register(api, registered, self.site.pki.ca.public)

    def _members(self) -> list[Cluster]:
        return [self.federation.cluster(name) for name in self.shape.members]
