"""Messages of editors on streams: a header with the length in bytes, and JSON.

The language server protocol and the debug adapter protocol have the same.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO, NoReturn

# A longer message would not be a text that anybody edits.
MAX_BYTES = 256_000_000
_MAX_HEADER = 10_000


class WireError(Exception):
    """Something else than a message was read, and the rest cannot be divided into messages."""


def read_body(stream: BinaryIO) -> bytes | None:
    """Return the body of the next message, None at the end of the stream.

    Raises WireError for a header without a length, and for a body that is cut off.
    """
    length = None
    total = 0
    while True:
        line = stream.readline(_MAX_HEADER)
        total += len(line)
        if not line and total == 0:
            return None
        if not line.endswith(b"\n") or total > _MAX_HEADER:
            raise WireError("the header of a message is cut off or too long")
        if not line.strip():
            break
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = _length(value)
    if length is None:
        raise WireError("a message has no Content-Length")
    body = stream.read(length)
    if len(body) < length:
        raise WireError("a message is cut off")
    return body


def read_bodies(stream: BinaryIO, program: str) -> Iterator[bytes]:
    """Yield the bodies of all messages until the stream ends, or is closed.

    A header that is wrong ends them, too; the error output has a line about it.
    """
    try:
        while (body := read_body(stream)) is not None:
            yield body
    except WireError as error:
        print(f"{program}: {error}", file=sys.stderr)
    except (OSError, ValueError):  # it was closed
        pass


def _length(value: bytes) -> int:
    text = value.strip()
    if not text.isdigit() or len(text) > len(str(MAX_BYTES)) or int(text) > MAX_BYTES:
        raise WireError("the Content-Length of a message is not a number, or too large")
    return int(text)


def write_message(stream: BinaryIO, message: dict[str, Any]) -> None:
    """Write a message; raises OSError if nobody reads it any more."""
    # Lone surrogates of a text would not be UTF-8; JSON has escapes for them.
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    stream.flush()


@contextmanager
def message_streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Give the standard input and output for messages: a stream to read, and one to write.

    What Python or a library prints goes to the error output from now on: the output is for
    messages. Nothing can be read from the standard input any more.
    """
    sys.stdout.flush()
    with os.fdopen(os.dup(0), "rb") as reader, os.fdopen(os.dup(1), "wb") as writer:
        os.dup2(2, 1)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        yield reader, writer


def leave(status: int) -> NoReturn:
    """End the process at once, although a thread may wait for input.

    It may hold the lock of the input, on which the end of Python would fail.
    """
    sys.stderr.flush()
    os._exit(status)
