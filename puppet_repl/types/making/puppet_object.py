"""Instances of Object types."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.types.model.callable import CallableType
from puppet_repl.types.model.collection import TupleType
from puppet_repl.types.model.members import CONSTANT, DERIVED, Attribute
from puppet_repl.types.model.object import ObjectExtensionType, ObjectType
from puppet_repl.types.model.scalar import IntegerType
from puppet_repl.types.text.signatures import signature_mismatch
from puppet_repl.values.default import UNSET
from puppet_repl.values.hash import PuppetHash, hash_key
from puppet_repl.values.issues import operator_not_applicable
from puppet_repl.values.protocols import Indexable, Instance, Members
from puppet_repl.values.quote import literal_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.types.model.base import PuppetType
    from puppet_repl.values.protocols import Slice, Value


class PuppetObject(Indexable, Members, Instance):
    """One instance: its type and the values of its attributes, by name."""

    __slots__ = ("annotations", "base", "values")

    def __init__(self, base: ObjectType, values: dict[str, Any]) -> None:
        self.base = base
        self.values = values
        self.annotations: dict[ObjectType, object] = {}

    @property
    def puppet_type(self) -> PuppetType:
        """The inferred type; a type with parameters shows the values of this instance."""
        parameters = self.base.type_parameters()
        if not parameters:
            return self.base
        return ObjectExtensionType(self.base, {name: self.values.get(name) for name in parameters})

    @property
    def object_name(self) -> str:
        """The name of the type, as the text of the instance shows it."""
        return self.base.label

    def init_hash(self) -> PuppetHash:
        """Return the attributes of an equal instance, without those that have their default."""
        entries = []
        for name, attribute in self.base.attributes().items():
            if attribute.kind in (CONSTANT, DERIVED):
                continue
            value = self.values[name]
            if attribute.value is UNSET or hash_key(attribute.value) != hash_key(value):
                entries.append((name, value))
        return PuppetHash(entries)

    def puppet_text(self) -> str:
        return f"{self.object_name}({literal_text(self.init_hash())})"

    def _identity(self) -> tuple[object, ...]:
        names = self.base.equality_attributes()
        values = tuple([hash_key(self.values.get(name)) for name in names])
        return (self.base if self.base.definition.equality_include_type else None, values)

    def puppet_equals(self, other: object) -> bool:
        """Each type of the lineage compares what it added, and the first one the types too."""
        if self is other:
            return True
        if not isinstance(other, PuppetObject):
            return False
        compared = False
        parent: ObjectType | None = None
        for one in self.base.lineage():
            definition = one.definition
            types_count = definition.equality_include_type and not (
                parent is not None and parent.definition.equality_include_type
            )
            parent = one
            if types_count and self.base != other.base:
                return False
            names = one.own_equality()
            compared = compared or types_count or bool(names)
            for name in names:
                if name not in other.values:
                    return False
                if hash_key(self.values.get(name)) != hash_key(other.values[name]):
                    return False
        return compared

    def puppet_key(self) -> object:
        return self._identity()

    def __eq__(self, other: object) -> bool:
        return self.puppet_equals(other)

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        return f"<{self.puppet_text()}>"

    def puppet_access(self, keys: tuple[Value, ...], part: Slice) -> Value:
        """``object[keys]``, which only a type with a function of that name has."""
        if not self.has_member("[]"):
            raise operator_not_applicable("[]", self.puppet_label)
        return self.call_member("[]", keys)

    def has_member(self, name: str) -> bool:
        """Tell whether ``object.name`` means something of the type itself."""
        return self.base.find_member(name) is not None

    def call_member(self, name: str, args: tuple[Any, ...] = (), block: Any = None) -> Value:
        """Return the value of an attribute, or of a function called with arguments."""
        member = self.base.find_member(name)
        assert member is not None
        signature = Signature(member.signature)
        given = args if block is None else (*args, block)
        if not signature.takes(given):
            raise RuntimeFailure(signature_mismatch(member.label, (signature,), args, block))
        if isinstance(member, Attribute):
            if member.is_constant:
                return member.value
            if member.kind != DERIVED:
                return self.values[name]
            raise RuntimeFailure(f"no method is implemented for derived {member.label}")
        body = member.container.bodies.get(name)
        if body is None:
            raise RuntimeFailure(f"no method is implemented for {member.label}")
        return body(self, *args)


class Signature:
    """A signature of a constructor or member, for checks and messages."""

    __slots__ = ("block_name", "parameter_names", "type")

    def __init__(self, kind: CallableType, names: tuple[str, ...] = ()) -> None:
        self.type = kind
        self.parameter_names = names
        self.block_name = None if kind.block is None else "block"

    def takes(self, args: tuple[Any, ...]) -> bool:
        """Tell whether a call with these arguments fits; blocks are not looked at."""
        params = self.type.params
        return params is None or params.accepts_value(args)


def constructor_signatures(base: ObjectType) -> tuple[Signature, Signature]:
    """From a hash of attributes, and from values by place."""
    given = base.given_attributes()
    required = sum(not one.has_value for one in given)
    from_hash = CallableType(TupleType((base.init_struct(),), IntegerType(1, 1)))
    types = tuple([one.type for one in given])
    by_place = CallableType(TupleType(types, IntegerType(required, len(given))))
    names = tuple([one.name for one in given])
    return Signature(from_hash, ("hash",)), Signature(by_place, names)


def construct_extended(
    target: ObjectExtensionType, args: tuple[Any, ...], context: object = None
) -> PuppetObject:
    """Return a new instance of the type whose parameters are given."""
    return construct(target.base, args)


def construct(base: ObjectType, args: tuple[Any, ...], context: object = None) -> PuppetObject:
    """Return a new instance; raise Puppet's text about arguments that do not fit."""
    if base.object_name is None:
        raise RuntimeFailure("undefined method `sub' for nil:NilClass")
    from_hash, by_place = constructor_signatures(base)
    given = base.given_attributes()
    if from_hash.takes(args):
        values = {one.name: args[0].get(one.name, one.value) for one in given}
        return PuppetObject(base, _filled(values))
    if by_place.takes(args):
        values = {one.name: one.value for one in given}
        values.update({one.name: value for one, value in zip(given, args, strict=False)})
        return PuppetObject(base, _filled(values))
    name = f"new_{base.label}"
    raise RuntimeFailure(signature_mismatch(name, (from_hash, by_place), args))


def is_deferred(value: Any) -> bool:
    """Tell whether a value is a Deferred, a call that the agent evaluates."""
    return isinstance(value, PuppetObject) and value.base.name == "Deferred"


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    return {name: None if one is UNSET else one for name, one in values.items()}
