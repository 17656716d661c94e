"""Hints below a result that is probably not what was meant; errors have theirs in their notes."""

from __future__ import annotations

import re

from puppet_repl.advice.inputs import MAX_CHARACTERS, advise_input
from puppet_repl.advice.missing_facts import missing_facts
from puppet_repl.syntax import ast
from puppet_repl.syntax.calls import STATEMENT_CALLS
from puppet_repl.syntax.parser import parse
from puppet_repl.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.outcome import Outcome
    from puppet_repl.session import Session

_BRACKETS = "brackets_without_braces"
_OF_FACTS = frozenset(("legacy_facts", "dotted_fact"))
_STATEMENTS = (
    *(ast.IfExpression, ast.UnlessExpression, ast.CaseExpression, ast.RelationshipExpression),
    *(ast.CollectExpression, ast.ResourceExpression, ast.ResourceOverrideExpression),
    *(ast.ResourceDefaultsExpression, ast.NodeDefinition, ast.HostClassDefinition),
    *(ast.ResourceTypeDefinition, ast.FunctionDefinition, ast.TypeAlias, ast.TypeDefinition),
)
_LOGGING = frozenset(("alert", "crit", "emerg", "create_resources"))
_MAY_LACK_BRACES = re.compile(r'"[^"]*\$(?:::)?\w+(?:::\w+)*\[')


def hint_on_result(
    session: Session, text: str, outcome: Outcome, *, with_advice: bool = False
) -> str | None:
    """Return what was probably meant, None for nearly all inputs.

    ``with_advice`` says that what the rules of advice find is shown anyway.
    """
    if outcome.error is not None:
        return None
    if "facts" in text and len(text) <= MAX_CHARACTERS:
        for node, hint in missing_facts(session, parse(Source(text)).body):
            if not with_advice or not _is_warned_of(session, text, node):
                return hint
    if with_advice or _MAY_LACK_BRACES.search(text) is None:
        return None
    advice = [each for each in advise_input(session, text, "") if each.rule == _BRACKETS]
    return advice[0].message if advice else None


def shows_undef(text: str) -> bool:
    """Tell whether the value of a program, which has run, may be of interest though it is undef.

    That of a statement, such as ``notice('x')`` or ``if``, is not.
    """
    node = _last(text)
    if isinstance(node, ast.CallNamedFunctionExpression):
        functor: ast.Node | None = node.functor
    elif isinstance(node, ast.CallMethodExpression):
        functor = node.functor.right
    else:
        return node is not None and not isinstance(node, _STATEMENTS)
    name = functor.value if isinstance(functor, ast.QualifiedName) else ""
    return name not in STATEMENT_CALLS and name not in _LOGGING


def _last(text: str) -> ast.Node | None:
    body = parse(Source(text)).body
    if isinstance(body, ast.BlockExpression):
        return body.statements[-1]
    return None if isinstance(body, ast.Nop) else body


def _is_warned_of(session: Session, text: str, node: ast.Node) -> bool:
    """Tell whether a rule warns of the fact that an expression of a text names."""
    return any(
        each.rule in _OF_FACTS and node.start <= each.start < node.end
        for each in advise_input(session, text, "")
    )
