"""Strings changed as a whole: case, white space, ends. All of them take arrays of strings too."""

from __future__ import annotations

from puppet_repl.functions.registry import Function, by_name
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.iterator import elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Change = Callable[[str], str]

_STRING_DATA = {
    "StringData": "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]"
}
# What Ruby's strip takes for white space.
_SPACE = "\t\n\v\f\r \0"


def _recursive(name: str, change: Change, doc: str, *examples: str) -> Function:
    """A function that also changes everything inside arrays and hashes, keys included."""
    function = Function(name, theme="strings", doc=doc, examples=examples, aliases=_STRING_DATA)

    def changed(value: Any) -> Any:
        kind = type(value)
        if kind is str:
            return change(value)
        if kind is tuple:
            return tuple([changed(item) for item in value])
        if kind is PuppetHash:
            return PuppetHash([(changed(key), changed(item)) for key, item in value.items()])
        return value

    @function.dispatch("Numeric $arg")
    def on_number(number: Any) -> Any:
        return number

    @function.dispatch("String $arg")
    def on_text(text: str) -> str:
        return change(text)

    @function.dispatch("Array[StringData] $arg")
    def on_array(array: Any) -> Any:
        return changed(array)

    @function.dispatch("Hash[StringData, StringData] $arg")
    def on_hash(hash_: Any) -> Any:
        return changed(hash_)

    return function


def _elementwise(name: str, change: Change, doc: str, *examples: str) -> Function:
    """A function that also changes the strings of a flat Iterable."""
    function = Function(name, theme="strings", doc=doc, examples=examples)

    @function.dispatch("Numeric $arg")
    def on_number(number: Any) -> Any:
        return number

    @function.dispatch("String $arg")
    def on_text(text: str) -> str:
        return change(text)

    @function.dispatch("Iterable[Variant[String, Numeric]] $arg")
    def on_iterable(iterable: Any) -> Any:
        return tuple([change(item) if type(item) is str else item for item in elements(iterable)])

    return function


def _lower(text: str) -> str:
    """Lower case without Python's special form of a sigma at the end of a word."""
    if "Σ" in text:
        return "σ".join([part.lower() for part in text.split("Σ")])
    return text.lower()


def _capitalize(text: str) -> str:
    return text[:1].capitalize() + _lower(text[1:])


def _camelcase(text: str) -> str:
    return "".join([_capitalize(part) for part in text.split("_")])


def _chomp(text: str) -> str:
    if text.endswith("\r\n"):
        return text[:-2]
    return text[:-1] if text.endswith(("\n", "\r")) else text


def _chop(text: str) -> str:
    return text[:-2] if text.endswith("\r\n") else text[:-1]


upcase = _recursive(
    "upcase",
    str.upper,
    """Turn all letters into upper case, of all alphabets.

    Works on everything inside arrays and hashes too, keys included; numbers stay as they are.
    """,
    "upcase('größe')  # => 'GRÖSSE'",
    "['a', {b => 'c'}].upcase  # => ['A', {'B' => 'C'}]",
)

downcase = _recursive(
    "downcase",
    _lower,
    """Turn all letters into lower case, of all alphabets.

    Works on everything inside arrays and hashes too, keys included; numbers stay as they are.
    """,
    "'HELLO'.downcase  # => 'hello'",
    "['A', {'B' => 1}].downcase  # => ['a', {'b' => 1}]",
)

capitalize = _elementwise(
    "capitalize",
    _capitalize,
    """Turn the first letter into upper case and the rest into lower case.

    Takes an Array of strings too.
    """,
    "'hELLO wORLD'.capitalize  # => 'Hello world'",
    "capitalize(['one', 'two'])  # => ['One', 'Two']",
)

camelcase = _elementwise(
    "camelcase",
    _camelcase,
    """Join the parts of a name_with_underscores, each with its first letter in upper case.

    The other letters become lower case. Takes an Array of strings too.
    """,
    "camelcase('some_long_name')  # => 'SomeLongName'",
    "camelcase('HTTP_server_')  # => 'HttpServer'",
)

chomp = _elementwise(
    "chomp",
    _chomp,
    """Take one line end off the end of a text, if there is one.

    A line end is a line feed, a carriage return, or both in this order: CR LF. Takes an Array
    of strings too.
    """,
    "chomp(\"line\\n\")  # => 'line'",
    "chomp('line')  # => 'line'",
)

chop = _elementwise(
    "chop",
    _chop,
    """Take the last character off a text; CR LF counts as one.

    An empty text stays empty. Takes an Array of strings too.
    """,
    "chop('abcd')  # => 'abc'",
    "chop('')  # => ''",
)

strip = _elementwise(
    "strip",
    lambda text: text.strip(_SPACE),
    """Take the white space off both ends of a text.

    That is spaces, tabs, line ends, form feeds, vertical tabs and NUL, but not a no-break space.
    Takes an Array of strings too.
    """,
    "strip('  a b ')  # => 'a b'",
    "strip([' a', 'b '])  # => ['a', 'b']",
)

lstrip = _elementwise(
    "lstrip",
    lambda text: text.lstrip(_SPACE),
    """Take the white space off the beginning of a text. Takes an Array of strings too.""",
    "lstrip('  a ')  # => 'a '",
)

rstrip = _elementwise(
    "rstrip",
    lambda text: text.rstrip(_SPACE),
    """Take the white space off the end of a text. Takes an Array of strings too.""",
    "rstrip('  a ')  # => '  a'",
)

FUNCTIONS = by_name(upcase, downcase, capitalize, camelcase, chomp, chop, strip, lstrip, rstrip)
