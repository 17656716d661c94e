"""Data files for lookup(), read as Puppet values."""

from __future__ import annotations

from puppet_repl.errors import PuppetError
from puppet_repl.values.data import from_data
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.values.protocols import Value


NO_PATHS = (
    "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in "
    "hiera.yaml when using this data_hash function"
)
NO_HOCON = "Lookup using Hocon data_hash function is not supported without hocon library"


def read_data(function: str, path: str) -> PuppetHash:
    """Return the Hash in a data file; the Hash of an empty file is empty."""
    value = read_json(path) if function == "json_data" else read_yaml(path)
    if value is None or value is False:
        return PuppetHash.EMPTY
    return as_hash(value, path)


def as_hash(value: Value, path: str) -> PuppetHash:
    """Return the content of a file; raise an error if it is not a Hash."""
    if type(value) is not PuppetHash:
        raise lookup_error(f"{path}: file does not contain a valid yaml hash")
    return value


def read_json(path: str) -> Value:
    """Return the value in a JSON file."""
    import json

    try:
        return from_data(json.loads(_text(path)))
    except ValueError as error:
        raise lookup_error(f"Unable to parse ({path}): {error}") from None


def read_yaml(path: str) -> Value:
    """Return the value of a YAML file."""
    from puppet_repl.base import yaml_data

    try:
        return from_data(yaml_data.read_yaml(_text(path)))
    except yaml_data.YamlError as error:
        raise lookup_error(f"Unable to parse ({path}): {error}") from None


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError) as error:
        raise lookup_error(f"Unable to parse ({path}): {error}") from None


def lookup_error(message: str) -> PuppetError:
    """Return the error of a lookup, whose message Puppet reports unchanged."""
    return PuppetError(message, "LOOKUP_ERROR")
