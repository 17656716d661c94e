"""Conversion of JSON-like data (dicts, lists, strings, numbers, ...) to Puppet values."""

from __future__ import annotations

from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.values.protocols import Value


def from_data(value: Any) -> Value:
    """Convert JSON-like data to a Puppet value: dicts to hashes, lists to arrays."""
    kind = type(value)
    if kind is dict:
        return PuppetHash((key, from_data(item)) for key, item in value.items())
    if kind is list or kind is tuple:
        return tuple([from_data(item) for item in value])
    return value
