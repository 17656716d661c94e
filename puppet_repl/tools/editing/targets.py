"""The definitions of what the word at an offset of a text names.

Puppet's own functions and types have none. Nothing is evaluated.
"""

from __future__ import annotations

import os
import re

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.bindings import Binding, bound_in
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.outline import name_span
from puppet_repl.tools.editing.scopes import (
    TOP,
    Classes,
    inherited_at,
    scope_of_class,
    scope_of_define,
    scope_of_template,
    template_of,
    visible_at,
)
from puppet_repl.tools.editing.uses import DATA_TYPES, Place, Target, Use, use_at, uses_in, uses_of
from puppet_repl.tools.inspection.attributes import document_attribute, document_template_parameter
from puppet_repl.tools.inspection.lookup import inspect_code
from puppet_repl.tools.inspection.names import document_class, document_resource_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from puppet_repl.session.symbols import NamedDefinition
    from puppet_repl.tools.editing.symbols import TextSymbols
    from puppet_repl.tools.inspection.documentation import Documentation

    Find: TypeAlias = Callable[[Target], Iterable[str]]
    """Return the paths of the files that may define a target, or that render a template."""

_NODES: dict[str, type[ast.Node]] = {
    "class": ast.HostClassDefinition,
    "function": ast.FunctionDefinition,
    "type": ast.ResourceTypeDefinition,
}
_IN_ERB = re.compile(
    r"""@(?P<own>[a-z_]\w*)|(?:scope\[|scope\.lookupvar\(\s*)['"](?P<name>[a-z_:][\w:]*)['"]""",
)

_WORD = re.compile(r"\w+", re.ASCII)
# Before a name, and after it.
_FUNCTION = (r"\b(?:create_function|newfunction)\s*\(?\s*[:'\"]+(?:::)?", r"\b")
_TYPE = (r"\b(?:newtype\s*\(?\s*:|name:\s*)['\"]*", r"\b")
_PARAMETER = (r"\bnew(?:check|param|property)\s*\(?\s*[:'\"]+", r"\b")
_ENSURABLE = (r"^\s*", r"\b")
# The parameters of a type of the Resource API are the keys of a hash.
_KEY = (r"^\s*[:'\"]*", r"['\"]?\s*(?::|=>)\s*\{")
_PROVIDER = (r"\bprovide\s*\(?\s*[:'\"]+", r"\b")


def target_at(known: TextSymbols, offset: int) -> Use | None:
    """Return the name at an offset of the text that ``known`` has the tree of, None without one.

    The range is that in the text.
    """
    tree = known.tree
    found = None if tree is None else use_at(tree.program, tree.to_tree(offset), known)
    if tree is None or found is None:
        return None
    start, end = tree.from_tree(found.start), tree.from_tree(found.end)
    return found._replace(start=start, end=end) if start - 1 <= offset <= end else None


def definitions_at(known: TextSymbols, code: str, offset: int, find: Find) -> list[Place]:
    """Return the definitions of the word at an offset of a text; ``known`` has its tree.

    In a line that is not well formed, its tokens count.
    """
    use = target_at(known, offset)
    if use is not None:
        return definitions_of(use.target, known, find)
    if known.tree is not None and not known.tree.recovered:
        return []
    found = inspect_code(known, code, offset)
    if found is None or found.location is None or found.span is None:
        return []
    return [Place(found.location.source, found.location.start, found.location.start)]


def definitions_of(target: Target, known: TextSymbols, find: Find) -> list[Place]:
    """Return the definitions of a target: of the texts, else of modules, else of the index."""
    tree = known.tree
    if target.scope.startswith("@"):
        return [] if tree is None else _in_program(tree.program, target, known)
    for program in reversed(known.programs):
        found = _in_program(program, target, known)
        if found:
            return found
    found = [*_in_modules(target, known)]
    found = found or [*places_in_ruby(target, known)] or [*_in_index(target, known, find)]
    return [*dict.fromkeys(found)]


def document_target(target: Target, known: TextSymbols) -> Documentation | None:
    """Return the documentation of a class, type or parameter, None for others."""
    kind, name, scope = target
    if kind == "class":
        return document_class(known, name)
    if kind == "type":
        return document_resource_type(known, name) or document_class(known, name)
    owner_kind, _, owner = scope.partition(" ")
    if kind == "variable" and owner_kind in ("class", "type"):
        type_name = "class" if owner_kind == "class" else owner
        return document_attribute(known, type_name, owner, name)
    if kind == "variable" and owner_kind == "template":
        return document_template_parameter(known, owner, name)
    return None


def _in_program(program: ast.Program, target: Target, known: TextSymbols) -> list[Place]:
    uses = uses_of(program, target, known)
    return [Place(program.source, each.start, each.end) for each in uses if each.is_definition]


def _in_modules(target: Target, known: TextSymbols) -> Iterator[Place]:
    """Yield the definitions in the files of modules that a name leads to."""
    kind, name, scope = target
    if kind == "file":
        path = file_of(target, known)
        if path is not None:
            yield Place(Source("", path), 0, 0)
    elif kind == "variable":
        owner_kind, _, owner = scope.partition(" ")
        if owner_kind == "template":
            path = file_of(Target("file", owner, "templates"), known)
            program = known.program_of(path) if path and path.endswith(".epp") else None
            yield from () if program is None else _in_program(program, target, known)
            return
        if scope == TOP:
            yield from _at_top(target, known)
            return
        found = known.in_module_file(owner) if owner_kind in ("class", "type") else None
        if found is not None and isinstance(found[1], _NODES[owner_kind]):
            yield from _bound(*found, name)
    elif kind in _NODES:
        found = known.in_module_file(name)
        if found is not None and isinstance(found[1], _NODES[kind]):
            source, node = found
            yield Place(source, *name_span(source.text, node, node.name))
        elif kind == "type":
            yield from _alias(name, known)


def file_of(target: Target, known: TextSymbols) -> str | None:
    """Return the file or template of a module that a target is, None if there is none."""
    environment = known.session.environment
    is_inside = not os.path.isabs(target.name) and ".." not in target.name
    if target.kind != "file" or environment is None or not is_inside:
        return None
    try:
        return environment.find_file(target.scope, target.name)
    except RuntimeFailure:  # a link leads out of reach
        return None


def _at_top(target: Target, known: TextSymbols) -> Iterator[Place]:
    """Yield the assignments of a variable in the site manifests."""
    environment = known.session.environment
    try:
        sources = [] if environment is None else environment.manifests()
        for source in sources:
            if target.name in source.text:
                yield from _in_program(parse(source), target, known)
    except PuppetError:
        return


def _bound(source: Source, node: NamedDefinition, name: str) -> Iterator[Place]:
    for binding in bound_in(node).get(name, ()):
        start, end = Binding(source, name, binding, node).span
        yield Place(source, start + 1, end)


def _alias(name: str, known: TextSymbols) -> Iterator[Place]:
    found = known.in_type_file(name)
    if found is not None:
        source, start, _ = found
        at = source.text.lower().find(name, start)
        if source.name is None or not source.name.endswith(".rb"):
            yield Place(source, at, at + len(name)) if at >= 0 else Place(source, start, start)
        else:
            yield Place(source, start, start)


def _in_index(target: Target, known: TextSymbols, find: Find) -> Iterator[Place]:
    """Yield the definitions in files whose place the name does not tell."""
    if target.scope.startswith("template "):
        yield from _given_to_template(target, known, find)
    elif target.kind in ("class", "function", "resource", "type") and not _is_given(target, known):
        opened = {program.source.name for program in known.programs}
        for path in find(target):
            program = None if path in opened else known.program_of(path)
            if program is not None:
                yield from _in_program(program, target, known)


def _is_given(target: Target, known: TextSymbols) -> bool:
    """Tell whether Puppet itself or a file in Ruby has a name: no manifest defines it."""
    if target.kind == "function":
        return known.builtin_function(target.name) is not None
    if target.kind != "type":
        return False
    return target.name in DATA_TYPES or known.resource_type(target.name) is not None


# Templates


def _in_erb(known: TextSymbols, path: str, text: str) -> Iterator[tuple[Use, tuple[int, int]]]:
    """Yield the variables that an ERB template reads, with the ranges of the expressions."""
    template = template_of(path)
    for found in _IN_ERB.finditer(text) if template is not None else ():
        group = "own" if found["own"] else "name"
        name = found[group].removeprefix("::")
        class_name, colons, local = name.rpartition("::")
        scope = scope_of_template(str(template))
        if colons:
            scope = scope_of_class(Classes(known).owner(class_name, local) or class_name)
        end = found.end(group)
        yield Use(Target("variable", local, scope), end - len(name), end), found.span()


def uses_in_erb(known: TextSymbols, path: str, text: str) -> Iterator[Use]:
    """Yield the variables that an ERB template reads: ``@x``, ``scope['a::x']``.

    ``@x`` is a variable of the template, whichever class renders it.
    """
    yield from (use for use, _ in _in_erb(known, path, text))


def target_in_erb(known: TextSymbols, path: str, text: str, offset: int) -> Target | None:
    """Return the variable that an ERB template reads at an offset."""
    for use, (start, end) in _in_erb(known, path, text):
        if start <= offset <= end:
            return use.target
    return None


def _given_to_template(target: Target, known: TextSymbols, find: Find) -> Iterator[Place]:
    """Yield the variables that a template sees where code renders it."""
    for binding in _seen_in_template(target, known, find):
        start, end = binding.span
        yield Place(binding.source, start + 1, end)


def variables_of_template(target: Target, known: TextSymbols, find: Find) -> Iterator[Target]:
    """Yield the variables of classes and defined types that a variable of a template is."""
    for binding in _seen_in_template(target, known, find):
        scope = _scope_of(binding.scope)
        if scope is not None:
            yield Target("variable", target.name, scope)


def _seen_in_template(target: Target, known: TextSymbols, find: Find) -> Iterator[Binding]:
    template = Target("file", target.scope.removeprefix("template "), "templates")
    opened = {program.source.name for program in known.programs}
    read = (known.program_of(path) for path in find(template) if path not in opened)
    for program in (*known.programs, *read):
        if program is None:
            continue
        for use in uses_of(program, template, known):
            binding = _seen_at(program, use.start, target.name, known)
            if binding is not None:
                yield binding


def templates_that_see(program: ast.Program, variable: Target, known: TextSymbols) -> Iterator[str]:
    """Yield the scopes of the templates that see a variable where a program renders them."""
    for use in uses_in(program, known):
        if use.target.kind == "file" and use.target.scope == "templates":
            binding = _seen_at(program, use.start, variable.name, known)
            if binding is not None and _scope_of(binding.scope) == variable.scope:
                yield scope_of_template(use.target.name)


def _seen_at(program: ast.Program, offset: int, name: str, known: TextSymbols) -> Binding | None:
    """Return the variable of a name that code at an offset sees, also an inherited one."""
    parent = inherited_at(program, offset)
    inherited = {} if parent is None else known.variables_in_module(parent)
    return visible_at(program, offset).get(name) or inherited.get(name)


def _scope_of(node: object) -> str | None:
    """Return the scope that a class or a defined type is, None for another node."""
    if isinstance(node, ast.HostClassDefinition):
        return scope_of_class(node.name)
    if isinstance(node, ast.ResourceTypeDefinition):
        return scope_of_define(node.name)
    return None


# Ruby


def places_in_ruby(target: Target, known: TextSymbols) -> Iterator[Place]:
    """Yield the definitions of a target in Ruby; of a parameter that is not found, the type.

    The files are searched, neither run nor parsed: people write such a definition in a few ways.
    If a file does not say the name as expected, its beginning counts.
    """
    environment = known.session.environment
    kind, name, scope = target
    if environment is None:
        return
    if kind == "function":
        yield from _in_file(known, environment.ruby_functions.get(name), [(_FUNCTION, name)])
    elif kind == "type":
        yield from _in_file(known, environment.type_file(name), [(_TYPE, name)])
    elif kind == "variable" and scope.startswith("type "):
        type_name = scope.removeprefix("type ")
        searched = [(_PARAMETER, name), (_KEY, name), (_TYPE, type_name)]
        if name == "ensure":
            searched.insert(0, (_ENSURABLE, "ensurable"))
        yield from _in_file(known, environment.type_file(type_name), searched)
    elif kind == "provider" and _WORD.fullmatch(name) and _WORD.fullmatch(scope):
        for module in environment.modules.values():
            path = module.file("lib", "puppet", "provider", scope, f"{name}.rb")
            if os.path.lexists(path):
                yield from _in_file(known, path, [(_PROVIDER, name)])


def _in_file(
    known: TextSymbols, path: str | None, searched: list[tuple[tuple[str, str], str]]
) -> Iterator[Place]:
    """Yield the first name that is between its texts, else the beginning of the file."""
    source = None if path is None else known.text_of(path)
    if source is None:
        return
    for (before, after), name in searched:
        pattern = re.compile(f"{before}(?P<name>{re.escape(name)}){after}", re.MULTILINE)
        found = pattern.search(source.text)
        if found is not None:
            yield Place(source, *found.span("name"))
            return
    yield Place(source, 0, 0)
