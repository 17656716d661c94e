"""How a client counts lines and columns and writes paths; here lines begin at 1."""

from __future__ import annotations

from puppet_repl.frontends.language_server.addresses import path_of, uri_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.frontends.debug_adapter.arguments import Message

_LINES = ("line", "endLine")
_COLUMNS = ("column", "endColumn", "start")
# Their values are not of the protocol, or not places.
_OPAQUE = ("variables", "result", "details", "exceptionBreakpointFilters")


class Dialect:
    """The way of one client, as the arguments of ``initialize`` say."""

    def __init__(self, arguments: Message | None = None) -> None:
        given = arguments or {}
        self._first_line = 0 if given.get("linesStartAt1") is False else 1
        self._first_column = 0 if given.get("columnsStartAt1") is False else 1
        self._has_addresses = given.get("pathFormat") == "uri"
        is_usual = (self._first_line, self._first_column, self._has_addresses) == (1, 1, False)
        self._is_usual = is_usual

    def read(self, command: object, arguments: Message) -> Message:
        """Return the arguments of a request with lines from 1 and paths."""
        if self._is_usual or command in ("launch", "restart", "variables"):
            return arguments
        found: Message = self._changed(arguments, 1, path_of)
        return found

    def written(self, body: Message) -> Message:
        """Return the body of a response or an event as the client reads it."""
        if self._is_usual:
            return body
        found: Message = self._changed(body, -1, uri_of)
        return found

    def _changed(self, value: Any, sign: int, path: Any) -> Any:
        if isinstance(value, list):
            return [self._changed(each, sign, path) for each in value]
        if not isinstance(value, dict):
            return value
        found = {}
        for name, each in value.items():
            if type(each) is int and name in _LINES:
                each += sign * (1 - self._first_line)
            elif type(each) is int and name in _COLUMNS:
                each += sign * (1 - self._first_column)
            elif isinstance(each, str) and each and name == "path" and self._has_addresses:
                each = path(each) or each
            elif name == "lines" and isinstance(each, list):
                each = [one + sign * (1 - self._first_line) for one in each if type(one) is int]
            elif name not in _OPAQUE:
                each = self._changed(each, sign, path)
            found[name] = each
        return found
