"""The standard streams of a process: closed by the caller, full, or no longer read by anyone."""

from __future__ import annotations

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper

from puppet_repl.base.wording import why_unusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


# What the encoding of the output cannot write becomes an escape, as on the error output.
_ERRORS = "backslashreplace"


class OutputError(Exception):
    """The standard output cannot be written; ``error`` is that of the system.

    It is no OSError: handlers of those are for files that a user has named.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(f"cannot write the output: {why_unusable(error)}")
        self.error = error


class _Output(FileIO):
    """The standard output, whose errors can be told from those of other files."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OutputError(error) from None


def prepare_streams() -> None:
    """Make the standard streams usable; writing to the output then raises OutputError.

    Python has None for what the caller has closed (``puppet-repl <&-``). Something has to take the
    place, lest another file get its number; to read or write there is an error, as elsewhere.
    Only the error output goes nowhere: nobody could be told.
    """
    for stream, mode, access in (
        ("stdin", "r", os.O_WRONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, stream) is None:
            null = os.open(os.devnull, access)
            setattr(sys, stream, os.fdopen(null, mode, encoding="utf-8", closefd=False))
    output = sys.__stdout__ or sys.stdout
    if isinstance(output, TextIOWrapper):
        output.reconfigure(errors=_ERRORS)
    if isinstance(output, TextIOWrapper) and output is sys.stdout and not output.isatty():
        output.flush()
        sys.stdout = TextIOWrapper(
            BufferedWriter(_Output(output.fileno(), "w", closefd=False)),
            encoding=output.encoding,
            errors=_ERRORS,
            line_buffering=output.line_buffering or output.write_through,
            write_through=output.write_through,
        )


def drop_output() -> None:
    """Let what is still to be written, when the process ends at the latest, go nowhere."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(null, stream.fileno())
    os.close(null)
