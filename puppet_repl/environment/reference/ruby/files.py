"""All that a Ruby file declares."""

from __future__ import annotations

import re

from puppet_repl.environment.reference.comments import Comment
from puppet_repl.environment.reference.model import ProviderEntry
from puppet_repl.environment.reference.ruby.comments import parse_ruby
from puppet_repl.environment.reference.ruby.data_types import read_data_type
from puppet_repl.environment.reference.ruby.functions import read_function, read_old_function
from puppet_repl.environment.reference.ruby.literals import (
    literal_text,
    pairs_of,
    source_of,
    text_or_source,
)
from puppet_repl.environment.reference.ruby.nodes import file_calls
from puppet_repl.environment.reference.ruby.resource_api import read_registered_type
from puppet_repl.environment.reference.ruby.resource_types import read_addition, read_resource_type
from puppet_repl.environment.reference.ruby.source_file import RubyFile, Undocumentable, find_docs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.environment.reference.model import Entry, Problem
    from puppet_repl.environment.reference.ruby.nodes import Node

_DECLARES = re.compile(
    r"\b(?:newfunction|create_function|newtype|provide|register_type|create_type"
    r"|newparam|newproperty|ensurable)\b"
).search


def read_ruby(text: str, file: str) -> list[Entry | Problem]:
    """Return what a file declares, in order, and the problems with declarations that have no entry.

    Raises RubyError if the file cannot be read.
    """
    if not _DECLARES(text):
        return []
    return declared(parse_ruby(text, as_yard=True), RubyFile(text, file))


def declared(root: Node, file: RubyFile) -> list[Entry | Problem]:
    """Return what the statements of a file declare."""
    found = [_entry(call, file) for call in file_calls(root)]
    return [entry for entry in found if entry is not None]


def _entry(call: Node, file: RubyFile) -> Entry | Problem | None:
    read = _READERS.get(call.name)
    if read is None:
        return None
    try:
        return read(call, file)
    except Undocumentable as error:
        return file.warning("undocumentable", f"Undocumentable: {error.message}", error.line)


def _receiver(call: Node, file: RubyFile) -> str:
    return source_of(call.receiver, file.text) if call.receiver is not None else ""


def _name(call: Node, file: RubyFile) -> str:
    """Return the name that is the first argument of a call; raise Undocumentable without one."""
    if not call.arguments:
        raise Undocumentable(f"Expected at least one parameter to '{call.name}'", call.line)
    name = literal_text(call.arguments[0], file.text)
    if name is None:
        source = source_of(call.arguments[0], file.text)
        message = f"Expected a symbol or string literal for first parameter but found {source!r}"
        raise Undocumentable(message, call.line)
    return name


def _function(call: Node, file: RubyFile) -> Entry | None:
    if _receiver(call, file) != "Puppet::Functions":
        return None
    return read_function(call, _name(call, file), file)


def _old_function(call: Node, file: RubyFile) -> Entry | None:
    if _receiver(call, file) not in ("", "Puppet::Parser::Functions"):
        return None
    return read_old_function(call, _name(call, file), file)


def _resource_type(call: Node, file: RubyFile) -> Entry | None:
    if _receiver(call, file) not in ("Puppet::Type", "Type"):
        return None
    return read_resource_type(call, _name(call, file), file)


def _type_of(call: Node, file: RubyFile, classes: tuple[str, ...]) -> str | None:
    """Return the name in ``Puppet::Type.type(:name)``, on which a method is called."""
    of_type = call.receiver
    if of_type is None or of_type.kind != "call" or of_type.name != "type":
        return None
    if _receiver(of_type, file) not in classes or not of_type.arguments:
        return None
    return literal_text(of_type.arguments[0], file.text)


def _addition(call: Node, file: RubyFile) -> Entry | None:
    type_name = _type_of(call, file, ("Puppet::Type", "Type"))
    if type_name is None:
        return None
    name = "ensure" if call.name == "ensurable" else _name(call, file)
    return read_addition(call, type_name, name, file)


def _provider(call: Node, file: RubyFile) -> Entry | None:
    type_name = _type_of(call, file, ("Puppet::Type",))
    if type_name is None:
        return None
    return read_provider(call, type_name, _name(call, file), file)


def _registered_type(call: Node, file: RubyFile) -> Entry | None:
    if _receiver(call, file) != "Puppet::ResourceApi":
        return None
    return read_registered_type(call, file)


def _data_type(call: Node, file: RubyFile) -> Entry | None:
    if _receiver(call, file) not in ("Puppet::DataTypes", "DataTypes"):
        return None
    return read_data_type(call, _name(call, file), file)


_READERS: dict[str, Callable[[Node, RubyFile], Entry | None]] = {
    "create_function": _function,
    "newfunction": _old_function,
    "newtype": _resource_type,
    "newparam": _addition,
    "newproperty": _addition,
    "ensurable": _addition,
    "provide": _provider,
    "register_type": _registered_type,
    "create_type": _data_type,
}


def read_provider(call: Node, type_name: str, name: str, file: RubyFile) -> ProviderEntry:
    """Return a provider, from its block."""
    comment = file.comment(call)
    problems = list(file.faults(comment))
    docs = find_docs(call, file)
    what = f"Puppet provider '{name}' (resource type '{type_name}')"
    if docs.text is not None:
        comment = Comment(docs.text, docs.line)
        problems += file.faults(comment)
    elif docs.is_unreadable:
        message = f"Failed to parse docstring for {what}"
        problems.append(file.warning("unreadable-documentation", message, docs.line))
    else:
        message = f"Missing a description for {what}"
        problems.append(file.warning("missing-description", message, call.line))
    confines: dict[str, str] = {}
    commands: dict[str, str] = {}
    features: list[str] = []
    defaults: list[tuple[tuple[str, str], ...]] = []
    for node in call.statements:
        if node.kind != "call" or not node.arguments:
            continue
        if node.name == "confine":
            confines.update(_pairs(node.arguments[0], file))
        elif node.name == "commands":
            commands.update(_pairs(node.arguments[0], file))
        elif node.name in ("has_feature", "has_features"):
            features += [text_or_source(each, file.text) for each in node.arguments]
        elif node.name == "defaultfor":
            given = [_pairs(each, file) for each in node.arguments]
            defaults += [each for each in given if each]
    return ProviderEntry(
        name=name,
        type_name=type_name,
        file=file.file,
        line=call.line,
        text=comment.text,
        tags=tuple(comment.tags),
        confines=tuple(confines.items()),
        features=tuple(features),
        defaults=tuple(defaults),
        commands=tuple(commands.items()),
        source=file.source(call),
        problems=tuple(problems),
    )


def _pairs(node: Node, file: RubyFile) -> tuple[tuple[str, str], ...]:
    return tuple(
        (text_or_source(key, file.text), text_or_source(value, file.text))
        for key, value in pairs_of(node)
    )
