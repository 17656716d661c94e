"""The call whose arguments are being typed."""

from __future__ import annotations

from puppet_repl.language.syntax.brackets import outside_brackets
from puppet_repl.language.syntax.scan import Scan

# Words before a parenthesis that are no calls.
_NO_CALL = frozenset(
    ("if", "unless", "case", "elsif", "and", "or", "in", "node", "class", "define")
)


class OpenCall:
    """A call whose arguments are being typed; ``argument`` is the index of the last."""

    __slots__ = ("argument", "is_method", "name")

    def __init__(self, name: str, argument: int, *, is_method: bool) -> None:
        self.name = name
        self.argument = argument
        self.is_method = is_method


def call_at(before: str) -> OpenCall | None:
    """Return the innermost call whose parentheses are open at the end of a text."""
    scan = Scan(before)
    if scan.where == "comment":
        return None
    tokens = scan.tokens
    for bracket, opening in reversed(scan.brackets):
        if bracket == "{":
            return None
        if bracket != "(" or opening == 0:
            continue
        name = tokens[opening - 1]
        if name.kind not in ("name", "type") or name.text in _NO_CALL:
            continue
        earlier = tokens[opening - 2].text if opening >= 2 else ""
        if earlier in ("function", "class", "define", "plan"):
            return None
        operators = (token.operator for token in tokens[opening + 1 :])
        argument = sum(operator == "," for _, operator in outside_brackets(operators))
        return OpenCall(name.text.removeprefix("::"), argument, is_method=earlier == ".")
    return None
