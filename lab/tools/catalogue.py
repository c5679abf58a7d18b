"""Which tools the lab runs, and from which Go modules they are built.

Owns the list of tools: what is built, from what, with which stamps, and how a tool that is already
on the PATH says its version. The versions stand once, in the ``go.mod`` beside each tool's
``go.sum``. It builds nothing: ``build`` does; it looks for nothing: ``find`` does.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

MODULES = Path(__file__).parent
"""The folder with one Go module for each set of tools; their dependencies conflict."""


@dataclass(frozen=True)
class Tool:
    """One program, built from a pinned Go module.

    Attributes:
        name: the name of the binary.
        module: the folder under ``lab/tools`` that pins it.
        package: the Go package of the command, ``.`` for the module's own ``main.go``.
        pinned: the Go module whose version in ``go.mod`` is the tool's version.
        seconds: how long a first build takes on two cores, with the download of its modules.
        stamps: linker variables; ``{version}``, ``{major}`` and ``{minor}`` stand for the tool's.
        stamped: the version to stamp where the module's own says nothing, such as ``4.25.0``.
        tags: Go build tags.
        overlay: files that the build needs beside ``main.go``, each with its place in the pinned
            module's folder.
        ask: the arguments that make the tool print its version; empty for a tool that is always
            built, since the lab needs this very one.
        group: ``core`` is what every lab needs; ``members`` is what clusters with running pods
            need besides, and is built on request.
    """

    name: str
    module: str
    package: str
    pinned: str
    seconds: int
    stamps: tuple[str, ...] = ()
    stamped: str = ""
    tags: tuple[str, ...] = ()
    overlay: Mapping[str, str] = field(default_factory=dict)
    ask: tuple[str, ...] = ()
    group: Literal["core", "members"] = "core"

    @property
    def folder(self) -> Path:
        """The folder of the tool's ``go.mod``, ``go.sum`` and, where it has one, ``main.go``."""
        return MODULES / self.module

    @property
    def version(self) -> str:
        """The pinned version without its ``v``, such as ``3.274.1``."""
        if self.stamped:
            return self.stamped
        return _search(rf"^(?:require )?\s*{re.escape(self.pinned)} v(\S+)", self.folder / "go.mod")

    @property
    def go(self) -> str:
        """The oldest Go release that builds the tool, such as ``1.26.6``."""
        return _search(r"^go (\S+)", self.folder / "go.mod")

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of ``go build`` that shape the binary, in a fixed order."""
        major, minor = self.version.split(".")[:2]
        stamps = [s.format(version=self.version, major=major, minor=minor) for s in self.stamps]
        linker = " ".join(["-s -w", *(f"-X {stamp}" for stamp in stamps)])
        tags = ("-tags", ",".join(self.tags)) if self.tags else ()
        return ("-trimpath", "-buildvcs=false", "-mod=readonly", *tags, "-ldflags", linker)


def _search(pattern: str, file: Path) -> str:
    """The first group of *pattern* in *file*, which is one of the project's own."""
    found = re.search(pattern, file.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise LookupError(f"{file}: nothing matches {pattern}")
    return found[1]


_KUBERNETES_STAMPS = (
    "k8s.io/component-base/version.gitVersion=v{version}",
    "k8s.io/component-base/version.gitMajor={major}",
    "k8s.io/component-base/version.gitMinor={minor}",
)
_PROVIDER = "github.com/pulumi/pulumi-kubernetes/provider/v4"

TOOLS = (
    Tool(
        name="etcd",
        module="etcd",
        package="go.etcd.io/etcd/server/v3",
        pinned="go.etcd.io/etcd/server/v3",
        seconds=75,
        ask=("--version",),
    ),
    Tool(
        name="kube-apiserver",
        module="kubernetes",
        package="k8s.io/kubernetes/cmd/kube-apiserver",
        pinned="k8s.io/kubernetes",
        seconds=210,
        stamps=_KUBERNETES_STAMPS,
        ask=("--version",),
    ),
    Tool(
        name="kube-controller-manager",
        module="kubernetes",
        package="k8s.io/kubernetes/cmd/kube-controller-manager",
        pinned="k8s.io/kubernetes",
        seconds=70,
        stamps=_KUBERNETES_STAMPS,
        ask=("--version",),
    ),
    Tool(
        name="pulumi",
        module="pulumi",
        package="github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
        pinned="github.com/pulumi/pulumi/pkg/v3",
        seconds=260,
        # The Automation API refuses a command line that does not know its version.
        stamps=("github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v{version}",),
        tags=("osusergo", "grpcnotrace"),
        ask=("version",),
    ),
    Tool(
        name="pulumi-resource-kubernetes",
        module="provider",
        package=".",
        pinned=_PROVIDER,
        seconds=540,
        stamps=(f"{_PROVIDER}/pkg/version.Version={{version}}",),
        # Its module has a commit for a version; this is the release that it was cut from.
        stamped="4.25.0",
        overlay={
            "schema.json": "cmd/pulumi-resource-kubernetes/schema.json",
            "terraform-mapping.json": "cmd/pulumi-resource-kubernetes/terraform-mapping.json",
        },
    ),
    Tool(
        name="kube-scheduler",
        module="kubernetes",
        package="k8s.io/kubernetes/cmd/kube-scheduler",
        pinned="k8s.io/kubernetes",
        seconds=40,
        stamps=_KUBERNETES_STAMPS,
        ask=("--version",),
        group="members",
    ),
    Tool(
        name="kwok",
        module="kwok",
        package="sigs.k8s.io/kwok/cmd/kwok",
        pinned="sigs.k8s.io/kwok",
        seconds=80,
        ask=("--version",),
        group="members",
    ),
    Tool(
        name="descheduler",
        module="descheduler",
        package="sigs.k8s.io/descheduler/cmd/descheduler",
        pinned="sigs.k8s.io/descheduler",
        seconds=60,
        stamps=("sigs.k8s.io/descheduler/pkg/version.version=v{version}",),
        group="members",
    ),
)
"""Every tool, in the order in which they are built: what the lab itself needs comes first."""


def tool(name: str) -> Tool:
    """The tool called *name*; KeyError where the lab has none of that name."""
    return {tool.name: tool for tool in TOOLS}[name]
