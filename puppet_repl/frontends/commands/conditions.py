"""``:why``, and conditions that have to hold, of values and of the catalog.

``:why`` explains one condition or choice, and tests several conditions, or values of a type.
When conditions are tested, all other statements prepare values and resources for the conditions.
They run first, together, as the last input of a catalog, so that Puppet's errors are found.
Everything is rolled back.
"""

from __future__ import annotations

import re
from functools import partial

from puppet_repl.base.errors import NO_TIME, PuppetError
from puppet_repl.base.matching import is_one_off, is_swapped
from puppet_repl.base.recursion import deep_calls
from puppet_repl.frontends.commands.code import match, split_values, wanted_code
from puppet_repl.frontends.commands.decisions import (
    EvaluationStopped,
    Explanation,
    explain,
    heredoc_bodies,
)
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.calls import STATEMENT_CALLS
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.scalar import BOOLEAN
from puppet_repl.language.types.text.mismatch import value_mismatch
from puppet_repl.tools.advice.facts import missing_facts
from puppet_repl.tools.reports.parts import (
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.host.command_model import Call
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session

    Row = tuple[Cell | CodeCell | ValueCell, ...]

HOLDS = Cell("yes", "ok")
FAILS = Cell("no", "bad")
NOTHING = Cell("")
_NOT_YET = Cell("not yet", "bad")
_AS_ABOVE = Cell("as above", "dim")
_SEPARATOR = re.compile(r"\s*;")
_TEXT = re.compile(r"[^\n]")
_GUESS = re.compile(r"did you mean \$?([\w:]+)\?")
_SUBJECT = "it"
_NO_RESOURCE = "UNKNOWN_RESOURCE"
_NOT_FOUND = "not found: "
_OF_MODULE = " belongs to the module "
# Kind of an unknown name -> the advice about it in a notebook.
_RUN_FIRST = "run the cell above first"
_ADVICE = {
    "variable": f"no cell has given it a value yet; {_RUN_FIRST}",
    "class": f"no cell has defined it yet; {_RUN_FIRST}",
    "function": f"no cell has defined it yet; {_RUN_FIRST}",
    "resource type": f"no cell has defined it yet; {_RUN_FIRST}",
    "type": f"no cell has defined it yet; {_RUN_FIRST}",
}
_PREPARATIONS = (
    ast.AssignmentExpression,
    ast.BlockExpression,
    ast.CaseExpression,
    ast.CollectExpression,
    ast.FunctionDefinition,
    ast.HostClassDefinition,
    ast.IfExpression,
    ast.NodeDefinition,
    ast.RelationshipExpression,
    ast.ResourceDefaultsExpression,
    ast.ResourceExpression,
    ast.ResourceOverrideExpression,
    ast.ResourceTypeDefinition,
    ast.TypeAlias,
    ast.TypeDefinition,
    ast.TypeMapping,
    ast.UnlessExpression,
)
# Functions that are called for what they do, not for what they return.
_PREPARING = STATEMENT_CALLS | {
    "create_resources",
    "each",
    "ensure_packages",
    "ensure_resource",
    "ensure_resources",
    "reverse_each",
    "stdlib::ensure_packages",
    "tree_each",
}


# What the first operand is if the others may be values to match.
_MAY_BE_TYPE = (ast.QualifiedReference, ast.AccessExpression, ast.VariableExpression)
_CHOICES = (
    ast.AssignmentExpression,
    ast.CaseExpression,
    ast.IfExpression,
    ast.UnlessExpression,
)


def why(call: Call) -> Report:
    """``:why EXPR``, ``:why CONDITION; ...`` or ``:why TYPE VALUE...``."""
    text = _without_semicolon(wanted_code(call))
    with deep_calls:
        found = match(call, text) if _may_match(text) else None
        if found is not None:
            return found
        source = Source(text)
        try:
            statements = _statements(source)
        except PuppetError as error:
            return Report(Failure(error))
        if call.host.stopped_stack is not None or _is_explained(statements):
            return explain(call, source, statements)
    return check_conditions(call.session, text)


def _may_match(text: str) -> bool:
    """Tell whether a text is several expressions, of which the first may be a type."""
    pieces = list(split_values(text))
    try:
        nodes = [parse(Source(piece)).body for piece in pieces]
    except PuppetError:
        return False
    return len(nodes) > 1 and isinstance(nodes[0], _MAY_BE_TYPE)


def _is_explained(statements: tuple[ast.Node, ...]) -> bool:
    """Tell whether the last statement is explained: a choice, or the only condition.

    What a condition says of declarations needs a complete catalog, so that it is tested.
    """
    *before, last = statements
    if isinstance(last, _CHOICES):
        return True
    prepared = all(isinstance(each, ast.AssignmentExpression) for each in before)
    return prepared and not _is_preparation(last)


def _statements(source: Source) -> tuple[ast.Node, ...]:
    """Return the statements of code. Raises PuppetError, and CommandError for none."""
    body = parse(source).body
    statements = body.statements if isinstance(body, ast.BlockExpression) else (body,)
    statements = tuple(each for each in statements if not isinstance(each, ast.Nop))
    if not statements:
        raise CommandError("nothing to check", "write conditions: $port == 80")
    return statements


def check_conditions(
    session: Session, code: str, name: str | None = None, *, is_cell: bool = False
) -> Report:
    """Return a report of the conditions in code; a failed condition has its actual value.

    A condition holds if its value is true. The report has failed if a condition does not hold.
    ``name`` is the name of the code in errors. With ``is_cell`` the report of an unknown name
    advises to run the cell above, or if the other statements need it, to write it there.
    """
    source = Source(_without_semicolon(code), name)
    with deep_calls:
        try:
            statements = _statements(source)
        except PuppetError as error:
            return Report(Failure(error))
        conditions = [each for each in statements if not _is_preparation(each)]
        if not conditions:
            raise CommandError("nothing to check", "write conditions: $port == 80")
        with session.temporarily():
            if len(conditions) < len(statements):
                error_before = _prepare(session, source, conditions, name)
                if error_before is not None:
                    missing = _missing(error_before, name) if is_cell else None
                    if missing is None:
                        return Report(Failure(error_before))
                    codes = [source.text[each.start : each.end] for each in conditions]
                    return Report(
                        _without_found((_NOT_YET, CodeCell(code)) for code in codes), missing
                    )
            return _report(session, source, conditions, is_cell=is_cell)


def _without_semicolon(code: str) -> str:
    """Return code without the semicolon at its end, where Puppet expects another statement."""
    return code.rstrip().removesuffix(";")


def is_for_effect(node: ast.Node) -> bool:
    """Tell whether a statement is there only for what it does: not for its value, as ``if``."""
    return _is_preparation(node) and not isinstance(node, _CHOICES)


def _is_preparation(node: ast.Node) -> bool:
    """Tell whether a statement is there for what it does: ``include`` is, ``defined()`` is not."""
    if isinstance(node, ast.CallNamedFunctionExpression):
        functor = node.functor
        return isinstance(functor, ast.QualifiedName) and functor.value in _PREPARING
    if isinstance(node, ast.CallMethodExpression):
        return isinstance(node.functor.right, ast.QualifiedName) and (
            node.functor.right.value in _PREPARING
        )
    return isinstance(node, _PREPARATIONS)


def _prepare(
    session: Session, source: Source, conditions: list[ast.Node], name: str | None
) -> PuppetError | None:
    """Run the other statements, at their places, with the checks of a catalog that is complete."""
    spans: list[tuple[int, int]] = []
    for condition in conditions:
        separator = _SEPARATOR.match(source.text, condition.end)
        end = condition.end if separator is None else separator.end()
        spans += [(condition.start, end), *heredoc_bodies(source, condition)]
    parts = []
    done = 0
    for start, end in sorted(spans):
        parts += [source.text[done:start], _TEXT.sub(" ", source.text[start:end])]
        done = end
    parts.append(source.text[done:])
    outcome = session.execute(_without_semicolon("".join(parts)), name, record=False, is_last=True)
    return session.finish_catalog(outcome).error


def _advice(error: PuppetError) -> list[str]:
    """Return the advice in a notebook for the error of an unknown name.

    There is none for a name inside of a function or a class, or for a variable of a class.
    """
    subject = error.subject
    is_inside = any(frame.name != "main" for frame in error.frames)
    if subject is None or is_inside or "::" in subject.name or subject.kind not in _ADVICE:
        return []
    return [_ADVICE[subject.kind]]


def _missing(error: PuppetError, cell: str | None) -> Complaint | None:
    """Return what to say of a name that the other statements of a cell need, and that is unknown.

    None for any other error, and if it comes from code of another cell.
    """
    if any(frame.file != cell for frame in error.frames):
        return None
    subject = error.subject
    hints: list[str] = []
    if error.code == _NO_RESOURCE:
        what = f"no {error.message.partition(_NOT_FOUND)[2]}"
    elif subject is not None and subject.kind in _ADVICE:
        what = f"nothing named {'$' if subject.kind == 'variable' else ''}{subject.name}"
        notes = _close_notes(error, subject.name)
        hints = [note for note in notes if _GUESS.fullmatch(note) or _OF_MODULE in note]
    else:
        return None
    return Complaint(f"{what} yet: write it in the cell above", "; ".join(hints) or None)


def _with_advice(error: PuppetError) -> tuple[str, ...]:
    """Return the notes of an error, below the advice for it.

    With that, another name is a guess that leads away, unless it is one letter off.
    """
    advice = _advice(error)
    if not advice or error.subject is None:
        return error.notes
    return (*advice, *_close_notes(error, error.subject.name))


def _close_notes(error: PuppetError, name: str) -> list[str]:
    """Return the notes of an error about a name, without guesses that are far from it."""
    return [
        note
        for note in error.notes
        if (guess := _GUESS.fullmatch(note)) is None
        or is_one_off(name, guess[1])
        or is_swapped(name, guess[1])
    ]


def _report(
    session: Session, source: Source, conditions: list[ast.Node], *, is_cell: bool
) -> Report:
    rows: list[Row] = []
    hints: list[str] = []
    told = ""
    for condition in conditions:
        explanation = Explanation(partial(session.execute, record=False), source)
        code = CodeCell(explanation.text(condition))
        try:
            value = explanation.condition(condition)
        except EvaluationStopped as stopped:
            if stopped.error.code == NO_TIME:
                return Report(*_table(rows), Failure(stopped.error))
            again = told == (told := _told(stopped.error, is_cell=is_cell))
            rows.append((FAILS, code, _AS_ABOVE if again else Cell(told)))
            continue
        if value is True:
            rows.append((HOLDS, code, NOTHING))
        else:
            rows.append((FAILS, code, _found(explanation, value)))
            hints += [hint for _, hint in missing_facts(session, condition)]
    remarks = [Message(hint, "dim") for hint in dict.fromkeys(hints)]
    return Report(*_table(rows), *remarks, _summary(rows))


def _told(error: PuppetError, *, is_cell: bool) -> str:
    """Return the message of an error for a table, with a hint where there is one."""
    hints = _with_advice(error) if is_cell else error.notes
    return f"{error.message} ({'; '.join(hints)})" if hints else error.message


def _found(explanation: Explanation, value: Value) -> Cell | ValueCell:
    """Return the actual value, from the comparison that has decided."""
    if explanation.last is None:
        return ValueCell(value) if value is False else Cell(_mismatch(BOOLEAN, value))
    operator, left, right = explanation.last
    if operator == "=~" and isinstance(right, PuppetType) and not right.accepts_value(left):
        return Cell(_mismatch(right, left))
    return ValueCell(right if operator == "in" else left)


def _mismatch(wanted: PuppetType, value: Value) -> str:
    problems = value_mismatch(_SUBJECT, wanted, value).split("\n")
    return "; ".join(text.strip().removeprefix(f"{_SUBJECT} has wrong type, ") for text in problems)


def _table(rows: list[Row]) -> list[Table]:
    if not rows:
        return []
    if all(row[0] is HOLDS for row in rows):
        return [_without_found([row[:2] for row in rows])]
    return [Table(("Holds", "Condition", "Found"), rows, whole=(1, 2))]


def _without_found(rows: Iterable[Row]) -> Table:
    return Table(("Holds", "Condition"), rows, whole=(1,))


def _summary(rows: list[Row]) -> Message | Complaint:
    failed = sum(row[0] is FAILS for row in rows)
    if not failed:
        few = {1: "the condition holds", 2: "both conditions hold"}
        return Message(few.get(len(rows), f"all {len(rows)} conditions hold"), "ok")
    if len(rows) == 1:
        return Complaint("the condition does not hold")
    verb = "does" if failed == 1 else "do"
    return Complaint(f"{failed} of {len(rows)} conditions {verb} not hold")
