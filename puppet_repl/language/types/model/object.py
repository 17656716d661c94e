"""Object types: named types with attributes, constants, functions and a parent.

The definition is evaluated when something first asks for it, so that types can name one another
(and themselves) in any order.
"""

from __future__ import annotations

from collections.abc import Callable

from puppet_repl.language.types.model.base import UNDEF, PuppetType, type_text
from puppet_repl.language.types.model.collection import StructElement, StructType
from puppet_repl.language.types.model.defined import DefinedType
from puppet_repl.language.types.model.members import (
    CONSTANT,
    DERIVED,
    Attribute,
    Member,
    ObjectFunction,
)
from puppet_repl.language.types.model.object_text import object_text
from puppet_repl.language.types.model.options import covers, matches
from puppet_repl.language.values.default import DEFAULT, UNSET
from puppet_repl.language.values.hash import PuppetHash, hash_key
from puppet_repl.language.values.protocols import Typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.types.model.base import Expansion, Predicate
    from puppet_repl.language.types.model.guard import Guard
    from puppet_repl.language.types.model.members import TypeParameter


class Definition:
    """The checked content of the initialiser hash of an Object type."""

    __slots__ = (
        "annotations",
        "attributes",
        "checks",
        "equality",
        "equality_include_type",
        "functions",
        "has_annotated_members",
        "name",
        "parameters",
        "parent",
    )

    def __init__(self) -> None:
        self.name: str | None = None
        self.parent: PuppetType | None = None
        self.parameters: dict[str, TypeParameter] = {}
        self.attributes: dict[str, Attribute] = {}
        self.functions: dict[str, ObjectFunction] = {}
        self.equality: tuple[str, ...] | None = None
        self.equality_include_type = True
        self.checks: Any = None
        self.has_annotated_members = False
        self.annotations: PuppetHash | None = None


class ObjectType(DefinedType):
    """``define`` returns the checked definition; it is called at first use.

    The name comes from outside (``type Name = ...``), or from the definition.
    """

    __slots__ = (
        *("_define", "_definition", "_name", "annotations", "bodies", "context"),
        "implementation",
    )
    kind = "Object"

    def __init__(
        self,
        name: str | None,
        define: Callable[[ObjectType], Definition],
        bodies: dict[str, Callable[[Any], Any]] | None = None,
    ) -> None:
        super().__init__()
        self._name = name
        self._define = define
        self._definition: Definition | None = None
        # Implementations of functions of built-in types.
        self.bodies = bodies or {}
        # The running program, whose Ruby calls functions that are in Ruby; None without one.
        self.context: Any = None
        # What makes instances in Ruby; None for a type without an implementation there.
        self.implementation: Any = None
        # The annotations that the definition has, once they have been asked for.
        self.annotations: dict[ObjectType, object] = {}

    @property
    def definition(self) -> Definition:
        """The checked definition."""
        if self._definition is None:
            self._definition = Definition()
            try:
                self._definition = self._define(self)
            except BaseException:
                self._definition = None
                raise
        return self._definition

    @property
    def is_read(self) -> bool:
        return self._definition is not None

    def read_parts(self) -> tuple[PuppetType, ...]:
        return () if self._definition is None else self.contained()

    def renewed(self) -> DefinedType:
        renewed = ObjectType(self._name, self._define, self.bodies)
        renewed.context, renewed.implementation = self.context, self.implementation
        return renewed

    @property
    def name(self) -> str:
        return self.label

    def key_parts(self) -> tuple[PuppetType, ...]:
        return self.contained() if self.label == "Object" else ()

    @property
    def label(self) -> str:
        """The name, or "Object" without a name."""
        return self._name or (self.definition.name if self._definition else None) or "Object"

    @property
    def simple_name(self) -> str:
        return self.label.rpartition("::")[2]

    @property
    def object_name(self) -> str | None:
        """The name; None for an anonymous type."""
        return self._name or self.definition.name

    @property
    def default(self) -> PuppetType:
        return OBJECT

    def resolved_parent(self) -> PuppetType | None:
        """Return the parent, aliases followed."""
        parent = self.definition.parent
        return None if parent is None else parent.resolved()

    def lineage(self) -> list[ObjectType]:
        """Return the Object types from the oldest ancestor to this one."""
        line: list[ObjectType] = []
        one: PuppetType | None = self
        while isinstance(one, ObjectType):
            line.append(one)
            one = one.resolved_parent()
        line.reverse()
        return line

    def attributes(self) -> dict[str, Attribute]:
        """All attributes, inherited ones first."""
        found: dict[str, Attribute] = {}
        for one in self.lineage():
            found.update(one.definition.attributes)
        return found

    def members(self) -> dict[str, Member]:
        """All attributes and functions, inherited ones first."""
        found: dict[str, Member] = {}
        for one in self.lineage():
            found.update(one.definition.attributes)
            found.update(one.definition.functions)
        return found

    def type_parameters(self) -> dict[str, TypeParameter]:
        """All type parameters, inherited ones first."""
        found: dict[str, TypeParameter] = {}
        for one in self.lineage():
            found.update(one.definition.parameters)
        return found

    def own_equality(self) -> tuple[str, ...]:
        """Names of the attributes of this type alone that are part of its equality."""
        definition = self.definition
        if definition.equality is not None:
            return definition.equality
        return tuple([name for name, it in definition.attributes.items() if it.kind != CONSTANT])

    def compared_attributes(self) -> tuple[str, ...]:
        """Return the same without derived attributes, which are compared only when named."""
        definition = self.definition
        if definition.equality is not None:
            return definition.equality
        uncompared = (CONSTANT, DERIVED)
        return tuple(
            [name for name, it in definition.attributes.items() if it.kind not in uncompared]
        )

    def equality_attributes(self) -> list[str]:
        """Return the same with those of the types above."""
        return list(dict.fromkeys([name for one in self.lineage() for name in one.own_equality()]))

    def settled(self) -> PuppetType:
        _ = self.definition
        return self

    def find_member(self, name: str) -> Member | None:
        """Return the attribute or function with a name."""
        return self.members().get(name)

    def given_attributes(self) -> list[Attribute]:
        """Return the attributes that a constructor takes: those that must be given come first."""
        given = [one for one in self.attributes().values() if one.kind not in (CONSTANT, DERIVED)]
        return [one for one in given if not one.has_value] + [one for one in given if one.has_value]

    def init_struct(self) -> StructType:
        """Return the type of the hash that an instance can be made from."""
        elements = [
            StructElement(one.name, one.has_value or one.type.accepts_type(UNDEF), one.type)
            for one in self.attributes().values()
            if one.kind not in (CONSTANT, DERIVED)
        ]
        return StructType(tuple(elements))

    def parts(self) -> tuple[object, ...]:
        return self._structure() if self._name is None else (self._name, self.generation)

    def _structure(self) -> tuple[object, ...]:
        made = self.definition
        return (
            self.object_name,
            made.parent,
            tuple(made.parameters.values()),
            tuple(made.attributes.values()),
            tuple(made.functions.values()),
            made.equality,
        )

    def __eq__(self, other: object) -> bool:
        """Compare definitions, unless both types are known by their names."""
        if self is other or not isinstance(other, ObjectType):
            return self is other
        if self._name is not None and other._name is not None:
            return self.parts() == other.parts()
        if self.object_name != other.object_name:
            return False
        try:
            return self._structure() == other._structure()
        except RecursionError:
            return False

    def __hash__(self) -> int:
        return hash(self.object_name or self._structure())

    def contained(self) -> tuple[PuppetType, ...]:
        made = self.definition
        found = [] if made.parent is None else [made.parent]
        for members in (made.parameters, made.attributes, made.functions):
            found.extend([one.type for one in members.values()])
        return tuple(found)

    def _compile(self) -> Predicate:
        def check(value: object) -> bool:
            if isinstance(value, PuppetType):
                return self is OBJECT or self._name in value.pcore_names()
            return isinstance(value, Typed) and self.accepts_type(value.puppet_type)

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if isinstance(other, ObjectExtensionType):
            return self.accepts_type(other.base, guard)
        if not isinstance(other, ObjectType):
            return False
        if self is OBJECT or self is other or self == other:
            return True
        parent = other.definition.parent
        return parent is not None and self.accepts_type(parent, guard)

    def is_iterable(self) -> bool:
        parent = self.definition.parent
        return parent is not None and parent.is_iterable()

    def text(self, expansion: Expansion | None = None) -> str:
        if expansion is None:
            return self.label
        if not expansion.in_full:
            return expansion.name_of(self, self.label)
        return object_text(self, expansion.type_set)

    def __str__(self) -> str:
        return self.expanded_text()


class ObjectExtensionType(PuppetType):
    """An Object type with values for type parameters: ``Error['kind']``."""

    __slots__ = ("base", "values")
    kind = "ObjectTypeExten"

    def __init__(self, base: ObjectType, values: dict[str, Any]) -> None:
        self.base = base
        self.values = values

    @property
    def name(self) -> str:
        return self.simple_name

    @property
    def simple_name(self) -> str:
        return self.base.simple_name

    def parts(self) -> tuple[object, ...]:
        return (self.base, tuple([(name, hash_key(one)) for name, one in self.values.items()]))

    def contained(self) -> tuple[PuppetType, ...]:
        return (self.base,)

    def generalize(self) -> PuppetType:
        return self.base

    def parameters(self) -> Any:
        """Return the values by place, or by name where there are more than two parameters."""
        names = list(self.base.type_parameters())
        if len(names) > 2:
            return PuppetHash(self.values.items())
        while names and names[-1] not in self.values:
            names.pop()
        return tuple([self.values.get(name, DEFAULT) for name in names])

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        given = self.parameters()
        return [type_text(one, None) for one in (given if type(given) is tuple else (given,))]

    def text(self, expansion: Expansion | None = None) -> str:
        name = self.name if expansion is None else expansion.name_of(self, self.name)
        return f"{name}[{', '.join(self.parameter_texts(expansion))}]"

    def _compile(self) -> Predicate:
        is_base = self.base.predicate()
        values = self.values

        def check(value: Any) -> bool:
            if not is_base(value):
                return False
            given = [(value.parameter(name), wanted) for name, wanted in values.items()]
            return all(one is not UNSET and matches(one, wanted) for one, wanted in given)

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        given: dict[str, Any] = {}
        if isinstance(other, ObjectExtensionType):
            given = other.values
            other = other.base
        if not self.base.accepts_type(other, guard):
            return False
        return covers(self.values, given)

    def pcore_names(self) -> frozenset[str]:
        """Return none: no Pcore type describes these types."""
        return frozenset()


OBJECT = ObjectType(None, lambda target: Definition())
# The parent of all types of annotations.
ANNOTATION = ObjectType("Annotation", lambda target: Definition())
