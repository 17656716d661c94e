"""What one module, or an environment itself, defines: by name, read when somebody asks."""

from __future__ import annotations

import os

from puppet_repl.base.file_reading import read_text
from puppet_repl.environment.modules.modules import METADATA, Module, short_name
from puppet_repl.environment.modules.ruby_index import OwnRuby
from puppet_repl.environment.modules.tested_module import FIXTURE_MODULES
from puppet_repl.tools.validation.definitions import written_definitions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.base.reach import Reach
    from puppet_repl.environment.modules.listings import Listings
    from puppet_repl.tools.validation.definitions import Definition, DefinitionFiles

# The directories of a module that Puppet looks into.
_PARTS = ("files", "functions", "lib", "manifests", "plans", "tasks", "templates", "types")
_CODE = ("manifests", "functions", "types", "plans")


class ModuleIndex:
    """One module. ``is_whole`` says whether no file is missing.

    Files are missing in an empty directory, of a module that was not fetched, and perhaps in the
    fixtures of tests: a module without metadata there may have been written for the tests alone.
    """

    __slots__ = ("_files", "_written", "is_whole", "listings", "module", "name", "ruby")

    def __init__(self, module: Module, files: DefinitionFiles, listings: Listings) -> None:
        self.module = module
        self.name = module.name
        self.listings = listings
        self._files = files
        self._written: set[tuple[str, str]] | None = None
        self.ruby = OwnRuby(module.path, listings)
        top = listings.of(module.path)
        names = {*top.directories, *top.links}
        hidden = names.isdisjoint(_PARTS) or not set(top.files).isdisjoint(_PARTS)
        parent = os.path.dirname(module.path)
        is_of_tests = parent.endswith(os.sep + FIXTURE_MODULES) and METADATA not in top.files
        self.is_whole = not (hidden or is_of_tests)

    def find(self, kind: str, name: str) -> Definition | None:
        """Return a class, defined type, function or type alias that Puppet would find by its name.

        ``kind`` is that of a Definition; the name begins with that of the module.
        """
        for path in self._places(kind, name):
            found = self._files.find(path, kind, name)
            if found is not None:
                return found
        return None

    def _places(self, kind: str, name: str) -> Iterator[str]:
        """Yield the files that may define a name, in the order in which Puppet loads them."""
        parts = name.split("::")[1:]
        if kind in ("class", "define"):
            yield self.module.file("manifests", "init.pp")
            for length in range(len(parts), 0, -1):
                yield self.module.file("manifests", *parts[:length]) + ".pp"
        elif parts:
            yield self.module.file(f"{kind}s", *parts) + ".pp"

    def template(self, path: str) -> Definition | None:
        """Return a template in EPP, None if it is not there or declares no parameters."""
        return self._files.find(self.module.file("templates", *path.split("/")), "template", "")

    def lacks(self, kind: str, name: str) -> bool:
        """Tell whether the module has no definition of a name, for sure."""
        if not self.is_whole or self.find(kind, name) is not None:
            return False
        if kind == "function" and name in {**self.ruby.newer, **self.ruby.older}:
            return False
        if kind == "type" and (name in self.ruby.data_types or self._has_type_set(name)):
            return False
        if any(self._files.is_broken(path) for path in self._places(kind, name)):
            return False
        return not self._is_written(kind, name)

    def _has_type_set(self, name: str) -> bool:
        """Tell whether a type may be one of those that a type set has."""
        parts = name.split("::")
        outer = [self.find("type", "::".join(parts[:length])) for length in range(2, len(parts))]
        return self.has("types", "init_typeset.pp") or any(
            each is not None and each.is_type_set for each in outer
        )

    def _is_written(self, kind: str, name: str) -> bool:
        """Tell whether any file of the module has a definition of the name, also a nested one."""
        if self._written is None:
            self._written = set()
            for directory in _CODE:
                for path in self.module.files(directory, ".pp"):
                    text = self.text(directory, f"{path}.pp")
                    self._written.update(written_definitions(text))
        last = name.rpartition("::")[2]
        return (kind, name) in self._written or (kind, last) in self._written

    def names_module(self, name: str) -> bool:
        """Tell whether the metadata name a module that this one needs; True where nobody knows.

        SIMP has a list of its own for modules that need not be there.
        """
        metadata = self.module.metadata
        if not isinstance(metadata.get("dependencies"), list) or name in self.module.dependencies:
            return True
        simp = metadata.get("simp")
        listed = simp.get("optional_dependencies") if isinstance(simp, dict) else None
        return any(
            short_name(str(each.get("name"))) == name
            for each in (listed if isinstance(listed, list) else ())
            if isinstance(each, dict)
        )

    def has(self, *parts: str) -> bool:
        """Tell whether a file or directory is there, or a link that leads nowhere."""
        return os.path.lexists(self.module.file(*parts))

    def names_of(self, kinds: Iterable[str]) -> set[str]:
        """Return the names that the files for definitions of some kinds would define."""
        found = set()
        for kind in kinds:
            found |= self.names("manifests" if kind in ("class", "define") else f"{kind}s")
            if kind == "function":
                found |= {*self.ruby.newer, *self.ruby.older}
        return found

    def names(self, directory: str) -> set[str]:
        """Return the names that the files below a directory would define."""
        paths = self.module.files(directory, ".pp")
        names = {f"{self.name}::{path.replace('/', '::')}" for path in paths}
        init = f"{self.name}::init"
        return (names - {init}) | {self.name} if init in names else names

    def texts(self) -> Iterator[str]:
        """Yield the texts of the manifests."""
        for path in self.module.files("manifests", ".pp"):
            yield self.text("manifests", f"{path}.pp")

    def text(self, *parts: str) -> str:
        """Return the text of a file, '' for one that cannot be read."""
        return read_within(self.module.file(*parts), self.module.reach)


def read_within(path: str, reach: Reach | None) -> str:
    """Return the text of a file, '' for one that cannot be read or is out of reach."""
    try:
        if reach is not None:
            reach.check(path)
        return read_text(path, errors="replace")
    except OSError:
        return ""
