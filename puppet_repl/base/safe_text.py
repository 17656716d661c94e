"""Text that is safe to show in a terminal, and text that can be sent as UTF-8.

Puppet values, titles, comments, names of files and messages may hold any character. Three kinds of
them must not reach a terminal: controls, which it would obey; bidirectional controls, which reorder
the text after them (CVE-2021-42574); and invisible characters.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Zero-width joiners build emoji and the letters of some scripts, where they follow such a letter.
JOINERS = "\u200c\u200d"
# Format characters that have a shape of their own: signs before or below numbers.
_SEEN = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
# Characters that nothing shows (Default_Ignorable_Code_Point), and that are printable for Python:
# fillers and a joiner without a shape, and selectors of variants, which can carry any data.
_UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
# Those that no version of Unicode has given a meaning yet, the first and the last.
_RESERVED = (("\u2065", "\u2065"), ("\ufff0", "\ufff8"), ("\U000e0000", "\U000e0fff"))
# The selectors that make text or a picture of a sign, and the signs that are not symbols.
EMOJI_SELECTORS = "\ufe0e\ufe0f"
_EMOJI_SIGNS = "\u203c\u2049\u2139\u3030"
_KEY_SIGNS = "0123456789#*"
_KEYCAP = "\u20e3"
_FIRST_PICTURE = 0x2400
_PICTURE_OF_DELETE = "␡"
_REPLACEMENT = "\ufffd"


def is_visible(text: str) -> bool:
    """Tell whether every character of a line can be seen: ``visible`` changes nothing."""
    if not text.isprintable():
        return False
    return text.isascii() or _UNSEEN.isdisjoint(text) or _replaced(text, "", _shown) == text


def visible(text: str) -> str:
    r"""Return a line in which every character can be seen; tabs remain.

    C0 controls, line ends among them, become pictures (␛), lone surrogates U+FFFD, and other
    controls, format characters, separators of lines and characters without a shape what Puppet
    writes for them: ``\u{202E}``. Joiners and the selectors of emoji remain where they belong to
    a letter or a sign. The result of this function is unchanged by it.
    """
    if is_visible(text):
        return text
    return _replaced(text, "\t", _shown)


def visible_lines(text: str) -> str:
    """Return a text of several lines in which every character can be seen; see ``visible``."""
    if is_visible(text):
        return text
    return "\n".join([visible(line) for line in text.split("\n")])


def visible_json(text: str) -> str:
    """Return a text in JSON that means the same, and in which every character can be seen."""
    if is_visible(text):
        return text
    lines = text.split("\n")
    return "\n".join(
        [each if is_visible(each) else _replaced(each, "", _json_escape) for each in lines]
    )


def to_wire(text: str) -> str:
    """Return a text that UTF-8 can encode: surrogates are paired, lone ones become U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def to_wire_data(value: Any) -> Any:
    """Return data of dicts, lists, tuples and scalars with each text, keys too, as ``to_wire``."""
    if isinstance(value, str):
        return to_wire(value)
    if isinstance(value, dict):
        return {to_wire_data(key): to_wire_data(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_wire_data(item) for item in value]
    return value


def _replaced(text: str, kept: str, replacement: Callable[[str], str]) -> str:
    """Return a text with a replacement for each character that cannot be seen and is not kept."""
    return "".join(
        [
            character
            if character in kept or _is_seen(character, text, index)
            else replacement(character)
            for index, character in enumerate(text)
        ]
    )


def _is_seen(character: str, text: str, index: int) -> bool:
    """Tell whether a character of a text is safe to show as it is."""
    if character in _UNSEEN:
        return character in EMOJI_SELECTORS and _is_emoji(text, index)
    if character.isprintable():
        return True
    if character in JOINERS:
        return text[index - 1 : index] > "\x7f"
    if character < "\xa0" or "\ud800" <= character <= "\udfff":
        return False
    if any(first <= character <= last for first, last in _RESERVED):
        return False
    from unicodedata import category

    # The others that Python calls not printable are blanks, private or younger than its tables.
    return category(character) not in ("Cf", "Zl", "Zp") or character in _SEEN


def _is_emoji(text: str, index: int) -> bool:
    """Tell whether the character before an index may have a selector of emoji."""
    from unicodedata import category

    before = text[index - 1] if index else ""
    if before > "\x7f":
        return category(before).startswith("S") or before in _EMOJI_SIGNS
    return before != "" and before in _KEY_SIGNS and text[index + 1 : index + 2] == _KEYCAP


def _shown(character: str) -> str:
    """Return what a terminal shows for a character that cannot be seen."""
    number = ord(character)
    if number < 0x20:
        return chr(_FIRST_PICTURE + number)
    if number == 0x7F:
        return _PICTURE_OF_DELETE
    return _REPLACEMENT if 0xD800 <= number < 0xE000 else f"\\u{{{number:X}}}"


def _json_escape(character: str) -> str:
    """Return the escape of a character in JSON: surrogates for one above U+FFFF."""
    number = ord(character)
    if number > 0xFFFF:
        high, low = divmod(number - 0x10000, 0x400)
        return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
    return f"\\u{number:04x}"
