"""Digests of strings, and fqdn_rand(): a pseudo-random number that is stable for a node."""

from __future__ import annotations

import hashlib

from puppet_repl.language.functions.registry import LegacyFunction, legacy_function
from puppet_repl.language.ruby_library.number import leading_integer
from puppet_repl.language.ruby_library.random import RubyRandom, node_name
from puppet_repl.language.values.ruby import no_conversion, no_method, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


def _hexdigest(algorithm: str, value: Value) -> str:
    if type(value) is not str:
        raise no_conversion(value, "String")
    data = value.encode("utf-8", "surrogatepass")
    return hashlib.new(algorithm, data, usedforsecurity=False).hexdigest()


def _digest(name: str, algorithm: str, doc: str, example: str) -> LegacyFunction:
    @legacy_function(name, "String $text", returns="String", doc=doc, examples=(example,))
    def hexdigest(values: tuple[Value, ...]) -> str:
        return _hexdigest(algorithm, values[0])

    return hexdigest


md5 = _digest(
    "md5",
    "md5",
    """Return the MD5 digest of a string, as 32 hexadecimal digits.

    @param text what the digest is of
    """,
    "md5('hello')  # => '5d41402abc4b2a76b9719d911017c592'",
)

sha1 = _digest(
    "sha1",
    "sha1",
    """Return the SHA-1 digest of a string, as 40 hexadecimal digits.

    @param text what the digest is of
    """,
    "sha1('hello')  # => 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'",
)

sha256 = _digest(
    "sha256",
    "sha256",
    """Return the SHA-256 digest of a string, as 64 hexadecimal digits.

    @param text what the digest is of
    """,
    "sha256('')  # => 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'",
)

digest = _digest(
    "digest",
    "sha256",
    """Return the digest of a string by Puppet's default algorithm, SHA-256.

    @param text what the digest is of
    """,
    "digest('') == sha256('')  # => true",
)


@legacy_function(
    "fqdn_rand",
    "Integer $max, Any $seed?, Any $downcase?",
    returns="Integer",
    examples=(
        "fqdn_rand(30) == fqdn_rand(30)  # => true",
        "fqdn_rand(1)  # => 0",
    ),
)
def fqdn_rand(values: tuple[Value, ...], *, context: Context) -> int:
    """Return a pseudo-random Integer below a maximum that is always the same for a node.

    It depends on the fact networking.fqdn, the maximum, and the second argument (a seed): nodes
    get different numbers, and one node can have several. If the third argument is true, the name
    of the node is used in lower case.

    @param max the first number that is too large
    @param seed what makes it another number on the same node
    @param downcase whether the name of the node is taken in lower case
    """
    maximum = values[0]
    if type(maximum) is str:
        maximum = leading_integer(maximum)
    elif type(maximum) is float:
        maximum = int(maximum)
    elif type(maximum) is not int:
        raise no_method("to_i", maximum)
    seed = values[1] if len(values) > 1 else ""
    name = node_name(context)
    if len(values) > 2 and values[2] is not False and values[2] is not None:
        name = name.lower()
    text = f"{name}:{maximum}:{ruby_text(seed)}"
    digested = hashlib.md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()
    return RubyRandom(int(digested, 16)).below(maximum)
