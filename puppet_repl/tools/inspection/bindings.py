"""Which variables of a text are bound where: by assignment, or as parameters."""

from __future__ import annotations

from puppet_repl.language.syntax.brackets import (
    OPENING,
    enclosing_bracket,
    outside_brackets_backwards,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.scan import Token

# Tokens before a variable among which a list of parameters would begin.
MAX_PARAMETER_TOKENS = 80


def is_binding(tokens: list[Token], index: int) -> bool:
    """Tell whether a variable is bound at its position: assigned, or a parameter."""
    following = tokens[index + 1].text if index + 1 < len(tokens) else ""
    before = tokens[index - 1] if index else None
    if following == "=":
        return True
    if before is None:
        return False
    if before.kind == "type" or before.text in ("|", "]", ",", "("):
        return following in (",", "|", ")", "") and in_parameters(tokens, index)
    return False


def in_parameters(tokens: list[Token], index: int) -> bool:
    """Tell whether a token is between bars, or in the parentheses of a definition."""
    first = max(index - MAX_PARAMETER_TOKENS, 0)
    before = tokens[first:index]
    distance = enclosing_bracket(token.operator for token in reversed(before))
    opening = -1 if distance is None else index - 1 - distance
    bar = last_bar(tokens, max(opening + 1, first), index)
    if bar is None:
        return (
            opening >= 2
            and tokens[opening].text == "("
            and tokens[opening - 2].text in ("function", "class", "define")
        )
    before_bar = tokens[bar - 1] if bar else None
    return (
        before_bar is None
        or before_bar.text in (")", "{", "}")
        or before_bar.kind in ("name", "operator")
    )


def last_bar(tokens: list[Token], begin: int, end: int) -> int | None:
    """Return the index of the last bar of a range that is in no bracket closed in it.

    Text before a bracket that is open at the end of the range does not count.
    """
    before = (token.operator for token in reversed(tokens[begin:end]))
    for index, operator in outside_brackets_backwards(before):
        if operator == "|":
            return end - 1 - index
        if operator in OPENING:
            return None
    return None
