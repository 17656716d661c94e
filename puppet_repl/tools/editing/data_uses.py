"""The names in data files: keys, keys that others look up, classes, variables; and keys in code.

A key ``apache::port`` is the value of a parameter of a class, unless code looks it up.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.yaml_data import YamlError
from puppet_repl.base.yaml_nodes import Mapping, Scalar, Sequence
from puppet_repl.environment.hiera.options import OPTIONS
from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.nodes import called
from puppet_repl.tools.inspection.cursor_context import LOOKUPS
from puppet_repl.tools.validation.data_parameters import CLASSES
from puppet_repl.tools.validation.documents import key_text, read_data, scalars
from puppet_repl.tools.validation.hiera_layout import FUNCTION_OF, reader_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    from puppet_repl.base.yaml_nodes import Node
    from puppet_repl.language.syntax.source import Source

    DataUseKind: TypeAlias = Literal[
        "attribute", "class", "key", "lookup", "options", "parameter", "variable"
    ]

# An expression, and its parts as they are in a file, where quotes may be escaped. One regular
# expression for all would need the square, or the cube, of the length of some texts.
_EXPRESSION = re.compile(r"%\{([^{}\n]*)\}")
_METHOD = re.compile(r"""(?P<method>\w+)\(\\?["'](?P<key>[^"'\\]+)\\?["']\)""")
_VARIABLE = re.compile(r"""[^"'()\\]+""")
# A key at the beginning of a line, for texts that are not YAML while somebody types.
_KEY = re.compile(r"""^(?P<quote>["']?)(?P<key>[\w:]+)(?P=quote)[ \t]*:(?=\s|\Z)""", re.MULTILINE)


class DataUse(NamedTuple):
    """A name in data or code, and its range without quotes.

    A ``key`` has a value here, a ``lookup`` reads the value of a key, ``options`` are those of a
    key. A ``parameter`` of a class has the name of its key, an ``attribute`` of a resource the type
    before it: ``shop::vhost::port``. The name of a ``variable`` may lead
    into its value: ``facts.os.family``.
    """

    kind: DataUseKind
    name: str
    start: int
    end: int

    @property
    def is_of_key(self) -> bool:
        """Whether it is about a key of data."""
        return self.kind not in ("attribute", "class", "variable")


def uses_in_data(source: Source) -> list[DataUse]:
    """Return the uses in a data file; of a text that is not YAML, those that its lines show."""
    root = _root(source)
    if root is None:
        keys = [
            DataUse("key", each["key"], *each.span("key")) for each in _KEY.finditer(source.text)
        ]
        found = [*keys, *_expressions(source.text, 0, len(source.text))]
    else:
        found = [*_named(source.text, root)]
        for scalar in scalars(root):
            found += _expressions(source.text, *scalar.span)
    return sorted(found, key=lambda use: use.start)


def _root(source: Source) -> Node | None:
    try:
        usual = FUNCTION_OF.get(os.path.splitext(source.name or "")[1], "yaml_data")
        return read_data(reader_of(usual) or usual, source).root
    except (PuppetError, YamlError):
        return None


def key_around(source: Source, offset: int) -> str | None:
    """Return the key at the top of data whose hash has an offset, None if there is none."""
    root = _root(source)
    before = [] if root is None else [pair for pair in _pairs(root) if pair[0].span[1] < offset]
    if not before or not isinstance(before[-1][1], Mapping):
        return None
    return key_text(before[-1][0])


def attributes_in_data(source: Source, key: str, type_name: str, depth: int) -> Iterator[DataUse]:
    """Yield the attributes of resources that the value of a key has, at a depth below it."""
    root = _root(source)
    found = [] if root is None else [value for name, value in _pairs(root) if key_text(name) == key]
    for _ in range(depth - 1):
        found = [value for node in found for _, value in _pairs(node)]
    for node in found:
        for inner, _ in _pairs(node):
            name = key_text(inner)
            if name is not None and name != "<<":
                start, end = _inside(source.text, inner)
                yield DataUse("attribute", f"{type_name}::{name}", start, end)


def _named(text: str, root: Node) -> Iterator[DataUse]:
    """Yield keys, those of options, and classes."""
    for key, value in _pairs(root):
        name = key_text(key)
        if name == OPTIONS:
            for inner, _ in _pairs(value):
                named = key_text(inner)
                if named is not None and not named.startswith("^"):
                    yield DataUse("options", named, *_inside(text, inner))
            continue
        if name is not None and name != "<<":
            yield DataUse("key", name, *_inside(text, key))
        if name == CLASSES:
            for item in value.items if isinstance(value, Sequence) else ():
                named = key_text(item)
                if named is not None and "%{" not in named:
                    yield DataUse("class", named.removeprefix("::"), *_inside(text, item))


def _pairs(node: Node) -> list[tuple[Node, Node]]:
    return node.pairs if isinstance(node, Mapping) else []


def _inside(text: str, node: Node) -> tuple[int, int]:
    """Return the range of a scalar without its quotes."""
    start, end = node.span
    is_quoted = isinstance(node, Scalar) and text[start : start + 1] in ("'", '"')
    return start + is_quoted, end - is_quoted


def _expressions(text: str, start: int, end: int) -> Iterator[DataUse]:
    for expression in _EXPRESSION.finditer(text, start, end):
        inside = expression[1].strip()
        at = expression.start(1) + len(expression[1]) - len(expression[1].lstrip())
        call = _METHOD.fullmatch(inside)
        if call is None:
            if _VARIABLE.fullmatch(inside):
                yield DataUse("variable", inside.removeprefix("::"), at, at + len(inside))
        elif call["method"] in ("alias", "hiera", "lookup"):
            root = call["key"].partition(".")[0]
            at += call.start("key")
            yield DataUse("lookup", root, at, at + len(root))
        elif call["method"] == "scope":
            name = call["key"]
            at += call.start("key")
            yield DataUse("variable", name.removeprefix("::"), at, at + len(name))


def uses_in_code(program: ast.Program) -> Iterator[DataUse]:
    """Yield the keys that code looks up by literals, and the parameters of its classes."""
    text = program.source.text
    for node in program.body.walk():
        if isinstance(node, ast.HostClassDefinition):
            owner = node.name.removeprefix("::")
            for parameter in node.parameters:
                at = parameter.at
                end = at + 1 + len(parameter.name)
                yield DataUse("parameter", f"{owner}::{parameter.name}", at, end)
        elif called(node) in LOOKUPS:
            if isinstance(node, ast.CallMethodExpression):
                yield from _literals(text, node.functor.left)
            elif isinstance(node, ast.CallNamedFunctionExpression) and node.arguments:
                yield from _literals(text, node.arguments[0])


def _literals(text: str, node: ast.Node) -> Iterator[DataUse]:
    if isinstance(node, ast.LiteralList):
        for item in node.values:
            yield from _literals(text, item)
    elif isinstance(node, ast.LiteralString):
        root = node.value.partition(".")[0]
        at = node.start + (text[node.start : node.start + 1] in ("'", '"'))
        yield DataUse("lookup", root, at, at + len(root))


def use_at(uses: list[DataUse], offset: int) -> DataUse | None:
    """Return the innermost use at an offset, None without one."""
    found = [each for each in uses if each.start <= offset <= each.end]
    return min(found, key=lambda use: use.end - use.start, default=None)
