"""Functions of stdlib that read other notations: base64, parsejson, parseyaml."""

from __future__ import annotations

import binascii

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.lenient_base64 import decode_leniently
from puppet_repl.base.yaml_data import YamlError
from puppet_repl.language.functions.stdlib.declaring import stdlib_legacy_function
from puppet_repl.language.ruby_library.json import JsonError, parse_json
from puppet_repl.language.ruby_library.psych import load_yaml
from puppet_repl.language.values.ruby import no_conversion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_LINE_BYTES = 45  # which make lines of 60 characters
_METHODS = ("default", "strict", "urlsafe")
_URL_SAFE = str.maketrans("+/", "-_")
_FROM_URL_SAFE = str.maketrans("-_", "+/")


@stdlib_legacy_function(
    "base64",
    "Enum['encode', 'decode'] $action, String $text, Enum['default', 'strict', 'urlsafe'] $method?",
    returns="String",
    examples=(
        "base64('encode', 'thestring', 'strict')  # => 'dGhlc3RyaW5n'",
        "base64('decode', 'dGhlc3RyaW5n')  # => 'thestring'",
    ),
    counts=False,
)
def base64(values: tuple[Value, ...], *, context: Context) -> Value:
    """Encode a string in Base64, or decode it.

    The default method breaks lines after 60 characters and ignores characters that are not Base64;
    strict does neither, and urlsafe also uses - and _ for + and /. The decoded bytes are read as
    UTF-8; if they are not UTF-8, each byte becomes a character, and a catalog holds the string as a
    Binary.

    @param action 'encode' or 'decode'
    @param text the string
    @param method how it is encoded: 'default' breaks lines, 'strict' does not, 'urlsafe' is
      for URLs
    """
    if len(values) < 2:
        raise RuntimeFailure(f"base64(): Wrong number of arguments ({len(values)}; must be >= 2)")
    action, text, method = (*values, "default")[:3]
    if action not in ("encode", "decode"):
        raise RuntimeFailure("base64(): the first argument must be one of 'encode' or 'decode'")
    if type(text) is not str:
        raise RuntimeFailure("base64(): the second argument must be a string to base64")
    if method not in _METHODS:
        raise RuntimeFailure(
            "base64(): the third argument must be one of 'default', 'strict', or 'urlsafe'"
        )
    if action == "encode":
        return _encoded(text.encode(), str(method))
    data = _decoded(text, str(method))
    try:
        decoded = data.decode()
    except UnicodeDecodeError:
        decoded = data.decode("latin-1")
    return context.mark_bytes(decoded, data)


def _encoded(data: bytes, method: str) -> str:
    if method == "default":
        parts = [data[at : at + _LINE_BYTES] for at in range(0, len(data), _LINE_BYTES)]
        return "".join([binascii.b2a_base64(part).decode("ascii") for part in parts])
    text = binascii.b2a_base64(data, newline=False).decode("ascii")
    return text.translate(_URL_SAFE) if method == "urlsafe" else text


def _decoded(text: str, method: str) -> bytes:
    if method == "default":
        return decode_leniently(text)
    if method == "urlsafe":
        if not text.endswith("="):
            text += "=" * (-len(text) % 4)
        text = text.translate(_FROM_URL_SAFE)
    try:
        data = binascii.a2b_base64(text.encode("ascii", "replace"), strict_mode=True)
    except binascii.Error:
        data = b""
    # Ruby refuses digits whose last bits are not zero, too.
    if binascii.b2a_base64(data, newline=False).decode("ascii") != text:
        raise RuntimeFailure("invalid base64")
    return data


@stdlib_legacy_function(
    "parsejson",
    "String $text, Any $default?",
    examples=(
        "parsejson('{\"a\": [1, null]}')  # => {'a' => [1, undef]}",
        "parsejson('{', 'no JSON')  # => 'no JSON'",
    ),
    counts=False,
)
def parsejson(values: tuple[Value, ...]) -> Value:
    """Return the value of a text in JSON.

    The second argument is returned instead where the text is not JSON, null or false.

    @param text the JSON
    @param default the result where the text cannot be read
    """
    return _parsed(values, parse_json)


@stdlib_legacy_function(
    "parseyaml",
    "String $text, Any $default?",
    examples=(
        "parseyaml(\"a: 1\\nb: [yes, ~]\")  # => {'a' => 1, 'b' => [true, undef]}",
        "parseyaml('a: [', 'no YAML')  # => 'no YAML'",
    ),
    counts=False,
)
def parseyaml(values: tuple[Value, ...]) -> Value:
    """Return the value of a text in YAML.

    The second argument is returned instead if the text is not YAML, empty or false. Dates, times,
    aliases and objects of Ruby are errors.

    @param text the YAML
    @param default the result where the text cannot be read
    """
    return _parsed(values, _read_yaml)


def _read_yaml(text: str) -> Value:
    return load_yaml(text, symbols=True, aliases=False)


def _parsed(values: tuple[Value, ...], read: Callable[[str], Value]) -> Value:
    if not values:
        raise RuntimeFailure("Wrong number of arguments. 1 or 2 arguments should be provided.")
    text, default = (*values, None)[:2]
    has_default = default is not None and default is not False
    if type(text) is not str:
        if has_default:
            return default
        raise no_conversion(text, "String")
    try:
        value = read(text)
    except (JsonError, YamlError) as error:
        if has_default:
            return default
        raise RuntimeFailure(str(error)) from None
    return default if value is None or value is False else value
