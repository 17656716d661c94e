"""The outline of a Ruby file of a module: functions, resource types, providers, facts.

The code is parsed and not run, so computed names are missing.
"""

from __future__ import annotations

import re

from puppet_repl.environment.reference.ruby.literals import literal_text, pairs_of, source_of
from puppet_repl.environment.reference.ruby.nodes import file_calls
from puppet_repl.environment.reference.ruby.tokens import RubyError, tokens_of
from puppet_repl.environment.reference.ruby.tree import parse_tokens
from puppet_repl.tools.editing.outline import Symbol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.environment.reference.ruby.nodes import Node
    from puppet_repl.tools.editing.outline import SymbolKind

# The methods that define something, with the constants that have them.
_DEFINING: dict[str, tuple[SymbolKind, str, tuple[str, ...]]] = {
    "add": ("fact", "fact", ("Facter",)),
    "create_function": ("ruby function", "function", ("Puppet::Functions",)),
    "create_type": ("data type", "data type", ("Puppet::DataTypes", "DataTypes")),
    "newfunction": ("ruby function", "function", ("", "Puppet::Parser::Functions")),
    "newtype": ("resource type", "resource type", ("Puppet::Type", "Type")),
    "provide": ("provider", "provider", ()),
    "register_type": ("resource type", "resource type", ("Puppet::ResourceApi",)),
}
_DEFINES = re.compile(rf"\b(?:{'|'.join(_DEFINING)})\b").search
_OF_TYPES = ("ensurable", "newcheck", "newparam", "newproperty")


def ruby_outline(text: str) -> list[Symbol]:
    """Return the symbols of a text in Ruby, no symbols if it has a syntax error."""
    if not _DEFINES(text):
        return []
    try:
        root = parse_tokens(tokens_of(text))
    except RubyError:
        return []
    calls = file_calls(root, in_branches=True)
    return [symbol for call in calls for symbol in _symbols(text, call)]


def _symbols(text: str, call: Node) -> Iterator[Symbol]:
    """Yield the symbol of a call that defines something."""
    kind, detail, receivers = _DEFINING.get(call.name, ("fact", "", ()))
    receiver = "" if call.receiver is None else source_of(call.receiver, text)
    if not detail:
        return
    named = call.arguments[0] if call.arguments else None
    if kind == "provider":
        of_type = call.receiver
        if of_type is None or of_type.name != "type" or not of_type.arguments:
            return
        type_name = literal_text(of_type.arguments[0], text)
        found = _named(text, call, kind, named, f"provider of {type_name}")
        if found is not None and type_name is not None:
            found.name = f"{type_name}/{found.name}"
            yield found
    elif receiver.removeprefix("::") in receivers:
        given = {}
        if call.name == "register_type":
            # With a comma at the end the parser has no arguments, as YARD.
            listed = next((part for part in call.parts if part.kind in ("list", "hash")), None)
            given = {literal_text(key, text): value for key, value in pairs_of(listed)}
            named = given.get("name")
        found = _named(text, call, kind, named, detail)
        if found is not None:
            found.children += _attributes(text, call, given.get("attributes"))
            yield found


def _named(
    text: str, call: Node, kind: SymbolKind, named: Node | None, detail: str
) -> Symbol | None:
    """Return the symbol of a call whose name is a literal."""
    name = None if named is None else literal_text(named, text)
    if named is None or not name:
        return None
    start = text.find(name, named.start, named.end)
    span = (named.start, named.end) if start < 0 else (start, start + len(name))
    return Symbol(kind, name, (call.start, max(call.end, span[1])), span, detail)


def _attributes(text: str, call: Node, given: Node | None) -> Iterator[Symbol]:
    """Yield the parameters and properties of a resource type."""
    for key, value in pairs_of(given):
        name = literal_text(key, text)
        if name is not None:
            yield Symbol("parameter", name, (key.start, value.end), (key.start, key.end))
    for node in call.statements if call.name == "newtype" else ():
        if node.kind != "call" or node.name not in _OF_TYPES:
            continue
        detail = "property" if node.name in ("ensurable", "newproperty") else "parameter"
        if node.name == "ensurable":
            span = (node.start, node.start + len("ensurable"))
            yield Symbol("parameter", "ensure", (node.start, node.end), span, detail)
        elif node.arguments:
            found = _named(text, node, "parameter", node.arguments[0], detail)
            if found is not None:
                yield found
