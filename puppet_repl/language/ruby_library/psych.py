"""YAML as Ruby's library Psych reads it where only plain data is permitted."""

from __future__ import annotations

import yaml

from puppet_repl.base.yaml_data import Symbol, UnplacedError, YamlError, is_refusal, read_yaml
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.symbol import RubySymbol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.yaml_data import Pairs
    from puppet_repl.language.values.protocols import Value


def load_yaml(text: str, *, symbols: bool, aliases: bool) -> Value:
    """Return the first document of a text as a Puppet value.

    Raises YamlError with Psych's words for invalid YAML, and for dates, times and objects; without
    ``symbols`` and ``aliases`` also for these.
    """
    try:
        data = read_yaml(text, as_puppet=True, symbols=symbols, mapping=_hash)
    except UnplacedError:
        raise
    except YamlError as error:
        if is_refusal(error):
            raise
        raise YamlError(f"(<unknown>): {error}") from None
    if not aliases and "*" in text:
        _refuse_aliases(text)
    return _value(data)


def _refuse_aliases(text: str) -> None:
    """Raise the error of the first alias in the first document of a text that is valid YAML."""
    for event in yaml.parse(text, Loader=yaml.BaseLoader):
        if isinstance(event, yaml.AliasEvent):
            raise UnplacedError(f"Unknown alias: {event.anchor}")
        if isinstance(event, yaml.DocumentEndEvent):
            return


def _hash(pairs: Pairs) -> PuppetHash:
    return PuppetHash([(_value(key), _value(item)) for key, item in pairs])


def _value(data: Value) -> Value:
    if isinstance(data, list):
        return tuple([_value(item) for item in data])
    return RubySymbol(str(data)) if isinstance(data, Symbol) else data
