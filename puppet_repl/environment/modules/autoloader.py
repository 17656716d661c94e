"""Loads the files in Puppet that define what code refers to by name: Puppet's autoloading.

A file is loaded when something it could define is asked for, and again after it has changed. Names
that were not found are remembered until the next input.
"""

from __future__ import annotations

import os

from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.modules import issues
from puppet_repl.environment.modules.modules import own_file
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.source_files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.base.reach import Reach
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.environment.modules.issues import SingleKind
    from puppet_repl.environment.modules.modules import Module
    from puppet_repl.language.compiler.program import CompiledProgram
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.runtime.shared import Shared
    from puppet_repl.language.syntax.outline import Outline

# No system has files with longer names.
_LONGEST_PATH = 4096
# Bytes of files whose texts sessions share; compiled code has the same texts.
_MAX_SHARED = 8_000_000


class Autoloader:
    """The files of an environment that a session has loaded.

    ``modules`` returns the modules by name, ``directory`` is that of the environment itself, which
    has functions and types of its own. ``shared`` is what sessions share that see the same files.
    ``loaded`` has the files by path.
    """

    def __init__(
        self,
        context: Context,
        modules: Callable[[], dict[str, Module]],
        directory: str | None,
        shared: Shared,
    ) -> None:
        self.context = context
        self._modules = modules
        self._directory = directory
        self._shared = shared
        self.loaded: dict[str, LoadedFile] = {}
        # What the last input has looked for, whether it failed or not; None is not there.
        self.asked: dict[str, Stamp | None] = {}
        self._missing: set[str] = set()
        self._loading: set[str] = set()

    # Classes and defines

    def load_definition(self, name: str) -> bool:
        """Load the manifests that may define a class or define; tell whether any was loaded."""
        key = f"manifest {name}"
        if key in self._missing:
            return False
        self._missing.add(key)
        parts = name.split("::")
        module = self._modules().get(parts[0])
        if module is None:
            return False
        loaded = self._load_manifest(module, "init")
        for length in range(len(parts), 1, -1):
            loaded = self._load_manifest(module, *parts[1:length]) or loaded
            if self.context.catalog.definitions.is_defined(name):
                break
        return loaded

    def _load_manifest(self, module: Module, *names: str) -> bool:
        path = module.file("manifests", *names) + ".pp"
        if path in self.loaded or path in self._loading or path in self._missing:
            return False
        source = self._read(path)
        if source is None:
            self._missing.add(path)
            return False
        file = "/".join((module.name, "manifests", *names)) + ".pp"
        program = self._load(path, source, module.name, file)
        definitions = self.loaded[path].definitions = tuple(program.definitions)
        self.context.catalog.definitions.register(definitions)
        return True

    # Functions

    def load_function(self, name: str) -> None:
        """Load the file of a function in Puppet, if there is one."""
        self._load_single("function", "functions", name)

    def load_stubs(self) -> None:
        """Load the files with replacements for functions in Ruby."""
        for path in self.context.options.stubs:
            if path not in self.loaded and path not in self._loading:
                source = self._read(path)
                if source is None:
                    raise issues.no_stubs(path)
                self._load(path, source)

    # Types

    def load_type(self, name: str) -> None:
        """Load the file of a type alias, or of the type set that it may be in."""
        if self._load_single("type", "types", name):
            return
        outer = name.rpartition("::")[0]
        while outer and name not in self.context.types.known:
            if outer not in self.context.types.known:
                self._load_single("type", "types", outer)
            type_set: Any = self.context.types.known.get(outer)
            if type_set is not None and type_set.kind == "TypeSet" and type_set.module is not None:
                type_set.settle_for_member()  # its members can be looked up at once
                return
            outer = outer.rpartition("::")[0]

    def load_data_type(self, name: str, path: str) -> None:
        """Load the file in Ruby that creates a data type."""
        if path in self.loaded or path in self._loading:
            return
        # Most modules have none.
        from puppet_repl.environment.ruby.data_type_files import load_data_type

        self._loading.add(path)
        try:
            entry = LoadedFile(self.context.look.newest_stamp(path))
            load_data_type(self.context, name, path)
            entry.types = (name,)
            self.loaded[path] = entry
        finally:
            self._loading.discard(path)

    def _load_type_set(self, module: Module) -> None:
        path = module.file("types", "init_typeset.pp")
        is_known = path in self.loaded or path in self._loading
        source = None if is_known else self._read(path)
        if source is not None:
            self._load_checked("type", path, source, module.name, module)
            if self.context.types.known[module.name].kind != "TypeSet":
                raise issues.no_type_set(path, module.name)

    # Files with one definition, that of a function or type

    def _load_single(self, kind: SingleKind, directory: str, name: str) -> bool:
        key = f"{kind} {name}"
        if len(name) > _LONGEST_PATH or key in self._missing:
            return False
        self._missing.add(key)
        parts = name.split("::")
        if len(parts) == 1 or parts[0] == "environment":
            path = None if self._directory is None else own_file(self._directory, directory, name)
            if path is not None and self._load_file(kind, path, name, None):
                return True
            if kind == "type" and name in self._modules():
                self._load_type_set(self._modules()[name])
            return False
        module = self._modules().get(parts[0])
        if module is None:
            return False
        path = module.file(directory, *parts[1:]) + ".pp"
        return self._load_file(kind, path, name, module)

    def _load_file(self, kind: SingleKind, path: str, name: str, module: Module | None) -> bool:
        source = None if path in self.loaded or path in self._loading else self._read(path)
        if source is None:
            return False
        self._load_checked(kind, path, source, name, module)
        return True

    def _load_checked(
        self, kind: SingleKind, path: str, source: Source, name: str, module: Module | None
    ) -> None:
        module_name = file = None
        if module is not None:
            module_name = module.name
            inner = os.path.relpath(path, module.path).replace(os.sep, "/")
            file = f"{module_name}/{inner}"

        def check(outline: Outline) -> None:
            issues.check_single_definition(kind, name, path, outline)

        self._load(path, source, module_name, file, check)
        defined: Any = self.context.types.known[name] if kind == "type" else None
        if defined is not None and defined.kind == "TypeSet":
            defined.module = module_name or ""

    # Files of any kind

    def _read(self, path: str) -> Source | None:
        shared, look = self._shared, self.context.look
        self.asked.setdefault(path, look.stamp(path))
        stamp = look.full_stamp(path)
        reach = self.context.reach
        if stamp is None or reach is not None:
            return read_if_there(path, reach)
        if shared.sources is None:
            from puppet_repl.environment.modules.shared_files import SharedFiles

            shared.sources = SharedFiles(_MAX_SHARED, keeps_fresh=look.is_lasting)
        source: Source | None = shared.sources.find(path, stamp)
        if source is None:
            source = read_if_there(path, reach)
            if source is not None:
                shared.sources.keep(path, stamp, source)
        return source

    def _load(
        self,
        path: str,
        source: Source,
        module_name: str | None = None,
        file: str | None = None,
        check: Callable[[Outline], None] | None = None,
    ) -> CompiledProgram:
        self._loading.add(path)
        try:
            entry = LoadedFile(self.asked.get(path) or self.context.look.newest_stamp(path))
            program = self.context.load_program(source, module_name, file, check)
            entry.functions, entry.types = names_defined(program.outline)
            entry.source = source
            self.loaded[path] = entry
        finally:
            self._loading.discard(path)
        return program

    # Changes

    def has_changed(self, definition: Definition) -> bool:
        """Tell whether a definition comes from a file that has changed since it was loaded."""
        for path, entry in list(self.loaded.items()):
            if definition in entry.definitions:
                return entry.stamp != self.context.look.newest_stamp(path)
        return False

    def forget_changed(self) -> dict[str, LoadedFile]:
        """Forget what files defined that have changed; return what they were, by path.

        Names that were not found are looked for again.
        """
        self._missing.clear()
        self.asked.clear()
        look = self.context.look
        changed = {
            path: entry
            for path, entry in self.loaded.items()
            if entry.stamp != look.newest_stamp(path)
        }
        self._forget_files(list(changed))
        return changed

    def forget_all(self) -> bool:
        """Forget what all files defined; tell whether there were any."""
        self._missing.clear()
        files = list(self.loaded)
        self._forget_files(files)
        return bool(files)

    def _forget_files(self, paths: list[str]) -> None:
        for path in paths:
            self._forget(self.loaded.pop(path))

    def forget(self, name: str) -> None:
        """Forget the file that defines a name, but not that name; it will be loaded again."""
        for path, entry in list(self.loaded.items()):
            defined = [definition.name for definition in entry.definitions]
            if name in entry.functions or name in entry.types or name in defined:
                self._forget(self.loaded.pop(path), kept=name)
        self._missing.clear()

    def _forget(self, entry: LoadedFile, *, kept: str | None = None) -> None:
        for name in entry.functions:
            if name != kept:
                self.context.forget(name)
        types = [name for name in entry.types if name != kept]
        if types:
            self.context.drop_types(types)
        definitions = [each for each in entry.definitions if each.name != kept]
        if definitions:
            self.context.catalog.definitions.forget_all(definitions)

    def mark(self) -> dict[str, LoadedFile]:
        """Return the loaded files, for ``return_to``."""
        return dict(self.loaded)

    def return_to(self, mark: dict[str, LoadedFile]) -> None:
        """Return to a mark; files that were loaded since will be loaded again."""
        self.loaded = dict(mark)
        self._missing.clear()


def read_if_there(
    path: str, reach: Reach | None, read: Callable[[str], Source] = read_source
) -> Source | None:
    """Return the text of a file, None if there is none; raise PuppetError for other reasons."""
    try:
        if reach is not None:
            reach.check(path)
        return read(path)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        raise issues.unreadable(path, why_unusable(error)) from None


class LoadedFile:
    """A file that was loaded: its stamp at that time, its definitions, and its text in Puppet."""

    __slots__ = ("definitions", "functions", "source", "stamp", "types")

    def __init__(self, stamp: Stamp | None) -> None:
        self.stamp = stamp
        self.definitions: tuple[Definition, ...] = ()
        self.functions: tuple[str, ...] = ()
        self.types: tuple[str, ...] = ()
        self.source: Source | None = None


def names_defined(outline: Outline) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the functions and types of a program."""
    return outline.names("function"), tuple([name.lower() for name in outline.aliases])
