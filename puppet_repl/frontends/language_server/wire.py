"""Messages of JSON-RPC: requests that fail, and responses."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Message: TypeAlias = dict[str, Any]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
SERVER_NOT_INITIALIZED = -32002
REQUEST_FAILED = -32803
REQUEST_CANCELLED = -32800


class RequestError(Exception):
    """A request that fails; ``code`` is one of JSON-RPC or of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def message_in(body: bytes) -> Message:
    """Return the message in a body; raise RequestError for anything but an object of JSON."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestError(PARSE_ERROR, f"not JSON: {error}") from None
    if not isinstance(message, dict):
        raise RequestError(INVALID_REQUEST, "a message is an object")
    return message


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
