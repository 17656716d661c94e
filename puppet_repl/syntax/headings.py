"""The heading of a definition: its name and its parameters, as its manifest writes them."""

from __future__ import annotations

import re

from puppet_repl.syntax.brackets import outside_brackets, pieces_of, split_at_commas

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.syntax.source import Source

# A definition whose heading is longer is cut.
MAX_HEADING = 40_000


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


def declared_types(source: Source, start: int) -> dict[str, str]:
    """Return the types that the parameters of a definition are declared with, by their names."""
    types: dict[str, str] = {}
    for text in parameter_texts(source, start):
        declared, _, name = text.partition(" = ")[0].rpartition("$")
        types[name.strip()] = declared.strip(" *")
    return types
