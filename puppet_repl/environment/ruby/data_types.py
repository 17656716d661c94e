"""Instances of data types that modules implement in Ruby: objects there, which are called here."""

from __future__ import annotations

from weakref import WeakValueDictionary

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.environment.ruby.engines import remedy
from puppet_repl.language.runtime.signals import NextSignal
from puppet_repl.language.types.making.puppet_object import (
    PuppetObject,
    Signature,
    constructor_signatures,
    ruby_body,
)
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import TupleType
from puppet_repl.language.types.model.members import DERIVED, Attribute
from puppet_repl.language.types.model.scalar import IntegerType
from puppet_repl.language.types.text.mismatch import value_mismatch
from puppet_repl.language.types.text.signatures import signature_mismatch
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.protocols import Identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any

    from puppet_repl.environment.ruby.host import RubyHost
    from puppet_repl.environment.ruby.objects import RubyObject
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.members import Member
    from puppet_repl.language.types.model.object import ObjectType
    from puppet_repl.language.values.hash import PuppetHash
    from puppet_repl.language.values.protocols import Value


class Implementation:
    """The Ruby code of a data type, in the file ``path``."""

    __slots__ = ("context", "path")

    def __init__(self, path: str, context: Context) -> None:
        self.path = path
        self.context = context

    def construct(self, base: ObjectType, args: tuple[Any, ...]) -> PuppetObject | None:
        """Return a new instance; None without a Ruby: then only the interface counts."""
        ruby = self.context.ruby
        if not ruby.has_engine:
            return None
        made: PuppetObject = ruby.data_types.construct(base, args)
        return made

    def unavailable(self, label: str) -> RuntimeFailure:
        """Return the error about code that cannot run without a Ruby."""
        message = f"The {label} is in Ruby ({self.path}), which cannot be run here"
        return RuntimeFailure(f"{message}; {remedy(self.context)}")


class RubyClass:
    """The class of a type in the Ruby that runs; ``names`` is an order of parameters of its own."""

    __slots__ = ("base", "equality", "from_hash", "has_text", "names", "number")

    def __init__(self, number: int, base: ObjectType, found: dict[str, Any]) -> None:
        self.number = number
        self.base = base
        self.names: list[str] | None = found["names"]
        self.from_hash: bool = found["from_hash"]
        self.equality: str = found["equality"]
        self.has_text: bool = found["has_text"]

    def signatures(self) -> tuple[Signature, ...]:
        """Return what the constructor takes: a hash if the class can, and values by place."""
        from_hash, by_place = constructor_signatures(self.base)
        if self.names is not None:
            given = {one.name: one for one in self.base.given_attributes()}
            types = tuple([given[name].type for name in self.names])
            required = sum(not one.has_value for one in given.values())
            params = TupleType(types, IntegerType(required, len(types)))
            by_place = Signature(CallableType(params), tuple(self.names))
        return (from_hash, by_place) if self.from_hash else (by_place,)


class DataTypes:
    """The classes in Ruby of one session's data types."""

    def __init__(self, host: RubyHost) -> None:
        self.host = host
        self._generation = 0
        self._classes: dict[ObjectType, RubyClass] = {}
        self._by_number: list[ObjectType] = []
        # By Ruby's ``object_id``, which counts from the same number in each Ruby.
        self._instances: WeakValueDictionary[int, RubyInstance] = WeakValueDictionary()

    def instance(self, number: int, found: RubyObject, object_id: int) -> RubyInstance:
        """Return the one instance for an object of the type that has a number in Ruby."""
        known = self._instances.get(object_id)
        if known is None:
            known = RubyInstance(self, self._by_number[number], found, object_id)
            self._instances[object_id] = known
        return known

    def class_of(self, base: ObjectType) -> RubyClass:
        """Return the class of a type, which is made first if Ruby does not have it."""
        if self._generation != self.host.generation:
            self._generation = self.host.generation
            self._classes.clear()
            self._by_number.clear()
            self._instances.clear()
        known = self._classes.get(base)
        if known is None:
            types = [self._described(one) for one in base.lineage()]
            if any(one["methods"] for one in types):
                self.host.has_run_text = True
            found = self.host.request("data_class", types=types)
            number = types[-1]["number"]
            known = self._classes[base] = RubyClass(number, base, found)
        return known

    def _number(self, base: ObjectType) -> int:
        if base not in self._by_number:
            self._by_number.append(base)
        return self._by_number.index(base)

    def _described(self, base: ObjectType) -> dict[str, Any]:
        encode = self.host.codec.encode
        made = base.definition
        own = made.attributes
        parent = base.resolved_parent()
        inherits_type = bool(parent and getattr(parent, "definition", made) is not made)
        if inherits_type:
            inherits_type = base.lineage()[-2].definition.equality_include_type
        implementation = base.implementation
        bodies = [(name, ruby_body(one)) for name, one in (*own.items(), *made.functions.items())]
        return {
            "number": self._number(base),
            "type": encode(base),
            "name": base.label,
            "path": None if implementation is None else implementation.path,
            "given": [
                [
                    one.name,
                    one.name in own,
                    one.has_value,
                    None if one.value is UNSET else encode(one.value),
                ]
                for one in base.given_attributes()
            ],
            "constants": [[one.name, encode(one.value)] for one in own.values() if one.is_constant],
            "derived": [one.name for one in own.values() if one.kind == DERIVED],
            "functions": list(made.functions),
            "methods": [
                [name, body.get("parameters") or "", body["body"]]
                for name, body in bodies
                if body is not None
            ],
            "equality": list(base.compared_attributes()),
            "equality_counts_type": made.equality_include_type and not inherits_type,
        }

    def construct(self, base: ObjectType, args: tuple[Any, ...]) -> RubyInstance:
        """Return a new instance; raise Puppet's text about arguments that do not fit."""
        signatures = self.class_of(base).signatures()
        chosen = next((one for one in signatures if one.takes(args)), None)
        if chosen is None:
            raise RuntimeFailure(signature_mismatch(f"new_{base.label}", signatures, args))
        return self.made(base, args, by_hash=chosen is not signatures[-1])

    def made(self, base: ObjectType, args: tuple[Any, ...], *, by_hash: bool) -> RubyInstance:
        """Return a new instance for arguments that fit."""
        number, encoded = self.class_of(base).number, self.host.codec.encode(args)
        instance: RubyInstance = self.host.value("data_new", n=number, a=encoded, by_hash=by_hash)
        instance.made_from = args, by_hash
        return instance

    def renew(self, instance: RubyInstance, made_from: tuple[tuple[Any, ...], bool]) -> None:
        """Make the object of an instance again after a new start of Ruby."""
        args, by_hash = made_from
        again = self.made(instance.base, args, by_hash=by_hash)
        instance.object, instance.object_id = again.object, again.object_id
        self._instances[instance.object_id] = instance


class RubyInstance(PuppetObject):
    """An instance whose class is in Ruby: its attributes are read there.

    ``made_from`` are the arguments of its constructor; with these it is made again in the next
    Ruby. None for an object that Ruby code has made. An object has one instance as long as
    anything here refers to it.
    """

    __slots__ = ("__weakref__", "made_from", "object", "object_id", "owner")

    def __init__(
        self, owner: DataTypes, base: ObjectType, found: RubyObject, object_id: int
    ) -> None:
        self.owner = owner
        self.base = base
        self.object = found
        self.object_id = object_id
        self.made_from: tuple[tuple[Any, ...], bool] | None = None

    def __reduce__(self) -> tuple[type[PuppetObject], tuple[ObjectType, dict[str, Any]]]:
        """Return how a copy is made in another process: with the values of now, without Ruby."""
        return PuppetObject, (self.base, self.values)

    def number(self) -> int:
        """Return the number of the object in the Ruby of now, which may have to make it."""
        codec = self.owner.host.codec
        _ = self.owner.host.generation  # starts Ruby if it has ended
        if self.made_from is not None and not codec.is_alive(self.object):
            self.owner.renew(self, self.made_from)
        return codec.number_of(self.object)

    def _ask(self, request: str, **fields: Any) -> Any:
        host = self.owner.host
        number = self.number()  # before fields are encoded: it may start Ruby
        return host.value(request, v=number, **fields)

    @property
    def values(self) -> dict[str, Any]:  # type: ignore[override]
        """The values of the attributes that a constructor takes, as they are now."""
        return dict(self._ask("data_values").items())

    def _value(self, attribute: Attribute) -> Any:
        return self._called(attribute, attribute.type, ())

    def _called(
        self, member: Member, expected: PuppetType | None, args: tuple[Any, ...], block: Any = None
    ) -> Value:
        codec = self.owner.host.codec
        self.number()
        fields = {"name": member.name, "a": codec.encode(args)}
        if block is not None:
            fields["b"] = codec.block(block)
        try:
            value: Value = self._ask("data_call", **fields)
        except NextSignal as signal:
            value = signal.value
        if expected is not None and not expected.accepts_value(value):
            subject = f"value returned from function '{member.name}'"
            raise RuntimeFailure(value_mismatch(subject, expected, value))
        return value

    def call_member(self, name: str, args: tuple[Any, ...] = (), block: Any = None) -> Value:
        """Return the value of an attribute, or of a function called with arguments."""
        member = self.base.find_member(name)
        assert member is not None
        signatures = tuple(map(Signature, member.signatures))
        chosen = next((one for one in signatures if one.takes(args, block)), None)
        if chosen is None:
            raise RuntimeFailure(signature_mismatch(member.label, signatures, args, block))
        expected = member.type if isinstance(member, Attribute) else chosen.type.returns
        return self._called(member, expected, args, block)

    def puppet_text(self) -> str:
        """Return what ``to_s`` of the class returns, if it has its own."""
        if self.owner.class_of(self.base).has_text:
            text: str = self._ask("data_text")
            return text
        return super().puppet_text()

    def puppet_program(self) -> str:
        """Return the text of an equal instance."""
        return super().puppet_text()

    @property
    def ruby_class(self) -> str:
        """The class in Ruby, which has no name unless a module has given it one."""
        return f"#<Class:0x{id(self.base):016x}>"

    def written_hash(self) -> PuppetHash:
        """Return the attributes as they are read, which the class may do in its own way."""
        given = self.base.given_attributes()
        return self._without_defaults({one.name: self._value(one) for one in given})

    def puppet_equals(self, other: object) -> bool:
        """Compare as the class does."""
        if self is other:
            return True
        how = self.owner.class_of(self.base).equality
        if how == "attributes":
            return super().puppet_equals(other)
        if how == "identity":
            return False
        return bool(self._ask("data_equal", other=self.owner.host.codec.encode(other)))

    def puppet_key(self) -> Hashable:
        """Return a key as equal as the objects are in Ruby."""
        how = self.owner.class_of(self.base).equality
        if how == "attributes":
            return self._identity()
        return Identity(self) if how == "identity" else (RubyInstance, self._ask("data_hash"))

    def __hash__(self) -> int:
        return hash(self.puppet_key())
