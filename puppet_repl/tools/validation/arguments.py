"""Checks of the arguments of calls: how many there are, and the literals among them.

Functions of Puppet and functions in the Puppet language are looked at. Whether other values fit is
not known before the code runs.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.language.functions.index import THEMES
from puppet_repl.language.functions.registry import LegacyFunction, find
from puppet_repl.language.syntax import ast
from puppet_repl.language.types.making.parse import interpret_value
from puppet_repl.tools.advice.nodes import is_literal
from puppet_repl.tools.validation.definitions import plain_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from puppet_repl.language.functions.registry import Function
    from puppet_repl.language.functions.signatures import ArgumentTest, Dispatch
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.tools.advice.model import Context
    from puppet_repl.tools.validation.definitions import Definition
    from puppet_repl.tools.validation.surroundings import Surroundings


def call(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check the arguments of ``f(a)`` and of ``f a``."""
    assert isinstance(node, ast.CallNamedFunctionExpression)
    _check(around, context, node.functor, node.arguments, has_block=node.block is not None)


def method(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check the arguments of ``a.f(b)``; without any it may be an attribute of an object."""
    assert isinstance(node, ast.CallMethodExpression)
    if node.arguments or node.block is not None:
        arguments = (node.functor.left, *node.arguments)
        _check(around, context, node.functor.right, arguments, has_block=node.block is not None)


def _check(
    around: Surroundings,
    context: Context,
    functor: ast.Node,
    arguments: Sequence[ast.Node],
    *,
    has_block: bool,
) -> None:
    if not isinstance(functor, ast.QualifiedName):
        return
    if any(isinstance(each, ast.UnfoldExpression) for each in arguments):
        return
    name = plain_name(functor.value)
    if ("function", name) in around.local:
        return  # several definitions may have this name
    if name in THEMES:
        builtin = find(name)
        if builtin is not None and name not in around.index.ruby.functions:
            _builtin(context, functor, builtin.of(around.profile), arguments, has_block=has_block)
        return
    defined = around.index.find("function", name)
    if defined is not None and not has_block:
        _defined(around, context, functor, defined, arguments)


def _builtin(
    context: Context,
    functor: ast.Node,
    function: Function,
    arguments: Sequence[ast.Node],
    *,
    has_block: bool,
) -> None:
    if isinstance(function, LegacyFunction):
        if not function.counts:
            return
        signatures = function.signatures()[:1]
        # Such a function takes a block and ignores it. It declares an exact or a least number.
        fitting = [each for each in signatures if each.accepts_shape(len(arguments), False)]
        if not fitting and signatures and len(arguments) < signatures[0].minimum:
            _warn_of_count(context, functor, len(arguments), signatures)
        return
    signatures = function.signatures()
    shaped = [each for each in signatures if each.accepts_shape(len(arguments), has_block)]
    if shaped:
        _literals(context, functor, shaped, arguments)
        return
    others = [each for each in signatures if each.accepts_shape(len(arguments), not has_block)]
    if others:
        message = f"{_shown(functor)} {'takes no' if has_block else 'needs a'} block with "
        context.warn("wrong_argument", functor, message + _number(len(arguments)))
    else:
        _warn_of_count(context, functor, len(arguments), signatures)


def _warn_of_count(
    context: Context, functor: ast.Node, count: int, signatures: Iterable[Dispatch]
) -> None:
    ranges = [(each.minimum, each.maximum) for each in signatures]
    most = [maximum for _, maximum in ranges if maximum is not None]
    least = min([minimum for minimum, _ in ranges], default=0)
    _count(context, functor, count, least, max(most) if len(most) == len(ranges) else None)


def _count(context: Context, functor: ast.Node, count: int, least: int, most: int | None) -> None:
    wanted = f"at least {_number(least)}"
    if most is not None:
        wanted = _number(most) if least == most else f"{least} to {_number(most)}"
    context.warn("wrong_argument", functor, f"{_shown(functor)} takes {wanted}, not {count}")


def _shown(functor: ast.Node) -> str:
    assert isinstance(functor, ast.QualifiedName)
    return f"the function {plain_name(functor.value)}"


def _number(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"


def _literals(
    context: Context, functor: ast.Node, signatures: list[Dispatch], arguments: Sequence[ast.Node]
) -> None:
    """Warn of the first literal that no signature accepts which takes the literals before it."""
    left = [
        (each, {test[0]: test[1:] for test in each.tests(len(arguments))}) for each in signatures
    ]
    for index, node in enumerate(arguments):
        known, value = _value(context, node)
        if not known:
            continue
        try:
            fitting = [each for each in left if _accepts(each[1].get(index), value)]
        except (PuppetError, RuntimeFailure):
            continue
        if not fitting:
            wanted = dict.fromkeys([_wanted(each, index) for each, _ in left])
            given = context.written(node)
            message = f"{_shown(functor)} takes {' or '.join(wanted)} here, not {given}"
            context.warn("wrong_argument", node, message)
            return
        left = fitting


def _accepts(test: ArgumentTest | None, value: Value) -> bool:
    return test is None or type(value) in test[0] or test[1](value)


def _wanted(signature: Dispatch, index: int) -> str:
    return signature.parameters[min(index, len(signature.parameters) - 1)].type_text


def _value(context: Context, node: ast.Node) -> tuple[bool, Value]:
    """Tell whether an argument is a literal, and return its value."""
    if not is_literal(node):
        return False, None
    try:
        return True, interpret_value(node, context.source)
    except (PuppetError, RuntimeFailure):
        return False, None


def _defined(
    around: Surroundings,
    context: Context,
    functor: ast.Node,
    definition: Definition,
    arguments: Sequence[ast.Node],
) -> None:
    """Check a call of a function in the Puppet language."""
    parameters = definition.parameters
    least = sum(each.value is None and not each.captures_rest for each in parameters)
    most = None if any(each.captures_rest for each in parameters) else len(parameters)
    count = len(arguments)
    if count < least or (most is not None and count > most):
        _count(context, functor, count, least, most)
        return
    for node, parameter in zip(arguments, parameters, strict=False):
        known, value = _value(context, node)
        if not known or parameter.type_expr is None or parameter.captures_rest:
            continue
        wanted = around.index.type_of(parameter.type_expr, definition.source)
        if wanted is not None and not wanted.predicate()(value):
            given = context.written(node)
            message = (
                f"the parameter {parameter.name} of {_shown(functor)} is {wanted}, not {given}"
            )
            context.warn("wrong_argument", node, message)
