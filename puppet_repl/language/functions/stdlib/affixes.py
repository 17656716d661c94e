"""Functions of stdlib that add text to elements and keys: prefix, suffix, join_keys_to_values."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.checks import wrong_count
from puppet_repl.language.functions.stdlib.declaring import stdlib_legacy_function
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import ruby_class, ruby_inspect, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


@stdlib_legacy_function(
    "prefix",
    "Variant[Array, Hash] $values, String $prefix?",
    returns="Variant[Array[String], Hash]",
    examples=(
        "prefix(['a', 'b'], 'x')  # => ['xa', 'xb']",
        "prefix({a => 1}, 'x_')  # => {'x_a' => 1}",
        "prefix([1, 2])  # => ['1', '2']",
    ),
    counts=False,
)
def prefix(values: tuple[Value, ...]) -> Value:
    """Put a string before each element of an array, or before each key of a hash.

    Other values become strings first; without a prefix, nothing else happens.

    @param values an array, or a hash
    @param prefix the text to put before each string
    """
    return _affixed("prefix", values, before=True)


@stdlib_legacy_function(
    "suffix",
    "Variant[Array, Hash] $values, String $suffix?",
    returns="Variant[Array[String], Hash]",
    examples=(
        "suffix(['a', 'b'], '.d')  # => ['a.d', 'b.d']",
        "suffix({a => 1}, '_x')  # => {'a_x' => 1}",
    ),
    counts=False,
)
def suffix(values: tuple[Value, ...]) -> Value:
    """Put a string after each element of an array, or after each key of a hash.

    Other values become strings first; without a suffix, nothing else happens.

    @param values an array, or a hash
    @param suffix the text to put after each string
    """
    return _affixed("suffix", values, before=False)


def _affixed(name: str, values: tuple[Value, ...], *, before: bool) -> Value:
    if not values:
        raise wrong_count(name, 0, "1")
    changed = values[0]
    if not isinstance(changed, tuple | PuppetHash):
        raise RuntimeFailure(
            f"{name}(): expected first argument to be an Array or a Hash, "
            f"got {ruby_inspect(changed)}"
        )
    affix = values[1] if len(values) > 1 else ""
    if affix is False or affix is None:
        affix = ""
    if type(affix) is not str:
        raise RuntimeFailure(
            f"{name}(): expected second argument to be a String, got {ruby_inspect(affix)}"
        )
    front, back = (affix, "") if before else ("", affix)
    if isinstance(changed, tuple):
        return tuple([f"{front}{ruby_text(value)}{back}" for value in changed])
    return PuppetHash([(f"{front}{ruby_text(key)}{back}", value) for key, value in changed.items()])


@stdlib_legacy_function(
    "join_keys_to_values",
    "Hash $hash, String $separator",
    returns="Array[String]",
    examples=(
        "join_keys_to_values({a => 1, b => 2}, ' is ')  # => ['a is 1', 'b is 2']",
        "join_keys_to_values({a => [1, 2]}, '=')  # => ['a=1', 'a=2']",
    ),
    counts=False,
)
def join_keys_to_values(values: tuple[Value, ...]) -> Value:
    """Return an array with a string for each entry: key, separator, value.

    An array as value gives one string for each of its elements.

    @param hash the hash
    @param separator the text between key and value
    """
    if len(values) != 2:
        raise RuntimeFailure(
            f"join_keys_to_values(): Takes exactly two arguments, but {len(values)} given."
        )
    entries, separator = values
    if type(entries) is not PuppetHash:
        raise _not_a("first", "hash", entries)
    if type(separator) is not str:
        raise _not_a("second", "string", separator)
    joined: list[str] = []
    for key, value in entries.items():
        start = ruby_text(key)
        if type(value) is tuple:
            joined += [f"{start}{separator}{ruby_text(item)}" for item in value]
            continue
        text = ruby_text(value)
        joined.append(start if text == "undef" else f"{start}{separator}{text}")
    return tuple(joined)


def _not_a(position: str, expected: str, value: Value) -> RuntimeFailure:
    return RuntimeFailure(
        f"join_keys_to_values(): The {position} argument must be a {expected}, "
        f"but a {ruby_class(value)} was given."
    )
