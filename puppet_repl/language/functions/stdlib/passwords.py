"""Functions of stdlib that make hashes of passwords, and that check keys of certificates."""

from __future__ import annotations

import hashlib
import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.declaring import stdlib_legacy_function
from puppet_repl.language.ruby_library.certificates import check_signature
from puppet_repl.language.ruby_library.unix_crypt import bcrypt_hash, md5_crypt, sha_crypt
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import ruby_class, ruby_inspect
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.functions.registry import Function
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

# The prefixes of the hash types.
_KINDS = {
    "md5": "1",
    "sha-256": "5",
    "sha-512": "6",
    "bcrypt": "2b",
    "bcrypt-a": "2a",
    "bcrypt-x": "2x",
    "bcrypt-y": "2y",
}
_SALT = re.compile(r"[a-zA-Z0-9./]+")
# Patterns of the salts of bcrypt, by the version of stdlib, as Ruby writes them.
_BCRYPT_SALTS = {
    8: r"^[0-9]{2}\$[.\/A-Za-z0-9]{22}",
    9: r"^(0[4-9]|[12][0-9]|3[01])\$[.\/A-Za-z0-9]{22}",
}
_PBKDF2_BYTES = 128


def _unwrapped(values: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple([value.value if type(value) is Sensitive else value for value in values])


def _pw_hash(version: int) -> Function:
    """Declare pw_hash() of a major version, which differ in the salts of bcrypt."""

    def pw_hash(values: tuple[Value, ...], *, context: Context) -> str | None:
        """Return the hash of a password as crypt makes it, for /etc/shadow; undef for an empty one.

        The hash types are md5, sha-256, sha-512, and bcrypt, bcrypt-a, bcrypt-x and bcrypt-y, which
        need the Python package bcrypt. The third argument is the salt, for bcrypt with the cost and
        a ``$`` before it. Password and salt may be Sensitive; the result is not. A catalog holds
        it as a Binary.

        @param password the password
        @param hash_type the name of the algorithm
        @param salt the salt
        """
        text = _hashed(_unwrapped(values), version)
        return text if text is None else context.mark_bytes(text, text.encode())

    declare = stdlib_legacy_function(
        "pw_hash",
        "Optional[String] $password, String $hash_type, String $salt",
        returns="Optional[String]",
        examples=(
            "pw_hash('password', 'sha-256', 'salt')"
            "  # => '$5$salt$Gcm6FsVtF/Qa77ZKD.iwsJlCVPY0XSMgLJL0Hnww/c1'",
            "pw_hash('', 'sha-512', 'salt')  # => undef",
        ),
        versions=(version,),
    )
    return declare(pw_hash)


pw_hash = _pw_hash(9)
pw_hash_8 = _pw_hash(8)


def _hashed(values: tuple[Value, ...], version: int) -> str | None:
    password, hash_type, salt = values
    if password is not None and type(password) is not str:
        raise RuntimeFailure("pw_hash(): first argument must be a string")
    if type(hash_type) is not str:
        raise RuntimeFailure("pw_hash(): second argument must be a string")
    kind = _KINDS.get(hash_type.lower())
    if kind is None:
        raise RuntimeFailure(f"pw_hash(): {hash_type} is not a valid hash type")
    if type(salt) is not str:
        raise RuntimeFailure("pw_hash(): third argument must be a string")
    if not salt:
        raise RuntimeFailure("pw_hash(): third argument must not be empty")
    _check_salt(kind, salt, version)
    if not password:
        return None
    if "\0" in password or "\0" in salt:
        raise RuntimeFailure("string contains null byte")
    data = str(password).encode()
    if kind == "1":
        return md5_crypt(data, salt)
    if kind in ("5", "6"):
        return sha_crypt(kind, data, salt)
    return bcrypt_hash(kind, data, salt)


def _check_salt(kind: str, salt: str, version: int) -> None:
    if kind in ("1", "5", "6"):
        if not _SALT.fullmatch(salt):
            raise RuntimeFailure("pw_hash(): characters in salt must be in the set [a-zA-Z0-9./]")
        return
    pattern = _BCRYPT_SALTS[version]
    if not re.search(pattern, salt, re.MULTILINE):
        raise RuntimeFailure(f"pw_hash(): characters in salt must match (?-mix:{pattern})")


@stdlib_legacy_function(
    "str2saltedsha512",
    "String $password",
    returns="String",
    examples=("str2saltedsha512('password') =~ /\\A[0-9a-f]{136}\\z/  # => true",),
    counts=False,
)
def str2saltedsha512(values: tuple[Value, ...]) -> str:
    """Return the salted SHA-512 hash of a password for macOS 10.7, with a random salt.

    @param password the password
    """
    if len(values) != 1:
        raise RuntimeFailure(
            f"str2saltedsha512(): Wrong number of arguments passed ({len(values)} but we require 1)"
        )
    password = values[0]
    if type(password) is not str:
        raise RuntimeFailure(
            "str2saltedsha512(): Requires a String argument, you passed: " + ruby_class(password)
        )
    import secrets

    salt = secrets.token_bytes(4)
    return (salt + hashlib.sha512(salt + password.encode()).digest()).hex()


@stdlib_legacy_function(
    "str2saltedpbkdf2",
    "String $password, String $salt, Integer[40001, 69999] $iterations",
    returns="Hash",
    examples=("str2saltedpbkdf2('password', 'salt1234', 50000)['iterations']  # => 50000",),
    counts=False,
)
def str2saltedpbkdf2(values: tuple[Value, ...]) -> PuppetHash:
    """Return the salted hash of a password for macOS 10.8 and later: PBKDF2 with SHA-512.

    The result has the keys password_hex, salt_hex and iterations. Password and salt may be
    Sensitive; the result is not.

    @param password the password
    @param salt the salt, 8 to 255 bytes
    @param iterations how often the hash is made
    """
    if len(values) != 3:
        raise RuntimeFailure(f"str2saltedpbkdf2(): wrong number of arguments ({len(values)} for 3)")
    password, salt, iterations = _unwrapped(values)
    if type(password) is not str:
        raise RuntimeFailure("str2saltedpbkdf2(): first argument must be a string")
    if type(salt) is not str:
        raise RuntimeFailure("str2saltedpbkdf2(): second argument must be a string")
    key = salt.encode()
    if len(key) < 8:
        raise RuntimeFailure("str2saltedpbkdf2(): second argument must be at least 8 bytes long")
    if type(iterations) is not int:
        raise RuntimeFailure("str2saltedpbkdf2(): third argument must be an integer")
    if not 40_000 < iterations < 70_000:
        raise RuntimeFailure("str2saltedpbkdf2(): third argument must be between 40,000 and 70,000")
    derived = _pbkdf2(password.encode(), key, iterations)
    return PuppetHash.of_strings(
        {"password_hex": derived.hex(), "salt_hex": key.hex(), "iterations": iterations}
    )


def _pbkdf2(password: bytes, salt: bytes, iterations: int) -> bytes:
    """Return PBKDF2 with SHA-512, for which Python has no function where it lacks OpenSSL."""
    if hasattr(hashlib, "pbkdf2_hmac"):
        return hashlib.pbkdf2_hmac("sha512", password, salt, iterations, _PBKDF2_BYTES)
    import hmac

    keyed = hmac.new(password, digestmod="sha512")
    derived = b""
    while len(derived) < _PBKDF2_BYTES:
        block = len(derived) // keyed.digest_size + 1
        text = salt + block.to_bytes(4, "big")
        mixed = 0
        for _ in range(iterations):
            step = keyed.copy()
            step.update(text)
            text = step.digest()
            mixed ^= int.from_bytes(text, "big")
        derived += mixed.to_bytes(keyed.digest_size, "big")
    return derived[:_PBKDF2_BYTES]


@stdlib_legacy_function(
    "validate_x509_rsa_key_pair",
    "String $certificate, String $key",
    returns="Undef",
    examples=(
        "validate_x509_rsa_key_pair('a')"
        "  # error: Evaluation Error: Error while evaluating a Function Call, "
        "validate_x509_rsa_key_pair(): wrong number of arguments (1; must be 2)",
    ),
    counts=False,
)
def validate_x509_rsa_key_pair(values: tuple[Value, ...]) -> None:
    """Stop with an error unless an RSA key has signed a certificate.

    Both are texts in the format PEM. It needs the Python package cryptography.

    @param certificate the certificate
    @param key the key
    """
    if len(values) != 2:
        raise RuntimeFailure(
            f"validate_x509_rsa_key_pair(): wrong number of arguments ({len(values)}; must be 2)"
        )
    texts = []
    for value in values:
        if type(value) is not str:
            raise RuntimeFailure(f"{ruby_inspect(value)} is not a string.")
        texts.append(str(value))
    check_signature(*texts)
