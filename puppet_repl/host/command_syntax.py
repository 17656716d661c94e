"""Recognizing commands: inputs that begin with ``:name`` or ``%name``.

A command is recognized only as the first token of the whole input. No Puppet program begins with a
colon and a letter, or with a percent sign; ``::name`` begins a qualified name and is not a command.
An exclamation mark is a part of the name (``:save! FILE``) if nothing but a blank is after it.
"""

from __future__ import annotations

import re

_COMMAND = re.compile(r"\s*[:%](?P<name>[A-Za-z]\w*(?:!(?!\S))?|\?)(?![\w:])[ \t]*")


def is_command(text: str) -> bool:
    """Tell whether an input is a command, as opposed to Puppet code."""
    return _COMMAND.match(text) is not None


def meant_input(text: str) -> str:
    """Return ``:help`` for a question mark alone, which is not a Puppet program; else the text."""
    return ":help" if text.strip() == "?" else text


def parse_command(text: str) -> tuple[str, str, int] | None:
    """Return name, argument and offset of the argument of a command; None for Puppet code."""
    match = _COMMAND.match(text)
    if match is None:
        return None
    return match.group("name"), text[match.end() :].rstrip(), match.end()
