"""Checks of strings, variables and references."""

from __future__ import annotations

import re

from puppet_repl.catalog.core_types import NAMES
from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.nodes import bare, is_constant, string_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.advice.model import Context, Edit

_INTERPOLATION = re.compile(r"\$\{\s*(?:::)?(?P<name>[a-z_]\w*)\s*(?P<keys>\[[^\]]*\])*\s*\}")
# A text with one of these besides is probably code of a shell, which has such variables too.
_OF_SHELLS = re.compile(r"""[$`;|&<>()"\\\n]""")
_KEYS = re.compile(r"(?:\[\s*(?:'[^']*'|\"[^\"]*\"|\w+|\$\w+)\s*\])+")


def octal(context: Context, node: ast.Node) -> None:
    """Warn of octal numbers."""
    assert isinstance(node, ast.LiteralInteger)
    if node.radix == 8 and node.value > 7:
        written = context.written(node)
        message = f"{written} is an octal number, {node.value}: quote it where digits are meant"
        context.warn("octal_number", node, message)


def single_quoted(context: Context, node: ast.Node) -> None:
    """Warn of variables in single quotes that the program has."""
    assert isinstance(node, ast.LiteralString)
    if context.text[node.start : node.start + 1] != "'" or "${" not in node.value:
        return
    if _OF_SHELLS.search(_INTERPOLATION.sub("", node.value)):
        return
    for found in _INTERPOLATION.finditer(node.value):
        name = found["name"]
        if (name == "facts" and found["keys"]) or context.scope.has(name):
            break
    else:
        return
    message = f"single quotes leave {found[0]} as it is: write the string in double quotes"
    edits = _double_quoted(context, node)
    context.warn("single_quote_string_with_variables", node, message, *edits)


def _double_quoted(context: Context, node: ast.LiteralString) -> list[Edit]:
    """Return the edit of the quotes if all that looks like a variable is one."""
    value = node.value
    names = [found["name"] for found in _INTERPOLATION.finditer(value)]
    if context.written(node) != f"'{value}'" or value.count("$") != len(names):
        return []
    if not all(name == "facts" or context.scope.has(name) for name in names):
        return []
    return [(node.start, node.end, f'"{value}"')]


def interpolation(context: Context, node: ast.Node) -> None:
    """Warn of two dollar signs, and of brackets after a variable without braces."""
    assert isinstance(node, ast.ConcatenatedString)
    before_part = node.start
    for part in node.segments:
        if not isinstance(part, ast.TextExpression):
            continue
        opening = context.text.rfind("${", before_part, part.start)
        before_part = part.end
        written_at = context.start_of(part)
        has_braces = opening >= 0 and not context.text[opening + 2 : written_at].strip()
        start = opening if has_braces else written_at
        end = context.text.find("}", part.end) + 1 if has_braces else part.end
        before = context.text[max(start - 2, node.start) : start]
        if before.endswith("$") and before not in ("$$", "\\$"):
            message = "the first $ is part of the text: ${...} alone is the value"
            context.warn_span("double_dollar", start - 1, end, message)
        if not has_braces and isinstance(part.expr, ast.VariableExpression):
            _brackets(context, part)


def _brackets(context: Context, part: ast.TextExpression) -> None:
    keys = _KEYS.match(context.text, part.end)
    if keys is not None:
        start = context.start_of(part)
        name = context.text[start + 1 : part.end]
        message = (
            f"${name} is shown as a whole, then the text {keys[0]}: write ${{{name}{keys[0]}}}"
        )
        context.warn_span("brackets_without_braces", start, keys.end(), message)


def reference(context: Context, node: ast.Node) -> None:
    """Warn of references to resources in small letters."""
    assert isinstance(node, ast.AccessExpression)
    if not isinstance(node.left, ast.QualifiedName) or len(node.keys) != 1:
        return
    name = node.left.value
    if isinstance(node.keys[0], ast.LiteralInteger):
        return
    if name == "facts" or name == "trusted" or context.scope.has(name):
        wanted = f"${name}[...]"
    elif name.removeprefix("::") in NAMES or name in ("class", "concat", "stage"):
        wanted = "::".join(part.capitalize() for part in name.split("::")) + "[...]"
    else:
        return
    message = f"{name} is a string here: write {wanted}"
    context.warn("lowercase_reference", node, message)


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
