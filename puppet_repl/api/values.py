"""``to_json``: a value as JSON."""

from __future__ import annotations

from puppet_repl.commands.notations import json_text
from puppet_repl.values.python import from_python


def to_json(value: object) -> str:
    """Return a value of Puppet, or what ``to_python`` makes of one, as JSON.

    What JSON has no word for is the text that Puppet interpolates, so that secrets stay hidden.
    Raises PuppetError for a number that is infinite.
    """
    return json_text(from_python(value))
