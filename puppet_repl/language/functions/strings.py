"""Changes of whole strings: case, white space, ends. All of them accept arrays of strings too."""

from __future__ import annotations

from puppet_repl.base.sharing import once_alike
from puppet_repl.language.functions.registry import Function, function
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import countable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.values.protocols import Value

    Change = Callable[[str], str]

_STRING_DATA = {
    "StringData": "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]"
}
# The characters that Ruby's strip removes.
_SPACE = "\t\n\v\f\r \0"


def _recursive(name: str, change: Change, doc: str, *examples: str) -> Function:
    """Declare a function that changes all strings in arrays and hashes too, keys included."""

    def changed(value: Value) -> Value:
        if type(value) is str:
            return change(value)
        if type(value) is tuple:
            return once_alike(changed_array, value, len(value))
        if type(value) is PuppetHash:
            return once_alike(changed_hash, value, len(value))
        return value

    def changed_array(array: tuple[Value, ...]) -> Value:
        return tuple([changed(item) for item in array])

    def changed_hash(hash_: PuppetHash) -> Value:
        return PuppetHash([(changed(key), changed(item)) for key, item in hash_.items()])

    @function(
        name, "Numeric $arg", returns="Numeric", doc=doc, examples=examples, aliases=_STRING_DATA
    )
    def recursive(number: float) -> float:
        return number

    @recursive.dispatch("String $arg", returns="String")
    def on_string(text: str) -> str:
        return change(text)

    @recursive.dispatch("Array[StringData] $arg", returns="Array")
    def on_array(array: tuple[Value, ...]) -> Value:
        return changed(array)

    @recursive.dispatch("Hash[StringData, StringData] $arg", returns="Hash")
    def on_hash(hash_: PuppetHash) -> Value:
        return changed(hash_)

    return recursive


def _elementwise(name: str, change: Change, doc: str, *examples: str) -> Function:
    """Declare a function that changes the strings of a flat Iterable too."""

    @function(name, "Numeric $arg", returns="Numeric", doc=doc, examples=examples)
    def elementwise(number: float) -> float:
        return number

    @elementwise.dispatch("String $arg", returns="String")
    def on_string(text: str) -> str:
        return change(text)

    @elementwise.dispatch("Iterable[Variant[String, Numeric]] $arg", returns="Array")
    def on_iterable(iterable: Value) -> tuple[Value, ...]:
        return tuple([change(item) if type(item) is str else item for item in countable(iterable)])

    return elementwise


def _lower(text: str) -> str:
    """Return a string in lower case, without Python's final form of sigma."""
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
    """Convert all letters to upper case, in all alphabets.

    All strings in arrays and hashes are converted too, keys included; numbers are unchanged.

    @param arg a string, a number, or an Array or Hash of them
    """,
    "upcase('größe')  # => 'GRÖSSE'",
    "['a', {b => 'c'}].upcase  # => ['A', {'B' => 'C'}]",
)

downcase = _recursive(
    "downcase",
    _lower,
    """Convert all letters to lower case, in all alphabets.

    All strings in arrays and hashes are converted too, keys included; numbers are unchanged.

    @param arg a string, a number, or an Array or Hash of them
    """,
    "'HELLO'.downcase  # => 'hello'",
    "['A', {'B' => 1}].downcase  # => ['a', {'b' => 1}]",
)

capitalize = _elementwise(
    "capitalize",
    _capitalize,
    """Convert the first letter to upper case and all others to lower case.

    The argument may also be an Array of strings.

    @param arg a string, an Array of strings, or a number, which is returned unchanged
    """,
    "'hELLO wORLD'.capitalize  # => 'Hello world'",
    "capitalize(['one', 'two'])  # => ['One', 'Two']",
)

camelcase = _elementwise(
    "camelcase",
    _camelcase,
    """Join the parts of a name_with_underscores, each with its first letter in upper case.

    All other letters become lower case. The argument may also be an Array of strings.

    @param arg a string, an Array of strings, or a number, which is returned unchanged
    """,
    "camelcase('some_long_name')  # => 'SomeLongName'",
    "camelcase('HTTP_server_')  # => 'HttpServer'",
)

chomp = _elementwise(
    "chomp",
    _chomp,
    """Remove one line end from the end of a string, if there is one.

    A line end is LF, CR or CR LF. The argument may also be an Array of strings.

    @param arg a string, an Array of strings, or a number, which is returned unchanged
    """,
    "chomp(\"line\\n\")  # => 'line'",
    "chomp('line')  # => 'line'",
)

chop = _elementwise(
    "chop",
    _chop,
    """Remove the last character of a string; CR LF counts as one.

    An empty string stays empty. The argument may also be an Array of strings.

    @param arg a string, an Array of strings, or a number, which is returned unchanged
    """,
    "chop('abcd')  # => 'abc'",
    "chop('')  # => ''",
)

strip = _elementwise(
    "strip",
    lambda text: text.strip(_SPACE),
    """Remove white space from both ends of a string.

    White space is spaces, tabs, line ends, form feeds, vertical tabs and NUL, but not a no-break
    space. The argument may also be an Array of strings.

    @param arg a string, an Array of strings, or a number, which is returned unchanged
    """,
    "strip('  a b ')  # => 'a b'",
    "strip([' a', 'b '])  # => ['a', 'b']",
)

lstrip = _elementwise(
    "lstrip",
    lambda text: text.lstrip(_SPACE),
    """Remove white space from the beginning of a string.

    The argument may also be an Array of strings.

    @param arg a string, an Array of strings, or a number, which is returned unchanged
    """,
    "lstrip('  a ')  # => 'a '",
)

rstrip = _elementwise(
    "rstrip",
    lambda text: text.rstrip(_SPACE),
    """Remove white space from the end of a string.

    The argument may also be an Array of strings.

    @param arg a string, an Array of strings, or a number, which is returned unchanged
    """,
    "rstrip('  a ')  # => '  a'",
)
