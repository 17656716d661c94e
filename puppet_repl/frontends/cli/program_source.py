"""Reading the program that a command line names."""

from __future__ import annotations

import os
import sys

from puppet_repl.base.file_reading import read_bytes
from puppet_repl.base.wording import why_unusable
from puppet_repl.host.argument_parser import undecoded_byte

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class UnreadableError(Exception):
    """A file that cannot be read, or is not text; the message says why."""


def read_program(given: str | None) -> tuple[str | None, str | None]:
    """Return the code that an argument stands for, and the name of its file.

    The argument is the name of a file, ``-`` for the standard input, or code itself where no such
    file exists and it does not look like the name of one. Raises UnreadableError.
    """
    if given is None:
        return None, None
    if given == "-":
        return read_input(), None
    if not os.path.exists(given) and (set(given) & set(" \n\t({'\"$") or given == ""):
        if undecoded_byte(given) is not None:
            raise UnreadableError(f"the code is not UTF-8 (byte {undecoded_byte(given)})")
        return given, None
    return read_file(given), given


def read_input() -> str:
    """Return the text of the standard input. Raises UnreadableError."""
    try:
        data = sys.stdin.buffer.read()
    except OSError as error:
        raise _unreadable_input(error) from None
    return decoded(data, "standard input")


def input_lines() -> Iterator[bytes]:
    """Yield the lines of the standard input as they come. Raises UnreadableError."""
    while True:
        try:
            line = sys.stdin.buffer.readline()
        except OSError as error:
            raise _unreadable_input(error) from None
        if not line:
            return
        yield line


def _unreadable_input(error: OSError) -> UnreadableError:
    return UnreadableError(f"cannot read standard input: {why_unusable(error)}")


def read_file(path: str) -> str:
    """Return the text of a file. Raises UnreadableError."""
    try:
        data = read_bytes(path)
    except OSError as error:
        raise UnreadableError(f"cannot read {path}: {why_unusable(error)}") from None
    return decoded(data, path)


def decoded(data: bytes, path: str) -> str:
    """Return UTF-8 as text. Raises UnreadableError with the location of an invalid byte."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode("utf-8")) + 1
        location = f"(file: {path}, line: {line}, column: {column})"
        raise UnreadableError(f"invalid UTF-8 {location}") from None
