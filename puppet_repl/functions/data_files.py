"""Data files for lookup(), read as Puppet values."""

from __future__ import annotations

import json

from puppet_repl.base import yaml_data
from puppet_repl.errors import PuppetError
from puppet_repl.values.data import from_data
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


NO_PATHS = (
    "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in "
    "hiera.yaml when using this data_hash function"
)
NO_HOCON = "Lookup using Hocon data_hash function is not supported without hocon library"


def read_data(function: str, path: str) -> PuppetHash:
    """The Hash that a data file holds; nothing in it is an empty one."""
    value = read_json(path) if function == "json_data" else read_yaml(path)
    if value is None or value is False:
        return PuppetHash.EMPTY
    return as_hash(value, path)


def as_hash(value: Any, path: str) -> PuppetHash:
    """What a file holds, if it is a Hash."""
    if type(value) is not PuppetHash:
        raise lookup_error(f"{path}: file does not contain a valid yaml hash")
    return value


def read_json(path: str) -> Any:
    """The value of a JSON file."""
    try:
        return from_data(json.loads(_text(path)))
    except ValueError as error:
        raise lookup_error(f"Unable to parse ({path}): {error}") from None


def read_yaml(path: str) -> Any:
    """Return the value of a YAML file."""
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
    """A failure of a lookup, which Puppet reports as it is."""
    return PuppetError(message, "LOOKUP_ERROR")
