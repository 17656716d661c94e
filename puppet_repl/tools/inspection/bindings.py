"""Variables among the tokens of a text: where they are bound, and which one is compared."""

from __future__ import annotations

from puppet_repl.language.syntax.brackets import (
    OPENING,
    enclosing_bracket,
    outside_brackets,
    outside_brackets_backwards,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.scan import Scan, Token

# Tokens before a variable among which a list of parameters would begin.
MAX_PARAMETER_TOKENS = 80


class Comparison:
    """The variable whose value is compared with the next token.

    ``given`` are the words that it is compared with already, ``is_option`` says that the next
    token begins an option of case or of a selector.
    """

    __slots__ = ("given", "is_option", "variable")

    def __init__(self, variable: str, given: frozenset[str], *, is_option: bool) -> None:
        self.variable = variable
        self.given = given
        self.is_option = is_option


def comparison_at_end(scan: Scan, tokens: list[Token]) -> Comparison | None:
    """Return the comparison after tokens: ``$x ==``, ``$x in [``, ``case $x {``, ``$x ? {``."""
    if tokens and tokens[-1].operator in ("==", "!="):
        return _comparison(tokens, len(tokens) - 2, [])
    if not scan.brackets or not tokens:
        return None
    bracket, opening = scan.brackets[-1]
    sign = tokens[opening - 1].text if opening else ""
    inner = tokens[opening + 1 :]
    last = inner[-1].operator if inner else bracket
    if bracket == "[" and sign == "in" and last in ("[", ","):
        return _comparison(tokens, opening - 2, inner)
    if bracket == "{" and sign == "?" and last in ("{", ","):
        return _comparison(tokens, opening - 2, inner, is_option=True)
    is_case = opening > 1 and tokens[opening - 2].text == "case"
    if bracket == "{" and is_case and last in ("{", "}", ","):
        return _comparison(tokens, opening - 1, inner, is_option=True)
    return None


def _comparison(
    tokens: list[Token], at: int, inner: list[Token], *, is_option: bool = False
) -> Comparison | None:
    if at < 0 or tokens[at].kind != "variable":
        return None
    given = [
        inner[index].text
        for index, operator in outside_brackets(token.operator for token in inner)
        if not operator and (not index or inner[index - 1].operator != "=>")
    ]
    return Comparison(tokens[at].text[1:], frozenset(given), is_option=is_option)


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


def written_type(scan: Scan, name: str) -> str:
    """Return the type that a list of parameters gives a variable, the nearest one; or ''."""
    tokens = scan.all_tokens
    for index in range(len(tokens) - 1, 0, -1):
        if tokens[index].text != f"${name}" or not in_parameters(tokens, index):
            continue
        before = [token.operator for token in reversed(tokens[:index])]
        for distance, operator in outside_brackets_backwards(before):
            if operator in (",", "(", "|"):
                first = tokens[index - distance]
                return scan.text[first.start : tokens[index].start] if distance else ""
    return ""


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
