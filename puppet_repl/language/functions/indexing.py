"""The command that writes the indexes of the functions from their declarations.

``python -m puppet_repl.language.functions.indexing`` writes ``index.py`` here and in ``stdlib``. It
spares a program the import of all themes.
"""

from __future__ import annotations

import os
import textwrap

from puppet_repl.language.functions.registry import BUILTINS, FunctionTable
from puppet_repl.language.functions.source_search import directory_of, modules
from puppet_repl.language.functions.stdlib.declaring import PACKAGE as STDLIB
from puppet_repl.language.functions.stdlib.declaring import TABLES

COMMAND = "python -m puppet_repl.language.functions.indexing"

_WIDTH = 100
_HEADER = f'''\
"""Which theme declares which function, so that only the theme that is needed is imported.

Written by ``{COMMAND}``: do not edit.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
'''


def declared_themes(table: FunctionTable) -> dict[str, str]:
    """Return the theme of every function that is declared. Imports all themes."""
    themes: dict[str, str] = {}
    for module in modules(table.package):
        themes.update(dict.fromkeys(table.theme_functions(module), module))
    return dict(sorted(themes.items()))


def _mapping(name: str, table: FunctionTable) -> str:
    names: dict[str, list[str]] = {}
    for function, theme in declared_themes(table).items():
        names.setdefault(theme, []).append(function)
    rows = [_row(theme, " ".join(names[theme])) for theme in sorted(names)]
    return (
        f"\n{name}: Mapping[str, str] = {{\n    name: theme\n    for theme, names in {{\n"
        f"{''.join(rows)}    }}.items()\n    for name in names.split()\n}}\n"
    )


def _row(theme: str, names: str) -> str:
    """Return the names of the functions of a theme, on as many lines as they need."""
    row = f'        "{theme}": "{names}",\n'
    if len(row) <= _WIDTH:
        return row
    lines = textwrap.wrap(names, _WIDTH - len('            "" '), break_on_hyphens=False)
    texts = [f'            "{line} "\n' for line in lines[:-1]]
    return f'        "{theme}": (\n{"".join(texts)}            "{lines[-1]}"\n        ),\n'


def index_texts() -> dict[str, str]:
    """Return the texts of the indexes for the functions that are declared now, by path."""
    packages = {
        BUILTINS.package: {"THEMES": BUILTINS},
        STDLIB: {f"THEMES_{version}": table for version, table in TABLES.items()},
    }
    return {
        os.path.join(directory_of(package), "index.py"): _HEADER
        + "".join(_mapping(name, table) for name, table in tables.items())
        for package, tables in packages.items()
    }


def main() -> None:
    """Write the indexes."""
    for path, text in index_texts().items():
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)


if __name__ == "__main__":
    main()
