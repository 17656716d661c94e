"""The line of a key in a data file, for explanations."""

from __future__ import annotations

from puppet_repl.base.reading import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import yaml


def line_of(path: str, key: str) -> int | None:
    """Return the line of a key at the top of a YAML or JSON file; None if it cannot be told.

    Where a key is there twice the last one counts, as it does for its value.
    """
    import yaml

    try:
        node = yaml.compose(read_text(path), yaml.BaseLoader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError):
        return None
    return _line_in(node, key) if isinstance(node, yaml.MappingNode) else None


def _line_in(node: yaml.MappingNode, key: str) -> int | None:
    for name, _ in reversed(node.value):
        if type(name.value) is str and name.value.removeprefix(":") == key.removeprefix(":"):
            return int(name.start_mark.line) + 1
    return None
