"""Arguments of requests, whose types are not known."""

from __future__ import annotations

from typing import Any, TypeVar

Message = dict[str, Any]
T = TypeVar("T")
_NAMES = {
    str: "a string",
    int: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


class DebugError(Exception):
    """A request that cannot be answered now; the message says why."""


def get(arguments: Message, key: str, default: T) -> T:
    """Return an argument, which has to be of the default's type; the default if it is missing.

    Raises DebugError.
    """
    value = arguments.get(key)
    if value is None:
        return default
    if type(value) is not type(default):
        raise DebugError(f"'{key}' has to be {_NAMES[type(default)]}")
    return value
