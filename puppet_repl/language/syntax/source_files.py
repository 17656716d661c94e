"""Reading source files: UTF-8 without a byte order mark, line ends as they are."""

from __future__ import annotations

import sys

from puppet_repl.base.file_reading import read_bytes
from puppet_repl.language.syntax import issues
from puppet_repl.language.syntax.lexer import check_bom
from puppet_repl.language.syntax.source import Source


def read_source(path: str) -> Source:
    """Return the text of a file, ``-`` for the standard input.

    Raises OSError for an unreadable file, PuppetError for bytes that are not UTF-8 or begin with a
    byte order mark.
    """
    if path == "-":
        return decode(sys.stdin.buffer.read(), None)
    return decode(read_bytes(path), path)


def read_template(path: str) -> Source:
    """Return the text of an EPP template, which may begin with a byte order mark; else as above."""
    data = read_bytes(path)
    return decode(data.removeprefix(b"\xef\xbb\xbf"), path)


def decode(data: bytes, name: str | None) -> Source:
    """Return the text of bytes; PuppetError as for ``read_source``."""
    check_bom(data[:4], Source("", name))
    try:
        return Source(data.decode("utf-8"), name)
    except UnicodeDecodeError as error:
        good = Source(data[: error.start].decode("utf-8"), name)
        raise issues.invalid_encoding(data[error.start], good) from None
