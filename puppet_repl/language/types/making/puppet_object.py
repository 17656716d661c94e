"""Instances of Object types."""

from __future__ import annotations

from puppet_repl.base.differences import warn_of_difference
from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.sharing import once
from puppet_repl.language.types.algebra.infer import infer
from puppet_repl.language.types.making.object_definition import check
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import TupleType
from puppet_repl.language.types.model.members import CONSTANT, DERIVED, Attribute
from puppet_repl.language.types.model.object import ANNOTATION, ObjectExtensionType, ObjectType
from puppet_repl.language.types.model.scalar import IntegerType
from puppet_repl.language.types.text.signatures import signature_mismatch
from puppet_repl.language.values.compare import exact_equals
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash, hash_key
from puppet_repl.language.values.issues import operator_not_applicable
from puppet_repl.language.values.protocols import Indexable, Instance, Members
from puppet_repl.language.values.quote import literal_text
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.members import Member
    from puppet_repl.language.types.model.object import Definition
    from puppet_repl.language.values.protocols import Slice, Value


class PuppetObject(Indexable, Members, Instance):
    """One instance: its type and the values of its attributes, by name."""

    __slots__ = ("base", "values")

    def __init__(self, base: ObjectType, values: dict[str, Any]) -> None:
        self.base = base
        self.values = values

    @property
    def puppet_type(self) -> PuppetType:
        """The inferred type; a type with parameters shows the values of this instance."""
        parameters = self.base.type_parameters()
        if not parameters:
            return self.base
        values = {name: self.parameter(name) for name in parameters}
        return ObjectExtensionType(
            self.base, {name: None if one is UNSET else one for name, one in values.items()}
        )

    def parameter(self, name: str) -> Any:
        """Return the value of the attribute that a type parameter is named for; UNSET if none."""
        attribute = self.base.attributes().get(name)
        return UNSET if attribute is None else self._value(attribute)

    def _value(self, attribute: Attribute) -> Any:
        if attribute.is_constant:
            return attribute.value
        if attribute.kind == DERIVED:
            if ruby_body(attribute) is not None:
                return self._call_ruby(attribute, ())
            raise _missing(attribute, f"derived {attribute.label}")
        return self.values[attribute.name]

    def _call_ruby(self, member: Member, args: tuple[Any, ...]) -> Value:
        """Call a function, or ask for a derived attribute, whose body is Ruby."""
        values = {
            name: one.value if one.is_constant else self.values[name]
            for name, one in self.base.attributes().items()
            if one.kind != DERIVED
        }
        methods = []
        for name, one in self.base.members().items():
            body = ruby_body(one)
            if body is not None:
                methods.append([name, body.get("parameters") or "", body["body"]])
        description = {"attributes": list(values), "methods": methods}
        value: Value = member.container.context.ruby.call_object_method(
            description, values, member.name, args
        )
        return value

    @property
    def object_name(self) -> str:
        """The name of the type, as the text of the instance shows it."""
        return self.base.label

    def init_hash(self) -> PuppetHash:
        """Return the attributes of an equal instance, without those that have their default."""
        return self._without_defaults(self.values)

    def written_hash(self) -> PuppetHash:
        """Return the same for a catalog, which reads the attributes."""
        return self.init_hash()

    def _without_defaults(self, values: dict[str, Any]) -> PuppetHash:
        entries: dict[str, Any] = {}
        order = self.base.attributes()  # an attribute that overrides keeps its place
        for one in self.base.lineage():
            attributes = one.definition.attributes
            for name in order:
                attribute = attributes.get(name)
                if attribute is None or attribute.kind in (CONSTANT, DERIVED):
                    continue
                if name not in values:
                    continue
                value = values[name]
                if attribute.value is UNSET or not exact_equals(attribute.value, value):
                    entries[name] = value
        return PuppetHash(entries.items())

    def puppet_text(self) -> str:
        return once(_instance_text, self)

    @property
    def _is_annotation(self) -> bool:
        """Tell whether it is an annotation, which is equal to itself alone."""
        return self.base.lineage()[0] is ANNOTATION

    def _identity(self) -> tuple[object, ...]:
        if self._is_annotation:
            return (ANNOTATION, id(self))
        names = [name for one in self.base.lineage() for name in one.compared_attributes()]
        values = tuple([hash_key(self.values.get(name)) for name in names])
        return (self.base if self.base.definition.equality_include_type else None, values)

    def puppet_equals(self, other: object) -> bool:
        """Compare the attributes of each type of the lineage, and types if a definition says so."""
        if self is other:
            return True
        if not isinstance(other, PuppetObject) or self._is_annotation:
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
            names = one.compared_attributes()
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
        signatures = tuple(map(Signature, member.signatures))
        if not any(one.takes(args, block) for one in signatures):
            raise RuntimeFailure(signature_mismatch(member.label, signatures, args, block))
        if isinstance(member, Attribute):
            return self._value(member)
        if ruby_body(member) is not None:
            return self._call_ruby(member, args)
        body = member.container.bodies.get(name)
        if body is None:
            raise _missing(member, member.label)
        if args:
            raise RuntimeFailure(f"wrong number of arguments (given {len(args)}, expected 0)")
        return body(self)


def _instance_text(value: PuppetObject) -> str:
    return f"{value.object_name}({_literal(value.init_hash())})"


def _literal(value: Any) -> str:
    """Return the text of a value inside of an object's; of a Sensitive only the type is shown."""
    if type(value) is tuple:
        return once(_array_literal, value, len(value))
    if type(value) is PuppetHash:
        return once(_hash_literal, value, len(value))
    if isinstance(value, Sensitive):
        return f"Instance of {infer(value).text()}"
    return literal_text(value)


def _array_literal(value: tuple[Any, ...]) -> str:
    return f"[{', '.join(map(_literal, value))}]"


def _hash_literal(value: PuppetHash) -> str:
    entries = [f"{_literal(key)} => {_literal(item)}" for key, item in value.items()]
    return "{" + ", ".join(entries) + "}"


class Signature:
    """A signature of a constructor or member, for checks and messages."""

    __slots__ = ("block_name", "parameter_names", "type")

    def __init__(self, kind: CallableType, names: tuple[str, ...] = ()) -> None:
        self.type = kind
        self.parameter_names = names
        self.block_name = None if kind.block is None else "block"

    def takes(self, args: tuple[Any, ...], block: Any = None) -> bool:
        """Tell whether a call with these arguments fits; a block may always be missing."""
        params = self.type.params
        if params is not None and not params.accepts_value(args):
            return False
        if block is None or params is None:
            return True
        return self.type.block is not None and self.type.block.accepts_value(block)


def constructor_signatures(base: ObjectType) -> tuple[Signature, ...]:
    """From a hash of attributes (not for Annotation itself), and from values by place."""
    given = base.given_attributes()
    required = sum(not one.has_value for one in given)
    from_hash = CallableType(TupleType((base.init_struct(),), IntegerType(1, 1)))
    types = tuple([one.type for one in given])
    by_place = CallableType(TupleType(types, IntegerType(required, len(given))))
    names = tuple([one.name for one in given])
    if base is ANNOTATION:
        return (Signature(by_place, names),)
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
    definitions = [one.definition for one in base.lineage()]
    for definition in definitions:
        if definition.has_annotated_members:
            _check_bodies(definition)
    for one in base.lineage():
        if one.implementation is not None:
            made: PuppetObject | None = one.implementation.construct(base, args)
            if made is not None:
                return made
    signatures = constructor_signatures(base)
    chosen = next((one for one in signatures if one.takes(args)), None)
    if chosen is None:
        raise RuntimeFailure(signature_mismatch(f"new_{base.label}", signatures, args))
    if base.label == "Puppet::LookupContext":
        warn_of_difference("lookup_context")
    values = {one.name: one.value for one in base.given_attributes()}
    if chosen is signatures[-1]:
        values.update(zip(values, args, strict=False))
    else:
        values = {name: args[0].get(name, value) for name, value in values.items()}
    if sum(len(one.attributes) for one in definitions) > len(base.attributes()):
        values = _initialized(base, values)
    instance = PuppetObject(base, _filled(values))
    if any(definition.parameters for definition in definitions):
        _ = instance.puppet_type  # Derived attributes that type parameters need have no value.
    return instance


def _missing(member: Member, label: str) -> RuntimeFailure:
    implementation = member.container.implementation
    if implementation is not None:  # and no Ruby, or the object would be there
        failure: RuntimeFailure = implementation.unavailable(label)
        return failure
    return RuntimeFailure(f"no method is implemented for {label}")


def _initialized(base: ObjectType, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of an instance whose type overrides an attribute, as Ruby's classes do it.

    The initializer of a class passes the values of all attributes that are not its own to that of
    its parent, by place. An attribute that it overrides is missing there, so the next ones move.
    """
    found = dict(values)
    seen: set[str] = set()
    given = [*values.values()]
    for one in reversed(base.lineage()):
        attributes = one.given_attributes()
        if not attributes:
            continue  # there is no initializer
        if not sum(not it.has_value for it in attributes) <= len(given) <= len(attributes):
            warn_of_difference("overridden_attribute")
            return values
        defaults = [it.value for it in attributes[len(given) :]]
        own = dict(zip([it.name for it in attributes], [*given, *defaults], strict=True))
        mine = {it.name for it in attributes if it.container is one}
        # The class itself sets its attributes after its parent has set the same ones.
        found.update({name: value for name, value in own.items() if name in mine - seen})
        seen |= mine
        given = [value for name, value in own.items() if name not in mine]
    return found


def ruby_body(member: Member) -> PuppetHash | None:
    """Return what the annotation RubyMethod says about a member, if a program can run it."""
    if member.annotations is None or member.container.context is None:
        return None
    for annotation, content in member.annotations.items():
        if annotation.name == "RubyMethod":
            found: PuppetHash = content
            return found
    return None


def _check_bodies(definition: Definition) -> None:
    """Check what the annotations RubyMethod say about functions and derived attributes."""
    derived = [it for it in definition.attributes.values() if it.kind == DERIVED]
    for member in (*derived, *definition.functions.values()):
        for annotation, content in (member.annotations or PuppetHash.EMPTY).items():
            if annotation.name == "RubyMethod":
                check("RubyMethod initializer", annotation.init_struct(), content)


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    return {name: None if one is UNSET else one for name, one in values.items()}
