"""The planes as the program itself declares them, drawn for the README.

Owns the run of each stack's program with mocks in place of the engine, and the picture: a box a
stack, in it the components of this project, and an arrow for each StackReference. The settings are
those that are shipped; the carrier's and Aegis' are those of their pages, with all that they may
have. Nothing is called, and nothing of a resource is judged: the engine tests do that.

``REFERENCE_DIR=… python -m tests.drawing`` prints the picture.
"""

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pulumi
import yaml
from pulumi.runtime import mocks, set_all_config
from pulumi.runtime.stack import run_pulumi_func
from pulumi.runtime.sync_await import _sync_await

from components import planes
from components.catalogue import catalogue
from lab.engine import CHECKOUT
from tests.charts import fixture_charts

Plain = dict[str, Any]

_ORDER = ("tokyo", "auxiliary", "newyork", "nuremberg", "federation")
_PAGES = {"tokyo": "carrier.md", "nuremberg": "compute.md"}
"""The pages that show a stack's file with all that it may have."""

_READS: dict[str, Plain] = {
    "tokyo": {},
    "auxiliary": {},
    "newyork": {"federation:stacks": {"carrier": "tokyo", "storage": "auxiliary"}},
    "nuremberg": {"federation:stacks": {"carrier": "tokyo", "storage": "auxiliary"}},
    "federation": {"federation:stacks": {"carrier": "tokyo", "compute": ["newyork", "nuremberg"]}},
}
"""Who reads whom, once every plane is there."""

_SECRETS = {
    "federation:backup": "{accessKey: key, secretKey: key}",
    "federation:metricsToken": "token",
}


@dataclass
class Declared:
    """What the program of a stack declares.

    Attributes:
        parents: of each component of this project, by URN; of each the URN of its parent.
        read: the stacks that it refers to, itself left out.
        outputs: what it exports.
    """

    parents: dict[str, str] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    outputs: Plain = field(default_factory=dict)


class _Monitor(mocks.MockMonitor):
    """The engine's ear: it notes each component beside its parent."""

    def __init__(self, declared: Declared, known: Mapping[str, Declared]) -> None:
        super().__init__(_Answers(declared, known))
        self._declared = declared

    def RegisterResource(self, request: Any) -> Any:  # noqa: N802 - the engine's own name
        answer: Any = super().RegisterResource(request)  # type: ignore[no-untyped-call] # Pulumi's
        if request.type.startswith("federation:"):
            self._declared.parents[answer.urn] = request.parent
        return answer


class _Answers(mocks.Mocks):
    """What providers and other stacks say: inputs come back as outputs."""

    def __init__(self, declared: Declared, known: Mapping[str, Declared]) -> None:
        self._declared = declared
        self._known = known

    def call(self, args: mocks.MockCallArgs) -> tuple[Plain, list[tuple[str, str]]]:
        return {"outputs": self._outputs(str(args.args.get("name", "")))}, []

    def new_resource(self, args: mocks.MockResourceArgs) -> tuple[str | None, Plain]:
        if args.typ == "pulumi:pulumi:StackReference":
            outputs = self._outputs(args.name)
            if outputs:
                self._declared.read.add(args.name.rpartition("/")[2])
            secret = {"secretOutputNames": ["access"]}
            return args.name, {"name": args.name, "outputs": outputs, **secret}
        return args.name, dict(args.inputs) if args.custom else {}

    def _outputs(self, name: str) -> Plain:
        found = self._known.get(name.rpartition("/")[2])
        return found.outputs if found is not None else {}


def declared(folder: Path) -> dict[str, Declared]:
    """What each shipped stack declares, in the order in which they come up.

    Args:
        folder: an empty one.
    """
    fixture_charts(folder / "mirror", *(entry.name for entry in catalogue().entries))
    _federation(folder)
    found: dict[str, Declared] = {}
    with chdir(folder):
        for stack in _ORDER:
            config = yaml.safe_load(_file(stack))["config"]
            config |= {"federation:mirror": {"charts": str(folder / "mirror")}, **_READS[stack]}
            Path(f"Pulumi.{stack}.yaml").write_text(yaml.safe_dump({"config": config}), "utf-8")
            found[stack] = _run(stack, config, found)
    return found


def _federation(folder: Path) -> None:
    """The example without the clusters that planes publish."""
    example = CHECKOUT / "examples" / "global.yaml"
    content = yaml.safe_load(example.read_text("utf-8"))
    own = {
        each["name"]
        for stack in ("newyork", "nuremberg")
        for each in yaml.safe_load(_file(stack))["config"]["federation:compute"]["clusters"]
    }
    content["clusters"] = [each for each in content["clusters"] if each["name"] not in own]
    shutil.copytree(example.parent, folder / "examples")
    (folder / "examples" / example.name).write_text(yaml.safe_dump(content), "utf-8")


def _file(stack: str) -> str:
    if stack not in _PAGES:
        return (CHECKOUT / f"Pulumi.{stack}.yaml").read_text("utf-8")
    page = (CHECKOUT / "docs" / _PAGES[stack]).read_text("utf-8")
    block = re.search(rf"```yaml\n(# Pulumi\.{stack}\.yaml.*?)```", page, re.DOTALL)
    assert block is not None, f"docs/{_PAGES[stack]} shows no Pulumi.{stack}.yaml"
    return block[1]


def _run(stack: str, config: Plain, known: Mapping[str, Declared]) -> Declared:
    """Run the program of *stack*, whose file is in the present folder."""
    names = [each["name"] for each in config.get("federation:compute", {}).get("clusters", ())]
    secrets = {
        **_SECRETS,
        "federation:kubeconfig": _kubeconfig(stack),
        "federation:kubeconfigs": yaml.safe_dump({name: _kubeconfig(name) for name in names}),
    }
    plain = {k: v if isinstance(v, str) else json.dumps(v, default=str) for k, v in config.items()}
    seen = Declared()
    monitor = _Monitor(seen, known)
    mocks.set_mocks(monitor.mocks, "federation", stack, preview=True, monitor=monitor)
    set_all_config({**plain, **secrets}, list(secrets))

    async def program() -> None:
        for key, value in (await planes.build()).items():
            seen.outputs[key] = _plain(await _known(value))

    _sync_await(run_pulumi_func(program))
    return seen


async def _known(value: Any) -> Any:
    """An export as far as it is known before anything is made."""
    return await pulumi.Output.from_input(value).future(with_unknowns=True)


def _plain(value: Any) -> Any:
    """*value* with a word for what is not known yet."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else "not known yet"


def _kubeconfig(name: str) -> str:
    cluster = {"server": f"https://{name}.example.com:6443", "insecure-skip-tls-verify": True}
    content = {
        "clusters": [{"name": name, "cluster": cluster}],
        "users": [{"name": name, "user": {"token": "token"}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    }
    return yaml.safe_dump({"apiVersion": "v1", "kind": "Config", **content})


def draw(stacks: Mapping[str, Declared]) -> str:
    """The picture, in the words of Mermaid."""
    return "\n".join(("flowchart LR", *_boxes(stacks), *_arrows(stacks), ""))


def _boxes(stacks: Mapping[str, Declared]) -> Iterator[str]:
    for stack, found in stacks.items():
        yield f"  subgraph {stack}"
        lines = {
            f"    {_node(stack, urn)} --- {_node(stack, below)}"
            for below, urn in found.parents.items()
            if urn in found.parents
        }
        roots = {f"    {_node(stack, urn)}" for urn, above in found.parents.items() if not lines}
        yield from sorted(lines | roots)
        yield "  end"


def _arrows(stacks: Mapping[str, Declared]) -> Iterator[str]:
    for stack, found in stacks.items():
        for other in sorted(found.read):
            yield f"  {other} ==>|facts, access| {stack}"


def _node(stack: str, urn: str) -> str:
    kind = urn.split("::")[-2].rpartition(":")[2]
    return f"{stack}.{kind}[{kind}]"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        print(draw(declared(Path(name))), end="")
