"""Resource types that Ruby files create with ``newtype``, and what others add to them."""

from __future__ import annotations

from dataclasses import replace

from puppet_repl.environment.reference.comments import Comment
from puppet_repl.environment.reference.model import Attribute, Feature, ResourceTypeEntry
from puppet_repl.environment.reference.ruby.literals import (
    literal_text,
    pairs_of,
    scrubbed,
    source_of,
    text_or_source,
)
from puppet_repl.environment.reference.ruby.native_types import is_namevar
from puppet_repl.environment.reference.ruby.source_file import Docs, find_docs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.environment.reference.model import AttributeKind, Problem, Tag
    from puppet_repl.environment.reference.ruby.nodes import Node
    from puppet_repl.environment.reference.ruby.source_file import RubyFile

_ENSURE = "The basic property that the resource should be in."
_KINDS: dict[str, AttributeKind] = {
    "newparam": "parameter",
    "newproperty": "property",
    "newcheck": "check",
}
_DIRECTIVES: dict[str, AttributeKind] = {
    "puppet.type.param": "parameter",
    "puppet.type.property": "property",
}
_BOOLEANS = ("true", "false", "yes", "no")


def read_resource_type(call: Node, name: str, file: RubyFile) -> ResourceTypeEntry:
    """Return the resource type that ``Puppet::Type.newtype`` creates."""
    comment = file.comment(call)
    problems = list(file.faults(comment))
    attributes = _directed(comment.directives)
    docs = find_docs(call, file)
    if docs.text is not None:
        comment = Comment(docs.text, docs.line)
        problems += file.faults(comment)
        attributes += _directed(comment.directives)
    else:
        problems.append(_missing(docs, f"Puppet resource type '{name}'", call, file))
    features: list[Feature] = []
    for node in call.statements:
        if node.kind != "call":
            continue
        if node.name in _KINDS:
            attribute = _attribute(node, _KINDS[node.name], file, problems)
            if attribute is not None:
                attributes.append(attribute)
        elif node.name == "ensurable":
            attributes.append(_ensure(node, file, problems))
        elif node.name == "feature" and len(node.arguments) >= 2:
            feature = _feature(node, file)
            if feature is not None:
                features.append(feature)
    return ResourceTypeEntry(
        name=name,
        file=file.file,
        line=call.line,
        text=comment.text,
        tags=tuple(comment.tags),
        parameters=with_namevar(attributes),
        features=tuple(features),
        source=file.source(call),
        problems=tuple(problems),
    )


def read_addition(call: Node, type_name: str, name: str, file: RubyFile) -> ResourceTypeEntry:
    """Return what ``Puppet::Type.type(:name).newparam(...)`` adds to a resource type."""
    problems: list[Problem] = []
    kind = _KINDS.get(call.name, "property")  # ensurable declares one
    attribute = _described(name, kind, call, file, problems)
    return ResourceTypeEntry(
        name=type_name,
        file=file.file,
        line=call.line,
        parameters=with_namevar([attribute]),
        problems=tuple(problems),
    )


def with_namevar(attributes: Sequence[Attribute]) -> tuple[Attribute, ...]:
    """Return attributes of which puppet-strings shows one as the namevar.

    Without another, it is the one called name.
    """
    named = [each for each in attributes if each.name == "name"]
    properties = [each for each in named if each.kind == "property"]
    parameters = [each for each in named if each.kind == "parameter"]
    meant = (*properties[-1:], *parameters[:1])[:1]
    others = [each for each in attributes if each.kind != "check"]
    is_free = not any(each.is_shown_namevar for each in others)
    return tuple(
        replace(each, is_shown_namevar=True) if is_free and meant and each is meant[0] else each
        for each in attributes
    )


def _directed(directives: Sequence[Tag]) -> list[Attribute]:
    """Return the attributes that directives in a comment declare."""
    return [
        Attribute(
            name=each.subject or "",
            kind=_DIRECTIVES[each.name],
            text=each.text or "",
            values=each.types or (),
            line=each.line,
            is_documented=True,
            is_namevar=each.name == "puppet.type.param" and each.subject == "name",
        )
        for each in directives
        if each.name in _DIRECTIVES
    ]


def _missing(docs: Docs, what: str, node: Node, file: RubyFile) -> Problem:
    if docs.is_unreadable:
        message = f"Failed to parse docstring for {what}"
        return file.warning("unreadable-documentation", message, docs.line)
    return file.warning("missing-description", f"Missing a description for {what}", node.line)


def _attribute(
    call: Node, kind: AttributeKind, file: RubyFile, problems: list[Problem]
) -> Attribute | None:
    name = file.name(call)
    return None if name is None else _described(name, kind, call, file, problems)


def _described(
    name: str, kind: AttributeKind, call: Node, file: RubyFile, problems: list[Problem]
) -> Attribute:
    docs = find_docs(call, file)
    if docs.text is None:
        problems.append(_missing(docs, f"Puppet resource {kind} '{name}'", call, file))
    values = _Values(name)
    for node in call.statements:
        if node.kind == "call":
            values.declare(node, file.text)
    required = values.of_options(call, file.text)
    return Attribute(
        name=name,
        kind=kind,
        text=docs.text or "",
        line=call.line,
        is_documented=docs.text is not None,
        values=tuple(values.values),
        aliases=tuple(values.aliases.items()),
        default=values.default,
        is_namevar=kind == "parameter" and is_namevar(call, name, file.text),
        is_shown_namevar=values.is_namevar,
        required_features=required,
    )


def _ensure(node: Node, file: RubyFile, problems: list[Problem]) -> Attribute:
    """Return the property that ``ensurable`` declares, with a block or without."""
    if node.block is not None:
        found = _described("ensure", "property", node, file, problems)
        return found if found.text else replace(found, text=_ENSURE)
    return Attribute(
        name="ensure",
        kind="property",
        text=_ENSURE,
        line=node.line,
        values=("present", "absent"),
        default="present",
    )


def _feature(node: Node, file: RubyFile) -> Feature | None:
    name = literal_text(node.arguments[0], file.text)
    text = literal_text(node.arguments[1], file.text)
    if name is None or text is None:
        return None
    return Feature(name, scrubbed(text).replace("\n", " "))


class _Values:
    """The values of an attribute, by what its block and its options declare."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.values: list[str] = []
        self.aliases: dict[str, str] = {}
        self.default: str | None = None
        self.is_namevar = False

    def declare(self, call: Node, text: str) -> None:
        """Take one call of the block."""
        given = [text_or_source(each, text) for each in call.arguments]
        if call.name == "newvalue":
            self.values += given[:1]
        elif call.name == "newvalues":
            self.values += given
        elif call.name == "aliasvalue" and len(given) >= 2:
            if given[0] not in self.values:
                self.values.append(given[0])
            self.aliases[given[0]] = given[1]
        elif call.name == "defaultto" and given:
            self.default = given[0]
        elif call.name == "isnamevar":
            self.is_namevar = True
        elif call.name == "defaultvalues" and self.name == "ensure":
            self.values += ["present", "absent"]
            self.default = "present"

    def of_options(self, call: Node, text: str) -> str | None:
        """Take the options of the attribute; return the features that it requires."""
        required = None
        options = list(pairs_of(call.arguments[1])) if len(call.arguments) > 1 else []
        for key, value in options:
            if literal_text(key, text) == "required_features":
                required = literal_text(value, text)
                break
        for key, value in options:
            if literal_text(key, text) == "parent":
                if source_of(value, text) == "Puppet::Parameter::Boolean":
                    self.values += [each for each in _BOOLEANS if each not in self.values]
                break
        return required
