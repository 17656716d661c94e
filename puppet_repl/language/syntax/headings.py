"""The heading of a definition: its name and its parameters, as its manifest writes them."""

from __future__ import annotations

import re

from puppet_repl.language.syntax.brackets import outside_brackets, pieces_of, split_at_commas

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.source import Source

# A definition whose heading is longer is cut.
MAX_HEADING = 40_000
_PARAMETER = re.compile(
    r"(?P<type>.*?)\s*\*?\s*\$(?P<name>\w+)\s*(?:=\s*(?P<default>.*))?", re.DOTALL
)


def heading_of(source: Source, start: int) -> str:
    """Return a definition up to its body, on one line and without comments."""
    text = source.text[start : start + MAX_HEADING]
    pieces = [" " if piece.startswith(("#", "/*")) else piece for piece in pieces_of(text)]
    body = next((index for index, piece in outside_brackets(pieces) if piece == "{"), len(pieces))
    words = " ".join("".join(pieces[:body]).split())
    # The blanks inside of the outer brackets, and the comma before the last, which a list may have.
    return re.sub(r"\A([^(]*\() ", r"\1", re.sub(r",? (\)[^)]*)\Z", r"\1", words))


def parameter_texts(source: Source, start: int) -> list[str]:
    """Return the parameters of a definition, each with its type and its default value."""
    return split_at_commas(heading_of(source, start).partition("(")[2].rpartition(")")[0])


def declared_parameters(source: Source, start: int) -> dict[str, tuple[str, str]]:
    """Return type and default value of each parameter of a definition, '' for a missing one."""
    found: dict[str, tuple[str, str]] = {}
    for text in parameter_texts(source, start):
        match = _PARAMETER.fullmatch(text)
        if match is not None:
            found[match["name"]] = (match["type"], match["default"] or "")
    return found


def shortened_heading(heading: str, limit: int) -> str:
    """Return a heading with about ``limit`` characters, and say how many parameters are left out.

    Required parameters, which have no default value, come first. A result type, or the
    class that is inherited from, stays.
    """
    before, opening, rest = heading.partition("(")
    inside, closing, after = rest.rpartition(")")
    if len(heading) <= limit or not opening or not closing:
        return heading
    texts = split_at_commas(inside)
    kept: list[str] = []
    size = len(before) + len(after)
    for text in sorted(texts, key=_has_default):
        size += len(text) + 2
        if size > limit:
            break
        kept.append(text)
    missing = len(texts) - len(kept)
    shown = ", ".join([*kept, f"and {missing} more" if kept else f"{missing} parameters"])
    return f"{before}({shown}){after}" if missing else heading


def _has_default(parameter: str) -> bool:
    match = _PARAMETER.fullmatch(parameter)
    return match is not None and match["default"] is not None
