"""Servers that answer as a test says: the API as a rehearsal's client meets it."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from lab.kubernetes import access, pki

Answer = Callable[[str, str, Any], tuple[int, Any]]
"""From method, path and body to status and body."""


@contextmanager
def serve(answer: Answer, folder: Path) -> Iterator[tuple[str, ssl.SSLContext]]:
    """A server on 127.0.0.1: its address, and the TLS of its administrator."""
    keys = pki.ensure(folder / "pki")

    class Handler(BaseHTTPRequestHandler):
        def _do(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(length)) if length else None
            status, content = answer(self.command, self.path, body)
            sent = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        do_GET = do_POST = do_PATCH = do_DELETE = _do  # noqa: N815 - http.server's names

        def log_message(self, *_: Any) -> None:
            """Tests print nothing of their own."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(keys.server.public, keys.server.key)
        server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"https://127.0.0.1:{server.server_address[1]}", access.context(keys)
        finally:
            server.shutdown()
            thread.join()
