"""Checks of attributes in data: hashes that code declares resources with, by their titles.

``create_resources('shop::vhost', $vhosts)`` in the class shop, or ``each`` with ``* =>``, says that
the value of the key ``shop::vhosts`` has attributes. Only code that certainly runs counts, or that
is the only one with the parameter.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from puppet_repl.base.matching import nearest
from puppet_repl.catalog import core_types
from puppet_repl.catalog.resource_types import METAPARAMETER_SET, METAPARAMETERS
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.types.model.resource import capitalize_segments
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.tools.advice.nodes import bare, called, string_of
from puppet_repl.tools.validation.data_parameters import (
    KEY,
    UNKNOWN,
    WRONG_TYPE,
    mismatches,
    texts_of_mismatches,
    texts_of_type,
)
from puppet_repl.tools.validation.definitions import plain_name
from puppet_repl.tools.validation.index import LIKENESS
from puppet_repl.tools.validation.surroundings import hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from typing import TypeAlias

    from puppet_repl.language.values.protocols import Value
    from puppet_repl.tools.validation.data_parameters import Problem
    from puppet_repl.tools.validation.definitions import Definition
    from puppet_repl.tools.validation.documents import Document
    from puppet_repl.tools.validation.index import Index

    # Nodes, each with whether a condition is around it.
    Pending: TypeAlias = list[tuple[ast.Node, bool]]

CREATING = ("create_resources", "ensure_resources")
"""Functions that take a type and a hash of resources by their titles."""
_JOINING = ("deep_merge", "merge", "pick", "pick_default", "stdlib::deep_merge", "stdlib::merge")
_CONDITIONS = (
    ast.AndExpression,
    ast.CaseExpression,
    ast.IfExpression,
    ast.LambdaExpression,
    ast.OrExpression,
    ast.SelectorExpression,
    ast.UnlessExpression,
)
_LEAVING = frozenset(("break", "next", "return"))
_ATTRIBUTE = re.compile(r"[a-z]\w*", re.ASCII)
_DEFINITIONS = (ast.FunctionDefinition, ast.HostClassDefinition, ast.ResourceTypeDefinition)
BY_TITLE = 2
"""The depth of attributes in a hash of resources."""


class Declared(NamedTuple):
    """The type of the resources that a hash declares.

    The attributes are below the titles (``depth`` 2), or in the hash itself (1). It ``is_all`` if
    no other hash gives attributes that replace them.
    """

    type_name: str
    depth: int
    is_all: bool


def problems(
    document: Document, keys: Iterable[str], index: Index, changed: Container[str]
) -> Iterator[Problem]:
    """Yield attributes in data that their types do not have, and values that types refuse.

    The values of keys in ``changed`` are merged or converted: their parts may have another type.
    """
    for key in keys:
        value = document.value_of(key)
        parts = KEY.fullmatch(key)
        definition = None if parts is None else index.find("class", parts[1])
        if parts is None or definition is None or type(value) is not PuppetHash:
            continue
        if definition.parameter(parts[2]) is None:
            continue
        found = _declared(definition).get(parts[2])
        if found is None:
            continue
        is_all = found.is_all and key not in changed
        for path, title, attributes in _resources(key, value, found.depth):
            place = _Place(document, index, found.type_name, path, title)
            yield from place.problems(attributes, with_types=is_all)


def _resources(
    key: str, value: PuppetHash, depth: int
) -> Iterator[tuple[tuple[str, ...], str, PuppetHash]]:
    """Yield the paths, the titles and the attributes of resources."""
    if depth == 1:
        yield (key,), "", value
        return
    for title, attributes in value.items():
        if type(title) is str and type(attributes) is PuppetHash:
            yield (key, title), title, attributes


class _Place:
    """The attributes of one resource in data."""

    def __init__(
        self, document: Document, index: Index, type_name: str, path: tuple[str, ...], title: str
    ) -> None:
        self._document = document
        self._index = index
        self._type_name = type_name
        self._path = path
        self._title = title

    def problems(self, attributes: PuppetHash, *, with_types: bool) -> Iterator[Problem]:
        """Yield the attributes that the type does not have or, ``with_types``, refuses."""
        definition = self._index.find("define", self._type_name)
        for name, value in attributes.items():
            if type(name) is not str or not _ATTRIBUTE.fullmatch(name):
                continue
            if definition is None:
                yield from self._native(name)
            elif name not in METAPARAMETER_SET and name != "name":
                yield from self._parameter(definition, name, value, with_types=with_types)

    def _native(self, name: str) -> Iterator[Problem]:
        """Yield an attribute that a type in Ruby does not have."""
        native = self._index.resource_type(self._type_name)
        if native is None and self._type_name not in self._index.ruby.types:
            native = core_types.find(self._type_name)
        if native is not None and not native.has_attribute(name):
            yield self._unknown(name, f"the type {self._type_name}", [*native.attributes])

    def _parameter(
        self, definition: Definition, name: str, value: Value, *, with_types: bool
    ) -> Iterator[Problem]:
        parameter = definition.parameter(name)
        if parameter is None:
            names = [each.name for each in definition.parameters]
            yield self._unknown(name, definition.title, names)
            return
        if parameter.type_expr is None or not with_types:
            return
        wanted = self._index.type_of(parameter.type_expr, definition.source)
        if wanted is None:
            return
        found = mismatches(wanted, value, name)
        if found:
            title = f"{capitalize_segments(definition.name)}[{self._title}]"
            message = f"{title}:{texts_of_mismatches(found)}"
            span = self._document.span_at((*self._path, name))
            given = value if type(value) is str else ""
            near = nearest(given, texts_of_type(wanted))
            yield span, False, WRONG_TYPE, message, given, near

    def _unknown(self, name: str, owner: str, names: list[str]) -> Problem:
        near = nearest(name, [*names, *METAPARAMETERS], likeness=LIKENESS)
        message = f"{owner} has no parameter {name}{hint(near)}"
        return self._document.span_at(self._path, name), False, UNKNOWN, message, name, near


# Code


def _declared(definition: Definition) -> dict[str, Declared]:
    """Return the resources that the parameters of a class certainly declare, by parameter."""
    if definition.declared is None:
        nodes = parse(definition.source).definitions
        node = next((each for each in nodes if each.start == definition.start), None)
        found = _Class(node).found() if isinstance(node, ast.HostClassDefinition) else {}
        definition.declared = found
    return definition.declared


class _Class:
    """The code of a class that declares resources with its parameters."""

    def __init__(self, node: ast.HostClassDefinition) -> None:
        self._node = node
        inner = {
            parameter.name
            for each in node.walk()
            if isinstance(each, ast.LambdaExpression)
            for parameter in each.parameters
        }
        self._names = {each.name for each in node.parameters} - inner
        self._prefix = f"{plain_name(node.name)}::"
        self._reads: Counter[str] = Counter()
        # Below a condition, and elsewhere.
        self._maybe: dict[str, set[Declared]] = {}
        self._surely: dict[str, set[Declared]] = {}

    def found(self) -> dict[str, Declared]:
        """Return the resources that each parameter certainly declares."""
        pending: Pending = [] if self._node.body is None else [(self._node.body, False)]
        is_left = any(called(each) in _LEAVING for each in self._node.walk())
        while pending:
            node, is_conditional = pending.pop()
            if isinstance(node, _DEFINITIONS):
                continue
            if isinstance(node, ast.VariableExpression):
                self._reads[self._local(node)] += 1
            known = self._maybe if is_conditional or is_left else self._surely
            for name, declared in self._of(node):
                known.setdefault(name, set()).add(declared)
            is_conditional = is_conditional or isinstance(node, _CONDITIONS)
            is_test = isinstance(node, ast.IfExpression | ast.UnlessExpression)
            children = node.children()[1:] if is_test else node.children()
            pending += [(child, is_conditional) for child in children]
        found = {name: [*each] for name, each in self._surely.items()}
        for name, maybe in self._maybe.items():
            if self._reads[name] == 1:
                found.setdefault(name, [*maybe])
        return {name: each[0] for name, each in found.items() if len(each) == 1}

    def _local(self, node: ast.Node) -> str:
        """Return the parameter that an expression reads, "" for anything else."""
        node = bare(node)
        if not isinstance(node, ast.VariableExpression):
            return ""
        name = node.name.removeprefix("::").removeprefix(self._prefix)
        return name if name in self._names else ""

    def _of(self, node: ast.Node) -> Iterator[tuple[str, Declared]]:
        if isinstance(node, ast.CallNamedFunctionExpression) and called(node) in CREATING:
            yield from self._created(node.arguments)
        elif isinstance(node, ast.CallNamedFunctionExpression | ast.CallMethodExpression):
            yield from self._looped(node)
        elif isinstance(node, ast.ResourceExpression):
            for type_name, expression in _attributes(node):
                yield from self._given(expression, type_name, 1)

    def _given(self, node: ast.Node, type_name: str, depth: int) -> Iterator[tuple[str, Declared]]:
        for part in joined(node):
            name = self._local(part)
            if name:
                yield name, Declared(type_name, depth, part is bare(node))

    def _created(self, given: tuple[ast.Node, ...]) -> Iterator[tuple[str, Declared]]:
        type_name = plain_name(string_of(given[0]) or "") if given else ""
        if type_name and type_name != "class" and len(given) > 1:
            yield from self._given(given[1], type_name, BY_TITLE)

    def _looped(
        self, node: ast.CallNamedFunctionExpression | ast.CallMethodExpression
    ) -> Iterator[tuple[str, Declared]]:
        """Yield what ``$vhosts.each |$title, $attributes| { ... }`` declares in each turn."""
        loop = loop_of(node)
        if loop is None:
            return
        values, block = loop
        name = self._local(values)
        if not name:
            return
        inner = block.parameters[1].name
        nodes = [*block.walk()]
        reads = [each for each in nodes if isinstance(each, ast.VariableExpression)]
        if sum(each.name == inner for each in reads) != 1:
            return
        body = block.body
        statements = body.statements if isinstance(body, ast.BlockExpression) else (body,)
        for statement in statements:
            for type_name, expression in _attributes(statement):
                for part in joined(expression):
                    if isinstance(part, ast.VariableExpression) and part.name == inner:
                        is_all = part is bare(expression)
                        yield name, Declared(type_name, BY_TITLE, is_all)


def loop_of(
    node: ast.CallNamedFunctionExpression | ast.CallMethodExpression,
) -> tuple[ast.Node, ast.LambdaExpression] | None:
    """Return the values of a call of ``each``, and its lambda with two parameters; or None."""
    block = node.block
    values = node.arguments[0] if node.arguments else None
    if isinstance(node, ast.CallMethodExpression):
        values = node.functor.left
    if called(node) != "each" or values is None or not isinstance(block, ast.LambdaExpression):
        return None
    return (values, block) if len(block.parameters) == BY_TITLE else None


def _attributes(node: ast.Node | None) -> Iterator[tuple[str, ast.Node]]:
    """Yield the type and the hash of each ``* => hash`` of declared resources."""
    if not isinstance(node, ast.ResourceExpression) or node.form != "regular":
        return
    if not isinstance(node.type_name, ast.QualifiedName) or node.type_name.value == "class":
        return
    for body in node.bodies:
        is_default = isinstance(body.title, ast.LiteralDefault)
        for operation in () if is_default else body.operations:
            if isinstance(operation, ast.AttributesOperation):
                yield plain_name(node.type_name.value), operation.expr


def joined(node: ast.Node) -> Iterator[ast.Node]:
    """Yield the expressions whose hashes an expression joins."""
    pending = [node]
    while pending:
        node = bare(pending.pop())
        if isinstance(node, ast.ArithmeticExpression) and node.operator == "+":
            pending += [node.left, node.right]
        elif isinstance(node, ast.CallNamedFunctionExpression) and called(node) in _JOINING:
            pending += node.arguments
        else:
            yield node
