"""The definition that the word at an offset names: of variables, classes, functions, types."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.scan import recent
from puppet_repl.tools.editing.scopes import visible_at
from puppet_repl.tools.inspection.cursor_word import place_at
from puppet_repl.tools.inspection.lookup import inspect_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.syntax.bindings import Binding
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.tools.editing.symbols import TextSymbols
    from puppet_repl.tools.inspection.documentation import Documentation

_HEADING = re.compile(r"(?:class|define|function|plan|type)\s+(?P<name>[\w:]+)")


class Target:
    """What a word names: the range of the word, and the range of the name in its definition.

    The ``source`` has no name if it is the text itself. ``binding`` is set for variables.
    """

    __slots__ = ("binding", "end", "source", "span", "start")

    def __init__(
        self,
        span: tuple[int, int],
        source: Source,
        definition: tuple[int, int],
        binding: Binding | None = None,
    ) -> None:
        self.span = span
        self.source = source
        self.start, self.end = definition
        self.binding = binding


def target_at(known: TextSymbols, code: str, offset: int) -> Target | None:
    """Return the definition that the word at an offset of a text names, None without one.

    ``known`` has the tree of the text and this offset. Nothing is evaluated.
    """
    part = recent(code[:offset])
    place = place_at(code[part:], offset - part)
    span = place.start + part, place.end + part
    if place.kind == "variable" or place.site.kind in ("variable", "interpolation"):
        binding = known.binding(place.word.removeprefix("$").partition("[")[0])
        if binding is not None:
            return Target(span, binding.source, binding.span, binding)
    found = inspect_code(known, code, offset)
    if found is None or found.location is None or found.span is None:
        return None
    definition = _parameter(known, found) or _named(found.location.source, found.location.start)
    return Target(found.span, found.location.source, definition)


def _parameter(known: TextSymbols, found: Documentation) -> tuple[int, int] | None:
    """Return the range of the parameter that an attribute sets."""
    defined = known.in_module_file(found.theme) if found.kind == "attribute" else None
    for parameter in () if defined is None else defined[1].parameters:
        if parameter.name == found.title:
            return parameter.at, parameter.at + 1 + len(parameter.name)
    return None


def _named(source: Source, start: int) -> tuple[int, int]:
    heading = _HEADING.match(source.text, start)
    return (start, start) if heading is None else heading.span("name")


def uses_of(program: ast.Program, binding: Binding) -> Iterator[tuple[int, int]]:
    """Yield the ranges in a program in which a variable of its own is bound or read."""
    scope = binding.scope
    for node in (program.body if scope is program else scope).walk():
        if isinstance(node, ast.Parameter):
            span = node.at, node.at + 1 + len(node.name)
        elif isinstance(node, ast.VariableExpression):
            span = node.start, node.end
        else:
            continue
        if node.name == binding.name:
            found = visible_at(program, node.start).get(binding.name)
            if found is not None and found.scope is scope:
                yield span
