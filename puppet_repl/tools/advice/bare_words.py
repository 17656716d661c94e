"""Checks of words without quotes, which are strings, for what is a variable or undef elsewhere."""

from __future__ import annotations

from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.nodes import bare, is_constant, string_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.advice.model import Context

_UNDEF = frozenset(("nil", "null"))
# What writes its arguments to the log, or ends with them: nobody passes a word for its own sake.
_LOGGING = frozenset(
    ("alert", "crit", "debug", "emerg", "err", "fail", "info", "notice", "warning")
)


def comparison(context: Context, node: ast.Node) -> None:
    """Warn of ``$x == null``, and of ``x == 5`` where there is a variable ``$x``."""
    assert isinstance(node, ast.ComparisonExpression)
    for side, other in ((node.left, node.right), (node.right, node.left)):
        word = bare(side)
        if not isinstance(word, ast.QualifiedName):
            continue
        if word.value in _UNDEF:
            message = f"{word.value} is a string here: no value is undef"
            context.warn("bare_word", word, message)
        elif is_constant(other):
            _variable(context, word)


def call(context: Context, node: ast.Node) -> None:
    """Warn of ``notice(x)`` where there is a variable ``$x``."""
    assert isinstance(node, ast.CallNamedFunctionExpression)
    if string_of(node.functor) in _LOGGING:
        for argument in node.arguments:
            if isinstance(argument, ast.QualifiedName):
                _variable(context, argument)


def _variable(context: Context, word: ast.QualifiedName) -> None:
    name = word.value
    if context.scope.has(name) or name in context.variables:
        context.warn("bare_word", word, f"{name} is a string here: the variable is ${name}")
