r"""Character classes of Ruby's regular expressions, written for ``re`` and for ``regex``.

Ruby's \d \s \w \h are ASCII only; POSIX brackets and \p{...} know all of Unicode.
"""

from __future__ import annotations

from puppet_repl.language.syntax.regexp_set import Set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The members of the ASCII-only classes, in the notation of the regex package.
ASCII_CLASSES = {
    "d": "0-9",
    "w": "0-9A-Z_a-z",
    "s": "\\t\\n\\v\\f\\r ",
    "h": "0-9A-Fa-f",
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": "\\x00-\\x7f",
    "blank": "\\t ",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "\\x21-\\x7e",
    "lower": "a-z",
    "print": "\\x20-\\x7e",
    "punct": "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
    "space": "\\t\\n\\v\\f\\r ",
    "upper": "A-Z",
    "word": "0-9A-Z_a-z",
    "xdigit": "0-9A-Fa-f",
    "any": "\\x00-\\x7f",
}
# The same names with all of Unicode, for the regex package alone.
UNICODE_CLASSES = {
    "d": "\\p{Nd}",
    "w": "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}",
    "s": "\\p{White_Space}",
    "h": "0-9A-Fa-f",
    "alnum": "\\p{Alphabetic}\\p{Nd}",
    "alpha": "\\p{Alphabetic}",
    "ascii": "\\x00-\\x7f",
    "blank": "\\p{Zs}\\t",
    "cntrl": "\\p{Cc}",
    "digit": "\\p{Nd}",
    "graph": "[\\P{White_Space}--[\\p{Cc}\\p{Cs}\\p{Cn}]]",
    "lower": "\\p{Lowercase}",
    "print": "[\\P{White_Space}--[\\p{Cc}\\p{Cs}\\p{Cn}]]\\p{Zs}",
    "punct": "\\p{P}$+<=>^`|~",
    "space": "\\p{White_Space}",
    "upper": "\\p{Uppercase}",
    "word": "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}",
    "xdigit": "0-9A-Fa-f",
    "any": "\\x00-\\U0010ffff",
}


def escape(character: str) -> str:
    """Escape a character for both packages."""
    if character.isalnum() or ord(character) > 0x9F:
        return character
    code = ord(character)
    return f"\\x{code:02x}"


class SetWriter:
    """Writes Sets: with ``unicode`` for the regex package, else for ``re`` and ASCII strings."""

    def __init__(self, unicode: bool) -> None:
        self.unicode = unicode
        self.needs_regex = False
        self.ascii_only = False

    def write(self, given: Set) -> str:
        """Write a class with its brackets."""
        if not given.parts and len(given.items) == 1 and not given.negated:
            only = given.items[0]
            if only[0] == "range" and only[1] == only[2]:
                return escape(only[1])
        return self._bracketed(given)

    def _bracketed(self, given: Set) -> str:
        members = self._members(given)
        if not given.negated:
            return f"[{members}]"
        if self.unicode and len(given.items) > 1 and any(map(_is_property, given.items)):
            # The regex package ignores the negation of a class of all characters.
            return f"[\\x00-\\U0010ffff--[{members}]]"
        return f"[^{members}]"

    def _members(self, given: Set) -> str:
        if given.parts:
            self.needs_regex = True
            return "&&".join(self.write_full(part) for part in given.parts)
        if not given.items:
            self.needs_regex = True
            return "^\\x00-\\U0010ffff"
        return "".join(map(self._item, given.items))

    def write_full(self, given: Set) -> str:
        """Write a class always in brackets, for use inside another one."""
        if not given.parts and not given.items:
            return "[" + ("" if given.negated else "^") + "\\x00-\\U0010ffff]"
        return self._bracketed(given)

    def _item(self, item: tuple[Any, ...]) -> str:
        kind = item[0]
        if kind == "range":
            low, high = item[1], item[2]
            return escape(low) if low == high else f"{escape(low)}-{escape(high)}"
        if kind == "set":
            self.needs_regex = True
            return self.write_full(item[1])
        name, negated = item[1], item[2]
        if kind == "property":
            self.needs_regex = True
            return f"\\{'P' if negated else 'p'}{{{name}}}"
        if kind == "unicode":
            self.ascii_only = True
        if kind == "ascii" or not self.unicode:
            members = ASCII_CLASSES[name]
            if negated and not self.unicode:
                return self._negated_for_re(name)
            return f"[^{members}]" if negated else members
        members = UNICODE_CLASSES[name]
        return f"[^{members}]" if negated else members

    def _negated_for_re(self, name: str) -> str:
        """Write a negated class as a member; re has no nested classes."""
        if name in "dws":
            return f"\\{name.upper()}"
        self.ascii_only = True
        return COMPLEMENTS[name]


def _is_property(item: tuple[object, ...]) -> bool:
    return item[0] in ("property", "unicode", "set")


COMPLEMENTS = {
    "h": "\\x00-/:-@G-`g-\\x7f",
    "alnum": "\\x00-/:-@\\x5b-`{-\\x7f",
    "alpha": "\\x00-@\\x5b-`{-\\x7f",
    "ascii": "\\x80-\\U0010ffff",
    "blank": "\\x00-\\x08\\x0a-\\x1f!-\\x7f",
    "cntrl": "\\x20-\\x7e",
    "digit": "\\x00-/:-\\x7f",
    "graph": "\\x00-\\x20\\x7f",
    "lower": "\\x00-`{-\\x7f",
    "print": "\\x00-\\x1f\\x7f",
    "punct": "\\x00-\\x200-9A-Za-z\\x7f",
    "space": "\\x00-\\x08\\x0e-\\x1f!-\\x7f",
    "upper": "\\x00-@\\x5b-\\x7f",
    "word": "\\x00-/:-@\\x5b-\\x5e`{-\\x7f",
    "xdigit": "\\x00-/:-@G-`g-\\x7f",
    "any": "\\x80-\\x80",
}
