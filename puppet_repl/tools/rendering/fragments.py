"""Styled text: lists of ``(style, text)``, and their conversion to plain text and ANSI.

A style is a role rather than a colour: a word of the table below, or ''. The terminal maps roles
to the colours of its theme; elsewhere the sixteen ANSI colours are used.
"""

from __future__ import annotations

from puppet_repl.base.safe_text import visible_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Fragment = tuple[str, str]

# Role -> SGR parameters.
PALETTE = {
    "string": "32",
    "number": "36",
    "keyword": "35",
    "type": "33",
    "regex": "31",
    "variable": "36",
    "function": "34",
    "attribute": "",
    "operator": "",
    "punctuation": "",
    "comment": "2;3",
    "dim": "2",
    "heading": "1",
    "error": "1;31",
    "caret": "31",
    "warning": "33",
    "notice": "36",
    "info": "32",
    "debug": "2",
    "ok": "32",
    "bad": "31",
    "hint": "36",
    "prompt": "1;34",
}


def plain(fragments: Iterable[Fragment]) -> str:
    """Return the text without styles, in which every character can be seen."""
    return "".join([visible_lines(text) for _, text in fragments])


def raw(fragments: Iterable[Fragment]) -> str:
    """Return the text without styles as it is, to be measured or evaluated but not shown."""
    return "".join([text for _, text in fragments])


def shown(fragments: Iterable[Fragment]) -> list[Fragment]:
    """Return fragments in which every character can be seen."""
    return [(style, visible_lines(text)) for style, text in fragments]


def ansi(fragments: Iterable[Fragment], palette: Mapping[str, str] = PALETTE) -> str:
    """Return the text with ANSI colours; no style spans a line end, every character can be seen."""
    parts: list[str] = []
    for style, text in shown(fragments):
        codes = palette.get(style, "")
        if not codes or not text:
            parts.append(text)
            continue
        opening = f"\x1b[{codes}m"
        parts.append(
            "\n".join(f"{opening}{line}\x1b[0m" if line else "" for line in text.split("\n"))
        )
    return "".join(parts)


def lines(fragments: Iterable[Fragment]) -> Iterator[list[Fragment]]:
    """Yield the fragments of each line, without line ends."""
    line: list[Fragment] = []
    for style, text in fragments:
        first, *others = text.split("\n")
        if first:
            line.append((style, first))
        for piece in others:
            yield line
            line = [(style, piece)] if piece else []
    yield line


def joined(parts: Iterable[list[Fragment]], separator: str = "\n") -> list[Fragment]:
    """Join several lists to one, with a separator between them."""
    result: list[Fragment] = []
    for number, part in enumerate(parts):
        if number:
            result.append(("", separator))
        result.extend(part)
    return result
