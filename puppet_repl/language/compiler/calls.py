"""Calls: of functions by name, as methods, of types; next() and return() where they end a body."""

from __future__ import annotations

import _ast

from puppet_repl.language.compiler.build import call, constant, name, tuple_of, with_span
from puppet_repl.language.compiler.closures import EmittedClosure, closure_value, emit_closure
from puppet_repl.language.compiler.literals import lower_items
from puppet_repl.language.compiler.static_kinds import kind_of
from puppet_repl.language.compiler.unit import READS_VARIABLES_BY_NAME
from puppet_repl.language.runtime import issues
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.compiler.build import Expr, Span
    from puppet_repl.language.compiler.constants import Recipe
    from puppet_repl.language.compiler.unit import Lowerings, Unit

    Call = ast.CallNamedFunctionExpression | ast.CallMethodExpression

_ITERATIONS = frozenset(("each", "map", "filter", "reduce", "any", "all"))


def lower_call(unit: Unit, node: ast.CallNamedFunctionExpression) -> Expr:
    """Lower ``f(a)`` and ``Type(a)``."""
    span = unit.span(node)
    functor = node.functor
    arguments = lower_items(unit, node.arguments)
    if isinstance(functor, ast.QualifiedName):
        return _call_named(unit, node, functor.value, arguments, span)
    if _is_type(functor):
        return _call_named(unit, node, "new", [unit.lower(functor), *arguments], span)
    if isinstance(functor, ast.RenderStringExpression):
        error = issues.illegal_epp_parameters()
        recipe: Recipe = ("issue", "illegal_epp_parameters", ())
    else:
        parts = (functor.label, "function name", node.label, "functor")
        error = issues.illegal_expression(*parts)
        recipe = ("issue", "illegal_expression", parts)
    return call("raise_issue", [unit.constant(error, recipe, span, "error_")], span)


def _is_type(functor: ast.Node) -> bool:
    if isinstance(functor, ast.AccessExpression):
        functor = functor.left
    return isinstance(functor, ast.QualifiedReference)


def lower_method(unit: Unit, node: ast.CallMethodExpression) -> Expr:
    """Lower ``x.f(a)``: a function with x before the other arguments, or a member of x."""
    span = unit.span(node)
    receiver = node.functor.left
    assert isinstance(node.functor.right, ast.QualifiedName)
    function = node.functor.right.value
    arguments = lower_items(unit, (receiver, *node.arguments))
    if _is_plain(unit, receiver):
        return _call_named(unit, node, function, arguments, span)
    quick = _iterate(unit, node, function, arguments, span)
    if quick is not None:
        return quick
    block = _block(unit, node)
    if _needs_locals(unit, function):
        return _call_with_locals(unit, function, arguments, block, span)
    known = unit.program.calls_builtin(function)
    target = unit.program.builtin_caller(function) if known else "None_"
    return call(
        "call_method",
        [
            name("C", span),
            name(target, span),
            constant(function, span),
            tuple_of(arguments, span),
            *_optional(block),
        ],
        span,
    )


def _is_plain(unit: Unit, node: ast.Node) -> bool:
    """Tell whether a value surely has no members of its own."""
    return kind_of(unit, node) is not None


def _block(unit: Unit, node: Call) -> Expr | None:
    return None if node.block is None else closure_value(emit_closure(unit, node.block))


def _optional(block: Expr | None) -> list[Expr]:
    return [] if block is None else [block]


def _call_named(unit: Unit, node: Call, function: str, arguments: list[Expr], span: Span) -> Expr:
    quick = _iterate(unit, node, function, arguments, span)
    if quick is not None:
        return quick
    function = function.removeprefix("::")
    block = _block(unit, node)
    if _needs_locals(unit, function):
        return _call_with_locals(unit, function, arguments, block, span)
    if unit.program.calls_builtin(function):
        target = name(unit.program.builtin_caller(function), span)
        return call(target, [name("C", span), tuple_of(arguments, span), *_optional(block)], span)
    if block is None and not any(isinstance(item, _ast.Starred) for item in arguments):
        caller = unit.program.caller(function, len(arguments))
        return call(caller, arguments, span)
    return call(
        "call_function",
        [constant(function, span), tuple_of(arguments, span), *_optional(block)],
        span,
    )


# Functions that read the caller's variables


def _needs_locals(unit: Unit, function: str) -> bool:
    return function in READS_VARIABLES_BY_NAME and (unit.kind != "scope" or unit.match is not None)


def _call_with_locals(
    unit: Unit, function: str, arguments: list[Expr], block: Expr | None, span: Span
) -> Expr:
    """Call with a scope that shows the local variables by name."""
    levels: list[Unit] = []
    level: Unit | None = unit
    while level is not None and level.kind != "scope":
        levels.append(level)
        level = level.parent
    names: list[Expr | None] = []
    values: list[Expr] = []
    for level in reversed(levels):
        for variable, state in level.bound.items():
            if state in ("set", "maybe") and variable not in level.pending:
                names.append(constant(variable, span))
                values.append(name(level.local(variable), span))
    local = with_span(_ast.Dict(names, values), span)
    match = name(unit.match, span) if unit.match is not None else constant(None, span)
    return call(
        "call_with_locals",
        [
            name("C", span),
            name(unit.scope, span),
            local,
            match,
            constant(function, span),
            tuple_of(arguments, span),
            *_optional(block),
        ],
        span,
    )


# Iteration


def _iterate(
    unit: Unit, node: Call, function: str, arguments: list[Expr], span: Span
) -> Expr | None:
    """Call the Python function of a lambda directly, where one is written on the spot."""
    block = node.block
    if (
        block is None
        or function not in _ITERATIONS
        or not 1 <= len(arguments) <= (2 if function == "reduce" else 1)
        or any(isinstance(item, _ast.Starred) for item in arguments)
        or unit.program.find_builtin(function) is None
    ):
        return None
    parameters = block.parameters
    wanted = len(parameters)
    if (
        not 1 <= wanted <= 2
        or (function == "reduce" and wanted != 2)
        or any(one.captures_rest or one.value is not None for one in parameters)
    ):
        return None
    helper = f"{function}_with{wanted}"
    if function == "reduce":
        growing = additions(block)
        unit.program.growing.update(map(id, growing))
        helper = "reduce_growing" if growing else "reduce_with"
    made = emit_closure(unit, block)
    return call(
        helper,
        [name("C", span), name(made.function, span), *_made_parts(made, span), *arguments],
        span,
    )


def _made_parts(made: EmittedClosure, span: Span) -> list[Expr]:
    types = constant(None, span) if made.types is None else name(made.types, span)
    return (
        [tuple_of([name(made.spec, span), types], span)] if made.types else [name(made.spec, span)]
    )


LOWERINGS: Lowerings = {
    ast.CallNamedFunctionExpression: lower_call,
    ast.CallMethodExpression: lower_method,
}


# A lambda of `reduce` may only add entries to a hash: `|$memo, $x| { $memo + { $x => 1 } }`. Each
# step would copy all entries. If only the addition can see the hash, it grows in place.


def additions(block: ast.LambdaExpression) -> list[ast.ArithmeticExpression]:
    """Return the additions that may change the accumulated hash, unless other code sees it.

    The first parameter may appear only in the results of the block: by itself, or before ``+`` and
    a literal hash.
    """
    memo, *others = [parameter.name for parameter in block.parameters]
    if memo in others or block.body is None:
        return []
    found: list[ast.ArithmeticExpression] = []
    alone = 0
    for result in _results(block.body):
        if _is_memo(result, memo):
            alone += 1
        elif (
            isinstance(result, ast.ArithmeticExpression)
            and result.operator == "+"
            and isinstance(result.right, ast.LiteralHash)
            and _is_memo(result.left, memo)
        ):
            found.append(result)
    return found if found and _mentions(block.body, memo) == alone + len(found) else []


def _is_memo(node: ast.Node, memo: str) -> bool:
    return isinstance(node, ast.VariableExpression) and node.name == memo


def _results(node: ast.Node | None) -> Iterator[ast.Node]:
    """Yield the expressions that give the value of a body."""
    if isinstance(node, ast.BlockExpression):
        if node.statements:
            yield from _results(node.statements[-1])
    elif isinstance(node, ast.ParenthesizedExpression):
        yield from _results(node.expr)
    elif isinstance(node, ast.IfExpression | ast.UnlessExpression):
        yield from _results(node.then_expr)
        yield from _results(node.else_expr)
    elif isinstance(node, ast.CaseExpression):
        for option in node.options:
            yield from _results(option.then_expr)
    elif node is not None:
        yield node


def _mentions(body: ast.Node, memo: str) -> int:
    """Return how often a variable is named; -1 if something may read it by its name."""
    count = 0
    pending: list[ast.Node] = [body]
    while pending:
        part = pending.pop()
        if _is_memo(part, memo):
            count += 1
        elif isinstance(part, ast.QualifiedName) and part.value in READS_VARIABLES_BY_NAME:
            return -1
        pending.extend(part.children())
    return count
