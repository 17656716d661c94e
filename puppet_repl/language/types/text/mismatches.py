"""The kinds of mismatch between an expected and an actual type, and what each says.

A path leads from the subject to the place of the mismatch. Its steps are pairs of a kind and a
key; steps of kind "variant" and "signature" only say which alternative was tried, and do not
count when two mismatches are compared.
"""

from __future__ import annotations

from puppet_repl.base.wording import with_article
from puppet_repl.language.types.algebra.normalize import normalize
from puppet_repl.language.types.model.alias import TypeAliasType
from puppet_repl.language.types.model.base import ANY, PuppetType
from puppet_repl.language.types.model.collection import ArrayType, HashType, StructType, TupleType
from puppet_repl.language.types.model.object import ObjectType
from puppet_repl.language.types.model.scalar import INFINITY, IntegerType, StringType
from puppet_repl.language.types.model.wrapper import (
    OptionalType,
    VariantType,
    WrappingType,
    variant,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Step: TypeAlias = tuple[str, str | int]
    Path: TypeAlias = tuple[Step, ...]

_STEPS = {
    "subject": "{}",
    "value": "entry '{}'",
    "key": "key of entry '{}'",
    "parameter": "parameter '{}'",
    "named": "{}",
    "index": "index {}",
    "variant": "variant {}",
    "signature": "{}.",
}
_ALTERNATIVES = frozenset(("variant", "signature"))


class Mismatch:
    """One thing that does not fit, and the path to it."""

    __slots__ = ("path",)

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def canonical_path(self) -> Path:
        """The path without the alternatives."""
        return tuple([step for step in self.path if step[0] not in _ALTERNATIVES])

    def without_step(self, index: int) -> Mismatch:
        """Return the same mismatch with one step less in its path."""
        if index >= len(self.path):
            return self
        shorter = self.copied()
        shorter.path = self.path[:index] + self.path[index + 1 :]
        return shorter

    def copied(self) -> Mismatch:
        """Return a copy with the same path."""
        return type(self)(self.path)

    def merged(self, other: Mismatch) -> Mismatch:
        """One mismatch for two of the same kind at the same position."""
        return self.copied()

    def text(self) -> str:
        """Return the words after the position."""
        raise NotImplementedError

    def format(self) -> str:
        """Return the whole message; it begins with a blank where there is a path."""
        path = self.path
        head = ""
        if path and path[0][0] == "signature":
            head = f" {int(path[0][1]) + 1}."
            path = path[1:]
        steps = " ".join([_STEPS[kind].format(key) for kind, key in path])
        return f"{head} {steps} {self.text()}" if path else f"{head} {self.text()}"


class KeyMismatch(Mismatch):
    """Something about one key or parameter by name; ``wording`` has a place for the name."""

    __slots__ = ("key", "wording")

    def __init__(self, path: Path, key: str, wording: str) -> None:
        super().__init__(path)
        self.key = key
        self.wording = wording

    def copied(self) -> Mismatch:
        return KeyMismatch(self.path, self.key, self.wording)

    def text(self) -> str:
        return self.wording.format(self.key)


MISSING_KEY = "expects a value for key '{}'"
MISSING_PARAMETER = "expects a value for parameter '{}'"
EXTRA_KEY = "unrecognized key '{}'"
INVALID_PARAMETER = "has no parameter named '{}'"
UNRESOLVED_TYPE = "references an unresolved type '{}'"


class UnexpectedBlock(Mismatch):
    """A block that the signature does not take."""

    __slots__ = ()

    def text(self) -> str:
        return "does not expect a block"


class MissingBlock(Mismatch):
    """A missing block."""

    __slots__ = ()

    def text(self) -> str:
        return "expects a block"


class SizeMismatch(Mismatch):
    """Too few or too many elements."""

    __slots__ = ("actual", "expected")

    def __init__(self, path: Path, expected: IntegerType, actual: IntegerType) -> None:
        super().__init__(path)
        self.expected = expected
        self.actual = actual

    def copied(self) -> Mismatch:
        return type(self)(self.path, self.expected, self.actual)

    def merged(self, other: Mismatch) -> Mismatch:
        assert isinstance(other, SizeMismatch)
        low = min(self.expected.low, other.expected.low)
        high = max(self.expected.high, other.expected.high)
        return type(self)(self.path, IntegerType(low, high), self.actual)

    def text(self) -> str:
        wanted = _range_text(self.expected, "0")
        return f"expects size to be {wanted}, got {_range_text(self.actual, '0')}"


class CountMismatch(SizeMismatch):
    """Too few or too many arguments."""

    __slots__ = ()

    def text(self) -> str:
        low, high = self.expected.low, self.expected.high
        singular = (low == 1 and high in (1, INFINITY)) or (low == 0 and high == 1)
        return (
            f"expects {_range_text(self.expected, 'no')} argument{'' if singular else 's'}, "
            f"got {_range_text(self.actual, 'none')}"
        )


def _range_text(size: IntegerType, zero: str) -> str:
    low = 0 if size.low == -INFINITY else size.low
    high = size.high
    if low == high:
        return zero if low == 0 else str(low)
    if low == 0:
        return "unlimited" if high == INFINITY else f"at most {high}"
    return f"at least {low}" if high == INFINITY else f"between {low} and {high}"


class TypeMismatch(Mismatch):
    """A value of another type."""

    __slots__ = ("actual", "expected")

    def __init__(self, path: Path, expected: PuppetType, actual: PuppetType) -> None:
        super().__init__(path)
        self.expected = normalize(expected)
        self.actual = normalize(actual)

    def copied(self) -> Mismatch:
        """Return the same types: they would change if they were normalized once more."""
        made = type(self).__new__(type(self))
        Mismatch.__init__(made, self.path)
        made.expected = self.expected
        made.actual = self.actual
        return made

    def merged(self, other: Mismatch) -> Mismatch:
        assert isinstance(other, TypeMismatch)
        either = variant((self.expected, other.expected))
        return type(self)(self.path, either, self.actual)

    def text(self) -> str:
        expected = self.expected
        alternatives: list[str] = []
        if isinstance(expected, OptionalType) and expected.type is not None:
            alternatives.append("Undef")
            expected = expected.type
        several = isinstance(expected, VariantType)
        types = list(expected.types) if isinstance(expected, VariantType) else [expected]
        if _is_detailed(types, self.actual):
            got = _detailed_actual(types, self.actual)
            texts = [one.expanded_text() for one in types]
        else:
            got = short_name(self.actual)
            texts = [short_name(one) for one in types]
            texts = list(dict.fromkeys(texts)) if several else texts
        alternatives += texts
        if len(alternatives) == 1:
            return f"expects {with_article(alternatives[0])} value, got {got}"
        if len(alternatives) == 2:
            wanted = f"{alternatives[0]} or {alternatives[1]}"
        else:
            wanted = f"{', '.join(alternatives[:-1])}, or {alternatives[-1]}"
        return f"expects a value of type {wanted}, got {got}"


class PatternMismatch(TypeMismatch):
    """A string that no alternative matches."""

    __slots__ = ()

    def text(self) -> str:
        expected = self.expected
        undef = ""
        if isinstance(expected, OptionalType) and expected.type is not None:
            undef = "an undef value or "
            expected = expected.type
        actual = self.actual
        if isinstance(actual, StringType) and actual.value is not None:
            got = f"'{actual.value}'"
        else:
            got = short_name(actual)
        return f"expects {undef}a match for {expected.expanded_text()}, got {got}"


def short_name(one: PuppetType) -> str:
    """Return the name; Optional, NotUndef, Sensitive, Type and the like keep one nested name."""
    if isinstance(one, WrappingType) and one.type is not None and one.type != ANY:
        inner = one.type
        nameless = isinstance(inner, ObjectType) and inner.object_name is None
        return f"{one.name}[{'' if nameless else inner.name}]"
    return one.name


def _same_kind(expected: PuppetType, actual: PuppetType) -> bool:
    """Tell whether names alone would say nothing, because both types have the same."""
    return (
        type(expected) is type(actual)
        or isinstance(expected, TypeAliasType)
        or isinstance(actual, TypeAliasType)
        or (isinstance(expected, StructType) and isinstance(actual, HashType))
        or (isinstance(expected, TupleType) and isinstance(actual, ArrayType))
    )


def _is_detailed(expected: list[PuppetType], actual: PuppetType) -> bool:
    return any(_same_kind(one, actual) for one in expected) or any(
        one.default.accepts_type(actual) for one in expected
    )


def _detailed_actual(expected: list[PuppetType], actual: PuppetType) -> str:
    resolved = [one.resolved() for one in expected]
    if any(_same_kind(one, actual) for one in resolved):
        return actual.expanded_text()
    general = actual.generalize()
    if any(one.accepts_type(general) for one in resolved):
        return actual.expanded_text()
    return actual.simple_name
