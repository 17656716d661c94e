"""The parts and the size of a value: keys, values, length, size, empty."""

from __future__ import annotations

from puppet_repl.language.functions.registry import function
from puppet_repl.language.runtime.call_location import call_location

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.binary import Binary
    from puppet_repl.language.values.hash import PuppetHash
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.language.values.sensitive import Sensitive


@function(
    "keys",
    "Hash $hsh",
    returns="Array",
    examples=("{a => 1, b => 2}.keys  # => ['a', 'b']",),
)
def keys(hash_: PuppetHash) -> tuple[Value, ...]:
    """Return the keys of a Hash as an Array, in the order of the entries.

    @param hsh the Hash
    """
    return tuple(hash_.keys())


@function(
    "values",
    "Hash $hsh",
    returns="Array",
    examples=("{a => 1, b => [2]}.values  # => [1, [2]]",),
)
def values(hash_: PuppetHash) -> tuple[Value, ...]:
    """Return the values of a Hash as an Array, in the order of the entries.

    @param hsh the Hash
    """
    return tuple(hash_.values())


@function(
    "length",
    "Collection $arg",
    returns="Integer",
    examples=(
        "[1, [2, 3]].length  # => 2",
        "'héllo'.length  # => 5",
        "{a => 1}.length  # => 1",
    ),
)
def length(collection: tuple[Value, ...] | PuppetHash) -> int:
    """Return the number of elements, entries, characters or bytes of a value.

    An Array has elements, a Hash entries, a String characters (code points), a Binary bytes.

    @param arg an Array, a Hash, a String or a Binary
    """
    return len(collection)


@length.dispatch("String $arg", returns="Integer")
def _length_text(text: str) -> int:
    return len(text)


@length.dispatch("Binary $arg", returns="Integer")
def _length_binary(binary: Binary) -> int:
    return len(binary)


@function(
    "size",
    "Variant[Collection, String, Binary] $arg",
    returns="Integer",
    examples=("size([1, 2, 3])  # => 3", "'four'.size  # => 4"),
)
def size(value: tuple[Value, ...] | PuppetHash | str | Binary) -> int:
    """Return the number of elements, entries, characters or bytes of a value, like length().

    @param arg an Array, a Hash, a String or a Binary
    """
    return len(value)


@function(
    "empty",
    "Collection $coll",
    returns="Boolean",
    examples=(
        "''.empty  # => true",
        "[undef].empty  # => false",
        "empty({})  # => true",
    ),
)
def empty(collection: tuple[Value, ...] | PuppetHash) -> bool:
    """Tell whether an Array, Hash, String or Binary is empty.

    A String of spaces is not empty. undef is empty, and a number never is (with a deprecation
    warning); other values are errors.

    @param coll an Array, a Hash or a String
    @param str a secret string
    @param num a number, which is never empty
    @param bin a Binary
    @param x undef, which is empty
    """
    return len(collection) == 0


@empty.dispatch("Sensitive[String] $str", returns="Boolean")
def _empty_sensitive(text: Sensitive) -> bool:
    return len(text.value) == 0


@empty.dispatch("String $str", returns="Boolean")
def _empty_text(text: str) -> bool:
    return not text


@empty.dispatch("Numeric $num", returns="Boolean")
def _empty_number(_number: float, *, context: Context) -> bool:
    location = call_location(context)
    text = f"Calling function empty() with Numeric value is deprecated.{location}"
    context.warn_once(f"empty{location}", text)
    return False


@empty.dispatch("Binary $bin", returns="Boolean")
def _empty_binary(binary: Binary) -> bool:
    return len(binary) == 0


@empty.dispatch("Undef $x", returns="Boolean")
def _empty_undef(_undef: None) -> bool:
    return True
