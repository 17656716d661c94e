"""The parameters of a program that somebody else may set: its assignments, one a line."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session


_LITERALS = frozenset(
    (
        *(ast.LiteralBoolean, ast.LiteralDefault, ast.LiteralFloat, ast.LiteralInteger),
        *(ast.LiteralString, ast.LiteralUndef, ast.LiteralRegularExpression),
        *(ast.LiteralList, ast.LiteralHash, ast.KeyedEntry, ast.UnaryMinusExpression),
    )
)


class ProgramParameter:
    """A variable, the text and the type of its assigned value, and the comment after it.

    The type is '' unless the value is a literal: no code runs to list parameters.
    """

    __slots__ = ("comment", "name", "type", "value")

    def __init__(self, name: str, value: str, type_text: str, comment: str) -> None:
        self.name = name
        self.value = value
        self.type = type_text
        self.comment = comment


def program_parameters(session: Session, text: str) -> list[ProgramParameter]:
    """Return the parameters of a program, none for one that is not well formed."""
    try:
        body = parse(Source(text)).body
    except PuppetError:
        return []
    statements = body.statements if isinstance(body, ast.BlockExpression) else (body,)
    found = []
    for node in statements:
        if isinstance(node, ast.AssignmentExpression) and isinstance(
            node.left, ast.VariableExpression
        ):
            value = text[node.right.start : node.right.end]
            rest = text[node.end :].split("\n", 1)[0].strip()
            comment = rest[1:].strip() if rest.startswith("#") else ""
            found.append(ProgramParameter(node.left.name, value, _type_of(session, value), comment))
    return found


def _type_of(session: Session, value: str) -> str:
    outcome = session.execute(f"type({value}, generalized)", record=False)
    return "" if outcome.error is not None else str(session.describe(outcome.value)["str"])
