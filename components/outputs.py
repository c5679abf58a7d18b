"""What a plane publishes, and how another stack reads it back.

Owns the two exports, ``facts`` (plain) and ``access`` (secret): two, since an output that holds one
secret value is secret as a whole, and prices are to be seen. A plane that makes servers also
exports ``servers`` (plain), for its own next run, and one that signs certificates says in
``certificates`` (plain) when they end. All carry the schema that they follow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import tenacity
from pulumi.runtime.invoke import invoke_async

from placement.decision import Decision
from placement.decision import read as read_decision
from placement.faults import FederationError

FACTS = "federation/facts/v1"
ACCESS = "federation/access/v1"
SERVERS = "federation/servers/v1"
CERTIFICATES = "federation/certificates/v1"

KARMADA = "karmada"
"""The name under which the kubeconfig of the Karmada API is published."""

_SECONDS = 5
"""How long the engine may take to write a state that is being read."""


@dataclass(frozen=True)
class Published:
    """What a plane published.

    Attributes:
        stack: the stack that published it.
        facts: the clusters of the plane, in the form of the federation file.
        kubeconfigs: of each API by its name; secrets.
        storage: what a storage plane grants; secret throughout.
        rancher: how the Rancher of a carrier is called, secret throughout; empty where it has none.
    """

    stack: str
    facts: Sequence[Mapping[str, Any]]
    kubeconfigs: Mapping[str, pulumi.Output[str]]
    storage: Mapping[str, Any]
    rancher: Mapping[str, Any]

    def kubeconfig(self, name: str) -> pulumi.Output[str]:
        """The kubeconfig of the API *name*; a secret.

        Raises:
            FederationError: the plane published none of that name.
        """
        if name not in self.kubeconfigs:
            raise FederationError(
                f"stack {self.stack} published no kubeconfig named {name!r}: "
                "bring it up with the same version of the program"
            )
        return self.kubeconfigs[name]


def publish(
    plane: str,
    as_of: str,
    clusters: Sequence[Mapping[str, Any]],
    kubeconfigs: Mapping[str, pulumi.Output[str]],
    storage: Mapping[str, Any] | None = None,
    rancher: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The exports of a plane.

    Args:
        plane: its name.
        as_of: the day for which the facts hold, such as ``2026-11-30``.
        clusters: facts by cluster.
        kubeconfigs: of each API that others may need, by name.
        storage: what a storage plane grants to its consumers.
        rancher: how the Rancher of a carrier is called.
    """
    access = {"schema": ACCESS, "kubeconfigs": dict(kubeconfigs)}
    granted = {
        key: dict(found)
        for key, found in (("storage", storage), ("rancher", rancher))
        if found is not None
    }
    return {
        "facts": {"schema": FACTS, "plane": plane, "asOf": as_of, "clusters": list(clusters)},
        "access": pulumi.Output.secret({**access, **granted}),
    }


@dataclass(frozen=True)
class Servers:
    """The servers of a cluster that a plane makes.

    Attributes:
        types: the server type of each, as it is.
        versions: what each runs.
        egress: the public address of each, from which its pods reach the world.
        certificate_ends: when the administrator's certificate ends, in RFC 3339.
        fixed: the settings that hold for as long as the cluster lives.
        cost: what the cluster costs, in the form of a price.
    """

    types: Mapping[str, pulumi.Output[str]]
    versions: Mapping[str, str]
    egress: Mapping[str, pulumi.Output[str]]
    certificate_ends: pulumi.Output[str]
    fixed: Mapping[str, Any]
    cost: Mapping[str, Any]


@dataclass(frozen=True)
class LastServers:
    """The servers that this stack published last.

    Attributes:
        types: the type of each.
        versions: what each runs.
        fixed: by cluster, the settings that hold for as long as it lives.
    """

    types: Mapping[str, str]
    versions: Mapping[str, str]
    fixed: Mapping[str, Mapping[str, Any]]


def servers(made: Mapping[str, Servers]) -> dict[str, Any]:
    """The export of a plane that makes clusters, by their name; none where it makes none."""
    if not made:
        return {}
    content = {
        "schema": SERVERS,
        "types": {name: kind for each in made.values() for name, kind in each.types.items()},
        "versions": {name: text for each in made.values() for name, text in each.versions.items()},
        "egress": {name: ip for each in made.values() for name, ip in each.egress.items()},
        "certificatesEnd": {name: each.certificate_ends for name, each in made.items()},
        "fixed": {name: each.fixed for name, each in made.items()},
        "cost": {name: each.cost for name, each in made.items()},
    }
    return {"servers": content}


def certificates(ends: Mapping[str, pulumi.Output[str]]) -> dict[str, Any]:
    """The export of a plane that signs certificates: when each ends, in RFC 3339, by its name."""
    return {"certificates": {"schema": CERTIFICATES, "ends": dict(ends)}}


async def last_servers() -> LastServers:
    """What this stack published of its servers last; nothing on the first run.

    Raises:
        FederationError: it speaks another schema. Read as nothing, a cluster that lives would count
            as one that is to be founded.
    """
    document = await last("servers", SERVERS, "fixed")
    if document is None:
        return LastServers({}, {}, {})
    return LastServers(document["types"], document["versions"], document["fixed"])


async def last(output: str, schema: str, key: str) -> Any:
    """What this stack exported as *output* last; None on the first run.

    Args:
        output: its name.
        schema: that it must follow.
        key: that it must hold.

    Raises:
        FederationError: it follows another schema.
    """
    stack = pulumi.get_stack()
    document: Any = (await _reference(stack).get_output_details(output)).value
    if document is not None:
        _expect(stack, output, document, schema, key)
    return _whole(document)


async def founded() -> tuple[str, ...]:
    """The clusters that this stack made and published last, whatever its settings say by now."""
    document: Any = (await _outputs(pulumi.get_stack())).get("servers")
    return tuple(document.get("fixed", ())) if document is not None else ()


async def read(stack: str) -> Published:
    """What the stack *stack* of this project published.

    Raises:
        FederationError: there is no such stack, it has not been brought up, or it speaks another
            schema.
    """
    await _require(stack)
    reference = _reference(stack)
    facts: Any = _whole((await reference.get_output_details("facts")).value)
    access: Any = (await reference.get_output_details("access")).secret_value
    _expect(stack, "facts", facts, FACTS, "clusters")
    _expect(stack, "access", access, ACCESS, "kubeconfigs")
    kubeconfigs = {
        name: pulumi.Output.secret(str(text)) for name, text in access["kubeconfigs"].items()
    }
    return Published(
        stack,
        facts["clusters"],
        kubeconfigs,
        access.get("storage", {}),
        access.get("rancher", {}),
    )


async def last_decision() -> Decision | None:
    """The decision that this stack exported last; None on the first run.

    A decision of another schema counts as none: it is decided anew.
    """
    reference = _reference(pulumi.get_stack())
    document = (await reference.get_output_details("decision")).value
    if document is None:
        return None
    try:
        return read_decision(_with_nulls(document))
    except ValueError as error:
        pulumi.log.warn(f"the last decision of this stack is of no use, deciding anew: {error}")
        return None


def _whole(value: Any) -> Any:
    """A value with its whole numbers as such, since Pulumi brings every number back as a float."""
    if isinstance(value, Mapping):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _with_nulls(document: Mapping[str, Any]) -> dict[str, Any]:
    """A decision with its unknown values, which Pulumi drops on the way back."""
    objective = [{"value": None, "bound": None, **term} for term in document.get("objective", ())]
    workloads = [{"terms": None, **workload} for workload in document.get("workloads", ())]
    return {**document, "objective": objective, "workloads": workloads}


def _name(stack: str) -> str:
    return f"{pulumi.get_organization()}/{pulumi.get_project()}/{stack}"


def _reference(stack: str) -> pulumi.StackReference:
    return pulumi.StackReference(_name(stack))


@tenacity.retry(
    # A stack's own state may be read while the engine writes it.
    retry=tenacity.retry_if_exception_message(match=".*failed to load checkpoint"),
    stop=tenacity.stop_after_delay(_SECONDS),
    wait=tenacity.wait_fixed(0.1),
    reraise=True,
)
async def _outputs(stack: str) -> Mapping[str, Any]:
    """What *stack* published last.

    It is what a reference asks of the engine, as a function: it can fail, and leaves no resource.
    """
    found = await invoke_async("pulumi:pulumi:readStackOutputs", {"name": _name(stack)})
    outputs: Mapping[str, Any] = found["outputs"]
    return outputs


async def _require(stack: str) -> None:
    """See that there is such a stack: a reference to none ends the program before it can say so.

    Raises:
        FederationError: there is none.
    """
    try:
        await _outputs(stack)
    except Exception as error:
        if "unknown stack" not in str(error):
            raise
        raise FederationError(
            f"there is no stack {stack} ({_name(stack)}), which federation:stacks of "
            f"Pulumi.{pulumi.get_stack()}.yaml names; bring it up first: pulumi up -s {stack}"
        ) from None


def _expect(stack: str, output: str, content: Any, schema: str, key: str) -> None:
    """See that *output* is there, of the schema that this version reads, and holds *key*.

    Raises:
        FederationError: it is not.
    """
    if content is None:
        raise FederationError(
            f"stack {stack} has published no {output}; bring it up first: pulumi up -s {stack}"
        )
    found = content.get("schema") if isinstance(content, Mapping) else None
    if found != schema or key not in content:
        raise FederationError(
            f"stack {stack} published {output} of schema {found!r}; this version reads {schema!r}: "
            f"bring {stack} up with the same version of the program"
        )
