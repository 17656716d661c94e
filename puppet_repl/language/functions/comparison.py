"""Functions that compare: compare, max, min, versioncmp."""

from __future__ import annotations

import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.registry import Function, function
from puppet_repl.language.ruby_library.ordering import block_order, required_order
from puppet_repl.language.runtime.call_location import NO_LOCATION
from puppet_repl.language.values.compare import fold
from puppet_repl.language.values.labels import value_label
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.language.values.semver import SemVer
    from puppet_repl.language.values.time import Timespan, Timestamp

    Order = Callable[[Value, Value], int]
    Ordered = TypeVar("Ordered", str, float)

_NUMBER = re.compile(r"-?[0-9]+([._eE][0-9]+)?")
_VERSION_PART = re.compile(r"[-.]|[0-9]+|[^-.0-9]+")


def _sign(left: Ordered, right: Ordered) -> int:
    """Return -1, 0 or 1 for two numbers or two strings."""
    return (left > right) - (left < right)


@function(
    "compare",
    "Numeric $a, Numeric $b",
    returns="Integer",
    aliases={
        "TimeComparable": "Variant[Numeric, Timespan, Timestamp]",
        "Comparable": "Variant[String, Semver, TimeComparable]",
    },
    examples=(
        "compare(1, 2.5)  # => -1",
        "compare('ABC', 'abc')  # => 0",
        "compare('ABC', 'abc', false)  # => -1",
    ),
)
def compare(left: float, right: float) -> int:
    """Compare two values and return -1, 0 or 1: the first is less, equal or greater.

    Numbers, strings, versions, timespans and timestamps are comparable with their own kind, and
    times also with numbers (of seconds). The case of the letters A to Z is ignored in strings,
    unless the third argument is false.

    @param a the first value
    @param b the second value, of the same kind
    @param ignore_case whether the case of letters does not count (true)
    """
    return _sign(left, right)


@compare.dispatch("String $a, String $b, Boolean $ignore_case?", returns="Integer")
def _compare_texts(left: str, right: str, ignore_case: bool = True) -> int:
    if ignore_case:
        return _sign(fold(left), fold(right))
    return _sign(left, right)


@compare.dispatch("SemVer $a, SemVer $b", returns="Integer")
def _compare_versions(left: SemVer, right: SemVer) -> int:
    return left.puppet_compare(right)


@compare.dispatch("Numeric $a, Variant[Timespan, Timestamp] $b", returns="Integer")
def _compare_number_to_time(left: float, right: Timestamp | Timespan) -> int:
    return -right.puppet_compare(left)


@compare.dispatch("Timestamp $a, Variant[Timestamp, Numeric] $b", returns="Integer")
def _compare_timestamp(left: Timestamp, right: Value) -> int:
    return left.puppet_compare(right)


@compare.dispatch("Timespan $a, Variant[Timespan, Numeric] $b", returns="Integer")
def _compare_timespan(left: Timespan, right: Value) -> int:
    return left.puppet_compare(right)


@compare.mismatch("Comparable $a, Comparable $b, Any *$ignore_case")
def _not_alike(left: Value, right: Value, *further: Value) -> str:
    if further:
        if type(left) is not str or type(right) is not str:
            return (
                "compare(): The third argument (ignore case) can only be used when "
                "comparing strings"
            )
        if len(further) != 1:
            return f"compare(): Accepts at most 3 arguments, got {2 + len(further)}"
        return (
            "compare(): The third argument (ignore case) must be a Boolean. "
            f"Got {value_label(further[0])}"
        )
    return (
        "compare(): Can only compare values of the same type (or for Timestamp/Timespan also "
        f"against Numeric). Got {value_label(left)} and {value_label(right)}"
    )


@compare.mismatch("Any $a, Any $b, Any *$ignore_case")
def _not_comparable(left: Value, right: Value, *_further: Value) -> str:
    return (
        "compare(): Non comparable type. Only values of the types Numeric, String, Semver, "
        f"Timestamp and Timestamp can be compared. Got {value_label(left)} and {value_label(right)}"
    )


# The kinds in the order in which Puppet tries them; those of arrays differ for min() and max().
_PLAIN_KINDS = ("Numeric", "String", "SemVer", "Timespan", "Timestamp")
_MAX_ARRAYS = ("Numeric", "String", "SemVer", "Timespan", "Timestamp")
_MIN_ARRAYS = ("Numeric", "SemVer", "Timespan", "Timestamp", "String")


def _best_number(values: tuple[float, ...], direction: int) -> float:
    chosen = values[0]
    for value in values[1:]:
        if value > chosen if direction > 0 else value < chosen:
            chosen = value
    return chosen


def _extreme(
    name: str, direction: int, arrays: tuple[str, ...], doc: str, *examples: str
) -> Function:
    """Declare max() or min(); ``direction`` is 1 for the greatest value, -1 for the smallest."""

    def best(values: tuple[Value, ...], order: Order) -> Value:
        chosen = values[0]
        for value in values[1:]:
            if order(value, chosen) * direction > 0:
                chosen = value
        return chosen

    def choose(values: tuple[Any, ...], kind: str, context: Context) -> Value:
        if not values:
            raise RuntimeFailure(f"{name}(): Wrong number of arguments need at least one")
        if kind in ("String", "Any"):
            return best(values, _text_order(name, kind == "Any", context))
        if kind == "Numeric":
            return _best_number(values, direction)
        return best(values, required_order)

    def choose_by(values: tuple[Value, ...], block: Closure) -> Value:
        return best(values, block_order(block)) if values else None

    @function(name, "Numeric *$values", doc=doc, examples=examples)
    def extreme(*values: Value, context: Context) -> Value:
        return choose(values, "Numeric", context)

    def declare_plain(kind: str) -> None:
        @extreme.dispatch(f"{kind} *$values")
        def on_values(*values: Value, context: Context) -> Value:
            return choose(values, kind, context)

    def declare_array(kind: str) -> None:
        type_text = "Array" if kind == "Any" else f"Array[{kind}]"

        @extreme.dispatch(f"{type_text} $values, Callable[2,2] &$block?")
        def on_array(
            values: tuple[Value, ...], *, context: Context, block: Closure | None = None
        ) -> Value:
            return choose(values, kind, context) if block is None else choose_by(values, block)

    for kind in _PLAIN_KINDS[1:]:
        declare_plain(kind)
    for kind in arrays:
        declare_array(kind)
    declare_array("Any")

    @extreme.dispatch("Any *$values, Callable[2,2] &$block")
    def with_block(*values: Value, block: Closure) -> Value:
        return choose_by(values, block)

    declare_plain("Any")
    return extreme


def _text_order(name: str, mixed: bool, context: Context) -> Order:
    """Return the order of strings: by code points, or as numbers if both look like numbers.

    It warns when it takes strings for numbers or other values (``mixed``) for strings.
    """

    def order(left: Value, right: Value) -> int:
        left_text = left if type(left) is str else ruby_text(left)
        right_text = right if type(right) is str else ruby_text(right)
        if _NUMBER.fullmatch(left_text) and _NUMBER.fullmatch(right_text):
            context.warn_once(
                f"{name}_function_numeric_coerce_string",
                f"The {name}() function's auto conversion of String to Numeric is deprecated - "
                f"change to convert input before calling, or use lambda{NO_LOCATION}",
            )
            return _sign(_leading_float(left_text), _leading_float(right_text))
        if mixed:
            context.warn_once(
                f"{name}_function_string_coerce_any",
                f"The {name}() function's auto conversion of Any to String is deprecated - "
                f"change to convert input before calling, or use lambda{NO_LOCATION}",
            )
        return _sign(left_text, right_text)

    return order


def _leading_float(text: str) -> float:
    """Convert a string that looks like a number as Ruby's to_f does: underscores are ignored."""
    return float(text.replace("_", ""))


max_ = _extreme(
    "max",
    1,
    _MAX_ARRAYS,
    """Return the greatest of the arguments, or of the elements of one Array.

    Numbers, strings, versions and times are compared with their own kind: strings by code points,
    or as numbers if both look like numbers (deprecated). A block with two parameters may compare
    instead: it returns a number below, equal to or above zero.

    @param values the values, or one Array of them
    @param block compares two values; returns a number below, equal to or above 0
    @return [Any] one of the values
    """,
    "max(3, 9, 2)  # => 9",
    "['apple', 'pear'].max  # => 'pear'",
    "max('ccc', 'd') |$a, $b| { compare($a.length, $b.length) }  # => 'ccc'",
)

min_ = _extreme(
    "min",
    -1,
    _MIN_ARRAYS,
    """Return the smallest of the arguments, or of the elements of one Array.

    Values are compared as by max(), also with a block.

    @param values the values, or one Array of them
    @param block compares two values; returns a number below, equal to or above 0
    @return [Any] one of the values
    """,
    "min(3, 9, 2)  # => 2",
    "min('b', 'B')  # => 'B'",
)


@function(
    "versioncmp",
    "String $a, String $b, Boolean $ignore_trailing_zeroes?",
    returns="Integer",
    examples=(
        "versioncmp('1.10', '1.9')  # => 1",
        "versioncmp('2.0', '2.0.0')  # => -1",
        "versioncmp('2.0', '2.0.0', true)  # => 0",
    ),
)
def versioncmp(left: str, right: str, ignore_zeros: bool = False) -> int:
    """Compare two version numbers and return -1, 0 or 1.

    Sequences of digits are compared as numbers (as strings if they begin with a zero), other
    parts as strings without regard to case; a dash is less than a dot, and a dot less than
    everything else. If the third argument is true, trailing zeros of the part before the first
    dash are ignored.

    @param a the first version
    @param b the second version
    @param ignore_trailing_zeroes whether 1.0.0 is 1 (false)
    """
    if ignore_zeros:
        left, right = _without_zeros(left), _without_zeros(right)
    left_tokens = _VERSION_PART.findall(left)
    right_tokens = _VERSION_PART.findall(right)
    for mine, theirs in zip(left_tokens, right_tokens, strict=False):
        if mine == theirs:
            continue
        for separator in ("-", "."):
            if mine == separator:
                return -1
            if theirs == separator:
                return 1
        if re.fullmatch("[0-9]+", mine) and re.fullmatch("[0-9]+", theirs):
            if mine.startswith("0") or theirs.startswith("0"):
                return _sign(mine.upper(), theirs.upper())
            return _sign(int(mine), int(theirs))
        return _sign(mine.upper(), theirs.upper())
    return _sign(left, right)


def _without_zeros(version: str) -> str:
    head, dash, rest = version.partition("-")
    return re.sub(r"[.0]+\Z", "", head) + dash + rest
