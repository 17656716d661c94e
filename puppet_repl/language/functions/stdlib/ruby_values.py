"""Conversions of Ruby's own classes."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.float_text import float_text, is_finite
from puppet_repl.language.functions.legacy import ResourceArgument
from puppet_repl.language.ruby_library.number import leading_integer
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.ruby import no_conversion, no_method

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


def as_array(value: Value) -> tuple[Value, ...]:
    """Return the result of Ruby's ``Array(value)``."""
    if type(value) is tuple:
        return value
    if value is None or isinstance(value, ResourceArgument):
        return ()  # a reference lists its attributes, and has none
    if type(value) is PuppetHash:
        return tuple(value.items())
    return (value,)


def to_i(value: Value) -> int:
    """Return the result of ``value.to_i``; raise Ruby's error where a class has no such method."""
    if type(value) is int:
        return value
    if type(value) is str:
        return leading_integer(value)
    if value is None:
        return 0
    if type(value) is float:
        if not is_finite(value):
            raise RuntimeFailure(float_text(value))
        return int(value)
    raise no_method("to_i", value)


def to_int(value: Value) -> int:
    """Return a number that Ruby hands to C as an ``int``; raise Ruby's error for other values."""
    if value is None:
        raise RuntimeFailure("no implicit conversion from nil to integer")
    if type(value) is not int and type(value) is not float:
        raise no_conversion(value, "Integer")
    number = to_i(value)
    if not -(1 << 31) <= number < 1 << 31:
        size = "big" if number > 0 else "small"
        raise RuntimeFailure(f"integer {number} too {size} to convert to `int'")
    return number


def new_regexp(source: Value) -> Regexp:
    """Return the result of Ruby's ``Regexp.new``; raise its error."""
    if isinstance(source, Regexp):
        return source
    if type(source) is not str:
        raise no_conversion(source, "String")
    pattern = Regexp(source)
    pattern.check()
    return pattern
