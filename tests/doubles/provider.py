"""A resource provider inside the test process: what every double has in common.

Owns the engine's protocol and the record of what happened. Secrets are not accepted, so the engine
hands values over in clear and marks what comes back.

Source: Pulumi ``proto/pulumi/provider.proto``.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf import empty_pb2, json_format, struct_pb2
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc

from tests.doubles.schema import UNKNOWN, Plain, Schema

Key = tuple[str, str]
"""The type of a resource, and its id."""


class CloudError(Exception):
    """What the API behind the provider refuses; the message is the API's."""


@dataclass
class Package:
    """A package that a double serves.

    Attributes:
        name: its name.
        version: the version that the program asks for.
        schema: as published; None where none is at hand.
        replacing: by type, the inputs that replace beyond what the schema says.
        make: the id and the computed outputs of a new resource, from its type and inputs.
        invoke: the answer of a function, from its token and arguments.
    """

    name: str
    version: str
    schema: Schema | None
    make: Callable[[str, Plain], tuple[str, Plain]]
    replacing: dict[str, set[str]] = field(default_factory=dict)
    invoke: Callable[[str, Plain], Plain] = field(default=lambda token, _: _no_function(token))
    remove: Callable[[str, str], None] = field(default=lambda *_: None)


class Double(provider_pb2_grpc.ResourceProviderServicer):
    """The provider of one package.

    Attributes:
        package: the package.
        resources: the inputs of what exists, by type and id.
        log: what was done, as operation, type and name; in order.
        fail: by name of a resource, the message with which its creation fails once.
        questions: the functions that were called.
    """

    def __init__(self, package: Package) -> None:
        self.package = package
        self.resources: dict[Key, Plain] = {}
        self.log: list[tuple[str, str, str]] = []
        self.fail: dict[str, str] = {}
        self.questions: list[str] = []
        self._lock = threading.Lock()

    def of(self, kind: str) -> list[Plain]:
        """The inputs of all resources of a type, by the end of its token (``Server``)."""
        return [found for (name, _), found in self.resources.items() if name.endswith(f":{kind}")]

    def Handshake(self, request: Any, context: Any) -> Any:  # noqa: N802, D102, ARG002
        # The engine then attaches, as to older providers.
        context.abort(grpc.StatusCode.UNIMPLEMENTED, "attach instead")

    def Attach(self, request: Any, context: Any) -> Any:  # noqa: N802, D102, ARG002
        return empty_pb2.Empty()

    def GetPluginInfo(self, request: Any, context: Any) -> Any:  # noqa: N802, D102, ARG002
        return plugin_pb2.PluginInfo(version=self.package.version)

    def CheckConfig(self, request: Any, context: Any) -> Any:  # noqa: N802, D102, ARG002
        return provider_pb2.CheckResponse(inputs=request.news)

    def DiffConfig(self, request: Any, context: Any) -> Any:  # noqa: N802, D102, ARG002
        return provider_pb2.DiffResponse()

    def Configure(self, request: Any, context: Any) -> Any:  # noqa: N802, D102, ARG002
        return provider_pb2.ConfigureResponse(supportsPreview=True)

    def Cancel(self, request: Any, context: Any) -> Any:  # noqa: N802, D102, ARG002
        return empty_pb2.Empty()

    def Check(self, request: Any, context: Any) -> Any:  # noqa: N802, D102, ARG002
        failures = []
        if self.package.schema is not None:
            kind, inputs = _kind(request), _plain(request.news)
            failures = [
                provider_pb2.CheckFailure(property=name, reason=reason)
                for name, reason in self.package.schema.faults(kind, inputs)
            ]
            failures += [
                provider_pb2.CheckFailure(property=name, reason="deprecated")
                for name in self.package.schema.deprecated(kind, inputs)
            ]
        return provider_pb2.CheckResponse(inputs=request.news, failures=failures)

    def Diff(self, request: Any, context: Any) -> Any:  # noqa: N802, D102, ARG002
        old, new = _plain(request.old_inputs), _plain(request.news)
        changed = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
        kinds = provider_pb2.DiffResponse
        return provider_pb2.DiffResponse(
            changes=kinds.DIFF_SOME if changed else kinds.DIFF_NONE,
            diffs=changed,
            replaces=[name for name in changed if name in self.replacing(_kind(request))],
        )

    def replacing(self, kind: str) -> set[str]:
        """The inputs of a type whose change replaces."""
        published = self.package.schema.replaces(kind) if self.package.schema else set()
        return published | self.package.replacing.get(kind.rsplit(":", 1)[-1], set())

    def Create(self, request: Any, context: Any) -> Any:  # noqa: N802, D102
        kind, inputs = _kind(request), _plain(request.properties)
        name = request.urn.rsplit("::", 1)[-1]
        if request.preview:
            computed = self.package.schema.outputs(kind) if self.package.schema else set()
            outputs = {**dict.fromkeys(computed, UNKNOWN), **inputs}
            return provider_pb2.CreateResponse(properties=_struct(outputs))
        with self._lock:
            try:
                if name in self.fail:
                    raise CloudError(self.fail.pop(name))
                identity, computed_outputs = self.package.make(kind, inputs)
            except CloudError as error:
                context.abort(grpc.StatusCode.UNKNOWN, str(error))
            self.resources[kind, identity] = inputs
            self.log.append(("create", kind.rsplit(":", 1)[-1], name))
        outputs = {**inputs, **computed_outputs}
        return provider_pb2.CreateResponse(id=identity, properties=_struct(outputs))

    def Read(self, request: Any, context: Any) -> Any:  # noqa: N802, D102, ARG002
        known = (_kind(request), request.id) in self.resources
        return provider_pb2.ReadResponse(
            id=request.id if known else "", properties=request.properties, inputs=request.inputs
        )

    def Update(self, request: Any, context: Any) -> Any:  # noqa: N802, D102, ARG002
        inputs, old = _plain(request.news), _plain(request.olds)
        outputs = {**old, **inputs}
        if not request.preview:
            with self._lock:
                self.resources[_kind(request), request.id] = inputs
                name = request.urn.rsplit("::", 1)[-1]
                self.log.append(("update", _kind(request).rsplit(":", 1)[-1], name))
        return provider_pb2.UpdateResponse(properties=_struct(outputs))

    def Delete(self, request: Any, context: Any) -> Any:  # noqa: N802, D102, ARG002
        kind = _kind(request)
        with self._lock:
            self.resources.pop((kind, request.id), None)
            self.package.remove(kind, request.id)
            name = request.urn.rsplit("::", 1)[-1]
            self.log.append(("delete", kind.rsplit(":", 1)[-1], name))
        return empty_pb2.Empty()

    def Invoke(self, request: Any, context: Any) -> Any:  # noqa: N802, D102
        self.questions.append(request.tok)
        try:
            answer = self.package.invoke(request.tok, _plain(request.args))
        except CloudError as error:
            context.abort(grpc.StatusCode.UNKNOWN, str(error))
        if self.package.schema is not None:
            wrong = self.package.schema.answer_faults(request.tok, answer)
            if wrong:
                raise ValueError(f"the double answers {request.tok} wrongly: {wrong}")
        return provider_pb2.InvokeResponse(**{"return": _struct(answer)})


def _kind(request: Any) -> str:
    chain: str = request.urn.split("::")[2]
    return chain.rsplit("$", 1)[-1]


def _plain(struct: Any) -> Plain:
    found: Plain = json_format.MessageToDict(struct)
    return found


def _struct(content: Plain) -> Any:
    made = struct_pb2.Struct()
    json_format.ParseDict(content, made)
    return made


def _no_function(token: str) -> Plain:
    raise ValueError(f"the double has no function {token}")
