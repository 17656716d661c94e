"""Lambdas and functions: their parameters, defaults, type checks and results.

def lambda_3(v_x, v_y=UNSET):
    if v_y is UNSET: v_y = <default>
    if not type(v_x) is int: closure.reject((v_x, v_y))
    ...
"""

from __future__ import annotations

import _ast

from puppet_repl.base.recursion import MISSES_DEPTH
from puppet_repl.language.compiler.build import (
    all_of,
    assign,
    attribute,
    call,
    compare,
    conditional,
    constant,
    expression,
    function,
    guarded,
    item,
    name,
    negation,
    returns,
    starred,
    tuple_of,
    type_is,
    walrus,
    when,
)
from puppet_repl.language.compiler.constants import spec_recipe
from puppet_repl.language.compiler.names import local_name
from puppet_repl.language.compiler.statements import emit_body
from puppet_repl.language.compiler.type_expressions import (
    accepts,
    constant_type,
    kind_of_type,
    native_class,
    value_recipe,
)
from puppet_repl.language.compiler.unit import Unit
from puppet_repl.language.runtime.closure import CallableSpec, ParameterSpec
from puppet_repl.language.runtime.declarations import Fixed
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from puppet_repl.language.compiler.build import Expr, Span, Stmt


_NAMES = 200


class EmittedClosure:
    """The Python names of a compiled closure: its function, its spec, and what gives its types."""

    __slots__ = ("function", "span", "spec", "types")

    def __init__(self, function: str, spec: str, types: str | None, span: Span) -> None:
        self.function = function
        self.spec = spec
        self.types = types
        self.span = span


def make_spec(
    unit: Unit, callee: str, node: ast.LambdaExpression | ast.FunctionDefinition
) -> CallableSpec:
    """Return the static description of a function or lambda."""
    parameters = tuple(
        [
            ParameterSpec(
                parameter.name, parameter.value is not None, parameter.captures_rest, parameter.at
            )
            for parameter in node.parameters
        ]
    )
    tree = unit.program.tree
    spec = CallableSpec(callee, parameters, tree, node.start, node.end, node.at)
    if spec.misplaced is None and parameters and _needs_values(unit, node.parameters):
        spec.misplaced = parameters[-1]
    return spec


def _needs_values(unit: Unit, parameters: Sequence[ast.Parameter]) -> bool:
    """Tell whether the last parameter takes the rest, at least one, and follows optional ones."""
    last = parameters[-1]
    if not last.captures_rest or last.type_expr is None:
        return False
    if all(parameter.value is None for parameter in parameters[:-1]):
        return False
    from puppet_repl.language.types.model.collection import ArrayType

    type_ = constant_type(unit.program, last.type_expr)
    return isinstance(type_, ArrayType) and type_.size is not None and type_.size.low > 0


def emit_closure(unit: Unit, node: ast.LambdaExpression) -> EmittedClosure:
    """Emit the function of a lambda in front of the current statement."""
    program = unit.program
    span = unit.span(node)
    made_spec = make_spec(unit, "lambda", node)
    spec = program.constant(made_spec, spec_recipe(made_spec), "lambda_")
    types = emit_signature_types(unit, node.parameters, node.return_type, span)
    inner = Unit(program, "lambda", unit, node)
    # Several names: Python keeps code in a table, in which it is found by name and body without the
    # line, and long programs may have the same lambda on very many lines.
    made = unit.temporary(f"lambda_body{program.number() % _NAMES}_")
    inner.closure_name = spec
    emit_function(inner, made, node, types, span, unit.statements)
    return EmittedClosure(made, spec, types, span)


def closure_value(made: EmittedClosure) -> Expr:
    """Return the Closure of an emitted lambda."""
    span = made.span
    parts = [name(made.function, span), name(made.spec, span)]
    if made.types is not None:
        parts.append(name(made.types, span))
    return call("Closure", parts, span)


def emit_signature_types(
    unit: Unit,
    parameters: Sequence[ast.Parameter],
    return_type: ast.Node | None,
    span: Span,
) -> str | None:
    """Emit a function that returns the types of parameters and result; None without any."""
    if return_type is None and all(parameter.type_expr is None for parameter in parameters):
        return None
    types = [parameter.type_expr for parameter in parameters] + [return_type]
    misplaced = _misplaced(parameters)
    if misplaced is not None:
        # A call fails there, so the later types are never evaluated.
        types[misplaced + 1 :] = [None] * (len(types) - misplaced - 1)
    program = unit.program
    known = [None if type_ is None else constant_type(unit.program, type_) for type_ in types]
    if all(type_ is None or fixed is not None for type_, fixed in zip(types, known, strict=True)):
        recipes = tuple([None if type_ is None else value_recipe(type_) for type_ in types])
        return program.constant(Fixed(tuple(known)), ("types", recipes), "types_")
    given = f"types_of_{program.number()}"
    inner = unit.sibling()
    values = [constant(None, span) if type_ is None else inner.lower(type_) for type_ in types]
    inner.statements.append(returns(tuple_of(values, span), span))
    unit.statements.append(function(given, (), inner.statements, span))
    return given


def _misplaced(parameters: Sequence[ast.Parameter]) -> int | None:
    """Return the index of the first mandatory parameter after optional ones, None without one."""
    optional = False
    for index, parameter in enumerate(parameters):
        if parameter.value is not None or parameter.captures_rest:
            optional = True
        elif optional:
            return index
    return None


def emit_function(
    inner: Unit,
    made: str,
    node: ast.LambdaExpression | ast.FunctionDefinition,
    types: str | None,
    span: Span,
    target: list[Stmt],
) -> None:
    """Emit ``def made(...)`` with checks and body into ``target``."""
    parameters = node.parameters
    rest: str | None = None
    names: list[str] = []
    defaults: list[Expr] = []
    last_of = {parameter.name: index for index, parameter in enumerate(parameters)}
    for index, parameter in enumerate(parameters):
        if parameter.captures_rest:
            rest = local_name(parameter.name)
            continue
        again = last_of[parameter.name] != index
        names.append(f"{index}_{parameter.name}" if again else local_name(parameter.name))
        if parameter.value is not None or defaults:
            defaults.append(name("UNSET", span))
    _emit_parameters(inner, parameters, types, span)
    if node.return_type is not None:
        inner.checks_result = _result_check(inner, node.return_type, types)
    head = inner.statements
    body: list[Stmt] = []
    inner.statements = body
    emit_body(inner, node.body, span)
    head = _entry(inner, made, names, rest, bool(defaults), span) + inner.prologue(span) + head
    handlers: list[tuple[str, Stmt]] = []
    ended = attribute("ended", "value", span)
    if _raises(inner, node.body, "next", deep=False):
        value = ended if inner.checks_result is None else inner.checks_result(ended, span)
        handlers.append(("NextSignal", returns(value, span)))
    if inner.kind == "function" and _raises(inner, node.body, "return", deep=True):
        handlers.append(("ReturnSignal", returns(ended, span)))
    if handlers:
        body = [guarded(body, handlers, span)]
    target.append(function(made, names, head + body, span, defaults=defaults, rest=rest))


def _entry(
    inner: Unit, made: str, names: list[str], rest: str | None, has_optional: bool, span: Span
) -> list[Stmt]:
    """Return code that makes a function run in the top scope, whoever calls it.

    The function checks the depth of calls that leave parameters out, if Python does not do so.
    """
    if inner.kind != "function" or inner.closure_name is None:
        return []
    arguments = [name(each, span) for each in names]
    if rest is not None:
        arguments.append(starred(name(rest, span), span))
    elsewhere = compare(attribute("C", "scope", span), "is not", name("TOP", span), span=span)
    enter = call("in_top_scope", [name("C", span), name(made, span), *arguments], span)
    head = [when(elsewhere, [returns(enter, span)], [], span)]
    if MISSES_DEPTH and (rest is not None or has_optional):
        check = expression(call("check_depth", [], span), span)
        if rest is None:
            left_out = compare(name(names[-1], span), "is", name("UNSET", span), span=span)
            check = when(left_out, [check], [], span)
        head.append(check)
    return head


def _raises(unit: Unit, body: ast.Node | None, signal: str, *, deep: bool) -> bool:
    """Tell whether a body may raise a signal: it names the function, or call()."""
    program = unit.program
    if body is None or not (program.mentions(signal) or program.mentions("call")):
        return False
    pending: list[ast.Node] = [body]
    while pending:
        part = pending.pop()
        if isinstance(part, ast.LambdaExpression) and not deep:
            continue
        if isinstance(part, ast.QualifiedName) and part.value in (signal, "call"):
            return True
        pending.extend(part.children())
    return False


def _emit_parameters(
    inner: Unit, parameters: Sequence[ast.Parameter], types: str | None, span: Span
) -> None:
    """Emit the evaluation of defaults, then the checks of types."""
    has_defaults = any(parameter.value is not None for parameter in parameters)
    checks_early = has_defaults and types is not None and inner.kind == "function"
    if checks_early and types is not None:
        _emit_early_checks(inner, parameters, types)
    for index, parameter in enumerate(parameters):
        target = local_name(parameter.name)
        if parameter.name in ("facts", "trusted", "server_facts"):
            reserved = call("reject_reserved", [constant(parameter.name, span)], span)
            inner.statements.append(expression(reserved, span))
        if has_defaults:
            inner.pending = tuple([later.name for later in parameters[index:]])
        if parameter.value is not None:
            inner.current_parameter = parameter.name
            where = inner.span(parameter)
            value = _default(inner, parameter.value, where)
            if parameter.captures_rest:
                value = call("rest_default", [value], where)
                test = call("wants_default", [name(target, where)], where)
            else:
                test = compare(name(target, where), "is", name("UNSET", where), span=where)
            inner.statements.append(when(test, [assign(target, value, where)], [], where))
        inner.bound[parameter.name] = "set"
        if parameter.captures_rest:
            inner.kinds[parameter.name] = "array"
        elif parameter.type_expr is not None:
            inner.kinds[parameter.name] = kind_of_type(inner, parameter.type_expr)
    inner.pending = ()
    if types is None:
        return
    for index, parameter in enumerate(parameters):
        if parameter.type_expr is None or (checks_early and parameter.value is None):
            continue
        where = inner.span(parameter)
        fits = _fits(inner, parameter, index, types, where)
        reject = _reject(inner, parameters, types, where)
        inner.statements.append(when(negation(fits, where), [reject], [], where))


def _default(inner: Unit, node: ast.Node, span: Span) -> Expr:
    """Return the expression of a default, whose match variables are nobody else's."""
    return inner.saved_match(node, lambda: inner.lower(node), span)


def _emit_early_checks(inner: Unit, parameters: Sequence[ast.Parameter], types: str) -> None:
    """Functions check the arguments that were given before they evaluate defaults."""
    for index, parameter in enumerate(parameters):
        if parameter.type_expr is None:
            continue
        where = inner.span(parameter)
        wrong = negation(_fits(inner, parameter, index, types, where), where)
        if parameter.value is not None and not parameter.captures_rest:
            given = compare(
                name(local_name(parameter.name), where), "is not", name("UNSET", where), span=where
            )
            wrong = all_of([given, wrong], where)
        inner.statements.append(when(wrong, [_reject(inner, parameters, types, where)], [], where))


def _fits(inner: Unit, parameter: ast.Parameter, index: int, types: str, span: Span) -> Expr:
    """Return the test that the value of a parameter is of its type."""
    value = name(local_name(parameter.name), span)
    assert parameter.type_expr is not None
    expected = item(call(types, [], span), index, span)
    if parameter.captures_rest:
        return call("fits_rest", [value, expected], span)
    return instance_test(inner, value, parameter.type_expr, expected, span)


def instance_test(
    inner: Unit, value: Expr, type_expr: ast.Node, expected: Expr, span: Span
) -> Expr:
    """Return the cheapest test that a value is an instance of a type expression."""
    native = native_class(type_expr)
    if native is not None:
        return type_is(value, (native,), span)
    check = accepts(inner, type_expr)
    if check is not None:
        return call(check, [value], span)
    return call("is_instance", [value, expected], span)


def _self(inner: Unit, types: str | None, span: Span) -> Expr:
    """Return the closure that an error is about."""
    assert inner.closure_name is not None
    parts = [constant(None, span), name(inner.closure_name, span)]
    if types is not None:
        parts.append(name(types, span))
    return call("Closure", parts, span)


def _reject(inner: Unit, parameters: Sequence[ast.Parameter], types: str, span: Span) -> Stmt:
    values: list[Expr] = []
    for parameter in parameters:
        value = name(local_name(parameter.name), span)
        values.append(starred(value, span) if parameter.captures_rest else value)
    target = attribute(_self(inner, types, span), "reject", span)
    return expression(call(target, [tuple_of(values, span)], span), span)


def _result_check(
    inner: Unit, return_type: ast.Node, types: str | None
) -> Callable[[Expr, Span], Expr]:
    """Return a function that wraps an expression in the check of the return type."""
    assert types is not None

    def check(value: Expr, span: Span) -> Expr:
        where = inner.span(return_type)
        if isinstance(value, _ast.Name):
            first: Expr = value
            again = name(value.id, span)
        else:
            temporary = inner.temporary()
            first, again = walrus(temporary, value, span), name(temporary, span)
        expected = item(call(types, [], where), -1, where)
        fits = instance_test(inner, first, return_type, expected, where)
        reject = call(attribute(_self(inner, types, where), "reject_result", where), [again], where)
        return conditional(fits, again, reject, span)

    return check
