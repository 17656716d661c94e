"""The line of a key in a data file, for explanations."""

from __future__ import annotations

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.modules import import_package
from puppet_repl.base.yaml_nodes import key_lines


def line_of(path: str, key: str) -> int | None:
    """Return the line of a key at the top of a YAML or JSON file; None if it cannot be told.

    Where a key is there twice the last one counts, as it does for its value.
    """
    yaml = import_package("yaml")

    try:
        lines = key_lines(read_text(path))
    except (OSError, UnicodeError, yaml.YAMLError):
        return None
    found = [lines[name] for name in (key, f":{key.removeprefix(':')}") if name in lines]
    found += [lines[key[1:]]] if key[:1] == ":" and key[1:] in lines else []
    return max(found, default=None)
