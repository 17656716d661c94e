"""Addresses of documents, ``file:///a/b.pp``, and paths of files."""

from __future__ import annotations

import os
from urllib.parse import quote, unquote_to_bytes, urlsplit


def path_of(uri: str) -> str | None:
    """Return the path of an address; None for a document that is in no file of this machine."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    try:
        path = os.fsdecode(unquote_to_bytes(parts.path))
    except UnicodeError:
        return None
    if "\0" in path:
        return None
    if os.name == "nt":
        path = path.removeprefix("/")
    return os.path.normpath(path)


def uri_of(path: str) -> str:
    """Return the address of a file, whose name need not be text: its bytes are quoted."""
    path = os.path.abspath(path).replace(os.sep, "/")
    return "file://" + quote(os.fsencode(path if path.startswith("/") else f"/{path}"), safe="/:~")
