"""Hints below a result that was probably not intended; hints for errors are in their notes."""

from __future__ import annotations

from puppet_repl.base.patterns import LatePattern
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.calls import STATEMENT_CALLS
from puppet_repl.tools.advice.facts import missing_facts
from puppet_repl.tools.advice.inputs import MAX_CHARACTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.shared.entry_run import Run
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
_MAY_LACK_BRACES = LatePattern(r'"[^"]*\$(?:::)?\w+(?:::\w+)*\[')


def hint_on_result(session: Session, run: Run, *, with_advice: bool = False) -> str | None:
    """Return a hint about the result of an input, None for nearly all inputs.

    ``with_advice`` says that the findings of the rules of advice are shown anyway.
    """
    if run.outcome.error is not None or len(run.text) > MAX_CHARACTERS:
        return None
    if "facts" in run.text and run.program is not None:
        for node, hint in missing_facts(session, run.program.body):
            if not with_advice or not _is_warned_of(session, run, node):
                return hint
    if with_advice or _MAY_LACK_BRACES.search(run.text) is None:
        return None
    advice = [each for each in run.advice(session) if each.rule == _BRACKETS]
    return advice[0].message if advice else None


def shows_undef(run: Run) -> bool:
    """Tell whether the value of an entry may be of interest though it is undef.

    That of a statement, such as ``notice('x')`` or ``if``, is not.
    """
    node = run.last_statement
    if isinstance(node, ast.CallNamedFunctionExpression):
        functor: ast.Node | None = node.functor
    elif isinstance(node, ast.CallMethodExpression):
        functor = node.functor.right
    else:
        return node is not None and not isinstance(node, _STATEMENTS)
    name = functor.value if isinstance(functor, ast.QualifiedName) else ""
    return name not in STATEMENT_CALLS and name not in _LOGGING


def _is_warned_of(session: Session, run: Run, node: ast.Node) -> bool:
    """Tell whether a rule warns of the fact that an expression of an entry names."""
    return any(
        each.rule in _OF_FACTS and node.start <= each.start < node.end
        for each in run.advice(session)
    )
