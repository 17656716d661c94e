"""Providers that Ruby files create: ``Puppet::Type.type(:name).provide(:provider)``."""

from __future__ import annotations

from puppet_repl.environment.reference.comments import Comment
from puppet_repl.environment.reference.model import ProviderEntry
from puppet_repl.environment.reference.ruby.literals import pairs_of, text_or_source
from puppet_repl.environment.reference.ruby.source_file import find_docs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.reference.ruby.nodes import Node
    from puppet_repl.environment.reference.ruby.source_file import RubyFile


def read_provider(call: Node, type_name: str, name: str, file: RubyFile) -> ProviderEntry:
    """Return a provider, by what stands in its block."""
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
