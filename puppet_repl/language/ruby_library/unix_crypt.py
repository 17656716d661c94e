"""The password hashes of ``crypt``: MD5 (``$1$``), SHA-256 (``$5$``) and SHA-512 (``$6$``).

MD5-crypt is the scheme of FreeBSD; the others follow the specification "Unix crypt using SHA-256
and SHA-512" by Ulrich Drepper, which is in the public domain. bcrypt needs the package bcrypt.
"""

from __future__ import annotations

import hashlib

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.optional_packages import how_to_install

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ROUNDS = 5000
_MD5_ROUNDS = 1000
_MAX_SHA_SALT = 16
_MAX_MD5_SALT = 8
_MAX_BCRYPT_PASSWORD = 72  # the rest is ignored, as everywhere
_REFUSED = "*0"  # what crypt returns for a setting that it cannot use
_BCRYPT_ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_BCRYPT_SALT_LENGTH = len("05$") + 22
# The bytes of a digest in the order in which three at a time become four characters.
_MD5_ORDER = ((0, 6, 12), (1, 7, 13), (2, 8, 14), (3, 9, 15), (4, 10, 5), (11,))


def _rotating_order(size: int, first: tuple[int, int, int], step: int) -> list[tuple[int, ...]]:
    """Return the order for SHA: each triple adds one to the numbers of the last, rotated."""
    order: list[tuple[int, ...]] = []
    triple: tuple[int, int, int] = first
    for _ in range(size // 3):
        order.append(triple)
        one, two, three = [(number + 1) for number in triple]
        triple = (two, three, one) if step == 1 else (three, one, two)
    rest = size % 3
    last = tuple(range(size - 1, size - 1 - rest, -1))
    return [*order, last]


_SHA512_ORDER = _rotating_order(64, (0, 21, 42), 1)
_SHA256_ORDER = _rotating_order(32, (0, 10, 20), 2)


def _characters(digest: bytes, order: Sequence[tuple[int, ...]]) -> str:
    """Return a digest in the letters of crypt."""
    letters: list[str] = []
    for places in order:
        number = 0
        for place in places:
            number = number << 8 | digest[place]
        for _ in range(len(places) + 1):
            letters.append(_ALPHABET[number & 0x3F])
            number >>= 6
    return "".join(letters)


def _repeated(data: bytes, length: int) -> bytes:
    return (data * (length // len(data) + 1))[:length]


def sha_crypt(kind: str, password: bytes, salt: str) -> str:
    """Return the hash of a password; ``kind`` is '5' for SHA-256, '6' for SHA-512."""
    salt = salt[:_MAX_SHA_SALT]
    key = salt.encode()
    make = hashlib.sha256 if kind == "5" else hashlib.sha512
    alternate = make(password + key + password).digest()
    start = make(password + key + _repeated(alternate, len(password)))
    bits = len(password)
    while bits:
        start.update(alternate if bits & 1 else password)
        bits >>= 1
    digest = start.digest()
    word = _repeated(make(password * len(password)).digest(), len(password))
    seed = _repeated(make(key * (16 + digest[0])).digest(), len(key))
    for number in range(_ROUNDS):
        parts = word if number & 1 else digest
        if number % 3:
            parts += seed
        if number % 7:
            parts += word
        digest = make(parts + (digest if number & 1 else word)).digest()
    order = _SHA256_ORDER if kind == "5" else _SHA512_ORDER
    return f"${kind}${salt}${_characters(digest, order)}"


def md5_crypt(password: bytes, salt: str) -> str:
    """Return the MD5 hash of a password."""
    salt = salt[:_MAX_MD5_SALT]
    key = salt.encode()

    def digest_of(data: bytes) -> bytes:
        return hashlib.md5(data, usedforsecurity=False).digest()

    alternate = digest_of(password + key + password)
    start = password + b"$1$" + key + _repeated(alternate, len(password))
    bits = len(password)
    while bits:
        start += b"\0" if bits & 1 else password[:1]
        bits >>= 1
    digest = digest_of(start)
    for number in range(_MD5_ROUNDS):
        parts = password if number & 1 else digest
        if number % 3:
            parts += key
        if number % 7:
            parts += password
        digest = digest_of(parts + (digest if number & 1 else password))
    return f"$1${salt}${_characters(digest, _MD5_ORDER)}"


def bcrypt_hash(kind: str, password: bytes, salt: str) -> str:
    """Return the bcrypt hash of a password; ``salt`` is the cost, ``$`` and 22 characters."""
    try:
        import bcrypt
    except ImportError:
        raise RuntimeFailure(
            "pw_hash(): the hash types bcrypt need the Python package bcrypt: "
            + how_to_install("crypto")
        ) from None
    salt = salt[:_BCRYPT_SALT_LENGTH]
    # Only the first two bits of the last character count.
    last = _BCRYPT_ALPHABET[_BCRYPT_ALPHABET.index(salt[-1]) & 0x30]
    setting = f"${kind}${salt[:-1]}{last}".encode()
    try:
        made = bcrypt.hashpw(password[:_MAX_BCRYPT_PASSWORD], setting)
    except ValueError:
        return _REFUSED
    return made.decode()
