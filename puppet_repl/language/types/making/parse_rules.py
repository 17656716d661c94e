"""What the type parser allows between the brackets of each type.

The rules differ in details from those of ``T[...]`` in a program (types.making.access): arrays
are not opened, and the messages about most errors quote the expression alone.
"""

from __future__ import annotations

from collections.abc import Callable

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.making.access import (
    access,
    is_bound,
    is_type,
    trailing_size,
    type_of,
)
from puppet_repl.language.types.making.object_definition import object_from
from puppet_repl.language.types.making.type_set_definition import type_set_from
from puppet_repl.language.types.model.base import DEFAULT_TYPE, PuppetType
from puppet_repl.language.types.model.collection import TupleType
from puppet_repl.language.types.model.resource import (
    ClassType,
    ResourceType,
    capitalize_segments,
    is_reference,
)
from puppet_repl.language.types.model.scalar import (
    NON_EMPTY_STRING,
    IntegerType,
    PatternType,
    RegexpType,
    is_regexp,
)
from puppet_repl.language.types.text.mismatch import value_mismatch
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import ruby_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from puppet_repl.language.values.protocols import Value

    Keys: TypeAlias = tuple[Any, ...]


class NotASpecificationError(Exception):
    """The parameters do not fit; the expression is to blame as a whole."""


def _is_size(key: Value) -> bool:
    return isinstance(key, IntegerType) or is_bound(key)


def _all(keys: Keys, *kinds: Callable[[Any], bool]) -> bool:
    return all(fits(key) for fits, key in zip(kinds, keys, strict=True))


def _array(keys: Keys) -> bool:
    if len(keys) == 2 and not is_type(keys[0]):
        return _all(keys, is_bound, is_bound)
    kinds = (is_type, _is_size) if len(keys) == 2 else (is_type, is_bound, is_bound)
    return _all(keys, *kinds[: len(keys)])


def _hash(keys: Keys) -> bool:
    if len(keys) == 2:
        return _all(keys, is_type, is_type) or _all(keys, is_bound, is_bound)
    if len(keys) == 3:
        return _all(keys, is_type, is_type, _is_size)
    return _all(keys, is_type, is_type, is_bound, is_bound)


def _size(keys: Keys) -> bool:
    if len(keys) == 1:
        return _is_size(keys[0])
    return _all(keys, is_bound, is_bound)


def _bounds(keys: Keys) -> bool:
    return all(map(is_bound, keys))


def _numbers(keys: Keys) -> bool:
    return all(is_bound(key) or type(key) is float for key in keys)


def _types(keys: Keys) -> bool:
    return all(map(is_type, keys))


def _type_or_string(keys: Keys) -> bool:
    return all(is_type(key) or type(key) is str for key in keys)


def _first_type(keys: Keys) -> bool:
    return is_type(keys[0])


def _strings(keys: Keys) -> bool:
    return all(type(key) is str for key in keys)


def _hash_value(keys: Keys) -> bool:
    return type(keys[0]) is PuppetHash


def _anything(_keys: Keys) -> bool:
    return True


# Name: the label and the numbers in the message about a wrong number, least and most parameters
# (-1 for any number), and what the parameters must be.
_RULES: dict[str, tuple[str, str, int, int, Callable[[Keys], bool]]] = {
    "array": ("Array", "1 to 3", 1, 3, _array),
    "boolean": ("Boolean", "1", 1, 1, _anything),
    "class": ("Class", "1", 1, 1, _strings),
    "collection": ("Collection", "1 to 2", 1, 2, _size),
    "enum": ("Enum", "1 or more", 1, -1, _anything),
    "float": ("Float", "1 or 2", 1, 2, _numbers),
    "hash": ("Hash", "2 to 4", 2, 4, _hash),
    "init": ("Init", "1 or more", 1, -1, _first_type),
    "integer": ("Integer", "1 or 2", 1, 2, _bounds),
    "iterable": ("Iterable", "1", 1, 1, _types),
    "iterator": ("Iterator", "1", 1, 1, _types),
    "notundef": ("NotUndef", "0 to 1", 0, 1, _type_or_string),
    "object": ("Object", "1", 1, 1, _anything),
    "optional": ("Optional", "1", 1, 1, _type_or_string),
    "pattern": ("Pattern", "1 or more", 1, -1, _anything),
    "regexp": ("Regexp", "1", 1, 1, _anything),
    "resource": ("Resource", "1 or 2", 1, 2, _anything),
    "runtime": ("Runtime", "2", 2, 2, _anything),
    "semver": ("SemVer", "1 or more", 1, -1, _anything),
    "sensitive": ("Sensitive", "0 to 1", 0, 1, _types),
    "string": ("String", "1 to 2", 1, 2, _size),
    "struct": ("Struct", "1", 1, 1, _hash_value),
    "timespan": ("Timespan", "0 to 2", 0, 2, _anything),
    "timestamp": ("Timestamp", "0 to 2", 0, 2, _anything),
    "tuple": ("Tuple", "1 or more", 1, -1, _anything),
    "type": ("Type", "1", 1, 1, _types),
    "typeset": ("Object", "1", 1, 1, _anything),
    "uri": ("URI", "1", 1, 1, _anything),
    "variant": ("Variant", "1 or more", 1, -1, _types),
}


def _wrong_number(label: str, wanted: str, given: int) -> RuntimeFailure:
    return RuntimeFailure(
        f"Invalid number of type parameters specified: {label} requires {wanted}, {given} provided"
    )


def _check_enum(keys: Keys) -> None:
    strings = keys[:-1] if type(keys[-1]) is bool else keys
    if not strings:
        raise _wrong_number("Enum", "1 or more", 0)
    if not _strings(strings):
        raise RuntimeFailure("Enum parameters must be identifiers or strings")


def _check_boolean(keys: Keys) -> None:
    if type(keys[0]) is not bool:
        raise RuntimeFailure("Boolean parameter must be true or false")


def _check_pattern(keys: Keys) -> None:
    for key in keys:
        known = isinstance(key, (PatternType, RegexpType)) or is_regexp(key)
        if not known and type(key) is not str:
            raise RuntimeFailure(
                "Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: "
                f"got '{ruby_class(key)}"
            )


def _check_callable(keys: Keys) -> None:
    if len(keys) > 1 and type(keys[0]) is tuple and len(keys) != 2:
        raise _wrong_number("callable", "2 when first parameter is an array", len(keys))


def _check_runtime(keys: Keys) -> None:
    for subject, key in zip(("runtime", "name_or_pattern"), keys, strict=True):
        if type(key) is not str or not key:
            text = value_mismatch(f"Runtime '{subject}'", NON_EMPTY_STRING, key)
            raise RuntimeFailure(text)


_CHECKS: dict[str, Callable[[Keys], None]] = {
    "boolean": _check_boolean,
    "callable": _check_callable,
    "enum": _check_enum,
    "pattern": _check_pattern,
    "runtime": _check_runtime,
}


def parameterized(found: PuppetType, name: str, written: str, keys: Keys, context: Value) -> Value:
    """Return the value of ``Name[keys...]`` in the text of a type.

    ``name`` is in lower case, ``written`` as it was. Raises NotASpecificationError where the
    message is about the expression as a whole.
    """
    if name in ("integer", "float") and len(keys) == 2:
        keys = tuple([DEFAULT if key is None else key for key in keys])
    rule = _RULES.get(name)
    if rule is not None:
        label, wanted, least, most, fits = rule
        if len(keys) < least or (most >= 0 and len(keys) > most):
            raise _wrong_number(label, wanted, len(keys))
        if not fits(keys):
            raise NotASpecificationError
    if name in ("array", "hash") and not is_type(keys[0]):  # as Puppet, not Any
        keys = ((DEFAULT_TYPE,) if name == "array" else (DEFAULT_TYPE, DEFAULT_TYPE)) + keys
    check = _CHECKS.get(name)
    if check is not None:
        check(keys)
    if name == "tuple":
        return _tuple_from(keys)
    if name == "object":
        return object_from(keys[0])
    if name == "typeset":
        return type_set_from(keys[0])
    if name == "class":
        return ClassType(keys[0].removeprefix("::"))
    if name == "resource":
        return _resource(keys)
    if isinstance(found, ResourceType):
        if len(keys) != 1:
            raise _wrong_number(written, "1", len(keys))
        return ResourceType(found.type_name, keys[0])
    return access(found, keys, context)


def _tuple_from(keys: Keys) -> PuppetType:
    plain = tuple([DEFAULT if key == "default" and type(key) is str else key for key in keys[-2:]])
    types, size = trailing_size((*keys[:-2], *plain))
    return TupleType(tuple(map(type_of, types)), size)


def _resource(keys: Keys) -> PuppetType:
    first = keys[0]
    title = keys[1] if len(keys) == 2 else None
    if isinstance(first, ResourceType):
        return ResourceType(first.type_name, title)
    if first.kind == "TypeReference" if is_type(first) else False:
        first = first.type_string
    if type(first) is not str:
        raise RuntimeFailure(f"The type name cannot be a {ruby_class(first)}")
    name, bracket, rest = first.partition("[")
    if bracket:
        title = rest.rstrip("]").strip("'\"")
    name = capitalize_segments(name)
    if not is_reference(name):
        raise RuntimeFailure(f"Illegal type name '{name}'")
    return ResourceType(name, title)
