"""``:check``: conditions that have to hold, of values and of the catalog.

Assignments, declarations and definitions among them prepare what the conditions below are about.
All of it is rolled back afterwards, so that a check can be repeated.
"""

from __future__ import annotations

from puppet_repl.base.wording import counted
from puppet_repl.commands.code import wanted_code
from puppet_repl.commands.results import (
    Cell,
    CodeCell,
    CommandError,
    Complaint,
    Failure,
    Message,
    Report,
    Table,
    ValueCell,
)
from puppet_repl.commands.why import EvaluationStopped, Explanation
from puppet_repl.errors import PuppetError
from puppet_repl.syntax import ast
from puppet_repl.syntax.calls import STATEMENT_CALLS
from puppet_repl.syntax.parser import parse
from puppet_repl.syntax.source import Source
from puppet_repl.types.model.base import PuppetType
from puppet_repl.types.text.mismatch import value_mismatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.commands.model import Call
    from puppet_repl.session import Session
    from puppet_repl.values.protocols import Value

    Row = tuple[Cell | CodeCell | ValueCell, ...]

HOLDS = Cell("yes", "ok")
FAILS = Cell("no", "bad")
NOTHING = Cell("")
_SUBJECT = "it"
_PREPARATIONS = (
    ast.AssignmentExpression,
    ast.CollectExpression,
    ast.FunctionDefinition,
    ast.HostClassDefinition,
    ast.RelationshipExpression,
    ast.ResourceDefaultsExpression,
    ast.ResourceExpression,
    ast.ResourceOverrideExpression,
    ast.ResourceTypeDefinition,
    ast.TypeAlias,
)


def check(call: Call) -> Report:
    """``:check CODE``."""
    return check_conditions(call.session, wanted_code(call))


def check_conditions(session: Session, code: str, name: str | None = None) -> Report:
    """Return which conditions in code hold, and what was found instead of the others.

    The report has failed where one does not hold. ``name`` is what errors call the code.
    """
    source = Source(code, name)
    try:
        body = parse(source).body
    except PuppetError as error:
        return Report(Failure(error))
    statements = body.statements if isinstance(body, ast.BlockExpression) else (body,)
    rows: list[Row] = []
    with session.temporarily():
        for statement in statements:
            explanation = Explanation(session, source)
            if _is_preparation(statement):
                outcome = session.execute(explanation.program(statement), name, record=False)
                if outcome.error is not None:
                    return Report(*_table(rows), Failure(outcome.error))
            else:
                rows.append(_row(explanation, statement))
    if not rows:
        raise CommandError("nothing to check", "write conditions, one to a line: $port == 80")
    return Report(*_table(rows), _summary(rows))


def _is_preparation(node: ast.Node) -> bool:
    """Tell whether a statement is there for what it does: ``include`` is, ``defined()`` is not."""
    if isinstance(node, ast.CallNamedFunctionExpression):
        functor = node.functor
        return isinstance(functor, ast.QualifiedName) and functor.value in STATEMENT_CALLS
    return isinstance(node, _PREPARATIONS)


def _row(explanation: Explanation, condition: ast.Node) -> Row:
    code = CodeCell(explanation.text(condition))
    try:
        value = explanation.condition(condition)
        if value is not None and value is not False:
            return HOLDS, code, NOTHING
        return FAILS, code, _found(explanation, condition, value)
    except EvaluationStopped as stopped:
        return FAILS, code, Cell(stopped.error.message)


def _found(explanation: Explanation, condition: ast.Node, value: Value) -> Cell | ValueCell:
    """Return what stands in the place of what was expected."""
    if isinstance(condition, ast.MatchExpression) and condition.operator == "=~":
        wanted = explanation.evaluate(condition.right)
        if isinstance(wanted, PuppetType):
            text = value_mismatch(_SUBJECT, wanted, explanation.evaluate(condition.left))
            problems = text.replace(f"{_SUBJECT} has wrong type, ", "").split("\n")
            return Cell("; ".join(map(str.strip, problems)))
    if isinstance(condition, ast.InExpression):
        return ValueCell(explanation.evaluate(condition.right))
    if explanation.rows:
        # The comparison that has decided is the last one.
        found = explanation.rows[-1][0]
        return Cell(found) if isinstance(found, str) else found
    return ValueCell(value)


def _table(rows: list[Row]) -> list[Table]:
    return [Table(("Holds", "Condition", "Found"), rows, whole=(1, 2))] if rows else []


def _summary(rows: list[Row]) -> Message | Complaint:
    failed = sum(row[0] is FAILS for row in rows)
    if not failed:
        few = {1: "the condition holds", 2: "both conditions hold"}
        return Message(few.get(len(rows), f"all {len(rows)} conditions hold"), "ok")
    verb = "does" if failed == 1 else "do"
    return Complaint(f"{failed} of {counted(len(rows), 'condition')} {verb} not hold")
