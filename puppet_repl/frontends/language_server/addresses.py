"""Addresses of documents, ``file:///a/b.pp``, and paths of files."""

from __future__ import annotations

import os
from urllib.parse import quote, unquote, urlsplit


def path_of(uri: str) -> str | None:
    """Return the path of an address; None for a document that is in no file of this machine."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = unquote(parts.path)
    if "\0" in path:
        return None
    if os.name == "nt":
        path = path.removeprefix("/")
    return os.path.normpath(path)


def uri_of(path: str) -> str:
    """Return the address of a file."""
    path = os.path.abspath(path).replace(os.sep, "/")
    return "file://" + quote(path if path.startswith("/") else f"/{path}", safe="/:~")
