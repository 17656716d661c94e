"""JSON-like data (dicts, lists, texts, numbers, true, false, null) as Puppet values."""

from __future__ import annotations

from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.values.protocols import Value


def from_data(value: Any) -> Value:
    """The Puppet value of JSON-like data: dicts become hashes, lists become arrays."""
    kind = type(value)
    if kind is dict:
        return PuppetHash((key, from_data(item)) for key, item in value.items())
    if kind is list or kind is tuple:
        return tuple([from_data(item) for item in value])
    return value
