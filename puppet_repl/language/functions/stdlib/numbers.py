"""Functions of stdlib about numbers and ranges: clamp, convert_base, range, to_bytes."""

from __future__ import annotations

import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.checks import wrong_count
from puppet_repl.language.functions.stdlib.declaring import stdlib_legacy_function
from puppet_repl.language.functions.stdlib.ruby_values import to_i
from puppet_repl.language.ruby_library.number import leading_float
from puppet_repl.language.ruby_library.succession import strings_between
from puppet_repl.language.values import array
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.ruby import no_conversion, no_method, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_MAX_RANGE = 1_000_000
_SIZES = {"": 0, "k": 10, "M": 20, "G": 30, "T": 40, "P": 50, "E": 60}
_SIZE = re.compile(r"([0-9.e+-]*)[ \t\r\n\f\v]*([^bB]?)")
# In Ruby's notation, where ^ and $ are the ends of a line.
_NUMBER = Regexp(r"^\d+$")
_RANGE = Regexp(r"^(\w+)(\.\.\.?|-)(\w+)$")
_ANYTHING = Regexp(r"^.+$")


@stdlib_legacy_function(
    "clamp",
    "Variant[Integer, String, Array] +$numbers",
    returns="Integer",
    examples=("clamp(5, 1, 3)  # => 3", "clamp('24', [575, 187])  # => 187"),
)
def clamp(values: tuple[Value, ...]) -> Value:
    """Return the middle one of three numbers, which keeps a number within limits.

    Nested arrays are opened. Strings have to be digits.

    @param numbers three numbers, or arrays of them
    """
    numbers = array.flatten(values)
    if len(numbers) != 3:
        raise RuntimeFailure("clamp(): Wrong number of arguments, need three to clamp")
    for number in numbers:
        if type(number) is str and not _NUMBER.matches(number):
            raise RuntimeFailure(f"clamp(): Required explicit numeric ({number}:String)")
        if type(number) is PuppetHash:
            raise RuntimeFailure(f"clamp(): The Hash type is not allowed ({ruby_text(number)})")
    return sorted(map(to_i, numbers))[1]


@stdlib_legacy_function(
    "convert_base",
    "Variant[Integer, String] $number, Variant[Integer, String] $base",
    returns="String",
    examples=("convert_base(5, 2)  # => '101'", "convert_base('254', '16')  # => 'fe'"),
)
def convert_base(values: tuple[Value, ...]) -> Value:
    """Write a number in a base from 2 to 36.

    @param number the number
    @param base from 2 to 36
    """
    for value, position in zip(values, ("First", "Second"), strict=True):
        if type(value) is not int and type(value) is not str:
            raise RuntimeFailure(
                f"convert_base(): {position} argument must be either a string or an integer"
            )
    for value in values:
        if type(value) is str and not _NUMBER.matches(value):
            raise RuntimeFailure(
                "convert_base(): First argument must be an integer or a string corresponding to "
                "an integer in base 10"
            )
    number, base = to_i(values[0]), to_i(values[1])
    if not 2 <= base <= 36:
        raise RuntimeFailure(
            "convert_base(): base must be at least 2 and must not be greater than 36"
        )
    return _in_base(number, base)


def _in_base(number: int, base: int) -> str:
    digits = ""
    rest = abs(number)
    while rest:
        rest, digit = divmod(rest, base)
        digits = _DIGITS[digit] + digits
    return f"-{digits}" if number < 0 else digits or "0"


@stdlib_legacy_function(
    "to_bytes",
    "Variant[String, Numeric] $size",
    returns="Numeric",
    examples=("to_bytes('4 kB')  # => 4096", "to_bytes('1.5M')  # => 1572864"),
    counts=False,
)
def to_bytes(values: tuple[Value, ...]) -> Value:
    """Convert a size such as '4 kB' to bytes; a number is unchanged.

    k, M, G, T, P and E are powers of 1024.

    @param size the size, with its unit
    """
    if len(values) != 1:
        raise wrong_count("to_bytes", len(values), "1")
    size = values[0]
    if type(size) is int or type(size) is float:
        return size
    if type(size) is not str and size is not DEFAULT:
        raise no_conversion(size, "String")
    found = _SIZE.match(ruby_text(size))
    assert found is not None
    number, prefix = leading_float(found[1]), found[2]
    power = _SIZES.get(prefix)
    if power is None:
        raise RuntimeFailure(f"to_bytes(): Unknown prefix {prefix}")
    return to_i(number * (1 << power))


@stdlib_legacy_function(
    "range",
    "Variant[Integer, String] $start, Variant[Integer, String] $end?, Integer $step?",
    returns="Array",
    examples=(
        "range(0, 10, 5)  # => [0, 5, 10]",
        "range('host08', 'host11')  # => ['host08', 'host09', 'host10', 'host11']",
        "range('a..c')  # => ['a', 'b', 'c']",
    ),
    counts=False,
)
def range_(values: tuple[Value, ...]) -> Value:
    """Return the numbers or strings from one to another as an array.

    A single string has the form of a range: '1..5', '1-5', or '1...5' without the end. Strings
    succeed each other as in Ruby: their last letters and digits are counted up.

    @param start the first number or string, or a range as text
    @param end the last one
    @param step the distance (1)
    """
    if not values:
        raise wrong_count("range", 0, "1")
    step = 1
    excludes_end = False
    if len(values) > 1:
        start, end = values[:2]
        if len(values) > 2 and values[2] is not None:
            step = abs(to_i(values[2]))
        if step == 0:
            raise RuntimeFailure(
                "range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1)"
            )
    else:
        start, end, excludes_end = _parsed_range(values[0])
    if _NUMBER.matches(ruby_text(start)):
        stop = to_i(end) + (0 if excludes_end else 1)
        return tuple(range(to_i(start), stop, step)[:_MAX_RANGE])
    steps = strings_between(ruby_text(start), ruby_text(end), excludes_end, step)
    return tuple([text for _, text in zip(range(_MAX_RANGE), steps, strict=False)])


def _parsed_range(value: Value) -> tuple[Value, Value, bool]:
    """Return the two ends that a string names, and whether the second one is left out."""
    if type(value) is not str and value is not DEFAULT:
        raise no_method("match", value)
    text = ruby_text(value)
    found = _RANGE.search(text)
    if found is not None:
        return found[1], found[3], found[2] == "..."
    if _ANYTHING.matches(text):
        raise RuntimeFailure(f"range(): Unable to compute range from the value: {text}")
    raise RuntimeFailure(f"range(): Unknown range format: {text}")
