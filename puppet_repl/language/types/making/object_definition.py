"""Object types from their initialisers, and with values for their type parameters."""

from __future__ import annotations

from collections.abc import Callable

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.algebra.infer import infer
from puppet_repl.language.types.making.shapes import (
    ATTRIBUTE_SHAPE,
    CALLABLE_TYPE,
    FUNCTION_SHAPE,
    OBJECT_SHAPE,
)
from puppet_repl.language.types.model import issues
from puppet_repl.language.types.model.alias import TypeReferenceType
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.members import (
    CONSTANT,
    Attribute,
    Member,
    ObjectFunction,
    TypeParameter,
)
from puppet_repl.language.types.model.name_types import TYPE_NAME
from puppet_repl.language.types.model.object import (
    OBJECT,
    Definition,
    ObjectExtensionType,
    ObjectType,
)
from puppet_repl.language.types.model.wrapper import TYPE, OptionalType
from puppet_repl.language.types.text.mismatch import value_mismatch
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.default import DEFAULT, UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import no_method

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value


def check(subject: str, expected: PuppetType, value: Value) -> None:
    """Raise Puppet's text unless ``value`` is an instance of ``expected``."""
    if not expected.accepts_value(value):
        raise RuntimeFailure(value_mismatch(subject, expected, value))


def check_name(subject: str, name: Value) -> None:
    """Raise Puppet's text unless ``name`` has the form of the name of a type."""
    check(subject, TYPE_NAME, name)


def object_type(
    name: str | None,
    initialiser: Callable[[], Any],
    bodies: dict[str, Callable[[Any], Any]] | None = None,
) -> ObjectType:
    """Return an Object type whose initialiser hash is read when it is first needed."""
    return ObjectType(name, lambda target: define(target, initialiser()), bodies)


def object_access(target: ObjectType, keys: tuple[Value, ...], context: Value) -> PuppetType:
    """Return ``Object[{...}]``, or a named type with values for its type parameters."""
    keys = flatten(keys)
    if target.object_name is not None:
        return extension(target, keys)
    if len(keys) != 1:
        raise issues.arity("Object-Type", 1, None, len(keys))
    return object_from(keys[0])


def object_from(key: Any) -> PuppetType:
    """Return ``Object[key]``; an array is not a list of parameters here."""
    if key is None or (type(key) in (tuple, str, PuppetHash) and len(key) == 0):
        return OBJECT
    if type(key) is str or type(key) is tuple or key is DEFAULT:
        check_name("object name", key)
        return ObjectType(str(key), lambda target: Definition())
    if type(key) is not PuppetHash:
        raise no_method("empty?", key)
    anonymous = object_type(None, lambda: key)
    anonymous.settled()
    return anonymous


def extension(base: ObjectType, keys: tuple[Value, ...]) -> ObjectExtensionType:
    """Return an Object type with values for its type parameters, from ``T[keys...]``."""
    return ObjectExtensionType(base, parameter_values(base, keys))


def define(target: ObjectType, init: Any) -> Definition:
    """Return the definition that an initialiser hash describes."""
    check("object initializer", OBJECT_SHAPE, init)
    definition = Definition()
    definition.name = init.get("name")
    definition.parent = init.get("parent")
    inherited: dict[str, Member] = {}
    parent = _parent(target, definition)
    if parent is not None:
        inherited = parent.members()
    _define_parameters(target, definition, init, parent)
    _define_attributes(target, definition, init, inherited)
    _define_functions(target, definition, init, inherited)
    members = (*definition.attributes.values(), *definition.functions.values())
    definition.has_annotated_members = any(one.annotations is not None for one in members)
    definition.equality_include_type = init.get("equality_include_type", True)
    _define_equality(target, definition, init, parent)
    definition.checks = init.get("checks")
    definition.annotations = init.get("annotations")
    return definition


def _parent(target: ObjectType, definition: Definition) -> ObjectType | None:
    parent = None if definition.parent is None else definition.parent.resolved()
    if isinstance(parent, TypeReferenceType):
        raise RuntimeFailure(f"reference to unresolved type '{parent.type_string}'")
    if not isinstance(parent, ObjectType):
        return None
    seen: ObjectType | None = parent
    while seen is not None:
        if seen is target:
            raise RuntimeFailure(f"The Object type '{target.label}' inherits from itself")
        up = seen.resolved_parent()
        seen = up if isinstance(up, ObjectType) else None
    return parent


def _define_parameters(
    target: ObjectType, definition: Definition, init: PuppetHash, parent: ObjectType | None
) -> None:
    inherited: dict[str, Member] = {}
    if parent is not None:
        inherited.update(parent.type_parameters())
    for name, given in init.get("type_parameters", PuppetHash.EMPTY).items():
        entries = []
        if type(given) is PuppetHash:
            kind = given.get("type")
            if given.has("value"):
                entries.append(("value", given["value"]))
        else:
            check(f"type_parameter {target.label}[{name}]", TYPE, given)
            kind = given
        if kind is not None and not isinstance(kind, PuppetType):
            raise no_method("accept", kind)
        if not isinstance(kind, OptionalType):
            kind = OptionalType(kind)
        parameter = TypeParameter(name, target, PuppetHash([("type", kind), *entries]))
        _check_value(parameter)
        parameter.checked_override(inherited)
        definition.parameters[name] = parameter


def _define_attributes(
    target: ObjectType, definition: Definition, init: PuppetHash, inherited: dict[str, Member]
) -> None:
    specs = dict(init.get("attributes", PuppetHash.EMPTY).items())
    for name, value in init.get("constants", PuppetHash.EMPTY).items():
        if name in specs:
            raise RuntimeFailure(
                f"attribute {target.label}[{name}] is defined as both a constant and an attribute"
            )
        specs[name] = PuppetHash(
            [
                ("type", infer(value).generalize()),
                ("value", value),
                ("kind", CONSTANT),
                ("override", name in inherited),
            ]
        )
    for name, given in specs.items():
        if type(given) is PuppetHash:
            check(f"initializer for attribute {target.label}[{name}]", ATTRIBUTE_SHAPE, given)
            spec = given
        else:
            check(f"attribute {target.label}[{name}]", TYPE, given)
            optional = [("value", None)] if isinstance(given, OptionalType) else []
            spec = PuppetHash([("type", given), *optional])
        attribute = Attribute(name, target, spec)
        _check_value(attribute)
        attribute.checked_override(inherited)
        definition.attributes[name] = attribute


def _check_value(attribute: Attribute) -> None:
    if attribute.value is not UNSET and attribute.value is not DEFAULT:
        check(f"{attribute.label} value", attribute.type, attribute.value)


def _define_functions(
    target: ObjectType, definition: Definition, init: PuppetHash, inherited: dict[str, Member]
) -> None:
    for name, given in init.get("functions", PuppetHash.EMPTY).items():
        spec = given
        if type(given) is not PuppetHash:
            check(f"function {target.label}[{name}]", CALLABLE_TYPE, given)
            spec = PuppetHash([("type", given)])
        check(f"initializer for function '{name}'", FUNCTION_SHAPE, spec)
        function = ObjectFunction(name, target, spec)
        if name in definition.attributes:
            raise RuntimeFailure(f"{function.label} conflicts with attribute with the same name")
        function.checked_override(inherited)
        definition.functions[name] = function


def _define_equality(
    target: ObjectType, definition: Definition, init: PuppetHash, parent: ObjectType | None
) -> None:
    equality = init.get("equality")
    if equality is None:
        return
    names = (equality,) if type(equality) is str else tuple(equality)
    if names and not definition.equality_include_type:
        raise RuntimeFailure(
            "equality_include_type = false cannot be combined with non empty equality specification"
        )
    inherited = {} if parent is None else parent.members()
    for name in names:
        member = inherited.get(name)
        if member is None:
            member = definition.attributes.get(name) or definition.functions.get(name)
        elif isinstance(member, Attribute) and parent is not None:
            _check_not_inherited(target, member, parent)
        _check_equality_member(target, name, member)
    definition.equality = names


def _check_not_inherited(target: ObjectType, member: Attribute, parent: ObjectType) -> None:
    if member.name not in parent.equality_attributes():
        return
    definer: ObjectType = parent
    up = definer.resolved_parent()
    while isinstance(up, ObjectType) and member.name in up.equality_attributes():
        definer = up
        up = definer.resolved_parent()
    raise RuntimeFailure(
        f"{target.label} equality is referencing {member.label} "
        f"which is included in equality of {definer.label}"
    )


def _check_equality_member(target: ObjectType, name: str, member: Member | None) -> None:
    start = f"{target.label} equality is referencing"
    if member is None:
        raise RuntimeFailure(f"{start} non existent attribute '{name}'")
    if not isinstance(member, Attribute):
        raise RuntimeFailure(f"{start} {member.label}. Only attribute references are allowed")
    if member.is_constant:
        raise RuntimeFailure(
            f"{start} constant {member.label}. Reference to constant is not allowed in equality"
        )


def parameter_values(base: ObjectType, keys: tuple[Any, ...]) -> dict[str, Any]:
    """Return the values of type parameters by name; given by place, or by name in one hash."""
    parameters = base.type_parameters()
    if not parameters:
        raise RuntimeFailure(f"The {base.label}-Type cannot be parameterized using []")
    listed = list(parameters.values())
    values: dict[str, Any] = {}
    named = (
        len(keys) == 1 and type(keys[0]) is PuppetHash and not listed[0].type.accepts_value(keys[0])
    )
    if named:
        for name in keys[0].keys():
            if name not in parameters:
                raise RuntimeFailure(
                    f"'{name}' is not a known type parameter for {base.label}-Type"
                )
        pairs = [(parameters[name], one) for name, one in keys[0].items()]
    else:
        pairs = list(zip(listed, keys, strict=False))
    for parameter, one in pairs:
        if one is not DEFAULT:
            check(parameter.label, parameter.type, one)
            values[parameter.name] = one
    if not values:
        raise RuntimeFailure(
            f"The {base.label}-Type cannot be parameterized using an empty parameter list"
        )
    return values
