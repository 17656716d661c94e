"""Whether a text is JSON, as the JSON library of Puppet's Ruby sees it and in its words.

It also accepts comments, and a backslash before any character. An error inside an array is reported
at its place, an error inside an object at the object's beginning.
"""

from __future__ import annotations

import re

_SPACE = re.compile(r"(?:[ \t\r\n]|/\*[\s\S]*?\*/|//[^\n]*\n)*")
_SCALAR = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\u[0-9a-fA-F]{4}|\\[^u\x00-\x1f])*"'
    r"|-?(?:0(?![0-9])|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null"
)
_MAX_DEPTH = 100


class _Refused(Exception):
    """An error that ends the reading at once; its argument is the message."""


def json_problem(text: str) -> str | None:
    """Return the error of a text; None for JSON."""
    begin = _skip(text, 0)
    try:
        end = _value(text, begin, 1)
    except _Refused as refused:
        return str(refused)
    if end is None:
        return f"859: unexpected token at '{text[begin:]}'"
    end = _skip(text, end)
    return None if end == len(text) else f"859: unexpected token at '{text[end:]}'"


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match is not None else at


def _value(text: str, at: int, depth: int) -> int | None:
    """Return the end of the value at an offset; None for other text."""
    first = text[at : at + 1]
    if depth > _MAX_DEPTH and first in ("[", "{"):
        raise _Refused(f"nesting of {depth} is too deep")
    if first == "[":
        return _array(text, at, depth)
    if first == "{":
        return _object(text, at, depth)
    if text.startswith("NaN", at):
        raise _Refused(f"225: unexpected token at '{text[at:]}'")
    if text.startswith("Infinity", at):
        # Ruby counts one character too many here.
        raise _Refused(f"232: unexpected token at '{text[at - 1 :] if at else ''}'")
    if text.startswith("-Infinity", at):
        raise _Refused(f"249: unexpected token at '{text[at:]}'")
    match = _SCALAR.match(text, at)
    return match.end() if match is not None else None


def _array(text: str, at: int, depth: int) -> int:
    at = _skip(text, at + 1)
    if text.startswith("]", at):
        return at + 1
    while True:
        end = _value(text, at, depth + 1)
        if end is not None:
            at = _skip(text, end)
            if text.startswith("]", at):
                return at + 1
            if text.startswith(",", at):
                at = _skip(text, at + 1)
                continue
        raise _Refused(f"451: unexpected token at '{text[at:]}'")


def _object(text: str, at: int, depth: int) -> int | None:
    at = _skip(text, at + 1)
    if text.startswith("}", at):
        return at + 1
    while text.startswith('"', at):
        end = _value(text, at, depth + 1)
        if end is None:
            return None
        at = _skip(text, end)
        if not text.startswith(":", at):
            return None
        end = _value(text, _skip(text, at + 1), depth + 1)
        if end is None:
            return None
        at = _skip(text, end)
        if text.startswith("}", at):
            return at + 1
        if not text.startswith(",", at):
            return None
        at = _skip(text, at + 1)
    return None
