"""A small Hub on loopback: it makes repositories and takes commits, and keeps what it was asked."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Hub:
    """Repositories by name: whether each is private, and its files."""

    url: str = ""
    private: dict[str, bool] = field(default_factory=dict)
    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)
    refusing: int = 0  # commits that fail before one is taken

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        """Status and JSON."""
        parts = path.partition("?")[0].strip("/").split("/")
        if parts[:2] == ["api", "whoami-v2"]:
            return 200, {"name": "me", "type": "user", "orgs": []}
        if parts == ["api", "validate-yaml"]:
            return 200, {"errors": [], "warnings": []}
        if parts == ["api", "repos", "create"]:
            return self._create(json.loads(body))
        name = "/".join(parts[2:4])
        if parts[:2] != ["api", "datasets"] or name not in self.private:
            return 404, {"error": "Repository not found"}
        if parts[4:5] == ["preupload"]:
            asked = json.loads(body)["files"]
            each = {"uploadMode": "regular", "shouldIgnore": False, "oid": None}
            return 200, {"files": [{"path": file["path"], **each} for file in asked]}
        if parts[4:5] == ["commit"]:
            return self._commit(name, body)
        if method == "GET" and parts[4:5] in ([], ["revision"]):
            about = {"id": name, "private": self.private[name], "sha": "0" * 40, "siblings": []}
            return 200, about
        if parts[4:5] == ["tree"]:
            return 200, []
        return 404, {"error": f"The fake Hub has no {method} {path}"}

    def _create(self, asked: dict[str, Any]) -> tuple[int, Any]:
        name = f"{asked.get('organization') or 'me'}/{asked['name']}"
        url = f"{self.url}/datasets/{name}"
        if name in self.private:
            return 409, {"error": "You already created this dataset repo", "url": url}
        hidden = asked.get("private") is True or asked.get("visibility") == "private"
        self.private[name] = hidden
        self.files[name] = {}
        return 200, {"url": url, "name": name}

    def _commit(self, name: str, body: bytes) -> tuple[int, Any]:
        if self.refusing:
            self.refusing -= 1
            return 403, {"error": "Forbidden: no right to write"}
        for line in body.splitlines():
            step = json.loads(line)
            if step["key"] == "file":
                content = base64.b64decode(step["value"]["content"])
                self.files[name][step["value"]["path"]] = content
        oid = "1" * 40
        return 200, {
            "commitUrl": f"{self.url}/datasets/{name}/commit/{oid}",
            "commitOid": oid,
            "success": True,
        }


@contextmanager
def running() -> Iterator[Hub]:
    """A Hub that listens on a port of its own until the block ends."""
    hub = Hub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            hub.tokens.add(self.headers.get("authorization", ""))
            body = self._body()
            status, value = hub.answer(self.command, self.path, body)
            content = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        def _body(self) -> bytes:
            if self.headers.get("transfer-encoding", "") == "chunked":
                parts = []
                while size := int(self.rfile.readline(), 16):
                    parts.append(self.rfile.read(size))
                    self.rfile.readline()
                self.rfile.readline()
                return b"".join(parts)
            return self.rfile.read(int(self.headers.get("content-length", "0")))

        do_GET = do_POST = do_PUT = do_HEAD = _handle

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
