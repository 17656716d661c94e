"""Order: compare, max, min, versioncmp."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.registry import Function, by_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.runtime.closure import Closure
    from puppet_repl.runtime.context import Context

_NUMBER = r"-?[0-9]+([._eE][0-9]+)?"
_NO_PLACE = "\n   (file & line not available)"

compare = Function(
    "compare",
    theme="comparison",
    aliases={
        "TimeComparable": "Variant[Numeric, Timespan, Timestamp]",
        "Comparable": "Variant[String, Semver, TimeComparable]",
    },
    doc="""Compare two values: -1, 0 or 1 as the first is before, equal to, or after the second.

    Numbers, strings, versions, time spans and time stamps can be compared with their own kind,
    and time values also with numbers (seconds). Strings are compared without regard to upper
    and lower case of the letters A to Z, unless the third argument is false.
    """,
    examples=(
        "compare(1, 2.5)  # => -1",
        "compare('ABC', 'abc')  # => 0",
        "compare('ABC', 'abc', false)  # => -1",
    ),
)


def _sign(left: Any, right: Any) -> int:
    return int(left > right) - int(left < right)


@compare.dispatch("Numeric $a, Numeric $b", returns="Integer")
def _compare_numbers(left: Any, right: Any) -> int:
    return _sign(left, right)


@compare.dispatch("String $a, String $b, Boolean $ignore_case?", returns="Integer")
def _compare_texts(left: str, right: str, ignore_case: bool = True) -> int:
    if ignore_case:
        from puppet_repl.values.compare import fold

        return _sign(fold(left), fold(right))
    return _sign(left, right)


@compare.dispatch("SemVer $a, SemVer $b", returns="Integer")
def _compare_versions(left: Any, right: Any) -> int:
    return int(left.puppet_compare(right))


@compare.dispatch("Numeric $a, Variant[Timespan, Timestamp] $b", returns="Integer")
def _compare_number_to_time(left: Any, right: Any) -> int:
    return -int(right.puppet_compare(left))


@compare.dispatch("Timestamp $a, Variant[Timestamp, Numeric] $b", returns="Integer")
def _compare_timestamp(left: Any, right: Any) -> int:
    return int(left.puppet_compare(right))


@compare.dispatch("Timespan $a, Variant[Timespan, Numeric] $b", returns="Integer")
def _compare_timespan(left: Any, right: Any) -> int:
    return int(left.puppet_compare(right))


@compare.mismatch("Comparable $a, Comparable $b, Any *$ignore_case")
def _not_alike(left: Any, right: Any, *further: Any) -> str:
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
            f"Got {_label(further[0])}"
        )
    return (
        "compare(): Can only compare values of the same type (or for Timestamp/Timespan also "
        f"against Numeric). Got {_label(left)} and {_label(right)}"
    )


@compare.mismatch("Any $a, Any $b, Any *$ignore_case")
def _not_comparable(left: Any, right: Any, *_further: Any) -> str:
    return (
        "compare(): Non comparable type. Only values of the types Numeric, String, Semver, "
        f"Timestamp and Timestamp can be compared. Got {_label(left)} and {_label(right)}"
    )


def _label(value: Any) -> str:
    from puppet_repl.values.labels import value_label

    return value_label(value)


# Puppet tries these signatures one after another; the two lists differ in one place only.
_PLAIN_KINDS = ("Numeric", "String", "SemVer", "Timespan", "Timestamp")
_MAX_ARRAYS = ("Numeric", "String", "SemVer", "Timespan", "Timestamp")
_MIN_ARRAYS = ("Numeric", "SemVer", "Timespan", "Timestamp", "String")


def _extreme(name: str, wanted: int, arrays: tuple[str, ...], doc: str, *examples: str) -> Function:
    function = Function(name, theme="comparison", doc=doc, examples=examples)

    def best(values: tuple[Any, ...], order: Callable[[Any, Any], int]) -> Any:
        chosen = values[0]
        for value in values[1:]:
            if order(value, chosen) * wanted > 0:
                chosen = value
        return chosen

    def best_number(values: tuple[Any, ...]) -> Any:
        chosen = values[0]
        for value in values[1:]:
            if value > chosen if wanted > 0 else value < chosen:
                chosen = value
        return chosen

    def choose(values: tuple[Any, ...], kind: str, context: Context) -> Any:
        if not values:
            raise RuntimeFailure(f"{name}(): Wrong number of arguments need at least one")
        if kind in ("String", "Any"):
            return best(values, _text_order(name, kind == "Any", context))
        if kind == "Numeric":
            return best_number(values)
        from puppet_repl.functions.ordering import required_order

        return best(values, required_order)

    def choose_by(values: tuple[Any, ...], block: Closure) -> Any:
        from puppet_repl.functions.ordering import block_order

        return best(values, block_order(block)) if values else None

    def declare_plain(kind: str) -> None:
        @function.dispatch(f"{kind} *$values")
        def on_values(*values: Any, context: Context) -> Any:
            return choose(values, kind, context)

    def declare_array(kind: str) -> None:
        type_text = "Array" if kind == "Any" else f"Array[{kind}]"

        @function.dispatch(f"{type_text} $values, Callable[2,2] &$block?")
        def on_array(values: Any, *, context: Context, block: Closure | None = None) -> Any:
            return choose(values, kind, context) if block is None else choose_by(values, block)

    for kind in _PLAIN_KINDS:
        declare_plain(kind)
    for kind in arrays:
        declare_array(kind)
    declare_array("Any")

    @function.dispatch("Any *$values, Callable[2,2] &$block")
    def with_block(*values: Any, block: Closure) -> Any:
        return choose_by(values, block)

    declare_plain("Any")
    return function


def _text_order(name: str, mixed: bool, context: Context) -> Callable[[Any, Any], int]:
    """Texts by code points, but as numbers where both look like numbers (with a warning)."""
    import re

    from puppet_repl.values.ruby import ruby_text

    number = re.compile(_NUMBER)

    def order(left: Any, right: Any) -> int:
        left_text = left if type(left) is str else ruby_text(left)
        right_text = right if type(right) is str else ruby_text(right)
        if number.fullmatch(left_text) and number.fullmatch(right_text):
            context.warn_once(
                f"{name}_function_numeric_coerce_string",
                f"The {name}() function's auto conversion of String to Numeric is deprecated - "
                f"change to convert input before calling, or use lambda{_NO_PLACE}",
            )
            return _sign(_leading_float(left_text), _leading_float(right_text))
        if mixed:
            context.warn_once(
                f"{name}_function_string_coerce_any",
                f"The {name}() function's auto conversion of Any to String is deprecated - "
                f"change to convert input before calling, or use lambda{_NO_PLACE}",
            )
        return _sign(left_text, right_text)

    return order


def _leading_float(text: str) -> float:
    """What Ruby's to_f makes of a text that looks like a number: an underscore joins digits."""
    return float(text.replace("_", ""))


max_ = _extreme(
    "max",
    1,
    _MAX_ARRAYS,
    """Answer the greatest of the arguments, or of the elements of one Array.

    Numbers, strings, versions and time values compare with their own kind; strings by code
    points, but as numbers where both look like numbers (deprecated). A block of two parameters
    may compare instead: it answers a number below, at or above zero.
    """,
    "max(3, 9, 2)  # => 9",
    "['apple', 'pear'].max  # => 'pear'",
    "max('ccc', 'd') |$a, $b| { compare($a.length, $b.length) }  # => 'ccc'",
)

min_ = _extreme(
    "min",
    -1,
    _MIN_ARRAYS,
    """Answer the smallest of the arguments, or of the elements of one Array.

    Compares as max() does, also with a block.
    """,
    "min(3, 9, 2)  # => 2",
    "min('b', 'B')  # => 'B'",
)

versioncmp = Function(
    "versioncmp",
    theme="comparison",
    doc="""Compare two version numbers: -1, 0 or 1.

    Runs of digits compare as numbers (as texts with a leading zero), other parts as texts
    without regard to case; a dash comes before a dot, and a dot before everything else. With
    a third argument true, zeros at the end of the part before the first dash do not count.
    """,
    examples=(
        "versioncmp('1.10', '1.9')  # => 1",
        "versioncmp('2.0', '2.0.0')  # => -1",
        "versioncmp('2.0', '2.0.0', true)  # => 0",
    ),
)


@versioncmp.dispatch("String $a, String $b, Boolean $ignore_trailing_zeroes?", returns="Integer")
def _versioncmp(left: str, right: str, ignore_zeros: bool = False) -> int:
    import re

    if ignore_zeros:
        left, right = _without_zeros(left), _without_zeros(right)
    tokens = re.compile(r"[-.]|[0-9]+|[^-.0-9]+")
    left_tokens = tokens.findall(left)
    right_tokens = tokens.findall(right)
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
    import re

    head, dash, rest = version.partition("-")
    return re.sub(r"[.0]+\Z", "", head) + dash + rest


FUNCTIONS = by_name(compare, max_, min_, versioncmp)
