"""Expressions that are evaluated where code stands still, in the middle of an input."""

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


def check_expression(text: str, *, language: str, strict: str) -> ast.Program:
    """Return the tree of an expression. Raises PuppetError for what is wrong with it."""
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
    """An expression, compiled, to be evaluated in frames of the input that is under way."""

    __slots__ = ("_context", "_is_harmless", "_program")

    def __init__(self, text: str, context: Context) -> None:
        """Compile the text. Raises PuppetError."""
        options = context.options
        with deep_calls:
            tree = check_expression(text, language=options.language, strict=options.strict)
            self._is_harmless = all(type(node) in _HARMLESS for node in tree.walk())
            self._program: CompiledProgram = compile_program(tree, context)
        self._context = context

    def evaluate(self, frame: FrameType | None) -> Outcome:
        """Return the outcome in a frame, or in the top scope; the input and the session stay.

        What the expression logs is in the outcome only. An interrupt passes through, also that of
        a deadline.
        """
        context = self._context
        with deep_calls:
            scope = context.top.local({}) if frame is None else scope_of(frame, context)
            if self._is_harmless:
                return self.run(scope)
            with Temporarily(context):
                return self.run(scope)

    def evaluate_after(self, failure: Failure, number: int) -> Outcome:
        """Return the outcome in a frame that an error has left; the session stays as it is.

        It has the variables that it had then. Functions and classes are those of the session, from
        which the failed input is gone.
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
        """Return the outcome in a scope, which keeps what is assigned."""
        context = self._context
        logs: list[tuple[str, str]] = []
        kept, context.keeps_failures = context.keeps_failures, False
        outer, log = context.scope, context.redirect_log(lambda *message: logs.append(message))
        context.scope = scope
        try:
            return Outcome(self._program.evaluate(scope), logs)
        except PuppetError as error:
            return Outcome(logs=logs, error=error)
        finally:
            context.keeps_failures = kept
            context.scope = outer
            context.redirect_log(log)


@contextmanager
def evaluating_in(frame: FrameType, context: Context) -> Iterator[Callable[[str], Outcome]]:
    """Give a function that evaluates expressions in a frame.

    As with inputs, each sees what those before it have assigned, and may bind a name again. At the
    end of the context nothing of them stays. An interrupt passes through.
    """
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


def evaluate_failed(text: str, context: Context, number: int) -> Outcome:
    """Return the outcome of an expression in a frame of the last error, by its number from 0."""
    failure = context.failure
    if failure is None:
        return Outcome(error=PuppetError("there is no error to look at"))
    try:
        expression = FrameExpression(text, context)
    except PuppetError as error:
        return Outcome(error=error)
    return expression.evaluate_after(failure, number)
