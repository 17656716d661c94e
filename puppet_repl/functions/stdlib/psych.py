"""YAML as Ruby's library Psych reads it, where only plain data is permitted."""

from __future__ import annotations

import yaml

from puppet_repl.base.yaml_data import Symbol, UnknownAlias, YamlError, is_refusal, read_yaml
from puppet_repl.errors import RuntimeFailure
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.values.protocols import Value


def load_yaml(text: str) -> Value:
    """Return the first document of a text; symbols of Ruby become strings.

    Raises RuntimeFailure with Psych's words for what is no YAML, and for dates, times, objects and
    aliases.
    """
    try:
        data = read_yaml(text, as_puppet=True)
    except UnknownAlias as error:
        raise RuntimeFailure(str(error)) from None
    except YamlError as error:
        prefix = "" if is_refusal(error) else "(<unknown>): "
        raise RuntimeFailure(f"{prefix}{error}") from None
    alias = _first_alias(text)
    if alias is not None:
        raise RuntimeFailure(f"Unknown alias: {alias}")
    return _value(data)


def _first_alias(text: str) -> str | None:
    """Return the name of the first alias in the first document of a text that is valid YAML."""
    if "*" not in text:
        return None
    for event in yaml.parse(text, Loader=yaml.BaseLoader):
        if isinstance(event, yaml.AliasEvent):
            return str(event.anchor)
        if isinstance(event, yaml.DocumentEndEvent):
            return None
    return None


def _value(data: Any) -> Value:
    if type(data) is dict:
        return PuppetHash([(_value(key), _value(item)) for key, item in data.items()])
    if type(data) is list:
        return tuple([_value(item) for item in data])
    return str(data) if type(data) is Symbol else data
