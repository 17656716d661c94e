"""Values of stdlib that look random: the same for a node or a seed at each call."""

from __future__ import annotations

import hashlib
import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.sharing import once
from puppet_repl.language.functions.digests import fqdn_rand
from puppet_repl.language.functions.legacy import look_up_variable
from puppet_repl.language.functions.size_limits import check_length
from puppet_repl.language.functions.stdlib.declaring import stdlib_function, stdlib_legacy_function
from puppet_repl.language.functions.stdlib.facts import networking_fact
from puppet_repl.language.ruby_library.number import leading_integer
from puppet_repl.language.ruby_library.random import RubyRandom
from puppet_repl.language.values.ruby import no_conversion, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_DIGITS = "0123456789"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
# What stdlib 8 takes for an integer.
_INTEGER = re.compile(r"^-?(?:[1-9][0-9]*|0)$", re.MULTILINE)
# The namespace of names of the DNS, by RFC 4122.
_DNS = bytes.fromhex("6ba7b8109dad11d180b400c04fd430c8")


def _digest_number(text: str) -> int:
    """Return the MD5 digest of a text as an Integer."""
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(), 16)


def _joined(values: Sequence[Value]) -> str:
    """Return Ruby's ``join(':')``, which joins the items of arrays too."""
    return ":".join(
        [once(_joined, value) if type(value) is tuple else _plain(value) for value in values]
    )


def _plain(value: Value) -> str:
    return "" if value is None else ruby_text(value)


def _positive(value: Value, function: str) -> int:
    """Return what stdlib 8 accepts as a positive integer, a string included."""
    if type(value) is int or (type(value) is str and _INTEGER.search(value)):
        number = value if type(value) is int else leading_integer(str(value))
        if number > 0:
            return number
    raise RuntimeFailure(f"{function}(): first argument must be a positive integer")


# Strings


def _rand_string(length: int, charset: str, seeds: Sequence[Value], context: Context) -> str:
    check_length(length, "fqdn_rand_string", context)
    characters = charset or _DIGITS + _UPPER + _LOWER
    count = len(characters)
    picked = []
    for number in range(1, length + 1):
        index = fqdn_rand.call(context, (count, _joined((*seeds, number))))
        assert type(index) is int
        picked.append(characters[index])
    return "".join(picked)


@stdlib_function(
    "stdlib::fqdn_rand_string",
    "Integer[1] $length, Optional[String] $charset?, Any *$seed",
    returns="String",
    examples=(
        "stdlib::fqdn_rand_string(8, 'ab') == stdlib::fqdn_rand_string(8, 'ab')  # => true",
        "stdlib::fqdn_rand_string(3, 'x')  # => 'xxx'",
    ),
    versions=(9,),
)
def fqdn_rand_string(
    length: int, charset: str | None = None, *seed: Value, context: Context
) -> str:
    """Return a string of random characters that is always the same for a node.

    The characters are letters and digits, or those of ``charset``. Further arguments are seeds,
    which give other strings on the same node. Do not use it for passwords.

    @param length how many characters there are
    @param charset the characters to choose from
    @param seed values that give another string on the same node
    """
    return _rand_string(length, charset or "", seed, context)


@stdlib_legacy_function(
    "fqdn_rand_string",
    "Integer $length, String $charset?, Any *$seed",
    returns="String",
    examples=("fqdn_rand_string(3, 'x')  # => 'xxx'",),
    versions=(8,),
)
def fqdn_rand_string_8(values: tuple[Value, ...], *, context: Context) -> str:
    """Return a string of random characters that is always the same for a node.

    The characters are letters and digits, or those of ``charset``. Further arguments are seeds,
    which give other strings on the same node. Do not use it for passwords.

    @param length how many characters there are
    @param charset the characters to choose from
    @param seed values that give another string on the same node
    """
    length = _positive(values[0], "fqdn_rand_string")
    charset = values[1] if len(values) > 1 else ""
    if charset is None:
        charset = ""
    if type(charset) is not str:
        raise RuntimeFailure("fqdn_rand_string(): second argument must be undef or a string")
    return _rand_string(length, charset, values[2:], context)


@stdlib_function(
    "seeded_rand_string",
    "Integer[1] $length, String $seed, String[2] $charset?",
    returns="String",
    examples=("seeded_rand_string(10, 'seed')  # => 'JSYSrD2xIu'",),
    versions=(8,),
)
def seeded_rand_string_8(length: int, seed: str, charset: str = "", *, context: Context) -> str:
    """Return a string of random characters that is always the same for a seed.

    The characters are digits and letters, or those of ``charset``. Do not use it for passwords.

    @param length how many characters there are
    @param seed a text that determines the string
    @param charset the characters to choose from
    """
    check_length(length, "seeded_rand_string", context)
    return _seeded_string(length, seed, charset)


@stdlib_function(
    "stdlib::seeded_rand_string",
    "Integer[1] $length, String $seed, String[2] $charset?",
    returns="String",
    examples=("stdlib::seeded_rand_string(10, 'seed')  # => 'JSYSrD2xIu'",),
    versions=(9,),
)
def seeded_rand_string(length: int, seed: str, charset: str = "", *, context: Context) -> str:
    """Return a string of random characters that is always the same for a seed.

    The characters are digits and letters, or those of ``charset``. Do not use it for passwords.

    @param length how many characters there are
    @param seed a text that determines the string
    @param charset the characters to choose from
    """
    check_length(length, "seeded_rand_string", context)
    return _seeded_string(length, seed, charset)


def _seeded_string(length: int, seed: str, charset: str) -> str:
    characters = charset or _DIGITS + _LOWER + _UPPER
    random = RubyRandom(int(hashlib.sha256(seed.encode()).hexdigest(), 16))
    count = len(characters)
    return "".join([characters[random.below(count)] for _ in range(length)])


# Numbers


@stdlib_function(
    "stdlib::seeded_rand",
    "Integer[1] $max, String $seed",
    returns="Integer",
    examples=("stdlib::seeded_rand(10, 'seed')  # => 9",),
    versions=(9,),
)
def seeded_rand(maximum: int, seed: str) -> int:
    """Return a random Integer below a maximum that is always the same for a seed.

    @param max the first number that is too large
    @param seed what the number depends on
    """
    return RubyRandom(_digest_number(seed)).below(maximum)


@stdlib_legacy_function(
    "seeded_rand",
    "Integer $max, String $seed",
    returns="Integer",
    examples=("seeded_rand(10, 'seed')  # => 9",),
    versions=(8,),
)
def seeded_rand_8(values: tuple[Value, ...]) -> int:
    """Return a random Integer below a maximum that is always the same for a seed.

    @param max the first number that is too large
    @param seed what the number depends on
    """
    maximum = _positive(values[0], "seeded_rand")
    seed = values[1]
    if type(seed) is not str:
        raise RuntimeFailure("seeded_rand(): second argument must be a string")
    return RubyRandom(_digest_number(seed)).below(maximum)


# Rotations


def _rotated(items: tuple[Value, ...], name: Value, seeds: Sequence[Value]) -> tuple[Value, ...]:
    if len(items) < 2:
        return items
    offset = RubyRandom(_digest_number(_joined((name, seeds)))).below(len(items))
    return items[offset:] + items[:offset]


@stdlib_function(
    "stdlib::fqdn_rotate",
    "String $input, Variant[Integer, String] *$seeds",
    returns="String",
    examples=(
        "stdlib::fqdn_rotate(['a', 'b', 'c'])  # => ['b', 'c', 'a']",
        "stdlib::fqdn_rotate('abcd', 'seed')  # => 'dabc'",
    ),
    versions=(9,),
)
def fqdn_rotate(text: str, *seeds: Value, context: Context) -> str:
    """Return an array or a string rotated by a random number that is always the same for a node.

    The further arguments are seeds, with which one node can have several such numbers.

    @param input an array or a string
    @param seeds what makes it another number on the same node
    """
    if len(text) < 2:
        return text
    return "".join(
        [str(each) for each in _rotated(tuple(text), networking_fact(context, "fqdn"), seeds)]
    )


@fqdn_rotate.dispatch("Array $input, Variant[Integer, String] *$seeds", "Array")
def _fqdn_rotate_array(items: tuple[Value, ...], *seeds: Value, context: Context) -> Value:
    return items if len(items) < 2 else _rotated(items, networking_fact(context, "fqdn"), seeds)


@stdlib_legacy_function(
    "fqdn_rotate",
    "Variant[String, Array] $input, Any *$seeds",
    returns="Variant[String, Array]",
    examples=("fqdn_rotate('a')  # => 'a'",),
    counts=False,
    versions=(8,),
)
def fqdn_rotate_8(values: tuple[Value, ...], *, context: Context) -> Value:
    """Return an array or a string rotated by a random number that is always the same for a node.

    The fact fqdn identifies the node. Further arguments are seeds, which give other numbers on the
    same node.

    @param input an array or a string
    @param seeds values that give another number on the same node
    """
    if not values:
        raise RuntimeFailure("fqdn_rotate(): Wrong number of arguments given (0 for 1)")
    given = values[0]
    if type(given) is not str and type(given) is not tuple:
        raise RuntimeFailure("fqdn_rotate(): Requires either array or string to work with")
    items = tuple(given)
    if len(items) < 2:
        return given
    rotated = _rotated(items, look_up_variable(context, "::fqdn"), values[1:])
    return "".join([str(each) for each in rotated]) if type(given) is str else rotated


# Identifiers


@stdlib_legacy_function(
    "fqdn_uuid",
    "String $fqdn",
    returns="String",
    examples=("fqdn_uuid('puppetlabs.com')  # => '9c70320f-6815-5fc5-ab0f-debe68bf764c'",),
    counts=False,
)
def fqdn_uuid(values: tuple[Value, ...]) -> str:
    """Return the UUID of a domain name: version 5 of RFC 4122, in the namespace of the DNS.

    @param fqdn the domain name
    """
    if not values:
        raise RuntimeFailure("fqdn_uuid: No arguments given")
    if len(values) > 1:
        raise RuntimeFailure(f"fqdn_uuid: Too many arguments given ({len(values)})")
    name = values[0]
    if type(name) is not str:
        raise no_conversion(name, "String")
    digest = hashlib.sha1(_DNS + name.encode(), usedforsecurity=False).digest()
    number = bytearray(digest[:16])
    number[6] = number[6] & 0x0F | 0x50
    number[8] = number[8] & 0x3F | 0x80
    digits = number.hex()
    return "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])
