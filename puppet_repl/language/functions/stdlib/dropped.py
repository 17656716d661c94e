"""Functions of stdlib 8 that the language has replaced and stdlib 9 has dropped."""

from __future__ import annotations

from puppet_repl.base.errors import ParseFailure, RuntimeFailure
from puppet_repl.language.functions.stdlib.declaring import stdlib_function
from puppet_repl.language.functions.stdlib.deprecation import deprecate, warn_of_autoloader
from puppet_repl.language.functions.stdlib.superseded import superseded_function
from puppet_repl.language.ruby_library.format import ruby_format
from puppet_repl.language.ruby_library.number import leading_integer, to_integer
from puppet_repl.language.runtime.call_location import NO_LOCATION
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.ruby import no_method, ruby_class, ruby_inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_DIGITS = Regexp(r"^\d+$")
_SPRINTF = (
    "This method is deprecated. From Puppet 4.10.10/5.3.4 please use the built-in sprintf instead"
)
_DIG = (
    "dig() DEPRECATED: This function has been replaced in Puppet 4.5.0, please use dig44() for"
    " backwards compatibility or use the new version."
)
_TRY_GET_VALUE = (
    "try_get_value() DEPRECATED: this function is deprecated, please use dig() instead."
)


@superseded_function(
    "has_key",
    "Hash $hash, Any $key",
    examples=("has_key({a => undef}, 'a')  # => true",),
)
def has_key(values: tuple[Value, ...]) -> bool:
    """Tell whether a hash has a key. The operator ``in`` does that too.

    @param hash the hash
    @param key the key
    """
    if len(values) != 2:
        raise ParseFailure(f"has_key(): wrong number of arguments ({len(values)}; must be 2)")
    hash_ = values[0]
    if type(hash_) is not PuppetHash:
        raise ParseFailure(
            f"has_key(): expects the first argument to be a hash, got {ruby_inspect(hash_)} which"
            f" is of type {ruby_class(hash_)}"
        )
    return hash_.has(values[1])


@superseded_function(
    "hash",
    "Array $pairs",
    returns="Hash",
    examples=("hash(['a', 1, 'b', 2])  # => {'a' => 1, 'b' => 2}",),
)
def hash_of_array(values: tuple[Value, ...]) -> PuppetHash:
    """Return a hash from an array of keys and values in turn, which may be nested.

    ``Hash($array)`` does that for most arrays too.

    @param pairs keys and values in turn
    """
    if not values:
        raise ParseFailure("hash(): Wrong number of arguments given (0 for 1)")
    array = values[0]
    if type(array) is not tuple:
        raise ParseFailure("hash(): Requires array to work with")
    items = flatten(array)
    if len(items) == 1 and type(items[0]) is PuppetHash:
        return items[0]
    if len(items) % 2:
        raise ParseFailure("hash(): Unable to compute hash from array given")
    return PuppetHash(zip(items[::2], items[1::2], strict=True))


@superseded_function(
    "dig44",
    "Collection $data, Array $path, Any $default?",
    returns="Any",
    examples=(
        "dig44({a => {b => ['x', 'y']}}, ['a', 'b', 1])  # => 'y'",
        "dig44({a => 1}, ['b'], 'nothing')  # => 'nothing'",
    ),
)
def dig44(values: tuple[Value, ...]) -> Value:
    """Return the value at a path of keys and indexes in nested hashes and arrays.

    The third argument is the result for a missing value. Puppet's functions dig() and get() replace
    this one.

    @param data the hash or array
    @param path the keys and indexes
    @param default the result if the value is missing
    """
    if not values:
        raise RuntimeFailure("dig44(): Wrong number of arguments given (0 for minimum 1)")
    if len(values) < 2:
        raise ParseFailure(
            f"dig44(): Wrong number of arguments given ({len(values)} for at least 2)"
        )
    data, path = values[:2]
    if type(data) is not PuppetHash and type(data) is not tuple:
        raise ParseFailure(
            f"dig44(): first argument must be a hash or an array, given {ruby_class(data)}"
        )
    if type(path) is not tuple:
        raise ParseFailure(f"dig44(): second argument must be an array, given {ruby_class(path)}")
    found: Value = data
    for key in path:
        found = _item(found, key)
        if found is None:
            return values[2] if len(values) > 2 else None
    return found


def _item(data: Value, key: Value) -> Value:
    """Return the value at a key of a hash or an index of an array, None if it is missing."""
    if type(data) is PuppetHash:
        return data.get(key)
    if type(data) is not tuple:
        return None
    try:
        index = to_integer(key)
    except RuntimeFailure:
        return None
    return data[index] if -len(data) <= index < len(data) else None


@superseded_function("dig", "Collection $data, Array $path, Any $default?", is_hidden=True)
def dig(values: tuple[Value, ...], *, context: Context) -> Value:
    """Return the value at a path as dig44() does, after a warning."""
    context.log("warning", _DIG)
    warn_of_autoloader(context, "dig44")
    return dig44.run(values, context)


@superseded_function(
    "try_get_value",
    "Any $data, String $path?, Any $default?, String $separator?",
    returns="Any",
    examples=(f"try_get_value({{a => {{b => 1}}}}, 'a/b')  # warning: {_TRY_GET_VALUE}",),
)
def try_get_value(values: tuple[Value, ...], *, context: Context) -> Value:
    """Return the value at a path like ``a/b/0`` in nested hashes and arrays, after a warning.

    The further arguments are the result for a missing value, and the separator of the path.
    Puppet's functions dig() and get() replace this one.

    @param data the hash or array
    @param path the keys and indexes, with separators between them
    @param default the result if the value is missing
    @param separator the text between keys ('/')
    """
    if not values:
        raise RuntimeFailure("try_get_value(): Wrong number of arguments given (0 for minimum 1)")
    context.log("warning", _TRY_GET_VALUE)
    data, path, default, separator, *_ = (*values, None, None, None)
    if (type(data) is not PuppetHash and type(data) is not tuple) or not (
        path is not None and path is not False and path != ""
    ):
        return data if default is None or default is False else default
    if separator is None or separator is False:
        separator = "/"
    keys = [_key(part) for part in _split(path, separator)]
    return dig.run((data, tuple(keys), default), context)


def _split(text: Value, separator: Value) -> list[str]:
    """Return the result of Ruby's ``text.split(separator)`` for a string as separator."""
    if type(text) is not str:
        raise no_method("split", text)
    if type(separator) is not str:
        kind = ruby_class(separator)
        raise RuntimeFailure(f"wrong argument type {kind} (expected Regexp)")
    if separator == " ":
        return text.split()
    parts = text.split(separator) if separator else list(text)
    while parts and not parts[-1]:
        parts.pop()
    return parts


def _key(part: str) -> Value:
    return leading_integer(part) if _DIGITS.matches(part) else part


@superseded_function(
    "type3x",
    "Any $value",
    returns="String",
    examples=(
        "type3x('a')  # error: Evaluation Error: Error while evaluating a Function Call,"
        " uninitialized constant Puppet::Parser::Functions::Bignum",
    ),
)
def type3x(values: tuple[Value, ...]) -> NoReturn:
    """Fail: with the Ruby of Puppet 8 this function of stdlib 8 cannot name the type of a value.

    It asks for classes of numbers that Ruby 3.2 has no more. Use type() instead.

    @param value the value
    """
    if len(values) != 1:
        raise ParseFailure(f"type3x(): Wrong number of arguments given ({len(values)} for 1)")
    raise RuntimeFailure("uninitialized constant Puppet::Parser::Functions::Bignum")


@superseded_function("merge", "Hash +$hashes", returns="Hash", is_hidden=True)
def merge(values: tuple[Value, ...]) -> PuppetHash:
    """Merge hashes into one: the value of a later hash counts where a key is in several."""
    if len(values) < 2:
        raise ParseFailure(
            f"merge(): wrong number of arguments ({len(values)}; must be at least 2)"
        )
    result = PuppetHash.EMPTY
    for value in values:
        if type(value) is PuppetHash:
            result = result.merge(value)
        elif value != "":
            raise ParseFailure(
                f"merge: unexpected argument type {ruby_class(value)}, only expects hash arguments"
            )
    return result


@superseded_function("ensure_packages", "Any +$arguments", returns="Undef", is_hidden=True)
def ensure_packages(values: tuple[Value, ...], *, context: Context) -> None:
    """Call the newer kind of this function, after a warning."""
    text = (
        "Calling function_ensure_packages via the Scope class is deprecated."
        f" Use Scope#call_function instead{NO_LOCATION}"
    )
    context.warn_once("deprecations 3xfunction#ensure_packages", text)
    context.call_function("ensure_packages", values)


@stdlib_function(
    "sprintf_hash",
    "String $format, Hash $arguments",
    returns="String",
    examples=(
        "sprintf_hash('%<a>d', {a => 1})  # error: Evaluation Error: Error while evaluating a"
        f" Function Call, deprecation. sprintf_hash. {_SPRINTF}"
        ' at ["unknown", 1]:["unknown", 0]',
    ),
    versions=(8,),
)
def sprintf_hash(text: str, arguments: PuppetHash, *, context: Context) -> str:
    """Format values by a format string that names them: ``%<key>d``, ``%{key}``.

    It is deprecated, because sprintf() does the same.

    @param format the text, with directives as %<key>d
    @param arguments the values, by their keys
    """
    deprecate(context, "sprintf_hash", _SPRINTF)
    named = [(_name(key), value) for key, value in arguments.items()]
    return ruby_format(text, (PuppetHash(named),))


def _name(key: Value) -> str:
    """Return a key as a name in a format string."""
    if key is DEFAULT:
        return "default"
    if type(key) is not str:
        raise no_method("to_sym", key)
    return key
