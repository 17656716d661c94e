"""Data files for lookup(), read as Puppet values."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_data(function: str, path: str) -> PuppetHash:
    """The Hash that a data file holds; nothing in it is an empty one."""
    try:
        with open(path, encoding="utf-8-sig") as stream:
            text = stream.read()
    except (OSError, UnicodeDecodeError) as error:
        raise RuntimeFailure(f"Unable to parse ({path}): {error}") from None
    value = _parse_json(path, text) if function == "json_data" else _parse_yaml(path, text)
    if value is None or value is False:
        return PuppetHash.EMPTY
    if type(value) is not PuppetHash:
        raise RuntimeFailure(f"{path}: file does not contain a valid yaml hash")
    return value


def _parse_json(path: str, text: str) -> Any:
    import json

    try:
        return to_value(json.loads(text))
    except ValueError as error:
        raise RuntimeFailure(f"Unable to parse ({path}): {error}") from None


def _parse_yaml(path: str, text: str) -> Any:
    try:
        import yaml
    except ImportError:
        raise RuntimeFailure(
            f"Unable to parse ({path}): reading YAML needs the Python package PyYAML"
        ) from None
    try:
        return to_value(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise RuntimeFailure(f"Unable to parse ({path}): {error}") from None


def to_value(data: Any) -> Any:
    """Plain Python data as Puppet values."""
    if isinstance(data, dict):
        return PuppetHash([(to_value(key), to_value(item)) for key, item in data.items()])
    if isinstance(data, (list, tuple, set)):
        return tuple([to_value(item) for item in data])
    if data is None or type(data) in (str, int, float, bool):
        return data
    return str(data)
