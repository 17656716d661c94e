"""Functions of stdlib that change strings, and tests of their beginning and end."""

from __future__ import annotations

import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.patterns import escaped
from puppet_repl.language.functions.stdlib.checks import wrong_count
from puppet_repl.language.functions.stdlib.declaring import stdlib_function, stdlib_legacy_function
from puppet_repl.language.ruby_library.character_sets import squeezed
from puppet_repl.language.values.ruby import no_method

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from puppet_repl.language.values.protocols import Value

_XML_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_XML_ATTRIBUTE = _XML_TEXT | str.maketrans({'"': "&quot;", "'": "&apos;"})
_UNSAFE_IN_URI = re.compile(r"[^\-_.!~*'()a-zA-Z0-9;/?:@&=+$,\[\]]")
_AFFIX_SIGNATURE = "String $test_string, Variant[String[1],Array[String[1], 1]] "


def _each_string(name: str, values: tuple[Value, ...], change: Callable[[str], str]) -> Value:
    """Return a string, or the strings of an array, changed."""
    if not values:
        raise wrong_count(name, 0, "1")
    value = values[0]
    if type(value) is str:
        return change(value)
    if type(value) is tuple:
        return tuple([change(item) if type(item) is str else item for item in value])
    raise RuntimeFailure(f"{name}(): Requires either array or string to work with")


@stdlib_legacy_function(
    "swapcase",
    "Variant[String, Array] $value",
    returns="Variant[String, Array]",
    examples=("swapcase('aBcD')  # => 'AbCd'", "swapcase(['a', 'B'])  # => ['A', 'b']"),
    counts=False,
)
def swapcase(values: tuple[Value, ...]) -> Value:
    """Turn upper case into lower case and the reverse, in a string or the strings of an array.

    @param value a string, or an array of strings
    """
    return _each_string("swapcase", values, str.swapcase)


@stdlib_legacy_function(
    "regexpescape",
    "Variant[String, Array] $value",
    returns="Variant[String, Array]",
    examples=("regexpescape('a.b[0]')  # => 'a\\.b\\[0\\]'",),
    counts=False,
)
def regexpescape(values: tuple[Value, ...]) -> Value:
    """Escape the special characters of regular expressions, in a string or an array of strings.

    @param value a string, or an array of strings
    """
    return _each_string("regexpescape", values, escaped)


@stdlib_legacy_function(
    "uriescape",
    "Variant[String, Array] $value",
    returns="Variant[String, Array]",
    examples=("uriescape('a b/ä')  # => 'a%20b/%C3%A4'",),
    counts=False,
    versions=(8,),
)
def uriescape(values: tuple[Value, ...]) -> Value:
    """Write characters that are not allowed in a URI as %XX, in a string or an array of strings.

    @param value a string, or an array of strings
    """
    return _each_string("uriescape", values, _escaped_uri)


def _escaped_uri(text: str) -> str:
    return _UNSAFE_IN_URI.sub(
        lambda found: "".join([f"%{byte:02X}" for byte in found[0].encode()]), text
    )


@stdlib_legacy_function(
    "uriescape",
    "Variant[String, Array] $value",
    examples=(
        "uriescape('a b')  # error: Evaluation Error: Error while evaluating a Function Call, "
        "Puppet: This function is not available in Puppet 8. URI.escape no longer exists as of "
        "Ruby 3+.",
    ),
    counts=False,
    versions=(9,),
)
def uriescape_9(_values: tuple[Value, ...]) -> NoReturn:
    """Raise an error: stdlib 9 has this function for Puppet 7 only.

    @param value the text, which is ignored
    @return [Undef] nothing: the call is an error
    """
    raise RuntimeFailure(
        "Puppet: This function is not available in Puppet 8. "
        "URI.escape no longer exists as of Ruby 3+."
    )


@stdlib_legacy_function(
    "reverse",
    "Variant[String, Array] $value",
    returns="Variant[String, Array]",
    examples=("reverse('abc')  # => 'cba'", "reverse([1, 2])  # => [2, 1]"),
    counts=False,
)
def reverse(values: tuple[Value, ...]) -> Value:
    """Reverse the order of the characters of a string or the elements of an array.

    @param value a string or an array
    """
    if not values:
        raise wrong_count("reverse", 0, "1")
    value = values[0]
    if not isinstance(value, str | tuple):
        raise RuntimeFailure("reverse(): Requires either array or string to work with")
    return value[::-1]


@stdlib_legacy_function(
    "squeeze",
    "Variant[String, Array[String]] $value, String $characters?",
    returns="Variant[String, Array[String]]",
    examples=(
        "squeeze('aabbcc')  # => 'abc'",
        "squeeze('aabbcc', 'a-b')  # => 'abcc'",
        "squeeze(['xx', 'yy'])  # => ['x', 'y']",
    ),
    counts=False,
)
def squeeze(values: tuple[Value, ...]) -> Value:
    """Replace repetitions of a character by one, in a string or the strings of an array.

    The second argument limits this to a set of characters, in the notation of Ruby's tr: 'a-c' is a
    range, '^a' stands for all others.

    @param value a string, or an array of strings
    @param characters the set of characters, such as 'a-z' (all)
    """
    if len(values) not in (1, 2):
        raise RuntimeFailure(f"squeeze(): Wrong number of arguments given {len(values)} for 2 or 1")
    value = values[0]
    characters = values[1] if len(values) > 1 and values[1] is not False else None
    if type(value) is tuple:
        return tuple([_squeezed(item, characters) for item in value])
    return _squeezed(value, characters)


def _squeezed(value: Value, characters: Value) -> str:
    if type(value) is not str:
        raise no_method("squeeze", value)
    return squeezed(value, characters)


@stdlib_legacy_function(
    "dos2unix",
    "String $text",
    returns="String",
    examples=('dos2unix("a\\r\\nb")  # => "a\\nb"',),
)
def dos2unix(values: tuple[Value, ...]) -> Value:
    """Replace the line ends of DOS by those of Unix.

    @param text the text
    """
    if type(values[0]) is not str:
        raise RuntimeFailure("dos2unix(): Requires string as argument")
    return values[0].replace("\r\n", "\n")


@stdlib_legacy_function(
    "unix2dos",
    "String $text",
    returns="String",
    examples=('unix2dos("a\\nb")  # => "a\\r\\nb"',),
)
def unix2dos(values: tuple[Value, ...]) -> Value:
    """Replace the line ends of Unix by those of DOS; line ends of DOS are unchanged.

    @param text the text
    """
    if type(values[0]) is not str:
        raise RuntimeFailure("unix2dos(): Requires string as argument")
    return re.sub(r"\r*\n", "\r\n", values[0])


@stdlib_function(
    "stdlib::xml_encode",
    "String $str, Enum['text','attr'] $type?",
    returns="String",
    examples=(
        "stdlib::xml_encode('a < b')  # => 'a &lt; b'",
        "stdlib::xml_encode('a < b', 'attr')  # => '\"a &lt; b\"'",
    ),
)
def xml_encode(text: str, kind: str = "text") -> str:
    """Escape a string as text of an XML document, or as an attribute with its quotes.

    @param str the string
    @param type 'text', or 'attr' for an attribute ('text')
    """
    if kind == "text":
        return text.translate(_XML_TEXT)
    return f'"{text.translate(_XML_ATTRIBUTE)}"'


@stdlib_function(
    "stdlib::start_with",
    f"{_AFFIX_SIGNATURE}$prefixes",
    returns="Boolean",
    examples=("stdlib::start_with('foobar', ['x', 'foo'])  # => true",),
)
def start_with(text: str, prefixes: str | tuple[str, ...]) -> bool:
    """Tell whether a string begins with another one, or with one of several.

    @param test_string the string
    @param prefixes a beginning, or an array of them
    """
    return text.startswith(prefixes)


@stdlib_function(
    "stdlib::end_with",
    f"{_AFFIX_SIGNATURE}$suffixes",
    returns="Boolean",
    examples=("stdlib::end_with('foobar', ['x', 'bar'])  # => true",),
)
def end_with(text: str, suffixes: str | tuple[str, ...]) -> bool:
    """Tell whether a string ends with another one, or with one of several.

    @param test_string the string
    @param suffixes an end, or an array of them
    """
    return text.endswith(suffixes)
