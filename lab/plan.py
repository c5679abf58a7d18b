"""How a lab comes up: which processes, in which order, and what is applied between them.

Owns the phases. All processes of a phase start together and are then waited for; what follows from
that is applied; then comes the next phase. What the processes are is in ``kubernetes`` and
``karmada``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lab.karmada import agent, components, estimation, objects
from lab.karmada.installation import Installation
from lab.karmada.registration import Member, Registration, wait_ready
from lab.kubernetes import control_plane, member, nodes, stages, usage
from lab.kubernetes.access import encoded, write_kubeconfig
from lab.kubernetes.authority import trust
from lab.kubernetes.client import Api
from lab.processes.control import Process
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
    at, members = shape.instances, shape.members
    return (
        *control_plane.ports(at),
        *(control_plane.balancer_ports(at, fronts(shape)) if shape.high_availability else ()),
        *(components.ports(at) if shape.karmada else ()),
        *(port for name in members for port in member.ports(name, bare=shape.bare)),
        *(estimation.ports(members, at) if shape.estimators else ()),
        *(agent.port(name) for name in members if shape.karmada),
    )


def fronts(shape: Shape) -> tuple[str, ...]:
    """The ports that stand for all instances of a part, where there are several."""
    return (KARMADA, *(components.FRONTS if shape.karmada else ()))


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
        servers = (KARMADA, *(f"{KARMADA}{at}" for at in self.site.instances))
        members = ((name, member.api_port(name)) for name in self.shape.members)
        for name, port in (*((name, name) for name in servers), *members):
            file, root = self.site.kubeconfig(name), trust(self.site, name).root
            write_kubeconfig(file, name, self.site.url(port), self.site.pki, root)
        if self.shape.members and not self.shape.bare:
            stages.write(self.site.stages)

    def phases(self) -> tuple[Phase, ...]:
        """The phases, in order.

        Raises:
            FederationError: a tool is not built.
        """
        site, instances, members = self.site, self.site.instances, self.shape.members
        stores = tuple(control_plane.etcd(site, at) for at in instances)
        servers = (
            *(control_plane.karmada_api_server(site, at) for at in instances),
            *self._balancers(),
            *(member.member_api_server(site, name) for name in members),
        )
        rest = (
            *(control_plane.karmada_controllers(site, at) for at in instances),
            *self._behind_the_api(),
            *(part for name in members for part in member.parts(site, name, bare=self.shape.bare)),
        )
        return (
            Phase(stores, "", lambda: None),
            Phase(servers, self._said_of_kinds(), self._apply_kinds),
            Phase(rest, self._said_of_clusters(), self._apply_clusters),
            *self._karmada(),
        )

    def _balancers(self) -> Iterator[Process]:
        """What stands before several instances."""
        if self.site.replicated:
            for at in self.site.instances:
                yield control_plane.balancer(self.site, at, fronts(self.shape))

    def _behind_the_api(self) -> Iterator[Process]:
        """What the Karmada API asks, where Karmada is real."""
        if self.installation is not None:
            for at in self.site.instances:
                yield components.aggregated_api_server(self.site, self.installation, at)
                yield components.webhook(self.site, self.installation, at)

    def _karmada(self) -> Iterator[Phase]:
        """The last phase, where Karmada is real: it acts, and members join it."""
        if self.installation is None:
            return
        site, real, members = self.site, self.installation, self.shape.members
        asked = estimation.scheduler_flags(site) if self.shape.estimators else ()
        # Where a stack joins the members it may also change their credentials, and with that the
        # leader of the controllers.
        elect, timing = not self.shape.joined, components.Timing()
        processes = [
            *(components.controllers(site, real, a, timing, elect=elect) for a in site.instances),
            *(components.scheduler(site, real, at, asked) for at in site.instances),
        ]
        if self.shape.estimators:
            processes.extend(estimation.estimator(site, real, name) for name in members)
            processes.extend(estimation.descheduler(site, real, at) for at in site.instances)
        joins = bool(members) and self.shape.joined
        said = f"{len(members)} members joined and ready" if joins else ""
        yield Phase(tuple(processes), said, self._join)

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
        """Namespaces, Karmada's kinds, and the members' nodes with what is in use of them."""
        api = self.api()
        objects.apply_namespaces(sorted({w.namespace for w in self.federation.workloads}), api)
        if self.installation is None:
            objects.apply_kinds(custom_resource_definitions(), api)
        else:
            objects.apply_kinds(self.installation.kinds(), api)
            for manifest in components.aggregation(self.site, encoded(self.site.pki.ca.public)):
                api.apply(manifest)
        for cluster in self._members():
            reached = self.api(cluster.name)
            nodes.create(reached, cluster)
            usage.create(reached, cluster)

    def _said_of_clusters(self) -> str:
        if self.installation is None:
            return f"{len(self.federation.clusters) if self.shape.joined else 0} clusters applied"
        return "webhooks applied"

    def _apply_clusters(self) -> None:
        """What admits policies; without the real Karmada, clusters with a status of our own."""
        api = self.api()
        if self.installation is None:
            clusters = self.federation.clusters if self.shape.joined else ()
            objects.apply_stand_ins([objects.stand_in(c) for c in clusters], api)
            return
        objects.wait_clusters_served(api)
        for manifest in components.webhook_configurations(self.site, self.installation):
            api.apply(manifest)
        if self.shape.estimators:
            for manifest in estimation.services(self.site, self.shape.members):
                api.apply(manifest)

    def _join(self) -> None:
        """The members join, and are ready."""
        if not self.shape.members or not self.shape.joined:
            return
        members = [
            Member(
                cluster,
                self.site.url(member.api_port(cluster.name)),
                self.site.kubeconfig(cluster.name),
            )
            for cluster in self._members()
        ]
        Registration(self.site.registration, self.site.kubeconfig(), members).up()
        wait_ready(self.api(), self.shape.members)

    def _members(self) -> list[Cluster]:
        return [self.federation.cluster(name) for name in self.shape.members]
