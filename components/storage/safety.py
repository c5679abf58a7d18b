"""What could cost data, and the one word that lets it happen once.

Owns the comparison with what the stack made last, and which objects are held by ``protect`` and
``retain_on_delete``. A word (``federation:storage.allow``) names one thing, so that it is spent
when that thing is gone: left in the file it allows nothing else.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pulumi

from components.settings import fault
from components.settings.storage import StorageSettings
from components.storage.record import Record
from placement.faults import BadInputError, FederationError, Location

LEAVE = "leave"
"""Of the plane: a destroy gives up the objects in Pulumi and leaves them in the cluster."""

ERASE = "erase"
"""Of the plane: a destroy deletes the objects, and Rook wipes the disks."""


@dataclass(frozen=True)
class Loss:
    """Something that goes away or changes, with what is on it.

    Attributes:
        word: that allows it; None: nothing does.
        where: the setting.
        message: what is wrong with it.
        held: whether its object is protected, so that the word must have been there a run before.
    """

    word: str | None
    where: Location
    message: str
    held: bool = False


def refuse(spec: StorageSettings, last: Record | None, now: Record) -> None:
    """Refuse what could cost data, unless the word for it is there.

    Raises:
        BadInputError: with a fault for each thing that the word does not name.
    """
    stack = pulumi.get_stack()
    wrong = []
    for loss in losses(last, now) if last is not None else ():
        if loss.word is None:
            wrong.append(fault(stack, ("storage", *loss.where), loss.message))
        elif spec.allow != loss.word:
            text = f"{loss.message}; to do it all the same: federation:storage.allow: {loss.word}"
            wrong.append(fault(stack, ("storage", *loss.where), text))
        elif loss.held and last is not None and last.allow != loss.word:
            text = (
                f"{loss.message}; allow is there, and what is protected is let go a run before: "
                f"put it back, bring the stack up with allow: {loss.word}, then take it away"
            )
            wrong.append(fault(stack, ("storage", *loss.where), text))
    if wrong:
        raise BadInputError(*wrong)
    _tell(spec, last, now)


def losses(last: Record, now: Record) -> Iterator[Loss]:
    """Everything between *last* and *now* that could cost data."""
    if now.cluster != last.cluster != "":
        yield Loss(
            None,
            ("cluster", "name"),
            f"read {now.cluster}; allowed {last.cluster}: under another name all that the plane "
            "has would be made anew",
        )
    if now.failure_domain != last.failure_domain:
        yield Loss(
            f"failureDomain/{now.failure_domain}",
            ("failureDomain",),
            f"read {now.failure_domain}; allowed {last.failure_domain}: another one moves all data "
            "at once, and Rook keeps the rule that a pool was made with",
        )
    if now.monitors < last.monitors:
        yield Loss(
            f"monitors/{now.monitors}",
            ("monitors",),
            f"read {now.monitors}, where {last.monitors} run; allowed {last.monitors} or more",
        )
    yield from _nodes(last, now)
    yield from _pools(last, now)


def _nodes(last: Record, now: Record) -> Iterator[Loss]:
    for node, before in last.devices.items():
        if node not in now.devices:
            yield Loss(
                f"node/{node}",
                ("nodes",),
                f"read no {node}, which holds data on {len(before)} devices; allowed once its OSDs "
                "are out and safe to destroy (docs/storage.md, Replace a node)",
            )
            continue
        if now.zones[node] != last.zones[node]:
            yield Loss(
                f"node/{node}",
                ("nodes",),
                f"read {node} in zone {now.zones[node] or 'none'}; allowed "
                f"{last.zones[node] or 'none'}: its data would move",
            )
        for path in before:
            if path not in now.devices[node]:
                yield Loss(
                    f"device/{node}/{path.rsplit('/', 1)[-1]}",
                    ("nodes",),
                    f"read no {path} on {node}, which holds data; allowed once its OSD is out and "
                    "safe to destroy (docs/storage.md, Replace a disk)",
                )


def _pools(last: Record, now: Record) -> Iterator[Loss]:
    for name, kept in last.pools.items():
        if name not in now.pools:
            yield Loss(
                f"pool/{name}", ("pools",), f"read no pool {name}, which holds data", held=True
            )
        elif now.pools[name] != kept:
            yield Loss(
                None,
                ("pools",),
                f"read pool {name} as {now.pools[name]}; allowed {kept} as it was made: make a "
                "second pool and copy (docs/storage.md, Another redundancy)",
            )
    for name, pool in last.buckets.items():
        if name not in now.buckets:
            yield Loss(
                f"bucket/{name}",
                ("buckets",),
                f"read no bucket {name}, which holds data",
                held=True,
            )
        elif now.buckets[name] != pool:
            yield Loss(
                None, ("buckets",), f"read bucket {name} in {now.buckets[name]}; allowed {pool}"
            )


def _tell(spec: StorageSettings, last: Record | None, now: Record) -> None:
    if spec.allow is None:
        return
    known = {
        *(f"{verb}/{spec.cluster.name}" for verb in (LEAVE, ERASE)),
        *(f"pool/{name}" for name in now.pools),
        *(f"bucket/{name}" for name in now.buckets),
        *(loss.word for loss in (losses(last, now) if last is not None else ())),
    }
    if spec.allow in known:
        pulumi.log.warn(f"federation:storage.allow lets go of {spec.allow} in this run")
    else:
        pulumi.log.warn(
            f"federation:storage.allow names {spec.allow}, of which there is nothing to let go: "
            "take it out of the file"
        )


class Consent:
    """What stands between a destroy and the plane: a hook before every delete.

    ``protect`` alone does not: the engine names what is protected and goes on with all the rest
    (pulumi 3.274 ``step_executor.go``): the operator, and with it the definitions, would go first.
    A hook before delete makes a plain destroy fail before it begins; where the program runs along,
    and in an ``up`` that would replace an object, the hook itself refuses. Its name is what a user
    reads then.

    Args:
        spec: the plane's settings.
    """

    def __init__(self, spec: StorageSettings) -> None:
        leave, erase = (f"{verb}/{spec.cluster.name}" for verb in (LEAVE, ERASE))
        self._given = spec.allow in {leave, erase}
        self._declared: set[str] = set()
        self._name = f"federation:storage.allow is neither {leave} nor {erase}"
        self._hook = pulumi.ResourceHook(self._name, self._ask)

    def asked_for(self, name: str) -> pulumi.ResourceOptions:
        """How the resource *name*, which the settings want, is held."""
        self._declared.add(name)
        if self._given:
            return pulumi.ResourceOptions()
        return pulumi.ResourceOptions(hooks=pulumi.ResourceHookBinding(before_delete=[self._hook]))

    def _ask(self, resource: pulumi.ResourceHookArgs) -> None:
        """Let go of what the settings do not want any more, and of nothing else."""
        if resource.name in self._declared:
            raise FederationError(f"{self._name}, so that {resource.name} stays")


def kept(spec: StorageSettings, word: str | None = None) -> pulumi.ResourceOptions:
    """How an object that holds data is held.

    Args:
        spec: the plane's settings.
        word: that lets go of this one; None: only the plane as a whole is let go.
    """
    leave, erase = (f"{verb}/{spec.cluster.name}" for verb in (LEAVE, ERASE))
    return pulumi.ResourceOptions(
        protect=spec.allow not in {word or leave, leave, erase},
        retain_on_delete=spec.allow not in {word or erase, erase},
    )


def gone_with(spec: StorageSettings) -> pulumi.ResourceOptions:
    """How an object without data is held: it stays only where the plane as a whole is left."""
    return pulumi.ResourceOptions(retain_on_delete=leaves(spec))


def leaves(spec: StorageSettings) -> bool:
    """Whether a destroy leaves the plane in its cluster."""
    return spec.allow == f"{LEAVE}/{spec.cluster.name}"


def stays(spec: StorageSettings, pool: str) -> pulumi.ResourceOptions:
    """How a part of *pool* is held: its data outlives its place in the settings, not its pool.

    Rook deletes no pool that parts are declared of.
    """
    return pulumi.ResourceOptions(retain_on_delete=not (gives_up(spec, pool) or erases(spec)))


def gives_up(spec: StorageSettings, pool: str) -> bool:
    """Whether *pool* may go, with the data in it."""
    return spec.allow == f"pool/{pool}"


def erases(spec: StorageSettings) -> bool:
    """Whether a destroy wipes the disks."""
    return spec.allow == f"{ERASE}/{spec.cluster.name}"
