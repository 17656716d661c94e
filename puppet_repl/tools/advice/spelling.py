"""Checks of code that works and can be written more plainly."""

from __future__ import annotations

from puppet_repl.catalog import core_types
from puppet_repl.environment.facts.core_facts import CORE_FACTS
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.tokens import KEYWORDS
from puppet_repl.tools.advice.comparisons import kind_of
from puppet_repl.tools.advice.nodes import beginning_of, outcomes, string_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.tools.advice.attributes import Attributes
    from puppet_repl.tools.advice.model import Context, Edit

_DECLARING = frozenset(("contain", "include", "require"))
_BOOLEANS = ("true", "false")
_NO_NAMES = frozenset((*KEYWORDS, *_BOOLEANS))
_TITLES = ("title", "name")


def link(context: Context, given: Attributes) -> None:
    """Warn of a path as the value of ensure, which makes a link."""
    value = given.get("ensure") if given.type_name == "file" else None
    for node in () if value is None else outcomes(value):
        if (beginning_of(node) or "").startswith("/"):
            message = "this makes a link: write ensure => link, and target for the path"
            edits = _target(context, given, node) if node is value else []
            context.warn("ensure_not_symlink_target", node, message, *edits)


def _target(context: Context, given: Attributes, node: ast.Node) -> list[Edit]:
    """Return the edit that gives a link its target."""
    operation = next(each for each in given.operations if each.name == "ensure")
    if given.title is None or given.is_open or given.get("target") is not None:
        return []
    written = context.written(node)
    if not isinstance(node, ast.LiteralString | ast.ConcatenatedString) or "\n" in written:
        return []
    between = context.separator(operation.start)
    return [(node.start, node.end, f"link,{between}target => {written}")]


def booleans(context: Context, given: Attributes) -> None:
    """Warn of strings in place of true and false, where a type of Puppet takes these."""
    known = core_types.attributes_of(given.type_name)
    for operation in given.operations:
        attribute = known.get(operation.name)
        if attribute is None or not set(_BOOLEANS) <= set(attribute.values):
            continue
        for node in outcomes(operation.value):
            if isinstance(node, ast.LiteralString) and node.value in _BOOLEANS:
                message = f"a value of {operation.name} is {node.value} without quotes"
                edit = (node.start, node.end, node.value)
                context.warn("quoted_booleans", node, message, edit)


def string(context: Context, node: ast.Node) -> None:
    """Warn of a string that is a variable and nothing else, if the variable is a String."""
    assert isinstance(node, ast.ConcatenatedString)
    if len(node.segments) != 1 or context.text[node.start] != '"':
        return
    part = node.segments[0]
    inner = part.expr if isinstance(part, ast.TextExpression) else part
    if isinstance(inner, ast.VariableExpression) and inner.name in _TITLES:
        is_string = context.scope.definition_name() != "" and not context.scope.has(inner.name)
    else:
        is_string = isinstance(inner, ast.VariableExpression | ast.AccessExpression)
        is_string = is_string and kind_of(context, inner) == "String"
    if is_string:
        name = context.written(inner).removeprefix("$")
        message = f"${name} is a String already: write it without the quotes"
        context.warn("only_variable_string", node, message, (node.start, node.end, f"${name}"))


def variable(context: Context, node: ast.Node) -> None:
    """Warn of ``$::networking`` and of ``$::shop::port``."""
    assert isinstance(node, ast.VariableExpression)
    name = node.name.removeprefix("::")
    if name == node.name:
        return
    if "::" in name:
        message = f"the first :: has no effect: write ${name}"
        at = node.end - len(node.name)
        edits = _without_colons(context, at, node.name)
        context.warn("topscope_variable", node, message, *edits)
    elif name in CORE_FACTS:
        new = f"$facts['{name}']"
        edits = context.variable_edit(node, new)
        context.warn("top_scope_facts", node, f"this is a fact: write {new}", *edits)


def _without_colons(context: Context, at: int, name: str) -> list[Edit]:
    """Return the edit that takes away the two colons of a name at an offset."""
    is_name = context.text.startswith(name, at) and name[2:] not in _NO_NAMES
    return [(at, at + 2, "")] if is_name else []


def class_name(context: Context, node: ast.Node) -> None:
    """Warn of ``include ::shop``, ``class { '::shop': }`` and ``inherits ::shop``."""
    for name in _class_names(node):
        text = string_of(name) or ""
        if text.startswith("::"):
            message = f"the first :: has no effect: write {text.removeprefix('::')}"
            at = name.start + (context.text[name.start] in "'\"")
            context.warn("absolute_classname", name, message, *_without_colons(context, at, text))


def _class_names(node: ast.Node) -> Iterator[ast.Node]:
    if isinstance(node, ast.CallNamedFunctionExpression):
        if string_of(node.functor) in _DECLARING:
            yield from node.arguments
    elif isinstance(node, ast.ResourceExpression):
        if string_of(node.type_name) == "class":
            yield from (body.title for body in node.bodies)


def parent(context: Context, node: ast.Node) -> None:
    """Warn of ``inherits ::shop``, and of capitals in the name of a class."""
    assert isinstance(node, ast.HostClassDefinition)
    if node.parent is not None and node.parent.startswith("::"):
        after = node.parameters[-1].end if node.parameters else node.start
        start = context.text.index(node.parent, context.text.index("inherits", after))
        message = f"the first :: has no effect: write {node.parent.removeprefix('::')}"
        edit = (start, start + 2, "")
        context.warn_span("absolute_classname", start, start + len(node.parent), message, edit)
    capitals(context, node)


def capitals(context: Context, node: ast.Node) -> None:
    """Warn of capitals in the names of classes and defined types."""
    assert isinstance(node, ast.HostClassDefinition | ast.ResourceTypeDefinition)
    if node.name == node.name.lower():
        return
    # The name of a class in another one begins with the name of that.
    for written in (node.name, node.name.rpartition("::")[2]):
        start = context.text.find(written, node.start)
        if start < 0:
            continue
        message = f"the name of a file has no capitals, and Puppet looks for {written.lower()}"
        context.warn_span("names_containing_uppercase", start, start + len(written), message)
        return


def optional(context: Context, node: ast.Node) -> None:
    """Warn of parameters of defined types that may be undef, and yet have to be given."""
    assert isinstance(node, ast.ResourceTypeDefinition)
    for each in node.parameters:
        wanted = each.type_expr
        if each.value is not None or not isinstance(wanted, ast.AccessExpression):
            continue
        if isinstance(wanted.left, ast.QualifiedReference) and wanted.left.value == "Optional":
            message = f"${each.name} has no default, so each resource has to set it: add = undef"
            context.warn("optional_default", each, message)
