"""A server that speaks the part of the Forge's API that is used, with releases that tests make."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def archive_of(files: dict[str, str], top: str = "", *more: tarfile.TarInfo) -> bytes:
    """Return a .tar.gz with files, below a directory unless it is ''."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"{top}/{name}" if top else name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
        for member in more:
            archive.addfile(member)
    return made.getvalue()


def link(name: str, target: str) -> tarfile.TarInfo:
    """Return a member of an archive that is a symbolic link."""
    member = tarfile.TarInfo(name)
    member.type, member.linkname = tarfile.SYMTYPE, target
    return member


class ForgeServer:
    """Releases by name and version, and what goes wrong.

    ``failures`` are status codes for the next requests of a path, ``cut`` the paths whose documents
    end too early, ``redirects`` the addresses that paths lead to. ``requests`` counts the requests,
    ``authorizations`` are the headers of the last ones.
    """

    def __init__(self) -> None:
        self.releases: dict[str, dict[str, dict[str, Any]]] = {}
        self.archives: dict[str, bytes] = {}
        self.failures: dict[str, list[int]] = {}
        self.cut: set[str] = set()
        self.silent: set[str] = set()
        self.redirects: dict[str, str] = {}
        self.requests: Counter[str] = Counter()
        self.authorizations: dict[str, str | None] = {}
        self.released = threading.Event()
        self.address = ""

    def release(
        self,
        title: str,
        version: str,
        files: dict[str, str] | None = None,
        *more: tarfile.TarInfo,
        dependencies: dict[str, str] | None = None,
        algorithm: str = "sha256",
        archive: bytes | None = None,
    ) -> None:
        """Publish a release; the newest one is that which is published last."""
        needs = [
            {"name": name, "version_requirement": asked}
            for name, asked in (dependencies or {}).items()
        ]
        metadata = {
            "name": title,
            "version": version,
            "author": "a",
            "license": "Apache-2.0",
            "source": "s",
            "summary": "s",
            "dependencies": needs,
        }
        content = {"metadata.json": json.dumps(metadata), **(files or {})}
        if archive is None:
            archive = archive_of(content, f"{title}-{version}", *more)
        path = f"/v3/files/{title}-{version}.tar.gz"
        self.archives[path] = archive
        self.releases.setdefault(title, {})[version] = {
            "version": version,
            "file_uri": path,
            f"file_{algorithm}": hashlib.new(algorithm, archive).hexdigest(),
        }

    def answer(self, path: str) -> bytes | None:
        """Return the document of a path, None if it is not there."""
        if path in self.archives:
            return self.archives[path]
        _, _, kind, name = path.split("/", 3)
        if kind == "modules" and name in self.releases:
            rows = list(self.releases[name].values())[::-1]
            data = {"slug": name, "current_release": rows[0], "releases": rows}
            return json.dumps(data).encode()
        title, _, version = name.partition("-")[2].partition("-")
        title = f"{name.partition('-')[0]}-{title}"
        row = self.releases.get(title, {}).get(version) if kind == "releases" else None
        return None if row is None else json.dumps(row).encode()


@contextmanager
def running(server: ForgeServer) -> Iterator[ForgeServer]:
    """Let a server answer while the context lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.requests[self.path] += 1
            server.authorizations[self.path] = self.headers.get("Authorization")
            if self.path in server.redirects:
                self.send_response(302)
                self.send_header("Location", server.redirects[self.path])
                self.end_headers()
                return
            failures = server.failures.get(self.path)
            if failures:
                self.send_error(failures.pop(0))
                return
            if self.path in server.silent:
                server.released.wait(20)
                return
            document = server.answer(self.path)
            if document is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(document)))
            self.end_headers()
            self.wfile.write(document[: len(document) // 2 if self.path in server.cut else None])

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server.address = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.released.set()
            http.shutdown()
            thread.join()
