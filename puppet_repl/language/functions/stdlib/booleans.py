"""Functions of stdlib between Booleans, numbers and strings: str2bool, bool2str, num2bool..."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.checks import wrong_count
from puppet_repl.language.functions.stdlib.declaring import stdlib_legacy_function
from puppet_repl.language.functions.stdlib.ruby_values import to_i
from puppet_repl.language.ruby_library.number import parse_float, to_float
from puppet_repl.language.values.regex import IGNORECASE, Regexp
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

# Most strings are decided by this table; the patterns are Ruby's, where ^ and $ are ends of lines.
_WORDS = {
    "": False,
    "undef": False,
    "undefined": False,
    **dict.fromkeys(("1", "t", "y", "true", "yes"), True),
    **dict.fromkeys(("0", "f", "n", "false", "no"), False),
}
_PATTERNS = (
    (Regexp(r"^$"), False),
    (Regexp(r"^(1|t|y|true|yes)$", IGNORECASE), True),
    (Regexp(r"^(0|f|n|false|no)$", IGNORECASE), False),
    (Regexp(r"^(undef|undefined)$"), False),
)


def string_to_boolean(text: Value) -> bool:
    """Return the Boolean that a word stands for, as str2bool does; Booleans stay."""
    if type(text) is bool:
        return text
    if type(text) is not str:
        raise RuntimeFailure("str2bool(): Requires string to work with")
    known = _WORDS.get(text)
    if known is not None:
        return known
    for pattern, result in _PATTERNS:
        if pattern.matches(text):
            return result
    raise RuntimeFailure("str2bool(): Unknown type of boolean given")


def _number_to_boolean(number: Value) -> bool:
    if type(number) is str:
        try:
            number = to_float(number)
        except RuntimeFailure as error:
            raise RuntimeFailure(
                f"num2bool(): '{number}' does not look like a number: {error.message}"
            ) from None
    elif type(number) is not int and type(number) is not float:
        number = ruby_text(number)
    return to_i(number) > 0


@stdlib_legacy_function(
    "str2bool",
    "Variant[String, Boolean] $value",
    returns="Boolean",
    examples=(
        "str2bool('yes')  # => true",
        "str2bool('')  # => false",
        "str2bool('on')  # error: Evaluation Error: Error while evaluating a Function Call, "
        "str2bool(): Unknown type of boolean given",
    ),
    counts=False,
)
def str2bool(values: tuple[Value, ...]) -> Value:
    """Convert a string to a Boolean; a Boolean is unchanged.

    True are '1', 't', 'y', 'true' and 'yes'; false are '', '0', 'f', 'n', 'false', 'no', 'undef'
    and 'undefined'. Case counts only in the last two. All other strings are an error.

    @param value the string, or a Boolean
    """
    if not values:
        raise wrong_count("str2bool", 0, "1")
    return string_to_boolean(values[0])


@stdlib_legacy_function(
    "bool2num",
    "Variant[String, Boolean] $value",
    returns="Integer[0, 1]",
    examples=("bool2num(true)  # => 1", "bool2num('no')  # => 0"),
    counts=False,
)
def bool2num(values: tuple[Value, ...]) -> Value:
    """Convert a Boolean, or a string as str2bool() takes it, to 1 or 0.

    @param value the Boolean, or a string that stands for one
    """
    if not values:
        raise wrong_count("bool2num", 0, "1")
    return 1 if string_to_boolean(values[0]) else 0


@stdlib_legacy_function(
    "bool2str",
    "Boolean $value, String $true_string?, String $false_string?",
    returns="String",
    examples=(
        "bool2str(true)  # => 'true'",
        "bool2str(false, 'on', 'off')  # => 'off'",
    ),
    counts=False,
)
def bool2str(values: tuple[Value, ...]) -> Value:
    """Convert a Boolean to a string: 'true' or 'false', or one of the two that are given.

    @param value the Boolean
    @param true_string what true becomes ('true')
    @param false_string what false becomes ('false')
    """
    if len(values) not in (1, 3):
        raise wrong_count("bool2str", len(values), "3")
    value, when_true, when_false = (*values, None, None)[:3]
    texts = (
        "false" if when_false is None or when_false is False else when_false,
        "true" if when_true is None or when_true is False else when_true,
    )
    if type(value) is not bool:
        raise RuntimeFailure("bool2str(): Requires a boolean to work with")
    if type(texts[0]) is not str or type(texts[1]) is not str:
        raise RuntimeFailure("bool2str(): Requires strings to convert to")
    return texts[value]


@stdlib_legacy_function(
    "num2bool",
    "Variant[Numeric, String] $value",
    returns="Boolean",
    examples=("num2bool(2)  # => true", "num2bool('0')  # => false", "num2bool(0.9)  # => false"),
    counts=False,
)
def num2bool(values: tuple[Value, ...]) -> Value:
    """Tell whether the integer part of a number is above zero.

    A string has to be a number. All other values are false.

    @param value a number, or a string that is one
    """
    if len(values) != 1:
        raise wrong_count("num2bool", len(values), "1")
    return _number_to_boolean(values[0])


@stdlib_legacy_function(
    "any2bool",
    "Any $value",
    returns="Boolean",
    examples=(
        "any2bool('yes')  # => true",
        "any2bool('-1')  # => false",
        "any2bool([])  # => true",
    ),
    counts=False,
)
def any2bool(values: tuple[Value, ...]) -> Value:
    """Convert any value to a Boolean.

    Numbers, and strings that are numbers, are converted by num2bool(), other strings by str2bool();
    undef is false, and all other values are true.

    @param value the value
    """
    if not values:
        raise wrong_count("any2bool", 0, "1")
    value = values[0]
    if type(value) is bool:
        return value
    if type(value) is int or type(value) is float:
        return _number_to_boolean(value)
    if type(value) is not str:
        return value is not None
    return _number_to_boolean(value) if parse_float(value) is not None else string_to_boolean(value)
