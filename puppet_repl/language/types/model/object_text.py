"""The definition of an Object type, as program text (``Object[{...}]``) and as a hash."""

from __future__ import annotations

from collections.abc import Mapping

from puppet_repl.language.types.model.base import Expansion, type_text
from puppet_repl.language.types.model.inference import inferred
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.quote import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.types.model.members import Attribute, Member
    from puppet_repl.language.types.model.object import Definition, ObjectType
    from puppet_repl.language.types.model.typeset import TypeSetType


def object_text(target: ObjectType, type_set: TypeSetType | None = None) -> str:
    """Return the initialiser, in the order that Puppet writes it.

    Inside of the text of a type set its own types have no names, and the others those that the
    set knows them by.
    """
    definition = target.definition
    expansion = None if type_set is None else Expansion(False, (), type_set)
    entries: list[str] = []
    if definition.annotations is not None:
        entries.append(f"annotations => {type_text(definition.annotations, expansion)}")
    is_own = type_set is not None and type_set.defines(target)
    if not is_own and target.object_name is not None:
        entries.append(f"name => {quote(target.object_name)}")
    if definition.parent is not None:
        entries.append(f"parent => {definition.parent.text(expansion)}")
    if definition.parameters:
        entries.append(f"type_parameters => {_members(definition.parameters, expansion)}")
    others, constants = _divided(definition)
    if others:
        entries.append(f"attributes => {_members(others, expansion)}")
    if constants:
        texts = [
            f"{quote(name)} => {type_text(it.value, expansion)}" for name, it in constants.items()
        ]
        entries.append(f"constants => {{{', '.join(texts)}}}")
    if definition.functions:
        entries.append(f"functions => {_members(definition.functions, expansion)}")
    if definition.equality is not None:
        entries.append(f"equality => {type_text(definition.equality, expansion)}")
    if definition.checks is not None:
        entries.append(f"checks => {type_text(definition.checks, expansion)}")
    return f"Object[{{{', '.join(entries)}}}]"


def initialiser(target: ObjectType) -> PuppetHash:
    """Return the hash that an equal type can be made from."""
    definition = target.definition
    others, constants = _divided(definition)
    entries = {
        "annotations": definition.annotations,
        "name": target.object_name,
        "parent": definition.parent,
        "type_parameters": _hash_of(definition.parameters),
        "attributes": _hash_of(others),
        "constants": PuppetHash([(name, one.value) for name, one in constants.items()]),
        "functions": _hash_of(definition.functions),
        "equality": definition.equality,
        "checks": definition.checks,
    }
    members = ("type_parameters", "attributes", "constants", "functions")
    return PuppetHash(
        [
            (key, item)
            for key, item in entries.items()
            if item is not None and not (key in members and item == PuppetHash.EMPTY)
        ]
    )


def _divided(definition: Definition) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Return the attributes, and the constants that are written by their values alone."""
    constants = {
        name: one for name, one in definition.attributes.items() if _is_plain_constant(one)
    }
    others = {name: one for name, one in definition.attributes.items() if name not in constants}
    return others, constants


def _hash_of(members: Mapping[str, Member]) -> PuppetHash:
    entries = {name: one.entries() for name, one in members.items()}
    return PuppetHash(
        [
            (name, only[0][1] if len(only) == 1 else PuppetHash(only))
            for name, only in entries.items()
        ]
    )


def _members(members: Mapping[str, Member], expansion: Expansion | None) -> str:
    texts = [f"{quote(name)} => {one.text(expansion)}" for name, one in members.items()]
    return "{" + ", ".join(texts) + "}"


def _is_plain_constant(attribute: Attribute) -> bool:
    return attribute.is_constant and attribute.type == inferred(attribute.value).generalize()
