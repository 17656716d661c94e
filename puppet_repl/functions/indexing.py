"""The command that writes the index of the built-in functions from their declarations.

``python -m puppet_repl.functions.indexing`` writes ``index.py``, which spares a program the
import of all themes.
"""

from __future__ import annotations

import os
from importlib import import_module

from puppet_repl.functions.registry import theme_functions
from puppet_repl.functions.source_search import DIRECTORY, modules

COMMAND = "python -m puppet_repl.functions.indexing"
INDEX_PATH = os.path.join(DIRECTORY, "index.py")

_HEADER = f'''\
"""Which theme declares which function, so that only the theme that is needed is imported.

Written by ``{COMMAND}``: do not edit.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

THEMES: Mapping[str, str] = {{
'''


def declared_themes() -> dict[str, str]:
    """Return the theme of every function that is declared. Imports all themes."""
    themes: dict[str, str] = {}
    for module in modules():
        import_module(f"puppet_repl.functions.{module}")
        themes.update(dict.fromkeys(theme_functions(module), module))
    return dict(sorted(themes.items()))


def index_text() -> str:
    """Return the text of ``index.py`` for the functions that are declared now."""
    entries = [f'    "{name}": "{theme}",\n' for name, theme in declared_themes().items()]
    return _HEADER + "".join(entries) + "}\n"


def main() -> None:
    """Write the index."""
    with open(INDEX_PATH, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(index_text())


if __name__ == "__main__":
    main()
