"""Checks of names that code refers to: classes, functions, types; the module may lack them."""

from __future__ import annotations

import re

from puppet_repl.base.matching import nearest
from puppet_repl.catalog.resource_types import METAPARAMETER_SET
from puppet_repl.language.functions.index import THEMES
from puppet_repl.language.syntax import ast
from puppet_repl.language.types.model.resource import capitalize_segments
from puppet_repl.tools.advice.nodes import bare, items, outcomes, string_of
from puppet_repl.tools.validation.definitions import plain_name
from puppet_repl.tools.validation.surroundings import file_of, hint, name_in, name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.tools.advice.model import Context
    from puppet_repl.tools.validation.surroundings import Surroundings

# The last are there only if somebody gives them.
_OF_ALL_CLASSES = {"caller_module_name", "module_name", "name", "title"} | METAPARAMETER_SET
_INCLUDING = frozenset(("contain", "include", "require"))
# Their first argument is the type of the resources that they declare.
_CREATING = frozenset(("create_resources", "ensure_resource", "ensure_resources"))
# They begin with a type of resources, if it is no data type.
_OF_TYPES = (ast.AccessExpression, ast.CollectExpression, ast.ResourceDefaultsExpression)
# They tell whether a name is defined, and do not fail for others.
_ASKING = frozenset(("defined", "is_function_available"))
# A literal key of data, or a list of them, that code looks up.
_LOOKED_UP = re.compile(
    r"""\b(?:lookup|hiera(?:_array|_hash|_include)?)\b[\s(]*(?:\[[^]]*\]|["'][^"'\n]*["'])"""
    r"""|["'][^"'\n]*["']\.lookup\b"""
)


def call(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check the function that is called, and the classes that it includes."""
    assert isinstance(node, ast.CallNamedFunctionExpression)
    if not isinstance(node.functor, ast.QualifiedName):
        return
    name = plain_name(node.functor.value)
    if name in _ASKING:
        for argument in node.arguments:
            for part in argument.walk():
                text = string_of(part)
                if text is not None:
                    around.guarded.add(plain_name(text))
                elif isinstance(part, ast.QualifiedReference):
                    around.guarded.add(plain_name(part.value))
        return
    if name in _INCLUDING:
        for argument in node.arguments:
            for item in items(argument):
                class_name(around, context, item)
    elif name in _CREATING:
        for item in outcomes(node.arguments[0]) if node.arguments else ():
            text = string_of(item)
            created = None if text is None else name_in(text.lstrip("@"))
            if created is not None and created != "class":
                _resource_type(around, context, item, created)
    _function(around, context, node.functor)


def method(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check a function that is called with a dot; without arguments it may be an attribute."""
    assert isinstance(node, ast.CallMethodExpression)
    functor = node.functor.right
    if not isinstance(functor, ast.QualifiedName):
        return
    if functor.value in _INCLUDING:
        for item in items(node.functor.left):
            class_name(around, context, item)
    if node.arguments or node.block is not None or "::" in functor.value:
        _function(around, context, functor)


def _function(around: Surroundings, context: Context, functor: ast.QualifiedName) -> None:
    name = plain_name(functor.value)
    if name in THEMES or around.is_own("function", name):
        return
    module, qualified, _ = name.partition("::")
    if qualified:
        around.need(context, functor, module, f"the function {name}")
    elif around.index.is_of_stdlib("function", name) and name not in around.index.ruby.functions:
        around.need(context, functor, "stdlib", f"the function {name}")
    if around.index.lacks_function(name):
        near = around.index.near_function(name) or around.index.near(name, "function")
        if not qualified and near is None and around.may_be_elsewhere(name):
            return
        message = f"unknown function {name}: {around.where(name)}{hint(near)}"
        meant = context.replacements(functor, name, near)
        missing = file_of("function", name)
        context.warn("unknown_function", functor, message, replacements=meant, missing=missing)


def class_name(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check the name of a class in a literal."""
    name = name_of(bare(node))
    if name is not None:
        _class(around, context, node, name)


def _class(around: Surroundings, context: Context, node: ast.Node, name: str) -> None:
    if around.is_own("class", name):
        return
    module = name.partition("::")[0]
    around.need(context, node, module, f"the class {name}")
    if around.index.lacks_class(name):
        if around.is_own("define", name) or around.index.find("define", name) is not None:
            context.warn("unknown_class", node, f"{name} is a defined type, no class")
            return
        near = around.index.near(name, "class")
        message = f"unknown class {name}: the module {module} has none{hint(near)}"
        meant = context.replacements(node, name, near)
        missing = file_of("class", name)
        context.warn("unknown_class", node, message, replacements=meant, missing=missing)
    elif (near := around.index.class_of_near_module(name)) is not None:
        message = f"unknown class {name}: no module is called {module}{hint(near)}"
        meant = context.replacements(node, name, near)
        context.warn("unknown_class", node, message, replacements=meant)


def parent(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check the class that a class inherits from."""
    assert isinstance(node, ast.HostClassDefinition)
    if node.parent is not None:
        name = plain_name(node.parent)
        start = context.text.find(node.parent, node.start)
        _class(around, context, _Place(start, start + len(node.parent)), name)


class _Place(ast.Node):
    """A range of the text, without a node."""

    __slots__ = ()

    def __init__(self, start: int, end: int) -> None:
        self.start = self.at = start
        self.end = end


def resource(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check the type of resources, and the titles of classes."""
    assert isinstance(node, ast.ResourceExpression)
    if not isinstance(node.type_name, ast.QualifiedName):
        return
    name = plain_name(node.type_name.value)
    if name == "class":
        for body in node.bodies:
            for item in items(body.title):
                class_name(around, context, item)
    else:
        _resource_type(around, context, node.type_name, name)


def _resource_type(around: Surroundings, context: Context, node: ast.Node, name: str) -> None:
    """Check the type of resources that an expression declares."""
    if around.is_own("define", name):
        return
    module, qualified, _ = name.partition("::")
    if qualified:
        around.need(context, node, module, f"the type {name}")
    elif around.index.is_of_stdlib("define", name):
        around.need(context, node, "stdlib", f"the type {name}")
    if around.index.lacks_resource_type(name):
        _warn_of_type(around, context, node, name, "define")


def reference(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check a name with capital letters: a data type, or the type of resources."""
    assert isinstance(node, ast.QualifiedReference)
    name = plain_name(node.value)
    if any(around.is_own(kind, name) for kind in ("type", "define")):
        return
    module, qualified, _ = name.partition("::")
    if qualified and not around.index.is_of_language(name):
        around.need(context, node, module, f"the type {node.value}")
    if around.index.lacks_type(name):
        kinds = ("define",) if _names_resources(context, node) else ("type", "define")
        _warn_of_type(around, context, node, name, *kinds)


def _names_resources(context: Context, node: ast.Node) -> bool:
    """Tell whether a name that nothing has is that of resources: ``X['a']``, ``X <| |>``.

    Type aliases take no parameters.
    """
    return any(
        each.children()[0] is node for kind in _OF_TYPES for each, _ in context.nodes.get(kind, ())
    )


def _warn_of_type(
    around: Surroundings, context: Context, node: ast.Node, name: str, *kinds: str
) -> None:
    """Report a missing type; the first of the ``kinds`` is the likeliest."""
    is_qualified = "::" in name
    if not is_qualified and around.may_be_elsewhere(name):
        return
    where = around.where(name)
    near = None
    missing = file_of(kinds[0], name)
    if around.index.find("class", name) is not None:
        where = f"that is a class: Class['{name}']"
        missing = ""
    elif is_qualified:
        near = next(filter(None, (around.index.near(name, kind) for kind in kinds)), None)
    written = context.written(node).strip("'\"@")
    if near is not None and written.lstrip(":")[:1].isupper():
        near = capitalize_segments(near)
    where += hint(near)
    meant = context.replacements(node, name, near)
    message = f"unknown type {written}: {where}"
    context.warn("unknown_type", node, message, replacements=meant, missing=missing)


def class_reference(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check the names in ``Class['x']``."""
    assert isinstance(node, ast.AccessExpression)
    left = node.left
    if isinstance(left, ast.QualifiedReference) and left.value.lower() == "class":
        for key in _keys(node):
            class_name(around, context, key)


def variable(around: Surroundings, context: Context, node: ast.Node) -> None:
    """Check ``$shop::port``: neither the class nor those that it inherits from may set it."""
    assert isinstance(node, ast.VariableExpression)
    owner, _, name = node.name.removeprefix("::").rpartition("::")
    if not owner or around.is_own("class", owner) or name in _OF_ALL_CLASSES:
        return
    found = around.index.find("class", owner)
    above: set[str] = set()
    known: set[str] = set()
    while found is not None and not found.may_set(name):
        above.add(found.name)
        known |= found.variables()
        if found.parent is None:
            if not _asks_for(context, node.name):
                near = nearest(name, sorted(known), likeness=0.8)
                meant = None if near is None else f"{owner}::{near}"
                message = f"the class {owner} sets no ${name}{hint(meant and f'${meant}')}"
                edits = context.replacements(node, f"{owner}::{name}", meant)
                context.warn("unknown_class_variable", node, message, replacements=edits)
            return
        found = None if found.parent in above else around.index.find("class", found.parent)


def _asks_for(context: Context, name: str) -> bool:
    """Tell whether a string has the name of a variable: ``defined('$shop::port')``.

    A key of data that is looked up is not one.
    """
    asks = rf"['\"]\$?(?:::)?{re.escape(name.removeprefix('::'))}\b"
    is_named = re.search(asks, context.text) is not None
    return is_named and re.search(asks, _LOOKED_UP.sub("", context.text)) is not None


def _keys(node: ast.AccessExpression) -> Iterator[ast.Node]:
    for key in node.keys:
        yield from items(key)
