"""What Ruby's regular expressions refuse, and the escapes in them that stand for characters."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.syntax.regexp_set import class_item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.regexp_set import NamedItem

_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
_HEX = frozenset("0123456789abcdefABCDEF")
_OCTAL = frozenset("01234567")
# How many bytes a character has, by its first one: the largest of each length.
_SIZES = ((0x7F, 1), (0xC1, 0), (0xDF, 2), (0xEF, 3), (0xF4, 4), (0xFF, 0))


class RegexpError(RuntimeFailure):
    """A regular expression that Ruby refuses; the text is Ruby's."""


class UnsupportedRegexpError(RegexpError):
    """A regular expression that Ruby accepts and that cannot be carried over."""


def describe(source: str) -> str:
    """Write a regular expression between slashes, as Ruby's inspect does."""
    if "/" not in source:
        return f"/{source}/"
    parts = []
    escaped = False
    for character in source:
        parts.append("\\/" if character == "/" and not escaped else character)
        escaped = character == "\\" and not escaped
    return f"/{''.join(parts)}/"


class Escapes:
    """Reads characters out of one regular expression from a place on."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0

    def fail(self, message: str) -> RegexpError:
        """Make the error that Ruby gives for this expression."""
        return RegexpError(f"{message}: {describe(self.source)}")

    def unsupported(self, what: str) -> UnsupportedRegexpError:
        """Make the error for something that has no counterpart."""
        return UnsupportedRegexpError(f"{what} is not supported: {describe(self.source)}")

    def _characters(self, in_set: bool) -> str:
        r"""Read an escape that stands for characters; several only from ``\u{61 62}``."""
        source = self.source
        letter = source[self.at : self.at + 1]
        if letter == "":
            raise self.fail("too short escape sequence")
        self.at += 1
        if letter in _ESCAPES:
            return _ESCAPES[letter]
        if letter == "b" and in_set:
            return "\b"
        if letter == "x":
            return self._hexadecimal()
        if letter == "u":
            return self._unicode()
        if letter in _OCTAL:
            return self._encoded(self._octal_digits())
        if letter == "c" or (letter == "C" and source[self.at : self.at + 1] == "-"):
            self.at += letter == "C"
            control = source[self.at : self.at + 1]
            if control == "":
                raise self.fail("too short control escape")
            self.at += 1
            return "\x7f" if control == "?" else chr(ord(control) & 0x1F)
        if letter == "M" and source[self.at : self.at + 1] == "-":
            raise self.unsupported("a meta escape")
        return letter

    def _hexadecimal(self) -> str:
        code = self._hex_digits(2)
        if code is None:
            raise self.fail("invalid hex escape")
        return self._encoded(code)

    def _encoded(self, first: int) -> str:
        """Return the character that begins with a byte; the others are escapes too."""
        if first < 0x80:
            return chr(first)
        if first > 0xFF:
            raise self.fail("invalid escape code")
        raw = bytearray((first,))
        size = next(size for last, size in _SIZES if first <= last)
        while len(raw) < size:
            byte = self._next_byte()
            if byte is None:
                raise self.fail("too short escaped multibyte character")
            raw.append(byte)
        try:
            return raw.decode()
        except UnicodeDecodeError:
            raise self.fail("invalid multibyte escape") from None

    def _next_byte(self) -> int | None:
        """Read another escape for a byte, if there is one."""
        letter = self.source[self.at + 1 : self.at + 2]
        if self.source[self.at : self.at + 1] != "\\" or letter not in ("x", *_OCTAL):
            return None
        self.at += 2
        return self._hex_digits(2) if letter == "x" else self._octal_digits()

    def _octal_digits(self) -> int:
        """Read the rest of an octal escape, whose first digit has been read."""
        begin = self.at - 1
        while self.at < begin + 3 and self.source[self.at : self.at + 1] in _OCTAL:
            self.at += 1
        return int(self.source[begin : self.at], 8)

    def _hex_digits(self, most: int) -> int | None:
        end = self.at
        while end < self.at + most and self.source[end : end + 1] in _HEX:
            end += 1
        digits = self.source[self.at : end]
        self.at = end
        return int(digits, 16) if digits else None

    def _unicode(self) -> str:
        if self.source[self.at : self.at + 1] == "{":
            end = self.source.find("}", self.at)
            digits = self.source[self.at + 1 : end].split() if end > 0 else []
            if not digits or any(not set(part) <= _HEX for part in digits):
                raise self.fail("invalid Unicode escape" if end < 0 else "invalid Unicode list")
            self.at = end + 1
            codes = [int(part, 16) for part in digits]
        else:
            digits = [self.source[self.at : self.at + 4]]
            if len(digits[0]) < 4 or not set(digits[0]) <= _HEX:
                raise self.fail("invalid Unicode escape")
            self.at += 4
            codes = [int(digits[0], 16)]
        if any(code > 0x10FFFF or 0xD800 <= code <= 0xDFFF for code in codes):
            raise self.fail("invalid Unicode range")
        return "".join(map(chr, codes))

    def _property(self) -> NamedItem:
        negated = self.source[self.at] == "P"
        end = self.source.find("}", self.at)
        if end < 0:
            raise self.fail("invalid character property name {p}")
        name = self.source[self.at + 2 : end]
        if name.startswith("^"):
            negated = not negated
        self.at = end + 1
        item = class_item(name.lstrip("^"), "u", negated)
        if item[0] == "property":
            self._check_property(item[1], name)
        return item

    def _check_property(self, plain: str, name: str) -> None:
        """Refuse what Ruby does not know, and the blocks and ages that the package does not."""
        lowered = plain.lower()
        if lowered.startswith(("age=", "in_")):
            raise self.unsupported(f"the character property {{{name}}}")
        try:
            import regex
        except ModuleNotFoundError:  # decided when the expression is compiled
            return
        try:
            if "=" in plain or ":" in plain or lowered.startswith("is"):
                raise regex.error("not a name of Ruby's")
            regex.compile(f"\\p{{{plain}}}")
        except regex.error:
            raise self.fail(f"invalid character property name {{{name}}}") from None
