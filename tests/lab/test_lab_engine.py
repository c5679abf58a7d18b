"""Programs that run inline, one after the other in one process."""

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import grpc
import pytest
from google.protobuf import empty_pb2
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc
from pulumi.runtime.settings import Settings

import lab.engine  # noqa: F401 - what it sets is looked at


class Engine(engine_pb2_grpc.EngineServicer):
    """Takes what is logged."""

    def Log(self, _request: object, _context: object) -> object:  # noqa: N802 - the service's name
        """Take it."""
        return empty_pb2.Empty()


def served(port: int = 0) -> tuple[grpc.Server, int]:
    """An engine, and its port."""
    server = grpc.server(ThreadPoolExecutor(2))
    engine_pb2_grpc.add_EngineServicer_to_server(Engine(), server)
    port = server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    return server, port


def engine_at(port: int) -> engine_pb2_grpc.EngineStub:
    """The engine at *port*, as a program's settings know it."""

    def found() -> engine_pb2_grpc.EngineStub:
        stub: engine_pb2_grpc.EngineStub = Settings("any", "any", engine=f"127.0.0.1:{port}").engine
        return stub

    # Settings are variables of their context: this test's are not to be another's.
    return copy_context().run(found)


def test_an_engine_may_have_the_port_of_an_earlier_one() -> None:
    """That one's end, which a program of its time has met, is not held against it."""
    server, port = served()
    earlier = engine_at(port)
    earlier.Log(engine_pb2.LogRequest())
    server.stop(0).wait()
    with pytest.raises(grpc.RpcError):
        earlier.Log(engine_pb2.LogRequest())
    server, same = served(port)
    try:
        assert same == port
        engine_at(port).Log(engine_pb2.LogRequest())
    finally:
        server.stop(0).wait()
