"""Type expressions: those made of built-in types are values before the program runs.

Types that mention names of the user are made when first needed, and again after a definition of a
type: a TypeCell remembers them. Anything else is evaluated like every expression.
"""

from __future__ import annotations

import _ast

from puppet_repl.base.float_text import MAX_INTEGER
from puppet_repl.language.compiler.build import (
    all_of,
    attribute,
    call,
    compare,
    conditional,
    constant,
    function,
    name,
    returns,
    subscript,
    tuple_of,
    type_is,
    walrus,
    with_span,
)
from puppet_repl.language.compiler.constants import (
    CATALOG_KINDS,
    NotConstantError,
    builtin_type,
    interned_value,
    value_of,
)
from puppet_repl.language.compiler.literals import without_parentheses
from puppet_repl.language.compiler.unit import Unit
from puppet_repl.language.runtime.types import TypeCell
from puppet_repl.language.syntax import ast
from puppet_repl.language.types.model.base import PuppetType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from puppet_repl.language.compiler.build import Expr
    from puppet_repl.language.compiler.constants import Recipe
    from puppet_repl.language.compiler.static_kinds import StaticKind
    from puppet_repl.language.compiler.unit import Lowerings, ProgramLowering

    Folded = TypeVar("Folded")

_NATIVE_TESTS = {
    "integer": "int",
    "string": "str",
    "boolean": "bool",
    "float": "float",
    "array": "tuple",
    "hash": "PuppetHash",
}
"""Types whose instances are exactly those of a Python class."""

_KINDS: dict[str, StaticKind] = {
    "int": "int",
    "str": "str",
    "bool": "bool",
    "float": "float",
    "tuple": "array",
}
_KINDS_OF_TYPES: dict[str, StaticKind] = {
    "Enum": "str",
    "Float": "float",
    "Integer": "int",
    "Pattern": "str",
    "String": "str",
}

_LITERALS = (
    ast.LiteralInteger,
    ast.LiteralFloat,
    ast.LiteralString,
    ast.LiteralBoolean,
    ast.QualifiedName,
)


def value_recipe(node: ast.Node) -> Recipe:
    """Return the recipe of an expression of literals and built-in types.

    Raises NotConstantError for any other.
    """
    if isinstance(node, ast.LiteralFloat):
        return "float", repr(node.value)
    if isinstance(node, _LITERALS):
        return type(node.value).__name__, node.value
    if isinstance(node, ast.QualifiedReference):
        return "type", node.value
    if isinstance(node, ast.AccessExpression):
        return "access", value_recipe(node.left), tuple([value_recipe(key) for key in node.keys])
    if isinstance(node, ast.LiteralUndef):
        return "undef", None
    if isinstance(node, ast.LiteralDefault):
        return "default", None
    if isinstance(node, ast.ParenthesizedExpression):
        return value_recipe(node.expr)
    if isinstance(node, ast.LiteralRegularExpression):
        return "regexp", node.pattern
    if isinstance(node, ast.UnaryMinusExpression):
        if isinstance(node.expr, ast.LiteralInteger | ast.LiteralFloat):
            value = -node.expr.value
            return ("int", value) if type(value) is int else ("float", repr(value))
    if isinstance(node, ast.LiteralList):
        return "array", tuple([value_recipe(value) for value in node.values])
    if isinstance(node, ast.LiteralHash):
        pairs = [(value_recipe(entry.key), value_recipe(entry.value)) for entry in node.entries]
        return "hash", tuple(pairs)
    raise NotConstantError


def constant_type(program: ProgramLowering, node: ast.Node) -> PuppetType | None:
    """Return the type that an expression gives whenever it is evaluated, where that is certain."""
    node = without_parentheses(node)
    if not isinstance(node, ast.QualifiedReference | ast.AccessExpression):
        return None
    if id(node) in program.no_types:
        return None
    head: ast.Node = node
    while isinstance(head, ast.AccessExpression):
        head = head.left
    if not isinstance(head, ast.QualifiedReference):
        _remember_no_type(program, node)
        return None
    value = folded(lambda: interned_value(value_recipe(node), program.context))
    if isinstance(value, PuppetType):
        return value
    program.no_types.add(id(node))
    return None


def _remember_no_type(program: ProgramLowering, node: ast.Node) -> None:
    """Remember that no part of ``$x[0][1]...`` is a type, so that the parts are not searched."""
    while isinstance(node, ast.AccessExpression):
        program.no_types.add(id(node))
        node = node.left


def folded(evaluate: Callable[[], Folded]) -> Folded | None:
    """Return the result of something that is evaluated before the program runs, None if it raises.

    Whatever it raises, an error of Puppet's or of Python's: the expression raises it again if the
    program reaches it, and then it has a location. Nothing may be folded but by this function.
    """
    try:
        return evaluate()
    except Exception:
        return None


def depends_on_types_only(node: ast.Node) -> bool:
    """Tell whether an expression is made of literals and names of types, its head a type."""
    node = without_parentheses(node)
    if not isinstance(node, ast.QualifiedReference | ast.AccessExpression):
        return False
    head: ast.Node = node
    while isinstance(head, ast.AccessExpression):
        head = without_parentheses(head.left)
    if not isinstance(head, ast.QualifiedReference):
        return False
    found = builtin_type(head.value)
    if found is not None and found.kind in CATALOG_KINDS:
        return False
    return all(isinstance(part, _CONSTANT_NODES) for part in node.walk())


_CONSTANT_NODES = (
    *_LITERALS,
    ast.QualifiedReference,
    ast.AccessExpression,
    ast.LiteralUndef,
    ast.LiteralDefault,
    ast.ParenthesizedExpression,
    ast.LiteralRegularExpression,
    ast.LiteralList,
    ast.LiteralHash,
    ast.KeyedEntry,
)


def accepts(unit: Unit, node: ast.Node, first: Expr | None = None) -> Expr | None:
    """Return an expression for the predicate of a type expression; None for other expressions.

    ``first`` is evaluated before the type, unless that is known already; its value is never C.
    """
    node = without_parentheses(node)
    span = unit.span(node)
    known = constant_type(unit.program, node)
    predicate = None if known is None else folded(known.predicate)
    if predicate is not None:
        recipe = ("test", value_recipe(node))
        return name(unit.program.constant(predicate, recipe, "is_instance_"), span)
    if not depends_on_types_only(node):
        return None
    cell, make = _cell(unit, node)
    current = compare(
        attribute(cell, "version", span),
        "is",
        attribute("C", "types_version", span),
        span=span,
    )
    if first is not None:
        current = all_of([compare(first, "is not", name("C", span), span=span), current], span)
    return conditional(
        current,
        attribute(cell, "accepts", span),
        call(attribute(cell, "refresh", span), [name("C", span), name(make, span)], span),
        span,
    )


def _cell(unit: Unit, node: ast.Node) -> tuple[str, str]:
    """Return the names of a cell for a type, and of the function that makes the type."""
    program = unit.program
    make = f"make_type_{program.number()}"
    emit_type_function(program, make, node)
    cell = program.constant(TypeCell(), ("cell",), "cell_")
    program.cells.append(cell)
    return cell, make


def emit_type_function(program: ProgramLowering, made: str, node: ast.Node) -> None:
    """Emit ``def made(): return <type>`` into the module."""
    span = program.span(node)
    inner = Unit(program, "function", None, None)
    value = inner.lower(node)
    program.module.append(function(made, (), [*inner.statements, returns(value, span)], span))


def native_class(node: ast.Node) -> str | None:
    """Return the Python class whose instances are exactly those of a type expression."""
    if isinstance(node, ast.QualifiedReference):
        return _NATIVE_TESTS.get(node.value.removeprefix("::").lower())
    return None


def kind_of_type(unit: Unit, node: ast.Node) -> StaticKind | None:
    """Return the kind of every instance of a type expression."""
    native = native_class(node)
    if native is not None:
        return _KINDS.get(native)
    known = constant_type(unit.program, node)
    return None if known is None else _KINDS_OF_TYPES.get(known.kind)


def lower_reference(unit: Unit, node: ast.QualifiedReference) -> Expr:
    """Lower a name of a type: built-in types are constants, others are looked up when reached."""
    span = unit.span(node)
    found = builtin_type(node.value)
    from puppet_repl.language.types.model.alias import TypeReferenceType

    if isinstance(found, TypeReferenceType):
        from puppet_repl.language.types.model.issues import unknown_resource_type

        error = unknown_resource_type(found.type_string)
        recipe = ("unknown resource type", found.type_string)
        return call("raise_issue", [unit.constant(error, recipe, span, "error_")], span)
    if found is not None:
        return unit.constant(found, ("type", node.value), span, "type_")
    return call("type_named", [name("C", span), constant(node.value, span)], span)


def lower_access(unit: Unit, node: ast.AccessExpression) -> Expr:
    """Lower ``left[keys]``."""
    span = unit.span(node)
    if constant_type(unit.program, node) is not None:
        recipe = value_recipe(node)
        # Each place has an object of its own: YAML writes an alias where the same one comes again.
        value = folded(lambda: value_of(recipe, unit.program.context))
        if value is not None:
            return unit.constant(value, ("value", recipe), span, "type_")
    left = unit.lower(node.left)
    keys = unit.lower_all(node.keys)
    if isinstance(node.left, ast.QualifiedReference) and node.left.value == "Class":
        keys = [_class_key(unit, key) for key in node.keys]
    if len(keys) == 1:
        return call("access_one", [left, keys[0]], span)
    bounds = [key.value for key in node.keys if isinstance(key, ast.LiteralInteger)]
    if len(keys) != 2 or len(bounds) != 2 or min(bounds) < 0 or sum(bounds) > MAX_INTEGER:
        return call("access_many", [left, tuple_of(keys, span)], span)
    # A part of a string is written out.
    variable = left.id if isinstance(left, _ast.Name) else unit.temporary()
    first = left if isinstance(left, _ast.Name) else walrus(variable, left, span)
    part = with_span(_ast.Slice(constant(bounds[0], span), constant(sum(bounds), span)), span)
    return conditional(
        type_is(first, ("str",), span),
        subscript(variable, part, span),
        call("access_many", [name(variable, span), tuple_of(keys, span)], span),
        span,
    )


def _class_key(unit: Unit, key: ast.Node) -> Expr:
    """In ``Class[Name]`` a name that is not a type is a reference to an unknown type."""
    if not isinstance(key, ast.QualifiedReference) or builtin_type(key.value) is not None:
        return unit.lower(key)
    span = unit.span(key)
    return call("type_or_reference", [name("C", span), constant(key.value, span)], span)


LOWERINGS: Lowerings = {
    ast.QualifiedReference: lower_reference,
    ast.AccessExpression: lower_access,
}
