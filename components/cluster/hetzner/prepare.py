"""What must be known before any resource of a cluster is declared: the type of each server.

Owns when the outside is asked: what Hetzner Cloud can deliver only where a server is new, and what
is there already only while the stack has not published the cluster. So a first run that failed
half-way goes on with what it has, and a second preview asks nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pulumi
from pulumi.runtime import is_config_secret

from components.catalogue import catalogue
from components.cluster.hetzner import cost
from components.cluster.hetzner.choice import Orderable, SoldOut, choose, settled
from components.cluster.hetzner.lifetime import refuse_changes
from components.cluster.hetzner.orderable import TOKEN, orderable, standing
from components.cluster.hetzner.versions import versions
from components.outputs import LastServers
from components.secret import secret
from components.settings import HetznerCluster, StackSettings, fault
from components.settings.hetzner.server_types import price_list
from components.settings.mirror import Mirror
from placement.faults import BadInputError, Fault, Location


@dataclass(frozen=True)
class Prepared:
    """What is known of a cluster before it is declared.

    Attributes:
        spec: its settings.
        chosen: the server type of each node, by name.
        cost: what it costs a month, for machines.
        versions: the k3s that each node runs after this run, by name.
        founded: whether the stack published it before: then nobody may found it again.
        replace: the node that may change in this run.
        rotate: the text whose change renews the administrator's certificate.
        mirror: where the charts of its add-ons come from, if not from their makers.
        token: of the Hetzner project, for its add-ons; None: it has none.
    """

    spec: HetznerCluster
    chosen: dict[str, str]
    cost: dict[str, Any]
    versions: dict[str, str]
    founded: bool
    replace: str | None
    rotate: str
    mirror: Mirror | None
    token: str | None = field(repr=False)


def prepare(
    spec: HetznerCluster, where: Location, settings: StackSettings, last: LastServers
) -> Prepared:
    """Choose the server types of a cluster, and say what it costs.

    Args:
        spec: its settings.
        where: where they stand under the stack's configuration.
        settings: of the whole stack.
        last: what the stack published of its servers last.

    Raises:
        BadInputError: nothing that a node may be can be ordered, what is asked for would break a
            cluster that lives, its Kubernetes is none of the catalogue's, or the token lies in
            clear.
    """
    if pulumi.Config("hcloud").get("token") and not is_config_secret(TOKEN):
        stack = pulumi.get_stack()
        message = (
            "read in clear; allowed as a secret alone, with a new token: "
            f"pulumi config set --secret --stack {stack} {TOKEN} < FILE"
        )
        raise BadInputError(Fault(f"Pulumi.{stack}.yaml", 0, f"config.{TOKEN}", message))
    _refuse_version(spec, where, settings)
    after = versions(spec, last.versions, settings.replace)
    refuse_changes(spec, where, last, after, settings.replace)
    founded = spec.name in last.fixed
    types = last.types if founded else standing(spec.name)
    chosen = _choose(spec, where, types, settings.replace)
    lines = cost.lines(chosen, types, price_list(), spec.zone)
    for text in cost.report(spec.name, lines, price_list(), spec.zone):
        pulumi.log.info(text)
    return Prepared(
        spec=spec,
        chosen=chosen,
        cost=cost.total(lines, price_list()),
        versions=after,
        founded=founded,
        replace=settings.replace,
        rotate=settings.rotate,
        mirror=settings.mirror,
        token=secret(TOKEN, "a token of the project, to read and write") if spec.add_ons else None,
    )


def _refuse_version(spec: HetznerCluster, where: Location, settings: StackSettings) -> None:
    """Refuse a Kubernetes that the catalogue does not run on, where something is installed.

    All of the catalogue counts, whatever this stack installs of it: planes go up together.
    """
    planes = (settings.carrier, settings.compute)
    software = any(plane is not None and plane.software is not None for plane in planes)
    version = spec.k3s.version.removeprefix("v").partition("+")[0]
    unfit = catalogue().unfit(version) if software or spec.add_ons else ()
    if unfit:
        wants = ", ".join(
            f"{entry.name} {entry.version} wants {entry.kubernetes}" for entry in unfit
        )
        message = f"read {spec.k3s.version}; allowed what all of the catalogue runs on: {wants}"
        raise BadInputError(fault(pulumi.get_stack(), (*where, "k3s", "version"), message))


def _choose(
    spec: HetznerCluster, where: Location, pinned: Mapping[str, str], replace: str | None
) -> dict[str, str]:
    chosen: dict[str, str] = {}
    available: Orderable | None = None
    sold_out = []
    for node in spec.nodes():
        kind: str | SoldOut | None = settled(node, pinned, replace)
        if kind is None:
            available = orderable() if available is None else available
            kind = choose(node, available, price_list(), spec.zone)
        if isinstance(kind, SoldOut):
            sold_out.append(kind)
        else:
            chosen[node.name] = kind
    if sold_out:
        raise BadInputError(*(_sold_out(spec, where, found) for found in sold_out))
    return chosen


def _sold_out(spec: HetznerCluster, where: Location, found: SoldOut) -> Fault:
    node = found.node
    names = [pool.name for pool in spec.pools]
    pool: Location = ("pools", names.index(node.pool)) if node.pool in names else ("controlPlane",)
    instead = ", ".join(f"{name} ({_amount(name, spec.zone)})" for name in found.instead)
    return fault(
        pulumi.get_stack(),
        (*where, *pool, "serverTypes"),
        f"read {', '.join(node.server_types)}, none of which can be ordered in {node.location} now "
        f"(for {node.name}); allowed {instead or 'another location'}",
    )


def _amount(name: str, zone: str) -> str:
    amount = price_list().server(name, zone)
    return "price unknown" if amount is None else f"{amount} EUR a month net"
