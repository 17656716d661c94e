"""The words that the types of parameters name: those of Enum and Boolean."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.data_types import DOCUMENTED
from puppet_repl.tools.inspection.bindings import written_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.syntax.scan import Scan
    from puppet_repl.session.symbols import SessionSymbols


def variable_words(known: SessionSymbols, scan: Scan, name: str) -> Iterator[tuple[str, bool]]:
    """Yield the words of a variable that is a parameter, each with whether it is a text."""
    binding = known.binding(name)
    if binding is None:
        try:
            expression: ast.Node | None = parse(Source(written_type(scan, name))).body
        except PuppetError:
            return  # it is being written
    else:
        node = binding.node
        expression = node.type_expr if isinstance(node, ast.Parameter) else None
    if expression is not None:
        yield from _words(known, expression, is_item=False)


def parameter_words(
    known: SessionSymbols, owner: str, name: str, *, is_item: bool = False
) -> Iterator[tuple[str, bool]]:
    """Yield the words of a parameter of a class or defined type, each with whether it is a text.

    For an item of an array those of the array's type count.
    """
    found = known.in_module_file(owner.removeprefix("::")) if owner else None
    definition = None if found is None else found[1]
    if not isinstance(definition, ast.HostClassDefinition | ast.ResourceTypeDefinition):
        return
    for parameter in definition.parameters:
        if parameter.name == name and parameter.type_expr is not None:
            yield from _words(known, parameter.type_expr, is_item=is_item)


def _words(
    known: SessionSymbols, expression: ast.Node, *, is_item: bool
) -> Iterator[tuple[str, bool]]:
    """Yield the words of Enum and Boolean in a type, each with whether it is a text.

    Aliases are followed. For an item those in an array count.
    """
    pending = [(expression, not is_item)]
    seen = set()
    while pending:
        node, counts = pending.pop()
        is_access = isinstance(node, ast.AccessExpression)
        named = node.left if isinstance(node, ast.AccessExpression) else node
        keys = node.keys if isinstance(node, ast.AccessExpression) else ()
        name = named.value if isinstance(named, ast.QualifiedReference) else ""
        if name == "Boolean":
            yield from (("true", False), ("false", False)) if counts else ()
        elif name == "Enum" and counts:
            yield from [(each.value, True) for each in keys if isinstance(each, ast.LiteralString)]
        elif name == "Array" and not counts:
            pending += [(each, True) for each in keys[:1]]
        elif name in ("Optional", "Variant", "NotUndef"):
            pending += [(each, counts) for each in keys]
        elif name not in DOCUMENTED and not is_access and (name, counts) not in seen:
            seen.add((name, counts))
            pending += [(each, counts) for each in _alias(known, name)]


def _alias(known: SessionSymbols, name: str) -> Iterator[ast.Node]:
    """Yield the type that an alias stands for, if there is one in Puppet's language."""
    found = known.in_type_file(name.removeprefix("::")) if name else None
    if found is not None:
        try:
            yield parse(Source(found[2])).body
        except PuppetError:
            return  # Ruby defines it
