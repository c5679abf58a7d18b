"""Doubles that the real engine attaches to, for as long as a test uses them."""

from collections.abc import Iterable, Iterator
from concurrent import futures
from contextlib import contextmanager
from dataclasses import dataclass

import grpc
from pulumi.runtime.proto import provider_pb2_grpc

from tests.doubles.provider import Double, Package


@dataclass(frozen=True)
class Served:
    """Doubles that are being served.

    Attributes:
        providers: the doubles by package.
        attach: what ``PULUMI_DEBUG_PROVIDERS`` is to be.
    """

    providers: dict[str, Double]
    attach: str


@contextmanager
def served(packages: Iterable[Package]) -> Iterator[Served]:
    """Serve a double of each package."""
    doubles = {package.name: Double(package) for package in packages}
    servers, attached = [], []
    for name, double in doubles.items():
        server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
        provider_pb2_grpc.add_ResourceProviderServicer_to_server(double, server)
        attached.append(f"{name}:{server.add_insecure_port('127.0.0.1:0')}")
        server.start()
        servers.append(server)
    try:
        yield Served(doubles, ",".join(attached))
    finally:
        for server in servers:
            server.stop(grace=None)
