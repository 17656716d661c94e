"""Strings, numbers, Booleans and regular expressions."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.model.base import PuppetType, range_texts
from puppet_repl.language.values.protocols import Elements, Pattern, PuppetValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from typing_extensions import TypeIs

    from puppet_repl.language.types.model.base import Expansion, Predicate
    from puppet_repl.language.types.model.guard import Guard
    from puppet_repl.language.types.model.predicate_code import PredicateCode
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.language.values.regex import Regexp

    Number: TypeAlias = int | float

INFINITY = float("inf")
_NATIVE = frozenset((str, int, float, bool))
_SCALARS = frozenset(("Regexp", "SemVer", "SemVerRange", "Timespan", "Timestamp"))


class ScalarType(PuppetType):
    """Strings, numbers, Booleans, regular expressions, versions, times."""

    __slots__ = ()
    kind = "Scalar"

    @property
    def default(self) -> PuppetType:
        return SCALAR

    def _compile(self) -> Predicate:
        def check(value: object) -> bool:
            return type(value) in _NATIVE or (
                isinstance(value, PuppetValue) and value.data_type in _SCALARS
            )

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, ScalarType) or other.kind == "SemVerRange"


class ScalarDataType(ScalarType):
    """The scalars that JSON knows."""

    __slots__ = ()
    kind = "ScalarData"

    @property
    def default(self) -> PuppetType:
        return SCALAR_DATA

    def _compile(self) -> Predicate:
        return lambda value: type(value) in _NATIVE

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, ScalarDataType)


class NumericType(ScalarDataType):
    """Integer and Float. Open ends of a range are infinite."""

    __slots__ = ("high", "low")
    kind = "Numeric"
    low: Number
    high: Number

    def __init__(self, low: Number | None = None, high: Number | None = None) -> None:
        self.low = -INFINITY if low is None else low
        self.high = INFINITY if high is None else high

    @property
    def default(self) -> PuppetType:
        return NUMERIC

    @property
    def lower(self) -> Number | None:
        """The lower bound, None for an open end."""
        return None if self.low == -INFINITY else self.low

    @property
    def upper(self) -> Number | None:
        """The upper bound, None for an open end."""
        return None if self.high == INFINITY else self.high

    @property
    def is_unbounded(self) -> bool:
        """Tell whether both ends are open."""
        return self.low == -INFINITY and self.high == INFINITY

    def parts(self) -> tuple[object, ...]:
        return (self.low, self.high)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return range_texts(self.lower, self.upper)

    def _compile(self) -> Predicate:
        return lambda value: type(value) is int or type(value) is float

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, type(self)) and self.low <= other.low and self.high >= other.high

    def intersects(self, other: NumericType) -> bool:
        """Tell whether the two ranges have a number in common."""
        return not (self.high < other.low or other.high < self.low)


class IntegerType(NumericType, Elements):
    """Whole numbers, in a range."""

    __slots__ = ()
    kind = "Integer"

    @property
    def default(self) -> PuppetType:
        return INTEGER

    def generalize(self) -> PuppetType:
        return INTEGER

    @property
    def is_finite(self) -> bool:
        """Tell whether both ends are given."""
        return self.low != -INFINITY and self.high != INFINITY

    def _compile(self) -> Predicate:
        low, high = self.low, self.high
        if self.is_unbounded:
            return lambda value: type(value) is int
        if high == INFINITY:
            return lambda value: type(value) is int and value >= low
        if low == -INFINITY:
            return lambda value: type(value) is int and value <= high
        return lambda value: type(value) is int and low <= value <= high

    def inline_test(self, code: PredicateCode, subject: str) -> str:
        bounds = bounds_test(subject, self.low, self.high)
        test = f"type({subject}) is int"
        return f"({test} and {bounds})" if bounds else f"({test})"

    def is_iterable(self) -> bool:
        return True

    def element_type(self) -> PuppetType | None:
        return INTEGER

    def puppet_elements(self) -> range | None:
        """Return the numbers of the range, None if an end is open."""
        if not self.is_finite:
            return None
        return range(int(self.low), int(self.high) + 1)

    def merged(self, other: IntegerType) -> IntegerType | None:
        """One range for both where they meet or overlap."""
        if self.intersects(other) or self.high + 1 == other.low or other.high + 1 == self.low:
            return IntegerType(min(self.low, other.low), max(self.high, other.high))
        return None

    def as_size(self) -> IntegerType:
        """Return the range as a size: without negative numbers."""
        if self.low >= 0:
            return self
        return IntegerType(0, max(self.high, 0))


class FloatType(NumericType):
    """Numbers with a fraction, in a range."""

    __slots__ = ()
    kind = "Float"

    @property
    def default(self) -> PuppetType:
        return FLOAT

    def generalize(self) -> PuppetType:
        return FLOAT

    def _compile(self) -> Predicate:
        if self.is_unbounded:
            return lambda value: type(value) is float
        low, high = self.low, self.high
        return lambda value: type(value) is float and low <= value <= high

    def merged(self, other: FloatType) -> FloatType | None:
        """Return one range for both; None without overlap."""
        if self.intersects(other):
            return FloatType(min(self.low, other.low), max(self.high, other.high))
        return None


class BooleanType(ScalarDataType):
    """true, false, or one of them."""

    __slots__ = ("value",)
    kind = "Boolean"

    def __init__(self, value: bool | None = None) -> None:
        self.value = value

    @property
    def default(self) -> PuppetType:
        return BOOLEAN

    def generalize(self) -> PuppetType:
        return BOOLEAN

    def parts(self) -> tuple[object, ...]:
        return (self.value,)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return [] if self.value is None else ["true" if self.value else "false"]

    def _compile(self) -> Predicate:
        wanted = self.value
        if wanted is None:
            return lambda value: value is True or value is False
        return lambda value: value is wanted

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return type(other) is BooleanType and (self.value is None or self.value is other.value)


class StringType(ScalarDataType):
    """Strings: all, of some sizes, or one alone (``value``, which only inference makes)."""

    __slots__ = ("size", "value")
    kind = "String"

    def __init__(self, size: IntegerType | None = None, value: str | None = None) -> None:
        self.size = None if size is None else size.as_size()
        self.value = value

    @property
    def default(self) -> PuppetType:
        return STRING

    def generalize(self) -> PuppetType:
        return STRING

    def parts(self) -> tuple[object, ...]:
        return (self.size, self.value)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return size_texts(self.size)

    def _compile(self) -> Predicate:
        wanted = self.value
        if wanted is not None:
            return lambda value: type(value) is str and value == wanted
        size = self.size
        if size is None or (size.low == 0 and size.high == INFINITY):
            return lambda value: type(value) is str
        low, high = size.low, size.high
        if low == 1 and high == INFINITY:
            return lambda value: type(value) is str and value != ""
        return lambda value: type(value) is str and low <= len(value) <= high

    def inline_test(self, code: PredicateCode, subject: str) -> str:
        test = f"type({subject}) is str"
        if self.value is not None:
            return f"({test} and {subject} == {self.value!r})"
        size = self.size
        if size is None or (size.low == 0 and size.high == INFINITY):
            return f"({test})"
        if size.low == 1 and size.high == INFINITY:
            return f"({test} and {subject} != '')"
        return f"({test} and {bounds_test(f'len({subject})', size.low, size.high)})"

    @property
    def size_or_value(self) -> IntegerType | str | None:
        """What restricts the strings, if anything does."""
        return self.size if self.value is None else self.value

    @property
    def derived_size(self) -> IntegerType:
        """The sizes that instances can have."""
        if self.value is not None:
            return IntegerType(len(self.value), len(self.value))
        return self.size or ANY_SIZE

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        kind = type(other)
        if self.size is not None:
            if isinstance(other, StringType):
                return self.size.accepts_type(other.derived_size)
            if isinstance(other, EnumType) and other.values:
                sizes = [len(value) for value in other.values]
                return self.size.low <= min(sizes) and self.size.high >= max(sizes)
            return (kind is EnumType or kind is PatternType) and self.size.accepts_type(ANY_SIZE)
        if isinstance(other, StringType):
            return self.value is None or (self.value == other.value)
        if isinstance(other, EnumType):
            # A literal takes any Enum of one value: Puppet's own answer.
            return self.value is None or (len(other.values) == 1 and not other.ignores_case)
        return kind is PatternType and self.value is None

    def is_iterable(self) -> bool:
        return True

    def element_type(self) -> PuppetType | None:
        return CHARACTER


class EnumType(ScalarDataType, Elements):
    """Some strings, sorted. Without values it has no instance, yet all strings are assignable."""

    __slots__ = ("ignores_case", "values")
    kind = "Enum"

    def __init__(self, values: tuple[str, ...] = (), ignores_case: bool = False) -> None:
        self.values = tuple(sorted(dict.fromkeys(values)))
        self.ignores_case = ignores_case

    @property
    def default(self) -> PuppetType:
        return ENUM

    def generalize(self) -> PuppetType:
        if not self.values:
            return STRING
        sizes = [len(value) for value in self.values]
        return StringType(IntegerType(min(sizes), max(sizes)))

    def parts(self) -> tuple[object, ...]:
        return (self.values, self.ignores_case)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        from puppet_repl.language.values.quote import quote

        texts = [quote(value) for value in self.values]
        return [*texts, "true"] if self.ignores_case and texts else texts

    def _compile(self) -> Predicate:
        if self.ignores_case:
            from puppet_repl.language.values.compare import fold

            folded = frozenset(map(fold, self.values))
            return lambda value: type(value) is str and fold(value) in folded
        values = frozenset(self.values)
        return lambda value: type(value) is str and value in values

    def inline_test(self, code: PredicateCode, subject: str) -> str:
        if self.ignores_case:
            return super().inline_test(code, subject)
        values = code.named(frozenset(self.values))
        return f"(type({subject}) is str and {subject} in {values})"

    def puppet_elements(self) -> tuple[str, ...]:
        """Return the values."""
        return self.values

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if self == other:
            return True
        if not self.values and isinstance(other, (StringType, EnumType, PatternType)):
            return True
        if isinstance(other, StringType):
            return self.accepts_value(other.value)
        if isinstance(other, EnumType):
            return (
                bool(other.values)
                and (self.ignores_case or not other.ignores_case)
                and all(self.accepts_value(value) for value in other.values)
            )
        return False

    def is_iterable(self) -> bool:
        return True

    def element_type(self) -> PuppetType | None:
        return CHARACTER


class RegexpType(ScalarType):
    """Regular expressions: all, or those with one text."""

    __slots__ = ("_regexp", "pattern")
    kind = "Regexp"
    _regexp: Regexp

    def __init__(self, pattern: str | None = None) -> None:
        self.pattern = pattern

    @classmethod
    def of(cls, regexp: Regexp) -> RegexpType:
        """Return the type of a regular expression."""
        made = cls(regexp.flagged_source())
        made._regexp = regexp
        return made

    @property
    def default(self) -> PuppetType:
        return REGEXP

    def parts(self) -> tuple[object, ...]:
        return (self.pattern,)

    @property
    def regexp(self) -> Regexp:
        """The regular expression itself, compiled when first asked for."""
        try:
            return self._regexp
        except AttributeError:
            from puppet_repl.language.values.regex import Regexp

            self._regexp = Regexp(self.pattern or "")
            return self._regexp

    def checked(self) -> RegexpType:
        """Return the type itself; raise RuntimeFailure if its pattern is not a valid expression."""
        from puppet_repl.language.syntax.regexp_escapes import RegexpError

        try:
            self.regexp.check()
        except RegexpError as error:
            raise RuntimeFailure(str(error)) from None
        return self

    def _is_valid(self) -> bool:
        try:
            self.checked()
        except RuntimeFailure:
            return False
        return True

    def puppet_key(self) -> object:
        return self  # its text would be that of an expression that may be invalid

    def slashed(self) -> str:
        """Return the regular expression between slashes."""
        if not self._is_valid():
            _warn_of_pattern()
        from puppet_repl.language.syntax.regexp_escapes import describe

        pattern = self.pattern or ""
        if pattern.isascii() and "\\" not in pattern and "(?" not in pattern:
            return describe(pattern)
        return self.regexp.puppet_text()

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return [] if self.pattern is None else [self.slashed()]

    def _compile(self) -> Predicate:
        if self.pattern is None:
            return is_regexp
        expected = self.regexp

        def check(value: Value) -> bool:
            return is_regexp(value) and expected.puppet_equals(value)

        def warn(value: Value) -> bool:
            _warn_of_pattern()
            return False

        return check if self._is_valid() else warn

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        return isinstance(other, RegexpType) and (
            self.pattern is None or self.pattern == other.pattern
        )


def _warn_of_pattern() -> None:
    from puppet_repl.base.differences import warn_of_difference

    warn_of_difference("invalid_pattern")


class PatternType(ScalarDataType):
    """Strings that match any of some regular expressions; without expressions, all strings."""

    __slots__ = ("patterns",)
    kind = "Pattern"

    def __init__(self, patterns: tuple[RegexpType, ...] = ()) -> None:
        self.patterns = tuple(dict.fromkeys(patterns))

    @property
    def default(self) -> PuppetType:
        return PATTERN

    def parts(self) -> tuple[object, ...]:
        return (frozenset(self.patterns),)

    def contained(self) -> tuple[PuppetType, ...]:
        return self.patterns

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        return [one.slashed() for one in self.patterns]

    def _compile(self) -> Predicate:
        if not self.patterns:
            return lambda value: type(value) is str
        found = _search(self.patterns)
        return lambda value: type(value) is str and found(value)

    def inline_test(self, code: PredicateCode, subject: str) -> str:
        if len(self.patterns) != 1:
            return super().inline_test(code, subject)
        regexp = self.patterns[0].regexp
        match = f"{code.named(regexp.matches)}({subject})"
        shortcut = regexp.shortcut()
        if shortcut is not None:
            search, limit, any_text = shortcut
            fits = f"len({subject}) <= {limit}" + ("" if any_text else f" and {subject}.isascii()")
            match = f"({code.named(search)}({subject}) is not None if {fits} else {match})"
        return f"(type({subject}) is str and {match})"

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if self == other:
            return True
        if isinstance(other, StringType):
            if other.value is None:
                return not self.patterns
            return self.accepts_value(other.value)
        if isinstance(other, EnumType):
            if not other.values:
                return not self.patterns
            return all(self.accepts_value(value) for value in other.values)
        return isinstance(other, PatternType) and not self.patterns


def _search(patterns: tuple[RegexpType, ...]) -> Callable[[str], bool]:
    """Return a test of a string against regular expressions, compiled at the first string."""
    tests: list[Callable[[str], bool]] = []

    def found(value: str) -> bool:
        if not tests:
            tests.extend(one.regexp.matches for one in patterns)
        for matches in tests:  # noqa: SIM110 - faster than any()
            if matches(value):
                return True
        return False

    return found


def is_regexp(value: Value) -> TypeIs[Regexp]:
    """Tell whether a value is a regular expression, without loading these."""
    return isinstance(value, Pattern)


def regexp_type(value: Regexp) -> PuppetType:
    """Return the type of a regular expression."""
    return RegexpType.of(value)


def bounds_test(subject: str, low: Number, high: Number) -> str:
    """Return an expression that is true where ``subject`` is within the bounds; '' for all."""
    if low == -INFINITY:
        return "" if high == INFINITY else f"{subject} <= {high}"
    if high == INFINITY:
        return f"{low} <= {subject}"
    return f"{low} <= {subject} <= {high}"


def size_texts(size: IntegerType | None) -> list[str]:
    """Return the parameters that a size constraint adds to a type."""
    return [] if size is None else size.parameter_texts(None)


SCALAR = ScalarType()
SCALAR_DATA = ScalarDataType()
NUMERIC = NumericType()
INTEGER = IntegerType()
FLOAT = FloatType()
BOOLEAN = BooleanType()
TRUE = BooleanType(True)
FALSE = BooleanType(False)
STRING = StringType()
ENUM = EnumType()
REGEXP = RegexpType()
PATTERN = PatternType()
ANY_SIZE = IntegerType(0)
NOT_EMPTY = IntegerType(1)
NON_EMPTY_STRING = StringType(NOT_EMPTY)
CHARACTER = StringType(IntegerType(1, 1))
