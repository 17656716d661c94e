"""Write any texts, such as names and paths, as parts of Markdown."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"[\\`*\[\]<>&~|#$]|(?<!\w)_|_(?!\w)")
_BREAKS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


def one_line(text: str) -> str:
    """Return a text with blanks for its line breaks."""
    return _BREAKS.sub(" ", text)


def escaped(text: str) -> str:
    """Return a text for a line of Markdown, where it means itself."""
    return _SPECIAL.sub(r"\\\g<0>", one_line(text))


def code_span(text: str) -> str:
    """Return a text as code in a line."""
    text = one_line(text)
    fence = "`" * _longer_than_all(text, 1)
    blank = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def fenced(text: str, language: str = "") -> str:
    """Return a text as a block of code."""
    fence = "`" * _longer_than_all(text, 3)
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{fence}{language}\n{text}{end}{fence}\n"


def _longer_than_all(text: str, least: int) -> int:
    """Return a number of backticks that no run of them in a text has."""
    return max([least, *[len(each) + 1 for each in re.findall("`+", text)]])
