"""The command that writes the indexes of the functions from their declarations.

``python -m puppet_repl.language.functions.indexing`` writes ``index.py`` here and in ``stdlib``. It
spares a program the import of all themes.
"""

from __future__ import annotations

import os

from puppet_repl.language.functions.registry import BUILTINS, FunctionTable
from puppet_repl.language.functions.source_search import directory_of, modules
from puppet_repl.language.functions.stdlib.declaring import PACKAGE as STDLIB
from puppet_repl.language.functions.stdlib.declaring import TABLES

COMMAND = "python -m puppet_repl.language.functions.indexing"

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
    entries = [f'    "{key}": "{theme}",\n' for key, theme in declared_themes(table).items()]
    body = "{\n" + "".join(entries) + "}" if entries else "{}"
    return f"\n{name}: Mapping[str, str] = {body}\n"


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
