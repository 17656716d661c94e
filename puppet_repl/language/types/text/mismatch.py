"""Descriptions of type mismatches in Puppet's words (TypeMismatchDescriber).

They are made only after a check has failed.
"""

from __future__ import annotations

from collections.abc import Callable

from puppet_repl.base.sharing import in_one_walk
from puppet_repl.language.types.algebra.infer import infer_set
from puppet_repl.language.types.algebra.normalize import normalize
from puppet_repl.language.types.model.alias import TypeAliasType, TypeReferenceType
from puppet_repl.language.types.model.base import ANY, UNDEF, PuppetType
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import (
    ArrayType,
    HashType,
    StructType,
    TupleType,
    exactly,
)
from puppet_repl.language.types.model.scalar import ANY_SIZE, EnumType, IntegerType, PatternType
from puppet_repl.language.types.model.wrapper import OptionalType, VariantType
from puppet_repl.language.types.text.mismatches import (
    EXTRA_KEY,
    INVALID_PARAMETER,
    MISSING_KEY,
    MISSING_PARAMETER,
    UNRESOLVED_TYPE,
    CountMismatch,
    KeyMismatch,
    Mismatch,
    MissingBlock,
    PatternMismatch,
    SizeMismatch,
    TypeMismatch,
    UnexpectedBlock,
)
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import is_deferred

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from puppet_repl.language.types.text.mismatches import Path
    from puppet_repl.language.values.protocols import Value

    Describe: TypeAlias = Callable[[Any, PuppetType, PuppetType, Path], list[Mismatch]]

# Mismatches of a value, times the length of the path to it.
_MAX_STEPS = 100_000


def describe_mismatch(subject: str, expected: PuppetType, actual: PuppetType) -> str:
    """Return the text of a mismatch of types; '' where Puppet finds no words for it."""
    found = describe(expected, actual, (("subject", subject),))
    if len(found) == 1:
        return found[0].format().strip()
    return "\n ".join([one.format() for one in found])


def value_mismatch(subject: str, expected: PuppetType, value: Value) -> str:
    """Return the message about a value: ``⟨subject⟩ has wrong type, expects ...``."""
    return describe_mismatch(f"{subject} has wrong type,", expected, infer_set(value))


def parameters_mismatch(
    subject: str,
    expected: StructType,
    given: PuppetHash,
    result_of: Callable[[Any], PuppetType | None] = lambda _: None,
) -> str | None:
    """Return the error text for the parameters of a class, define or template, or None.

    ``result_of`` returns the type of a Deferred's result, None if unknown.
    """
    found: list[Mismatch] = [
        KeyMismatch((), str(name), INVALID_PARAMETER)
        for name in given.keys()
        if name not in expected.named
    ]
    for one in expected.elements:
        if given.has(one.name):
            value = given[one.name]
            path: Path = (("parameter", one.name),)
            if is_deferred(value):
                result = result_of(value)
                if result and not one.value.generalize().accepts_type(result.generalize()):
                    found.extend(describe(one.value, result, path))
            elif not one.value.accepts_value(value):
                found.extend(describe(one.value, infer_set(value), path))
        elif not one.optional:
            found.append(KeyMismatch((), one.name, MISSING_PARAMETER))
    return _listed(subject, found)


def _listed(subject: str, found: list[Mismatch]) -> str | None:
    if not found:
        return None
    if len(found) == 1:
        return f"{subject}:{found[0].format()}"
    return "\n ".join([f"{subject}:", *[one.format() for one in found]])


def describe(expected: PuppetType, actual: PuppetType, path: Path) -> list[Mismatch]:
    """All mismatches between two types."""
    return in_one_walk(_mismatches, expected, actual, path)


def _mismatches(expected: PuppetType, actual: PuppetType, path: Path) -> list[Mismatch]:
    unresolved = unresolved_reference(expected)
    if unresolved is not None:
        return [KeyMismatch(path, unresolved, UNRESOLVED_TYPE)]
    return _describe(normalize(expected), expected, actual, path)


def unresolved_reference(expected: PuppetType) -> str | None:
    """Return the text of a TypeReference inside a type, None without one."""
    seen: set[int] = set()
    pending = [expected]
    while pending:
        one = pending.pop()
        if isinstance(one, TypeReferenceType):
            return one.type_string
        if id(one) not in seen:
            seen.add(id(one))
            pending.extend(reversed(one.contained()))
    return None


def _add(found: list[Mismatch], more: list[Mismatch], path: Path) -> None:
    """Add the mismatches of a part; nobody reads as many as a value with shared parts may have."""
    if (len(found) + len(more)) * len(path) > _MAX_STEPS:
        raise MemoryError
    found.extend(more)


def _describe(
    expected: PuppetType, original: PuppetType, actual: PuppetType, path: Path
) -> list[Mismatch]:
    """``original`` is what messages show: the alias or Optional that led to ``expected``."""
    for kind, how in _DESCRIBE:
        if isinstance(expected, kind):
            return how(expected, original, actual, path)
    return [] if expected.accepts_type(actual) else [TypeMismatch(path, original, actual)]


def _variant(
    expected: VariantType, original: PuppetType, actual: PuppetType, path: Path
) -> list[Mismatch]:
    types = expected.types
    if isinstance(original, OptionalType):
        types = (UNDEF, *types)
    found = []
    for index, one in enumerate(types):
        mismatches = describe(one, actual, (*path, ("variant", index)))
        if not mismatches:
            return []
        found.append(mismatches)
    merged = merge(len(path), SizeMismatch, found)
    if isinstance(original, TypeAliasType) and len(merged) == 1:
        return [TypeMismatch(path, original, actual)]
    return merged


def merge(
    place: int, size_kind: type[SizeMismatch], alternatives: list[list[Mismatch]]
) -> list[Mismatch]:
    """One mismatch for all alternatives where they fail in the same way at the same place.

    ``place`` is the index of the step that tells the alternatives apart.
    """
    found = [one for mismatches in alternatives for one in mismatches]
    for kind in (size_kind, MissingBlock, UnexpectedBlock, TypeMismatch):
        chosen = [one for one in found if isinstance(one, kind)]
        if len(chosen) != len(alternatives) or not chosen:
            continue
        path = chosen[0].canonical_path
        if any(one.canonical_path != path for one in chosen):
            continue
        merged: Mismatch = chosen[0]
        for one in chosen[1:]:
            merged = merged.merged(one)
        found = [merged]
        break
    found = _once(found)
    return [found[0].without_step(place)] if len(found) == 1 else found


def _once(found: list[Mismatch]) -> list[Mismatch]:
    """Only mismatches about blocks are the same as others (Puppet compares no others)."""
    seen: set[object] = set()
    kept = []
    for one in found:
        if isinstance(one, (MissingBlock, UnexpectedBlock)):
            mark = (type(one), one.canonical_path)
            if mark in seen:
                continue
            seen.add(mark)
        kept.append(one)
    return kept


def _optional(
    expected: OptionalType, original: PuppetType, actual: PuppetType, path: Path
) -> list[Mismatch]:
    if actual == UNDEF or expected.type is None:
        return []
    shown = original if isinstance(original, TypeAliasType) else expected
    return _describe(expected.type, shown, actual, path)


def _text(
    expected: PuppetType, original: PuppetType, actual: PuppetType, path: Path
) -> list[Mismatch]:
    return [PatternMismatch(path, original, actual)]


def _alias(
    expected: TypeAliasType, original: PuppetType, actual: PuppetType, path: Path
) -> list[Mismatch]:
    return _describe(normalize(expected.target()), expected, actual, path)


def _array(
    expected: ArrayType, original: PuppetType, actual: PuppetType, path: Path
) -> list[Mismatch]:
    element = expected.element
    if isinstance(actual, TupleType):
        size = actual.size or exactly(len(actual.types))
        if not expected.size_or_any.accepts_type(size):
            return [SizeMismatch(path, expected.size_or_any, size)]
        found: list[Mismatch] = []
        for index, one in enumerate(actual.types):
            if not element.accepts_type(one):
                _add(found, describe(element, one, (*path, ("index", index))), path)
        return found
    if isinstance(actual, ArrayType):
        if expected.size is None or expected.size.accepts_type(actual.size_or_any):
            return [TypeMismatch(path, original, ArrayType(actual.element))]
        return [SizeMismatch(path, expected.size, actual.size_or_any)]
    return [TypeMismatch(path, original, actual)]


def _hash(
    expected: HashType, original: PuppetType, actual: PuppetType, path: Path
) -> list[Mismatch]:
    if isinstance(actual, StructType):
        size = _struct_size(actual)
        if not expected.size_or_any.accepts_type(size):
            return [SizeMismatch(path, expected.size_or_any, size)]
        found: list[Mismatch] = []
        for one in actual.elements:
            if not expected.key.accepts_type(one.key):
                _add(found, describe(expected.key, one.key, (*path, ("key", one.name))), path)
            if not expected.value.accepts_type(one.value):
                _add(found, describe(expected.value, one.value, (*path, ("value", one.name))), path)
        return found
    if isinstance(actual, HashType):
        if expected.size is None or expected.size.accepts_type(actual.size_or_any):
            return [TypeMismatch(path, original, HashType(actual.key, actual.value))]
        return [SizeMismatch(path, expected.size, actual.size_or_any)]
    return [TypeMismatch(path, original, actual)]


def _struct_size(struct: StructType) -> IntegerType:
    required = sum(not one.optional for one in struct.elements)
    return IntegerType(required, len(struct.elements))


def _struct(
    expected: StructType, original: PuppetType, actual: PuppetType, path: Path
) -> list[Mismatch]:
    if isinstance(actual, StructType):
        return _struct_keys(expected, actual, path)
    if isinstance(actual, HashType):
        size = _struct_size(expected)
        if size.accepts_type(actual.size_or_any):
            return [TypeMismatch(path, original, HashType(actual.key, actual.value))]
        return [SizeMismatch(path, size, actual.size_or_any)]
    return [TypeMismatch(path, original, actual)]


def _struct_keys(expected: StructType, actual: StructType, path: Path) -> list[Mismatch]:
    found: list[Mismatch] = []
    rest = dict(actual.named)
    for one in expected.elements:
        theirs = rest.pop(one.name, None)
        if theirs is None:
            if not one.optional:
                found.append(KeyMismatch(path, one.name, MISSING_KEY))
            continue
        if not one.key.accepts_type(theirs.key):
            _add(found, describe(one.key, theirs.key, (*path, ("key", one.name))), path)
        if not one.value.accepts_type(theirs.value):
            _add(found, describe(one.value, theirs.value, (*path, ("value", one.name))), path)
    found.extend([KeyMismatch(path, name, EXTRA_KEY) for name in rest])
    return found


def _tuple(
    expected: TupleType, original: PuppetType, actual: PuppetType, path: Path
) -> list[Mismatch]:
    return _places(expected, original, actual, path, SizeMismatch)


def _places(
    expected: TupleType,
    original: PuppetType,
    actual: PuppetType,
    path: Path,
    size_kind: type[SizeMismatch],
) -> list[Mismatch]:
    if expected == actual or (not expected.types and isinstance(actual, ArrayType)):
        return []
    wanted = expected.size_range
    if isinstance(actual, TupleType):
        size = actual.size_range
        pairs = [
            (min(index, len(expected.types) - 1), one)
            for index, one in enumerate(actual.types)
            if expected.types
        ]
    elif isinstance(actual, ArrayType):
        size = actual.size or ANY_SIZE
        pairs = [(index, actual.element) for index in range(len(expected.types))]
    else:
        return [TypeMismatch(path, original, actual)]
    if not wanted.accepts_type(size):
        return [size_kind(path, wanted, size)]
    found: list[Mismatch] = []
    for index, one in pairs:
        _add(found, describe(expected.types[index], one, (*path, ("index", index))), path)
    return found


def _callable(
    expected: CallableType, original: PuppetType, actual: PuppetType, path: Path
) -> list[Mismatch]:
    if not isinstance(actual, CallableType):
        return [TypeMismatch(path, original, actual)]
    if expected.params is not None:
        params = actual.params if actual.params is not None else TupleType()
        found = _places(expected.params, expected.params, params, path, CountMismatch)
        if found:
            return found
    returns, gives = expected.returns or ANY, actual.returns or ANY
    if not returns.accepts_type(gives):
        return [TypeMismatch((*path, ("named", "return")), returns, gives)]
    block, takes = expected.block or UNDEF, actual.block or UNDEF
    if expected.params is not None and not takes.accepts_type(block):
        return [TypeMismatch((*path, ("named", "block")), block, takes)]
    return []


_DESCRIBE: tuple[tuple[type[PuppetType] | tuple[type[PuppetType], ...], Describe], ...] = (
    (VariantType, _variant),
    (StructType, _struct),
    (HashType, _hash),
    (TupleType, _tuple),
    (ArrayType, _array),
    (CallableType, _callable),
    (OptionalType, _optional),
    ((PatternType, EnumType), _text),
    (TypeAliasType, _alias),
)
