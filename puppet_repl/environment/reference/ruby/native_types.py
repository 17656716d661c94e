"""Resource types as a catalog needs them, read from Ruby files without running Ruby.

Only literal names, and loops over lists of them, can be read. A type with other attributes is open:
it accepts any attribute.
"""

from __future__ import annotations

import os

from puppet_repl.catalog.resource_types import NativeType, TitlePattern
from puppet_repl.environment.reference.ruby.literals import literal_text, pairs_of, source_of
from puppet_repl.environment.reference.ruby.nodes import file_calls
from puppet_repl.environment.reference.ruby.title_patterns import (
    first_parameter,
    read_named_patterns,
    read_title_patterns,
)
from puppet_repl.environment.reference.ruby.tokens import RubyError, tokens_of
from puppet_repl.environment.reference.ruby.tree import parse_tokens
from puppet_repl.language.values.regex import MULTILINE, Regexp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.environment.reference.ruby.nodes import Node

_LOOPS = ("each", "each_key", "each_pair", "map")
_DECLARING = ("ensurable", "newparam", "newproperty", "newcheck")
_MIXING = ("extend", "include", "require")
_PARAMETERS = ("namevar", "parameter", "read_only")
_ANYTHING = Regexp("(.*)", MULTILINE)


def read_native_type(text: str, path: str, *, has_provider: bool = True) -> NativeType | None:
    """Return the resource type that a Ruby file defines; None if it defines none.

    Only a type that ``has_provider`` has the attribute provider.
    """
    if "newtype" not in text and "register_type" not in text:
        return None
    try:
        calls = file_calls(parse_tokens(tokens_of(text)), in_branches=True)
    except RubyError:  # its attributes are unknown
        stem = os.path.basename(path).removesuffix(".rb")
        return NativeType(stem, (), ("name",), file=path, is_open=True)
    for call in calls:
        if call.name == "register_type":
            return _registered(call, text, path)
        name = _plain_text(call.arguments[0], text) if call.arguments else None
        if call.name == "newtype" and name is not None:
            body = _Body(text)
            body.read_all(call.statements)
            if has_provider:
                body.parameters.append("provider")
            return body.native_type(name.lower(), path)
    return None


def is_namevar(call: Node, name: str, text: str) -> bool:
    """Tell whether ``newparam`` declares a parameter that names a resource."""
    options = next((part for part in call.parts if part.kind in ("list", "hash")), None)
    return (
        name == "name"
        or any(each.kind == "call" and each.name == "isnamevar" for each in call.statements)
        or any(
            literal_text(key, text) == "namevar" and source_of(value, text) == "true"
            for key, value in pairs_of(options)
        )
    )


class _Body:
    """What the block of ``newtype`` says."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.properties: list[str] = []
        self.parameters: list[str] = []
        self.namevars: list[str] = []
        self.is_mixed = False
        self.has_unknown_name = False
        self.reached: set[Node] = set()
        self.is_repeatable = False
        self.title_patterns: Node | None = None

    def read_all(self, statements: list[Node]) -> None:
        """Take the statements of the type.

        A declaration that was not reached is in code that only Ruby can run.
        """
        self.read(statements, {})
        pending = [*statements]
        while pending:
            node = pending.pop()
            if node.kind == "call" and node.name in _DECLARING and node not in self.reached:
                self.has_unknown_name = True
            if node.kind != "def":
                pending.extend(node.parts)

    def read(self, statements: Iterable[Node], variables: dict[str, str]) -> None:
        """Take statements, in which variables of loops have the values of one round."""
        for node in statements:
            if node.kind == "call":
                self._call(node, variables)
            elif node.kind in ("condition", "branches"):
                self.read(node.parts, variables)
            elif node.kind == "def" and node.name == "title_patterns":
                self.title_patterns = node
            elif node.kind == "def" and node.name == "isomorphic?":
                value = source_of(node.parts[-1], self.text) if node.parts else ""
                self.is_repeatable = value.removeprefix("return").strip() == "false"

    def _call(self, call: Node, variables: dict[str, str]) -> None:
        if call.receiver is not None:
            self._method(call, variables)
            return
        self.reached.add(call)
        if call.name == "instance_eval":
            # Without a block of its own it takes one that is elsewhere.
            self.has_unknown_name = self.has_unknown_name or call.block is None
            self.read(call.statements, variables)
        elif call.name == "ensurable":
            self.properties.insert(0, "ensure")
        elif call.name == "provide":
            self.parameters.append("provider")
        elif call.name in _MIXING:
            self.is_mixed = True
        elif call.name in _DECLARING and call.arguments:
            name = self._name(call.arguments[0], variables)
            if name is None:
                self.has_unknown_name = True
            elif call.name == "newproperty":
                self.properties.insert(0 if name == "ensure" else len(self.properties), name)
            else:
                self.parameters.append(name)
                if is_namevar(call, name, self.text):
                    self.namevars.append(name)

    def _method(self, call: Node, variables: dict[str, str]) -> None:
        """Take the block of a loop over a list of literals."""
        values = _listed(call.receiver, self.text) if call.name in _LOOPS else None
        if values is not None and call.block is not None:
            variable = first_parameter(call.block, self.text)
            for value in values:
                self.read(call.statements, {**variables, variable: value})

    def _name(self, node: Node, variables: dict[str, str]) -> str | None:
        name = _plain_text(node, self.text)
        if name is None:
            source = source_of(node, self.text)
            name = variables.get(source.removesuffix(".to_sym").removesuffix(".intern"))
        return name

    def native_type(self, name: str, path: str) -> NativeType:
        """Return all of it."""
        is_bare = self.is_mixed and not (self.properties or self.namevars)
        is_open = is_bare or self.has_unknown_name
        namevars = tuple(self.namevars) or (("name",) if is_open else ())
        patterns = None
        if self.title_patterns is not None:
            patterns = read_title_patterns(self.title_patterns, self.text)
        has_patterns = self.title_patterns is not None or (self.is_mixed and len(namevars) > 1)
        if patterns is None and namevars and has_patterns:
            # Only Ruby knows what titles mean; that they name the resource is the best guess.
            patterns = (TitlePattern(_ANYTHING, namevars[:1]),)
        return NativeType(
            name,
            tuple(dict.fromkeys(self.properties)),
            tuple(dict.fromkeys(self.parameters)),
            namevars,
            isomorphic=not self.is_repeatable,
            file=path,
            is_open=is_open,
            patterns=patterns,
        )


def _listed(node: Node | None, text: str) -> list[str] | None:
    """Return the literals of an array, or the keys of a hash; None for lists with code."""
    if node is None or node.kind not in ("array", "hash", "words"):
        return None
    if node.kind == "words":
        source = source_of(node, text)
        return None if "#{" in source else source[3:-1].split()
    parts = node.parts
    if node.kind == "hash":
        parts = [key for key, _ in pairs_of(node)]
        if len(parts) < len(node.parts):
            return None
    names = [name for name in (_plain_text(part, text) for part in parts) if name is not None]
    return names if len(names) == len(parts) else None


def _plain_text(node: Node, text: str) -> str | None:
    """Return the text of a literal; None for other nodes, and where code is in the text."""
    found = literal_text(node, text)
    is_plain = found is not None and "#{" not in source_of(node, text)
    return found if is_plain else None


def _registered(call: Node, text: str, path: str) -> NativeType | None:
    """Return a type of the Resource API: its attributes are a hash."""
    schema = _pairs(
        next((part for part in call.parts if part.kind in ("list", "hash")), None), text
    )
    name = literal_text(schema["name"], text) if "name" in schema else None
    if name is None or "attributes" not in schema:
        return None
    behaviours = {}
    for attribute, described in _pairs(schema["attributes"], text).items():
        told = _pairs(described, text)
        behaviour = told.get("behaviour") or told.get("behavior")
        behaviours[attribute] = None if behaviour is None else literal_text(behaviour, text)
    parameters = [key for key, each in behaviours.items() if each in _PARAMETERS]
    namevars = [key for key, each in behaviours.items() if each == "namevar"]
    patterns = read_named_patterns(schema.get("title_patterns"), text)
    if patterns is None and len(namevars) > 1:
        patterns = (TitlePattern(_ANYTHING, tuple(namevars[:1])),)
    return NativeType(
        name,
        tuple([key for key in behaviours if key not in parameters]),
        tuple(parameters),
        tuple(namevars) or ("name",),
        file=path,
        is_open=not behaviours,
        patterns=patterns,
    )


def _pairs(node: Node | None, text: str) -> dict[str, Node]:
    """Return the pairs of a hash whose keys are literals."""
    return {literal_text(key, text) or "": value for key, value in pairs_of(node)}
