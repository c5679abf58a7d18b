"""A load balancer: what stands before the servers of a highly available control plane.

``python balancer.py HEALTH PORT=PORT,PORT … `` listens on 127.0.0.1, passes each connection on to
one of the servers behind its port in turn, passes over a server that refuses it, and answers
everybody who asks on the port HEALTH that it runs. Several balancers listen on the same ports, so
that the end of one ends its own connections and no more.

A program of its own, of the standard library alone: it starts at once and is small. It does not
look into a connection, and so cannot tell a server that is frozen from one that thinks.
"""

import asyncio
import itertools
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import Sequence

_HOST = "127.0.0.1"
_CHUNK_BYTES = 1 << 16
_WELL = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Front:
    """One port, and the servers behind it.

    Args:
        servers: their ports.
    """

    def __init__(self, servers: Sequence[int]) -> None:
        self._servers = servers
        self._turns = itertools.cycle(range(len(servers)))

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Pass a connection on; it is closed where no server takes it."""
        first = next(self._turns)
        for server in (*self._servers[first:], *self._servers[:first]):
            try:
                answers, requests = await asyncio.open_connection(_HOST, server)
            except OSError:
                continue
            await asyncio.gather(_pass(reader, requests), _pass(answers, writer))
            return
        writer.close()


async def _pass(source: StreamReader, sink: StreamWriter) -> None:
    """Pass on what comes, until one of the two ends; then end the other."""
    try:
        while content := await source.read(_CHUNK_BYTES):
            sink.write(content)
            await sink.drain()
    except OSError:
        pass  # a server or a client that ended: the other is told by the close
    finally:
        sink.close()


async def _say_well(reader: StreamReader, writer: StreamWriter) -> None:
    await reader.readline()
    writer.write(_WELL)
    writer.close()


async def balance(health: int, fronts: dict[int, Sequence[int]]) -> None:
    """Listen until the end of the process.

    Args:
        health: the port of the balancer's own.
        fronts: the ports of servers, by the port that stands for them.

    Raises:
        OSError: a port is not free.
    """
    listening = [await asyncio.start_server(_say_well, _HOST, health)]
    for port, servers in fronts.items():
        serve = Front(servers).serve
        listening.append(await asyncio.start_server(serve, _HOST, port, reuse_port=True))
    await asyncio.gather(*(server.serve_forever() for server in listening))


def _front(argument: str) -> tuple[int, list[int]]:
    port, _, servers = argument.partition("=")
    return int(port), [int(server) for server in servers.split(",")]


if __name__ == "__main__":
    asyncio.run(balance(int(sys.argv[1]), dict(_front(argument) for argument in sys.argv[2:])))
