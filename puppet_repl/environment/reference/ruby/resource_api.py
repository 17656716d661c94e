"""Resource types that Ruby files register with the Resource API, by a hash."""

from __future__ import annotations

import re

from puppet_repl.environment.reference.comments import Comment
from puppet_repl.environment.reference.model import Attribute, ResourceTypeEntry
from puppet_repl.environment.reference.ruby.data import data_text
from puppet_repl.environment.reference.ruby.literals import literal_text, scrubbed, source_of
from puppet_repl.environment.reference.ruby.source_file import Undocumentable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.environment.reference.ruby.nodes import Node
    from puppet_repl.environment.reference.ruby.source_file import RubyFile

_INTEGER = re.compile(r"\d+(?:_\d+)*", re.ASCII)
_WORDS = {"true": True, "false": False, "nil": None}


def read_registered_type(call: Node, file: RubyFile) -> ResourceTypeEntry:
    """Return a resource type; raise Undocumentable if its hash has something else than literals."""
    given = next((part for part in call.parts if part.kind == "list"), None)
    if given is None:
        raise Undocumentable("Expected list of key/value pairs as argument", call.line)
    schema = _Literals(file).of_hash(given)
    comment = file.comment(call)
    problems = list(file.faults(comment))
    name = str(schema.get("name"))
    docs = schema.get("docs")
    if docs not in (None, False):
        comment = Comment(scrubbed(data_text(docs)), call.line)
        problems += file.faults(comment)
    else:
        message = f"Missing a description for Puppet resource type '{name}'"
        problems.append(file.warning("missing-description", message, call.line))
    attributes = schema.get("attributes")
    lines = _lines_of_attributes(given, file)
    found = attributes.items() if isinstance(attributes, dict) else ()
    return ResourceTypeEntry(
        name=name,
        file=file.file,
        line=call.line,
        text=comment.text,
        tags=tuple(comment.tags),
        parameters=tuple(
            _attribute(str(key), told, lines.get(str(key), call.line))
            for key, told in found
            if isinstance(told, dict)
        ),
        source=file.source(call),
        problems=tuple(problems),
    )


def _attribute(name: str, told: dict[Any, Any], line: int) -> Attribute:
    behaviour = told.get("behaviour")
    description = told.get("desc")
    kind = told.get("type")
    default = told.get("default")
    return Attribute(
        name=name,
        kind="parameter" if behaviour in ("parameter", "namevar") else "property",
        text=data_text(description) if description is not None else "",
        declared_type=data_text(kind) if kind is not None else None,
        default=None if default is None else data_text(default),
        value=default,
        is_namevar=behaviour == "namevar",
        is_shown_namevar=behaviour == "namevar",
        line=line,
        is_documented=description is not None,
    )


def _lines_of_attributes(given: Node, file: RubyFile) -> dict[str, int]:
    for pair in given.parts:
        if len(pair.parts) == 2 and literal_text(pair.parts[0], file.text) == "attributes":
            return {
                literal_text(each.parts[0], file.text) or "": each.line
                for each in pair.parts[1].parts
                if each.kind == "pair"
            }
    return {}


class _Literals:
    """Literals of Ruby as data."""

    def __init__(self, file: RubyFile) -> None:
        self.text = file.text

    def of_hash(self, node: Node) -> dict[Any, Any]:
        """Return a hash, with braces or without."""
        found: dict[Any, Any] = {}
        for pair in node.parts:
            if pair.kind != "pair" or len(pair.parts) != 2:
                raise Undocumentable(f"unexpected construct {pair.kind}", pair.line)
            key = self.of(pair.parts[0])
            found[str(key) if isinstance(key, dict | list) else key] = self.of(pair.parts[1])
        return found

    def of(self, node: Node) -> Any:
        """Return the value of a node."""
        if node.kind == "hash":
            return self.of_hash(node)
        if node.kind == "array":  # of which puppet-strings takes the first item only
            return [self.of(each) for each in node.parts[:1]]
        text = literal_text(node, self.text)
        if text is not None:
            return text
        source = source_of(node, self.text)
        if node.kind == "other" and source in _WORDS:
            return _WORDS[source]
        if node.token is not None and node.token.kind == "number" and _INTEGER.fullmatch(source):
            return int(source.replace("_", ""))
        raise Undocumentable(f"unexpected construct {source[:40]!r}", node.line)
