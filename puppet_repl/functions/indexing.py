"""The index of the built-in functions: written from their declarations, made up for when stale.

``python -m puppet_repl.functions.indexing`` writes ``index.py``, which spares a program the
import of all themes. A function that it does not know yet is searched for in the source text of
the themes: a declaration works before the index is written again.
"""

from __future__ import annotations

import os
import re
from functools import cache
from importlib import import_module

from puppet_repl.functions.registry import theme_functions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COMMAND = "python -m puppet_repl.functions.indexing"
DIRECTORY = os.path.dirname(__file__)
INDEX_PATH = os.path.join(DIRECTORY, "index.py")

# The first argument of a call, if it is a literal name: so decorators and helpers name functions.
_FIRST_ARGUMENT = re.compile(r'\(\s*"([a-z_]\w*)"')

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


def themes_that_may_declare(name: str) -> Sequence[str]:
    """Return the modules of this package that call something with that name as first argument."""
    return _first_arguments().get(name, ())


@cache
def _first_arguments() -> Mapping[str, Sequence[str]]:
    """Return the modules by the names that are first arguments of calls in their text."""
    modules: dict[str, list[str]] = {}
    for module in _modules():
        with open(os.path.join(DIRECTORY, f"{module}.py"), encoding="utf-8") as stream:
            for name in set(_FIRST_ARGUMENT.findall(stream.read())):
                modules.setdefault(name, []).append(module)
    return modules


def _modules() -> list[str]:
    """Return the names of the modules in this package; none if it is not in a directory."""
    try:
        files = os.listdir(DIRECTORY)
    except OSError:
        return []
    return sorted(file.removesuffix(".py") for file in files if file.endswith(".py"))


def declared_themes() -> dict[str, str]:
    """Return the theme of every function that is declared. Imports all themes."""
    themes: dict[str, str] = {}
    for module in _modules():
        if module != "__init__":
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
