"""Messages of JSON-RPC on streams: a header with the length in bytes, and JSON."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO, TypeAlias

    Message: TypeAlias = dict[str, Any]

# A longer message would not be a text that anybody edits.
MAX_BYTES = 256_000_000
_MAX_HEADER = 10_000

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
SERVER_NOT_INITIALIZED = -32002
REQUEST_FAILED = -32803
REQUEST_CANCELLED = -32800


class WireError(Exception):
    """Something else than a message was read, and the rest cannot be divided into messages."""


class RequestError(Exception):
    """A request that fails; ``code`` is one of JSON-RPC or of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


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


def _length(value: bytes) -> int:
    text = value.strip()
    if not text.isdigit() or len(text) > len(str(MAX_BYTES)) or int(text) > MAX_BYTES:
        raise WireError("the Content-Length of a message is not a number, or too large")
    return int(text)


def message_in(body: bytes) -> Message:
    """Return the message in a body; raise RequestError for anything but an object of JSON."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestError(PARSE_ERROR, f"not JSON: {error}") from None
    if not isinstance(message, dict):
        raise RequestError(INVALID_REQUEST, "a message is an object")
    return message


def write_message(stream: BinaryIO, message: Message) -> None:
    """Write a message; raises OSError if nobody reads it any more."""
    # Lone surrogates of a text would not be UTF-8; JSON has escapes for them.
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    stream.flush()


def response(number: int | str | None, result: Any) -> Message:
    """Return the response to a request."""
    return {"jsonrpc": "2.0", "id": number, "result": result}


def error_response(number: int | str | None, error: RequestError) -> Message:
    """Return the response to a request that failed."""
    return {
        "jsonrpc": "2.0",
        "id": number,
        "error": {"code": error.code, "message": str(error)},
    }
