"""``to_json``: a value as JSON."""

from __future__ import annotations

from puppet_repl.frontends.commands.notations import json_text
from puppet_repl.language.values.python import from_python


def to_json(value: object) -> str:
    """Return a value of Puppet, or what ``to_python`` makes of one, as JSON.

    What JSON has no word for is the text that Puppet interpolates, so that secrets stay hidden.
    Keys are strings there. Raises PuppetError for a number that is infinite, and for a Hash in
    which two keys would be the same string, like 1 and '1'.
    """
    if callable(getattr(value, "to_json", None)):
        kind = type(value).__name__
        raise TypeError(
            f"to_json() takes a value of Puppet, not a {kind}: that has its own to_json()"
        )
    return json_text(from_python(value))
