"""Data files for lookup(), read as Puppet values."""

from __future__ import annotations

import errno

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.file_reading import read_bytes
from puppet_repl.language.values.hash import PuppetHash, from_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.yaml_data import Pairs
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

DATA_ERROR = "LOOKUP_ERROR"
"""The code of errors of a lookup, to which the global layer adds the key."""

GLOBAL_ERROR = "LOOKUP_FAILED"
"""The code of an error to which the global layer has added it."""

CONFIG_ERROR = "HIERA_CONFIGURATION"
"""The code of an error in a hiera.yaml."""

NOT_FOUND = "LOOKUP_NOT_FOUND"
KEY_SYNTAX = "LOOKUP_KEY_SYNTAX"
INTERPOLATION = "HIERA_INTERPOLATION"

LOOKUP_ERRORS = (DATA_ERROR, CONFIG_ERROR, NOT_FOUND, KEY_SYNTAX, INTERPOLATION)
"""The codes of Puppet's LookupErrors: failures that explanations mention."""

# Errors of invalid bytes, in the words of libyaml.
_REASONS = {
    "invalid start byte": "invalid leading UTF-8 octet",
    "invalid continuation byte": "invalid trailing UTF-8 octet",
    "unexpected end of data": "incomplete UTF-8 octet sequence",
}

# Errors of paths that lead nowhere.
_UNSEEN = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)

NO_PATHS = (
    "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in "
    "hiera.yaml when using this data_hash function"
)


def read_data(function: str, path: str, context: Context) -> PuppetHash:
    """Return the Hash in a data file; that of a YAML file without one is empty, with a warning."""
    context.check_reach(path)
    if function == "json_data":
        return _json_hash(path)
    if function == "hocon_data":
        return read_hocon(path)
    value = read_yaml(path)
    is_empty = value is None or value is False
    if type(value) is PuppetHash or (context.options.strict == "error" and not is_empty):
        return as_hash(value, path)
    context.log("warning", f"{path}: file does not contain a valid yaml hash")
    return PuppetHash.EMPTY


def as_hash(value: Value, path: str) -> PuppetHash:
    """Return the content of a file; raise an error if it is not a Hash."""
    if type(value) is not PuppetHash:
        raise lookup_error(f"{path}: file does not contain a valid yaml hash")
    return value


def is_lookup_value(value: Value) -> bool:
    """Tell whether data may be the value of a key, Puppet::LookupValue.

    That are scalars, undef, and arrays and hashes of them; keys are strings or numbers.
    """
    if type(value) is tuple:
        return all(is_lookup_value(item) for item in value)
    if type(value) is PuppetHash:
        return all(
            type(key) in (str, int, float) and is_lookup_value(item) for key, item in value.items()
        )
    return value is None or type(value) in (str, int, float, bool)


def read_json(path: str) -> Value:
    """Return the value in a JSON file, read as Ruby's library does."""
    return json_value(_text(path, "utf-8"), path)


def json_value(text: str, path: str) -> Value:
    """Return the value of the text of a JSON file."""
    from puppet_repl.base import json_data
    from puppet_repl.language.ruby_library.json import MAX_DEPTH, JsonError, parse_json

    notes: tuple[str, ...] = ()
    try:
        # Python's reader is much faster; texts that the two read differently are left to the other.
        if not (json_data.is_deeper(text, MAX_DEPTH) or json_data.has_half_pairs(text)):
            return from_data(json_data.read_json(text))
    except json_data.JsonDataError as error:
        notes = (str(error),)
    try:
        return parse_json(text)
    except JsonError as error:
        raise lookup_error(f"Unable to parse ({path}): {error}", notes=notes) from None


def _json_hash(path: str) -> PuppetHash:
    return as_json_hash(read_json(path), path)


def as_json_hash(value: Value, path: str) -> PuppetHash:
    """Return the content of a JSON file; raise an error if it is not a Hash."""
    if type(value) is not PuppetHash:
        from puppet_repl.language.types.model.collection import HASH
        from puppet_repl.language.types.text.mismatch import value_mismatch

        subject = (
            f"Value returned from data_hash function 'json_data', when using location '{path}',"
        )
        raise lookup_error(value_mismatch(subject, HASH, value))
    return value


def read_hocon(path: str) -> PuppetHash:
    """Return the Hash in a HOCON file."""
    return hocon_hash(_text(path), path)


def hocon_hash(text: str, path: str) -> PuppetHash:
    """Return the Hash in the text of a HOCON file."""
    from puppet_repl.language.ruby_library.hocon import parse_hocon
    from puppet_repl.language.ruby_library.hocon_tokens import HoconError, HoconTypeError

    try:
        return as_hash(parse_hocon(text), path)
    except (HoconError, HoconTypeError) as error:
        raise lookup_error(f"Unable to parse ({path}): {error}") from None


def read_yaml(path: str) -> Value:
    """Return the value of a YAML file."""
    from puppet_repl.base import yaml_data

    try:
        return from_data(yaml_data.read_yaml(_text(path), as_puppet=True, mapping=yaml_hash))
    except yaml_data.UnplacedError as error:
        raise lookup_error(f"Unable to parse {error}") from None
    except yaml_data.YamlError as error:
        raise lookup_error(f"Unable to parse ({path}): {error}") from None


def yaml_hash(pairs: Pairs) -> PuppetHash:
    """Return a mapping of YAML; symbols that are keys become strings."""
    return PuppetHash(
        [
            (str(key) if isinstance(key, str) else from_data(key), from_data(item))
            for key, item in pairs
        ]
    )


def _text(path: str, encoding: str = "utf-8-sig") -> str:
    try:
        data = read_bytes(path)
    except OSError as error:
        raise unreadable(error, path) from None
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        reason = _REASONS.get(error.reason, error.reason)
        raise lookup_error(
            f"Unable to parse ({path}): {reason} at line {line} column {column}"
        ) from None


def unreadable(error: OSError, path: str) -> RuntimeFailure:
    """Return Ruby's error of a data file, which Puppet first looks at and then opens."""
    call = "rb_sysopen"
    if error.errno == errno.EISDIR:
        call = "io_fread"
    elif error.errno in _UNSEEN:
        call = "rb_file_s_stat"
    return RuntimeFailure(f"{error.strerror} @ {call} - {path}")


def read_config(path: str) -> Value:
    """Return the value of a hiera.yaml."""
    from puppet_repl.base import yaml_data

    try:
        return from_data(yaml_data.read_yaml(_text(path), as_puppet=True, mapping=yaml_hash))
    except yaml_data.YamlError as error:
        raise RuntimeFailure(f"({path}): {error}") from None


def lookup_error(message: str, code: str = DATA_ERROR, notes: tuple[str, ...] = ()) -> PuppetError:
    """Return the error of a lookup, whose message Puppet reports unchanged."""
    return PuppetError(message, code, notes=notes)


def config_error(message: str) -> PuppetError:
    """Return the error of a hiera.yaml."""
    return PuppetError(message, CONFIG_ERROR)
