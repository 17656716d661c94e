"""YAML as plain data, for Hiera, hiera.yaml, facts and cell magics."""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    import yaml

_SYMBOL = re.compile(r":[^\W\d]\w*\Z")


class YamlError(ValueError):
    """The text is not YAML, or contains objects that are not read; the message says where."""


def read_yaml(text: str, *, ruby_objects: bool = False) -> object:
    """Return the data of a YAML document as None, bool, int, float, str, list and dict.

    Dates and times become strings, sets lists, and a symbol of Ruby (``:name``) its name. With
    ``ruby_objects`` Ruby's objects are read as the mappings of their attributes, otherwise they
    are errors as in Puppet. Raises YamlError.
    """
    import yaml

    try:
        return _plain(yaml.load(text, _loader(ruby_objects)))
    except yaml.YAMLError as error:
        raise YamlError(str(error)) from None


def _plain(data: object) -> object:
    if isinstance(data, dict):
        return {_plain(key): _plain(item) for key, item in data.items()}
    if isinstance(data, (list, tuple, set)):
        return [_plain(item) for item in data]
    if data is None or type(data) in (str, int, float, bool):
        return data
    return str(data)


@cache
def _loader(ruby_objects: bool) -> type[yaml.SafeLoader]:
    import yaml

    class Loader(yaml.SafeLoader):
        """A loader that knows what Ruby writes into YAML."""

    def symbol(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> str:
        return str(loader.construct_scalar(node)).removeprefix(":")

    def attributes(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> object:
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node) if isinstance(node, yaml.ScalarNode) else None

    # Quoted, ``':name'`` is a string.
    Loader.add_implicit_resolver("!symbol", _SYMBOL, [":"])
    Loader.add_constructor("!symbol", symbol)
    if ruby_objects:
        Loader.add_multi_constructor("!ruby/", attributes)
    return Loader
