"""How Ruby writes regular expressions: with their flags, as part of another one.

An expression that is written in characters beyond ASCII, or asks for a property of characters, is
bound to its encoding. Ruby counts that as a flag, so Puppet shows such an expression in a group.
"""

from __future__ import annotations

from puppet_repl.base.patterns import LatePattern
from puppet_repl.language.syntax.regexp_escapes import RegexpError, describe

IGNORECASE = 1
EXTENDED = 2
MULTILINE = 4
_BITS = {"m": MULTILINE, "i": IGNORECASE, "x": EXTENDED}
_ESCAPE = LatePattern(r"(?s)\\(?:u\{([^}]*)\}|u([0-9a-fA-F]{4})|(x[89a-fA-F][0-9a-fA-F])|([pP])|.)")
_OPTIONS = LatePattern(r"\(\?([mix]*)(-[mix]*)?([:)])")


def is_bound(source: str) -> bool:
    """Tell whether an expression is bound to its encoding."""
    if not source.isascii():
        return True
    if "\\" not in source:
        return False
    for codes, code, byte, kind in _ESCAPE.findall(source):
        if byte or kind or any(int(each, 16) > 0x7F for each in (*codes.split(), code) if each):
            return True
    return False


def group(source: str, flags: int, order: str) -> str:
    """Return a group that sets the flags of an expression; ``order`` is that of their letters."""
    on = "".join(letter for letter in order if flags & _BITS[letter])
    off = "".join(letter for letter in order if not flags & _BITS[letter])
    return f"(?{on}{'-' if off else ''}{off}:{source})"


def inside(source: str, flags: int) -> str:
    """Return what means the same inside of another expression (Regexp#to_s).

    Flags at the very beginning that hold to the end are those of the group.
    """
    whole = source, flags
    while (found := _OPTIONS.match(source)) is not None:
        on, off, end = found.groups()
        for letter in on:
            flags |= _BITS[letter]
        for letter in (off or "")[1:]:
            flags &= ~_BITS[letter]
        source = source[found.end() :]
        if end == ":":
            is_closed = source.endswith(")")
            source = source[:-1]
            if not is_closed or not _is_valid(source):
                source, flags = whole
            break
    return describe(group(source, flags, "mix"))[1:-1]


def _is_valid(source: str) -> bool:
    from puppet_repl.language.syntax.regexp_classes import Options
    from puppet_repl.language.syntax.regexp_parser import Parser

    try:
        Parser(source, Options(False, False, False, "d")).parse()
    except (RegexpError, RecursionError):
        return False
    return True
