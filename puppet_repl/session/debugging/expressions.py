"""Expressions that are evaluated in frames: of code that is stopped, or of an error."""

from __future__ import annotations

from contextlib import contextmanager

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.recursion import deep_calls
from puppet_repl.language.compiler import compile_program
from puppet_repl.language.compiler.frames import lexical_frames, scope_of
from puppet_repl.language.runtime.scope import Scope
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate
from puppet_repl.session.execution import KeepingFailure
from puppet_repl.session.outcome import Outcome
from puppet_repl.session.transaction import Temporarily

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from puppet_repl.language.compiler import CompiledProgram
    from puppet_repl.language.compiler.failures import Failure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session.execution import Execution

# What a tree is made of that can change nothing and take no time to speak of.
_HARMLESS = frozenset(
    (
        ast.AccessExpression,
        ast.AndExpression,
        ast.ArithmeticExpression,
        ast.ComparisonExpression,
        ast.InExpression,
        ast.LiteralBoolean,
        ast.LiteralDefault,
        ast.LiteralFloat,
        ast.LiteralInteger,
        ast.LiteralList,
        ast.LiteralRegularExpression,
        ast.LiteralString,
        ast.LiteralUndef,
        ast.MatchExpression,
        ast.NotExpression,
        ast.OrExpression,
        ast.ParenthesizedExpression,
        ast.Program,
        ast.UnaryMinusExpression,
        ast.VariableExpression,
    )
)


def _tree_of(text: str, *, language: str, strict: str) -> ast.Program:
    """Return the tree of an expression. Raises PuppetError."""
    program = parse(Source(text))
    validate(program, language=language, strict=strict)
    if program.definitions:
        raise PuppetError(
            "Nothing can be defined here",
            source=program.source,
            start=program.definitions[0].at,
            end=program.definitions[0].end,
        )
    return program


class FrameExpression:
    """An expression, compiled, to be evaluated in frames."""

    __slots__ = ("_context", "_is_harmless", "_program")

    def __init__(self, text: str, context: Context) -> None:
        """Compile the text. Raises PuppetError."""
        options = context.options
        with deep_calls:
            tree = _tree_of(text, language=options.language, strict=options.strict)
            self._is_harmless = all(type(node) in _HARMLESS for node in tree.walk())
            self._program: CompiledProgram = compile_program(tree, context)
        self._context = context

    def evaluate(self, frame: FrameType | None) -> Outcome:
        """Evaluate it in a frame, or in the top scope; then undo its changes.

        Its log messages are in the outcome only. An interrupt passes through, also that of a
        deadline.
        """
        context = self._context
        with deep_calls:
            scope = context.top.local({}) if frame is None else scope_of(frame, context)
            if self._is_harmless:
                return self.run(scope)
            with Temporarily(context):
                return self.run(scope)

    def evaluate_after(self, failure: Failure, number: int) -> Outcome:
        """Evaluate it in a frame that an error has left; then undo its changes.

        Variables have the values from the time of the error. Functions and classes are those of the
        session after the failed input was rolled back.
        """
        context = self._context
        frame = failure.frames[number].frame
        with deep_calls, Temporarily(context):
            context.begin_input()
            scope = scope_of(frame, context)
            values = failure.lost()
            for each in reversed(lexical_frames(frame)):
                base = each.f_locals.get("scope")
                if isinstance(base, Scope):
                    values.update(failure.variables(base))
            values.update(scope.variables)
            scope.variables.update(values)
            return self.run(scope)

    def run(self, scope: Scope) -> Outcome:
        """Evaluate it in a scope, to which it may add variables."""
        context = self._context
        logs: list[tuple[str, str]] = []
        outer, log = context.scope, context.redirect_log(lambda *message: logs.append(message))
        context.scope = scope
        try:
            with KeepingFailure(context):
                return Outcome(self._program.evaluate(scope), logs)
        except PuppetError as error:
            return Outcome(logs=logs, error=error)
        finally:
            context.scope = outer
            context.redirect_log(log)


class Expressions:
    """The expressions of a debugger, for the session that an execution belongs to.

    They are evaluated in frames of the input that is running, or in those that the last error has
    left. Interrupts pass through.
    """

    __slots__ = ("_execution",)

    def __init__(self, execution: Execution) -> None:
        self._execution = execution

    def check(self, text: str) -> None:
        """Raise PuppetError for a text that ``compile`` would refuse; in any thread."""
        options = self._execution.options
        with deep_calls:
            _tree_of(text, language=options.language, strict=options.strict)

    def compile(self, text: str) -> FrameExpression:
        """Compile an expression, for use until the session is reset. Raises PuppetError."""
        return FrameExpression(text, self._execution.context)

    @contextmanager
    def evaluating_in(self, frame: FrameType) -> Iterator[Callable[[str], Outcome]]:
        """Give a function that evaluates expressions in a frame of the input that is running.

        As with inputs, each sees the variables that earlier ones have assigned, and may bind a name
        again. At the end of the block everything is undone.
        """
        context = self._execution.context
        assigned: dict[str, Value] = {}

        def evaluate(text: str) -> Outcome:
            scope = around.local(assigned).local({})
            try:
                return FrameExpression(text, context).run(scope)
            except PuppetError as error:
                return Outcome(error=error)
            finally:
                assigned.update(scope.variables)

        with deep_calls:
            around = scope_of(frame, context)
            with Temporarily(context):
                yield evaluate

    @property
    def failure(self) -> Failure | None:
        """The frames of the error that the last input ended with; None without, or if not kept."""
        return self._execution.context.failure

    def evaluate_failed(self, text: str, number: int) -> Outcome:
        """Evaluate an expression in a frame of ``failure``; the session does not change.

        It sees the variables that the frame had.
        """
        failure = self.failure
        if failure is None:
            return Outcome(error=PuppetError("there is no error to look at"))
        try:
            expression = self.compile(text)
        except PuppetError as error:
            return Outcome(error=error)
        return expression.evaluate_after(failure, number)
