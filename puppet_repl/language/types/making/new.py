"""New values from types: ``Integer('42')``, ``new(Hash, $pairs)``.

The result is checked against the type with its ranges. What a type can be made from is in the
modules ``*_constructors``; the usual calls need none of them.
"""

from __future__ import annotations

from functools import cache

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.modules import import_name
from puppet_repl.language.types.data_types import DATA_TYPES
from puppet_repl.language.types.making.parse import parse_detached
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.wrapper import NotUndefType, OptionalType
from puppet_repl.language.types.text.format import default_text
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.integers import integer_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from puppet_repl.language.types.making.constructor import Constructor
    from puppet_repl.language.types.text.signatures import SignatureLike
    from puppet_repl.language.values.protocols import Value

# Kinds whose constructor depends on the type itself: a function of type, arguments and context.
_DEPENDENT = {
    "Init": "making.init.construct_init",
    "Object": "making.puppet_object.construct",
    "ObjectTypeExten": "making.puppet_object.construct_extended",
}


def construct(target: PuppetType, args: tuple[Value, ...], context: Value = None) -> Value:
    """Make an instance of a type; a single argument that is one already is returned unchanged.

    Raises RuntimeFailure with Puppet's words.
    """
    accepts = target.predicate()
    if len(args) == 1 and target.kind != "Init" and accepts(args[0]):
        return args[0]
    value = _make(target, args, context)
    if not accepts(value):
        from puppet_repl.language.types.text.mismatch import value_mismatch

        subject = f"Converted value from {target}.new()"
        raise RuntimeFailure(value_mismatch(subject, target, value))
    return value


def _make(target: PuppetType, args: tuple[Value, ...], context: Value) -> Any:
    target = target.resolved()
    kind = target.kind
    if kind == "String":
        if len(args) == 1:
            return default_text(args[0])
        if len(args) == 2 and (args[1] is DEFAULT or (type(args[1]) is str and args[1])):
            from puppet_repl.language.types.text.convert import convert

            return convert(*args)
    elif kind == "Integer" and len(args) == 1 and type(args[0]) is str:
        text = args[0]
        if text.isascii() and text.isdigit() and text[0] != "0":
            return integer_of(text)
    path = _DEPENDENT.get(kind)
    if path is not None:
        return import_name(f"puppet_repl.language.types.{path}")(target, args, context)
    if kind == "Type":
        return _make_type(args, context)
    if isinstance(target, OptionalType) or (
        isinstance(target, NotUndefType) and target.type is not None
    ):
        if target.type is None:
            raise _not_supported(target)
        return _make(target.type, args, context)
    constructor = constructor_of(kind)
    if constructor is None:
        raise _not_supported(target)
    return constructor.construct(args)


def _not_supported(target: PuppetType) -> RuntimeFailure:
    return RuntimeFailure(f"Creation of new instance of type '{target}' is not supported")


@cache
def constructor_of(kind: str) -> Constructor | None:
    """Return the constructor of a kind of type, None for kinds without one."""
    record = DATA_TYPES.get(kind.lower())
    if record is None or not record.constructor:
        return None
    constructor: Constructor = import_name(f"puppet_repl.language.types.{record.constructor}")
    return constructor


def constructor_signatures(target: PuppetType) -> Sequence[SignatureLike] | None:
    """Return the signatures of a type's constructor; None for a type without constructor."""
    if target.kind == "Object":
        from puppet_repl.language.types.making import puppet_object
        from puppet_repl.language.types.model.object import ObjectType

        assert isinstance(target, ObjectType)
        return puppet_object.constructor_signatures(target)
    constructor = constructor_of(target.kind)
    return None if constructor is None else constructor.signatures


def _make_type(args: tuple[Value, ...], context: Value) -> Any:
    """Read a type from its text; the types of the program are not known in it."""
    constructor = constructor_of("Type")
    assert constructor is not None
    text = constructor.construct(args)
    assert isinstance(text, str)
    try:
        return parse_detached(text)
    except PuppetError as error:
        if error.source is not None and error.line is None:
            raise RuntimeFailure(error.message) from None
        raise
