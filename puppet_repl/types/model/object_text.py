"""``Object[{...}]``: the definition of an Object type as program text."""

from __future__ import annotations

from collections.abc import Mapping

from puppet_repl.types.model.base import type_text
from puppet_repl.types.model.inference import inferred
from puppet_repl.values.quote import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.types.model.members import Attribute, Member
    from puppet_repl.types.model.object import ObjectType


def object_text(target: ObjectType, with_name: bool = True) -> str:
    """Return the initialiser, in the order that Puppet writes it."""
    definition = target.definition
    entries: list[str] = []
    if definition.annotations is not None:
        entries.append(f"annotations => {type_text(definition.annotations, None)}")
    if with_name and target.object_name is not None:
        entries.append(f"name => {quote(target.object_name)}")
    if definition.parent is not None:
        entries.append(f"parent => {definition.parent.text()}")
    if definition.parameters:
        entries.append(f"type_parameters => {_members(definition.parameters)}")
    constants = {
        name: one for name, one in definition.attributes.items() if _is_plain_constant(one)
    }
    others = {name: one for name, one in definition.attributes.items() if name not in constants}
    if others:
        entries.append(f"attributes => {_members(others)}")
    if constants:
        texts = [f"{quote(name)} => {type_text(it.value, None)}" for name, it in constants.items()]
        entries.append(f"constants => {{{', '.join(texts)}}}")
    if definition.functions:
        entries.append(f"functions => {_members(definition.functions)}")
    if definition.equality is not None:
        entries.append(f"equality => {type_text(definition.equality, None)}")
    if definition.checks is not None:
        entries.append(f"checks => {type_text(definition.checks, None)}")
    return f"Object[{{{', '.join(entries)}}}]"


def _members(members: Mapping[str, Member]) -> str:
    texts = [f"{quote(name)} => {one.text(None)}" for name, one in members.items()]
    return "{" + ", ".join(texts) + "}"


def _is_plain_constant(attribute: Attribute) -> bool:
    return attribute.is_constant and attribute.type == inferred(attribute.value).generalize()
