"""The module stdlib: the one on the module path, or the one that is bundled.

Its Ruby functions are built in, in Python; the files of the module decide which of them exist. The
bundled module has all functions of its version. Types, classes and Puppet functions are files.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.environment.modules.modules import Module
    from puppet_repl.language.functions.registry import Function, FunctionTable, LegacyFunction

NAMES = ("puppetlabs-stdlib", "puppetlabs/stdlib")
_DIRECTORY = os.path.join(os.path.dirname(__file__), "bundled")
# The directories of the bundled versions, named as modules are, by the values of the option.
BUNDLED_STDLIBS = {
    "9": os.path.join(_DIRECTORY, "9.7.0", "stdlib"),
    "8": os.path.join(_DIRECTORY, "8.5.0", "stdlib"),
}


def is_stdlib(module: Module) -> bool:
    """Tell whether a module of that name is the public one, by its metadata."""
    return module.metadata.get("name") in NAMES


class Stdlib:
    """The built-in functions that a module stdlib has."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.is_bundled = module.path in BUNDLED_STDLIBS.values()
        self._table: FunctionTable | None = None

    @property
    def table(self) -> FunctionTable:
        """The functions of its version."""
        if self._table is None:
            from puppet_repl.language.functions.stdlib.declaring import table_of

            self._table = table_of(self.module.version)
        return self._table

    def find(self, name: str, path: str | None) -> Function | None:
        """Return the function that ``path``, the file in Ruby that declares it, stands for."""
        if not self._declares(path):
            return None
        if path is not None and f"{os.sep}parser{os.sep}" in path:
            # This release has only the 3.x function; another release may have both kinds.
            return self.table.find_legacy(name) or self.table.find(name)
        from puppet_repl.language.functions.stdlib.declaring import function_of

        return function_of(self.module.version, name)

    def is_of_another_release(self, name: str) -> bool:
        """Tell whether the module has another function of a name than the built-in one."""
        if self.is_bundled:
            return False
        from puppet_repl.language.functions.stdlib.declaring import is_of_another_release

        return is_of_another_release(self.module.version, name)

    def find_legacy(self, name: str, path: str | None) -> LegacyFunction | None:
        """Return the function of the older kind that ``path`` stands for."""
        return self.table.find_legacy(name) if self._declares(path) else None

    def _declares(self, path: str | None) -> bool:
        """Tell whether a file, or with None the table alone, declares a function of stdlib."""
        if path is None:
            return self.is_bundled
        return path.startswith(self.module.path + os.sep)

    def names(self) -> Iterator[str]:
        """Return the names of the functions that only the built-in table knows."""
        return self.table.names() if self.is_bundled else iter(())
