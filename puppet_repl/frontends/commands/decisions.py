"""``:why``: which option of a case or a selector matched, and what made a condition false.

The parts of the expression are evaluated one by one, in Puppet's order and no further than Puppet
evaluates them, with the comparisons of the runtime. The session is rolled back afterwards.
"""

from __future__ import annotations

from puppet_repl.base.errors import Frame, PuppetError
from puppet_repl.frontends.commands.isolated_code import aside
from puppet_repl.language.runtime.comparison import any_option_matches, option_matches
from puppet_repl.language.syntax import ast
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.scalar import BOOLEAN
from puppet_repl.language.types.text.format import program_text
from puppet_repl.language.types.text.mismatch import value_mismatch
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import Pattern, ValueRange
from puppet_repl.tools.reports.parts import (
    Cell,
    Complaint,
    Failure,
    Message,
    Report,
    Table,
    ValueCell,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from puppet_repl.frontends.commands.isolated_code import Evaluate
    from puppet_repl.host.command_model import Call
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value

    Row = tuple[str | Cell | ValueCell, ...]

MAX_TEXT = 48
# Variables that take the operands of a comparison; they are rolled back with it.
LEFT, RIGHT = "$_left", "$_right"


class EvaluationStopped(Exception):
    """A part of the expression failed: the error of Puppet."""

    def __init__(self, error: PuppetError) -> None:
        super().__init__(str(error))
        self.error = error


def explain(call: Call, source: Source, statements: Sequence[ast.Node]) -> Report:
    """Explain the last one of some statements, after the others were run.

    The report of a condition has failed unless the value of the condition is true.
    """
    with aside(call) as evaluate:
        explanation = Explanation(evaluate, source)
        try:
            for statement in statements[:-1]:
                explanation.evaluate(statement)
            last = _inner(statements[-1])
            is_test = not isinstance(last, ast.AssignmentExpression)
            return explanation.explain(_of_assignment(last), is_test=is_test)
        except EvaluationStopped as stopped:
            return Report(*explanation.report().parts, Failure(stopped.error))


def _inner(node: ast.Node) -> ast.Node:
    """Return the expression inside of parentheses."""
    while isinstance(node, ast.ParenthesizedExpression):
        node = node.expr
    return node


def _of_assignment(node: ast.Node) -> ast.Node:
    """Return the expression inside of parentheses, and on the right of an assignment."""
    node = _inner(node)
    while isinstance(node, ast.AssignmentExpression):
        node = _inner(node.right)
    return node


class Explanation:
    """The comparisons that decide about a value, in the order in which they are made.

    ``evaluate`` returns the outcome of a part of the source. ``last`` has the operator and both
    operands of the last comparison.
    """

    def __init__(self, evaluate: Evaluate, source: Source) -> None:
        self._outcome_of = evaluate
        self.source = source
        self.rows: list[Row] = []
        self.conclusion = ""
        self.holds = True
        self.last: tuple[str, Value, Value] | None = None

    def text(self, node: ast.Node) -> str:
        """Return the code of a node."""
        return self.source.text[node.start : node.end]

    def short(self, node: ast.Node) -> str:
        """Return the code of a node, cut to a length that fits a table."""
        text = " ".join(self.text(node).split())
        return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"

    def program(self, node: ast.Node) -> str:
        """Return the code of a node, with the bodies of its heredocs, which are below it."""
        return self._program(self.text(node), node)

    def _program(self, code: str, node: ast.Node) -> str:
        bodies = [self.source.text[start:end] for start, end in heredoc_bodies(self.source, node)]
        return "\n".join((code, *bodies))

    def evaluate(self, node: ast.Node) -> Value:
        """Return the value of a part. Raises EvaluationStopped."""
        return self._value(self.program(node), node, ((0, node),))

    def _compare(self, node: ast.BinaryExpression, operator: str) -> tuple[Value, Value]:
        """Return left operand and value of a comparison; each operand is evaluated once."""
        left, right = self.text(node.left), self.text(node.right)
        before, between = f"[{LEFT} = ", f", {RIGHT} = "
        code = f"{before}{left}{between}{right}, {LEFT} {operator} {RIGHT}]"
        after_left = len(before) + len(left) + len(between)
        operands = ((len(before), node.left), (after_left, node.right))
        found: Any = self._value(self._program(code, node), node, operands)
        left_value, right_value, value = found
        self.last = operator, left_value, right_value
        return left_value, value

    def _value(self, code: str, node: ast.Node, parts: Sequence[tuple[int, ast.Node]]) -> Value:
        """Return the value of code for a node, in which ``parts`` of the source are at offsets.

        Raises EvaluationStopped; an error in the code is shown where the source has the same.
        """
        outcome = self._outcome_of(code)
        error = outcome.error
        if error is None:
            return outcome.value
        if error.source is not None and error.source.text == code and error.start is not None:
            self._move(error, error.source, node, parts)
        raise EvaluationStopped(error)

    def _move(
        self,
        error: PuppetError,
        ran: Source,
        node: ast.Node,
        parts: Sequence[tuple[int, ast.Node]],
    ) -> None:
        """Give an error, and the calls on the way to it, their locations in the source."""

        def shift_at(offset: int) -> int | None:
            for start, part in parts:
                if start <= offset < start + part.end - part.start:
                    return part.start - start
            return None

        assert error.start is not None
        shift = shift_at(error.start)
        start, end, focus = node.start, node.end, None
        if shift is not None:
            start, end = error.start + shift, (error.end or error.start) + shift
            focus = error.focus and (error.focus[0] + shift, error.focus[1] + shift)
        frames = []
        for frame in error.frames:
            if frame.file == ran.name and frame.column is not None:
                offset = ran.line_starts[frame.line - 1] + frame.column - 1
                moved = shift_at(offset)
                line, column = self.source.position(node.start if moved is None else offset + moved)
                frame = Frame(frame.name, frame.file, line, column, frame.skipped)
            frames.append(frame)
        error.frames, error.focus = tuple(frames), focus
        error.source, error.start, error.end = self.source, start, end
        error.line, error.column = self.source.position(start)

    def report(self) -> Report:
        """Return the comparisons so far."""
        report = Report()
        if self.rows:
            report.parts.append(Table(("Compared", "How", "With", "Result"), self.rows))
        if self.conclusion:
            conclusion = (
                Message(self.conclusion, "heading") if self.holds else (Complaint(self.conclusion))
            )
            report.parts.append(conclusion)
        return report

    def explain(self, node: ast.Node, *, is_test: bool) -> Report:
        """Explain one expression. Raises EvaluationStopped.

        With ``is_test`` the report of a condition has failed unless its value is true.
        """
        if isinstance(node, ast.CaseExpression):
            self._case(node)
        elif isinstance(node, ast.SelectorExpression):
            self._selector(node)
        elif isinstance(node, ast.IfExpression | ast.UnlessExpression):
            self._choice(node, "the first block")
        else:
            value = self.condition(node)
            self.holds = value is True or not is_test
            if not self.rows:
                shown = program_text(value)
                self.conclusion = f"{self.short(node)} is {shown}: no comparison was made"
            elif self.holds or value is False:
                self.conclusion = f"{self.short(node)} is {'true' if _truth(value) else 'false'}"
            else:
                self.conclusion = value_mismatch(self.short(node), BOOLEAN, value)
        return self.report()

    # Choices

    def _case(self, node: ast.CaseExpression) -> None:
        value = self.evaluate(node.test)
        line = self.source.position
        fallback: ast.CaseOption | None = None
        for option in node.options:
            for wanted in option.values:
                if isinstance(wanted, ast.LiteralDefault):
                    fallback = option
                elif self._option(value, wanted):
                    number = line(option.start)[0]
                    self.conclusion = f"the option {self.short(wanted)} (line {number}) matched"
                    return
        if fallback is not None:
            self.conclusion = "no option matched: default was selected"
        else:
            self.conclusion = "no option matched, and there is no default: the value is undef"

    def _selector(self, node: ast.SelectorExpression) -> None:
        value = self.evaluate(node.left)
        fallback = False
        for entry in node.selectors:
            if isinstance(entry.matching, ast.LiteralDefault):
                fallback = True
            elif self._option(value, entry.matching):
                self.conclusion = (
                    f"{self.short(entry.matching)} matched: the value is " + self.short(entry.value)
                )
                return
        if fallback:
            self.conclusion = "nothing matched: default was selected"
        else:
            self.conclusion = "nothing matched, and there is no default: that is an error"

    def _option(self, value: Value, option: ast.Node) -> bool:
        """Tell whether one option matches, and add a row."""
        if isinstance(option, ast.UnfoldExpression):
            wanted = self.evaluate(option.expr)
            options = wanted if type(wanted) is tuple else (wanted,)
            found = any_option_matches(value, options)
            how = "any of"
        else:
            wanted = self.evaluate(option)
            found = option_matches(value, wanted)
            how = comparison_of(value, wanted)
        matched = found is not False and found is not None
        self._row(value, how, self.short(option), matched)
        return matched

    def _choice(self, node: ast.IfExpression | ast.UnlessExpression, block: str) -> None:
        """Explain a condition; ``block`` names the statements that run if it is met."""
        value = bool(self.condition(node.test))
        wanted = isinstance(node, ast.IfExpression)
        text = f"{self.short(node.test)} is {'true' if value else 'false'}"
        if value == wanted:
            self.conclusion = f"{text}: {block} ran"
            return
        other = node.else_expr
        if isinstance(other, ast.IfExpression):
            self._choice(other, "the block of this elsif")
            self.conclusion = f"{text}; {self.conclusion}"
        elif other is None or isinstance(other, ast.Nop):
            self.conclusion = f"{text}, and there is no else: the value is undef"
        else:
            self.conclusion = f"{text}: else ran"

    # Conditions

    def condition(self, node: ast.Node) -> Value:
        """Return the value of a condition, and add a row for each comparison that decides it."""
        node = _inner(node)
        if isinstance(node, ast.AndExpression):
            return _truth(self.condition(node.left)) and _truth(self.condition(node.right))
        if isinstance(node, ast.OrExpression):
            return _truth(self.condition(node.left)) or _truth(self.condition(node.right))
        if isinstance(node, ast.NotExpression):
            return not _truth(self.condition(node.expr))
        if isinstance(node, ast.ComparisonExpression | ast.MatchExpression | ast.InExpression):
            operator = "in" if isinstance(node, ast.InExpression) else node.operator
            left, value = self._compare(node, operator)
            self._row(left, _words(operator, left), self.short(node.right), _truth(value))
            return value
        self.last = None
        value = self.evaluate(node)
        if isinstance(node, ast.LiteralBoolean | ast.LiteralString | ast.LiteralInteger):
            return value
        if isinstance(node, ast.VariableExpression | ast.AccessExpression) or _is_call(node):
            verdict = _verdict(_truth(value))
            self.rows.append((ValueCell(value), f"{self.short(node)} is", "", verdict))
        return value

    def _row(self, value: Value, how: str, option: str, matched: bool) -> None:
        self.rows.append((ValueCell(value), how, Cell(option, "string"), _verdict(matched)))


def heredoc_bodies(source: Source, node: ast.Node) -> Iterator[tuple[int, int]]:
    """Yield the spans of the heredocs of a node that are below it, with the lines that end them.

    The end of the last line is not a part of a span.
    """
    for each in node.walk():
        if isinstance(each, ast.HeredocExpression) and each.text.start >= node.end:
            end = source.text.find("\n", each.text.end)
            yield each.text.start, len(source.text) if end < 0 else end


def _is_call(node: ast.Node) -> bool:
    return isinstance(node, ast.CallNamedFunctionExpression | ast.CallMethodExpression)


def _truth(value: Value) -> bool:
    """Tell whether a value is true: only undef and false are not."""
    return value is not None and value is not False


def _verdict(matched: bool) -> Cell:
    return Cell("yes", "ok") if matched else Cell("no", "bad")


def _words(operator: str, left: Value) -> str:
    if operator in ("==", "!=") and type(left) is str:
        return f"{operator} (case ignored)"
    if operator == "in" and type(left) is str:
        return "in (case ignored)"
    return operator


def comparison_of(value: Value, option: Value) -> str:
    """Return how a value is compared with an option of a case or selector."""
    kind = type(option)
    if kind is str:
        return "== (case ignored)" if type(value) is str else "== (not a String)"
    if isinstance(option, PuppetType):
        return "is a"
    if kind is tuple:
        return "== element by element"
    if kind is PuppetHash:
        return "== key by key"
    if isinstance(option, Pattern):
        return "=~" if type(value) is str else "=~ (not a String)"
    if isinstance(option, ValueRange):
        return "in the range"
    return "=="
