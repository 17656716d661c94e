"""The defaults of parameters that a module gives in its own data.

A parameter without a default in the code often gets its value from ``data/common.yaml`` of the
module. openvox-strings 7 documents that value: it reads the first level of ``hiera.yaml`` whose
paths have no ``%{...}``, and of that level the first file, as YAML.
"""

from __future__ import annotations

import os
from contextlib import suppress

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.reach import is_inside
from puppet_repl.base.yaml_data import Symbol, YamlError, compose_yaml, read_yaml
from puppet_repl.base.yaml_nodes import Mapping, Sequence
from puppet_repl.environment.reference.ruby.data import data_text
from puppet_repl.language.types.text.format import program_text
from puppet_repl.language.values.python import from_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping as MappingType
    from typing import Any

    from puppet_repl.base.reach import Reach
    from puppet_repl.base.yaml_nodes import Node

__all__ = ["data_defaults", "data_files", "read_module_data", "shown_value"]

CONFIG = "hiera.yaml"


def read_module_data(root: str, reach: Reach | None = None) -> dict[str, Any]:
    """Return the values in the first level of a module's data that has no ``%{...}``, by key.

    The result is empty for a module without such a level. It is also empty if a file cannot be
    read, or is not what openvox-strings reads: this data only completes the documentation. A file
    outside of the module, or out of the ``reach``, is not read.
    """
    path = _path_of(_read(root, CONFIG, reach))
    data = None if path is None else _read(root, path, reach)
    return data if isinstance(data, dict) else {}


def data_files(root: str) -> list[str]:
    """Return the paths of the files in a module that its data is from, those that exist."""
    names = (CONFIG, _path_of(_read(root, CONFIG, None)))
    paths = [os.path.join(root, name) for name in names if name]
    return [path for path in paths if is_inside(path, root) and os.path.isfile(path)]


def _path_of(config: Any) -> str | None:
    """Return the file of the first level without interpolation, by ``hiera.yaml``."""
    if not isinstance(config, dict):
        return None
    defaults, levels = config.get("defaults"), config.get("hierarchy")
    directory = defaults.get("datadir") if isinstance(defaults, dict) else None
    for level in levels if isinstance(levels, list) else ():
        given = (level.get("path") or level.get("paths")) if isinstance(level, dict) else None
        paths = given if isinstance(given, list) else [given]
        if paths and all(isinstance(path, str) and "%{" not in path for path in paths):
            return f"{directory or 'data'}/{paths[0]}"
    return None


def _read(root: str, name: str, reach: Reach | None) -> Any:
    """Return the data of a YAML file in a module, None for one that cannot be read."""
    path = os.path.join(root, name)
    if not is_inside(path, root) or (reach is not None and not reach.allows(path)):
        return None
    try:
        text = read_text(path)
        # Ruby loads no document with aliases, unless a program asks for them.
        return None if _has_aliases(compose_yaml(text)) else read_yaml(text, as_puppet=True)
    except (OSError, YamlError, UnicodeDecodeError):
        return None


def _has_aliases(root: Node | None) -> bool:
    """Tell whether a node of a document is used in two places."""
    seen: set[int] = set()
    waiting = [] if root is None else [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            return True
        seen.add(id(node))
        if isinstance(node, Mapping):
            waiting += [part for pair in node.pairs for part in pair]
        elif isinstance(node, Sequence):
            waiting += node.items
    return False


def data_defaults(data: MappingType[str, Any], class_name: str) -> dict[str, str]:
    """Return the values that data gives the parameters of a class, as code, by their names."""
    found = {}
    for key, value in data.items():
        owner, _, name = str(key).rpartition("::")
        if owner == class_name:
            with suppress(TypeError, ValueError):  # not a value of Puppet, a large number
                found[name] = program_text(from_python(value))
    return found


def shown_value(value: Any) -> str:
    """Return a value of the data as openvox-strings writes it: without escapes in quotes."""
    if value is None or value == "" or (value == "undef" and isinstance(value, Symbol)):
        return "undef"
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, dict):
        pairs = (f"'{_key(key)}' => {shown_value(item)}" for key, item in value.items())
        return f"{{ {', '.join(pairs)} }}" if value else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(shown_value, value))}]"
    return data_text(value)


def _key(key: Any) -> str:
    return "" if key is None else data_text(key)
