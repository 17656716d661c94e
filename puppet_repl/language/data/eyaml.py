"""YAML data files with values that are encrypted as hiera-eyaml does it."""

from __future__ import annotations

import os
import re

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.file_reading import read_bytes
from puppet_repl.base.lenient_base64 import decode_leniently
from puppet_repl.base.reach import REASON
from puppet_repl.language.data.files import lookup_error, read_data
from puppet_repl.language.data.pkcs7 import (
    DecryptionError,
    NoKeyError,
    check_structure,
    decrypt,
)
from puppet_repl.language.runtime.issues import out_of_reach
from puppet_repl.language.runtime.placeholders import advice, placeholders_of
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Members, Value

_NO_PATH = (
    "'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared "
    "in hiera.yaml when using this lookup_key function"
)
_IS_ENCRYPTED = re.compile(r"ENC\[.*?\]")
_ENCRYPTED = re.compile(r"ENC\[(\w+,)?([a-zA-Z0-9+/ =\n]+?)\]")
_PLAIN_FILE = "yaml_data"


def look_up(key: str, options: PuppetHash, lookup_context: Members, context: Context) -> Value:
    """Return the value of a key in the file that the options name; raise for a missing key.

    ``lookup_context`` is a Puppet::LookupContext.
    """
    if lookup_context.call_member("cache_has_key", (key,)):
        return lookup_context.call_member("cached_value", (key,))
    if not options.has("path"):
        raise RuntimeFailure(_NO_PATH)
    data = lookup_context.call_member("cached_value", (None,))
    if type(data) is not PuppetHash:
        data = read_data(_PLAIN_FILE, str(options["path"]), context)
        lookup_context.call_member("cache", (None, data))
    if not data.has(key):
        return lookup_context.call_member("not_found", ())
    value = _Reader(key, options, lookup_context, context).value(data[key])
    return lookup_context.call_member("cache", (key, value))


class _Reader:
    """Decrypts the value of one key."""

    def __init__(
        self, key: str, options: PuppetHash, lookup_context: Members, context: Context
    ) -> None:
        self.key = key
        self.options = options
        self.lookup_context = lookup_context
        self.context = context

    def value(self, value: Value) -> Value:
        """Return a value with all strings in it decrypted and interpolated."""
        if type(value) is str:
            return self._interpolated(self._decrypted(value))
        if type(value) is tuple:
            return tuple([self.value(item) for item in value])
        if type(value) is PuppetHash:
            return PuppetHash(
                [(self._interpolated(key), self.value(item)) for key, item in value.items()]
            )
        return value

    def _interpolated(self, value: Value) -> Value:
        return self.lookup_context.call_member("interpolate", (value,))

    def _decrypted(self, text: str) -> str:
        if _IS_ENCRYPTED.search(text) is None:
            return text
        try:
            plain = _ENCRYPTED.sub(self._plain, text)
        except DecryptionError as error:
            notes = (advice(self.context.options),) if isinstance(error, NoKeyError) else ()
            raise lookup_error(
                f"hiera-eyaml backend error decrypting {text} when looking up {self.key} in "
                f"{self.options['path']}. Error was {error}",
                notes=notes,
            ) from None
        return re.sub(r"(?:\r\n|\r|\n)\Z", "", plain, count=1)

    def _plain(self, match: re.Match[str]) -> str:
        """Return the text of an encrypted value, or the placeholder for one without its key."""
        scheme, encrypted = (match[1] or "PKCS7,")[:-1], decode_leniently(match[2])
        try:
            if scheme.upper() != "PKCS7":
                raise NoKeyError(
                    f"values of the kind {scheme} cannot be decrypted here, those of PKCS7 can"
                )
            return self._plain_pkcs7(encrypted)
        except NoKeyError as error:
            placeholders = placeholders_of(self.context)
            if placeholders is None:
                raise
            if scheme.upper() == "PKCS7":
                check_structure(encrypted)
            return placeholders.of_encrypted(encrypted, self.key, str(error))

    def _plain_pkcs7(self, encrypted: bytes) -> str:
        for name in ("public_key", "private_key"):
            if not self._option(name) and not self._option(f"{name}_env_var"):
                raise DecryptionError(f"pkcs7_{name} is not defined")
        private, public = self._pem("private_key"), self._pem("public_key")
        return decrypt(encrypted, private, public).decode("utf-8", "replace")

    def _option(self, name: str) -> str | None:
        value = self.options.get(f"pkcs7_{name}")
        return None if value is None else str(value)

    def _pem(self, name: str) -> bytes:
        """Return a key or certificate from an environment variable, else from a file."""
        variable = self._option(f"{name}_env_var")
        is_hermetic = self.context.options.hermetic
        given = None if variable is None or is_hermetic else os.environ.get(variable)
        if given is not None:
            return given.encode()
        path = self._option(name)
        if path is None:
            reason = "is hidden from a hermetic session" if is_hermetic else "is not set"
            raise NoKeyError(f"the environment variable {variable} {reason}")
        found = self._found(path)
        if self.context.reach is not None and not self.context.reach.allows(found):
            if placeholders_of(self.context) is not None:
                raise NoKeyError(f"{path} is {REASON}")
            failure = out_of_reach(found)
            failure.notes = (advice(self.context.options),)
            raise failure
        try:
            return read_bytes(found)
        except OSError as error:
            raise NoKeyError(f"{error.strerror} @ rb_sysopen - {path}") from None

    def _found(self, path: str) -> str:
        environment = self.context.options.environment
        reach = self.context.reach
        is_there = (reach is None or reach.allows(path)) and os.path.exists(path)
        if environment is not None and not is_there:
            inner = os.path.join(environment, path)
            if (reach is not None and not reach.allows(inner)) or os.path.exists(inner):
                return inner
        return path
