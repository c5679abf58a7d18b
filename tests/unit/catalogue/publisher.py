"""What makers of charts publish, served on 127.0.0.1."""

import http.server

import yaml

from components.catalogue import Entry, entry


class Publisher:
    """An HTTP server with a Helm repository and an API with tags.

    Attributes:
        answers: the text by path; a path that is missing answers 404.
    """

    def __init__(self) -> None:
        answers: dict[str, str] = {}
        self.answers = answers
        links: dict[str, str] = {}
        self.links = links

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = answers.get(self.path)
                self.send_response(200 if body is not None else 404)
                if self.path in links:
                    self.send_header("Link", links[self.path])
                self.end_headers()
                self.wfile.write((body or "").encode())

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def chart(self, *listed: dict[str, str], digest: str | None = None, **changes: str) -> Entry:
        """An entry of version 1.2.0 whose repository lists *listed*."""
        self.answers["/index.yaml"] = yaml.safe_dump({"entries": {"longhorn": list(listed)}})
        own = {"repository": self.address, "version": "1.2.0", "digest": digest, **changes}
        return entry("longhorn").model_copy(update=own)
