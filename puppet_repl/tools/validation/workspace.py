"""What all files of one run define together, read when it is asked for."""

from __future__ import annotations

import os
from collections import Counter

from puppet_repl.base.wording import listed
from puppet_repl.environment.modules.listings import Listings
from puppet_repl.environment.modules.modules import Module, find_modules
from puppet_repl.environment.modules.ruby_index import ENVIRONMENT
from puppet_repl.environment.modules.tested_module import module_path
from puppet_repl.host.host import Host
from puppet_repl.tools.validation.data_parameters import Mentions
from puppet_repl.tools.validation.definitions import DefinitionFiles
from puppet_repl.tools.validation.diagnostic import NO_RUBY, Diagnostic
from puppet_repl.tools.validation.file import Choices, ending_of
from puppet_repl.tools.validation.hiera_layout import ChangedInModules, Layout
from puppet_repl.tools.validation.index import Index
from puppet_repl.tools.validation.module_index import ModuleIndex
from puppet_repl.tools.validation.roots import Root, Roots
from puppet_repl.tools.validation.ruby_files import SyntaxChecker
from puppet_repl.tools.validation.surroundings import History

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.base.reach import Reach
    from puppet_repl.session import Session
    from puppet_repl.tools.validation.file import File


class Workspace:
    """The modules and environments of one run. With a ``reach`` nothing else is read.

    ``files`` has the definitions of files by their paths, ``index`` those of all modules that the
    code of a module or environment sees, by name. ``unread`` has the files that only Ruby could
    read, where there is none.
    """

    def __init__(self, choices: Choices, reach: Reach | None = None) -> None:
        self.choices = choices
        self.reach = reach
        self.roots = Roots(reach)
        self.files = DefinitionFiles(reach)
        self._listings = Listings(reach)
        self._modules: dict[tuple[str, str], ModuleIndex] = {}
        self._mentions: dict[str, Mentions] = {}
        self._changed: dict[str, ChangedInModules] = {}
        self._indexes: dict[str, Index] = {}
        self._layouts: dict[str, list[Layout]] = {}
        self._histories: dict[str, History] = {}
        self.unread: set[File] = set()
        self._ruby: SyntaxChecker | None = None
        self._session: Session | None = None

    def index(self, root: Root) -> Index:
        """Return what the code of a module or environment sees."""
        place = os.path.abspath((root.environment or root).directory)
        index = self._indexes.get(place)
        if index is None:
            index = self._indexes[place] = self._made(root.environment or root, place)
        return index

    def module(self, root: Root) -> ModuleIndex | None:
        """Return a module itself, None for an environment, and for a directory with another name.

        Of two modules of a name on the module path this may be the hidden one.
        """
        if root.kind != "module" or not root.name:
            return None
        return self._module(Module(root.name, os.path.abspath(root.directory), self.reach))

    def is_alone(self, root: Root) -> bool:
        """Tell whether a root is a module that no environment has, on its module path or not."""
        above = self.roots.of(os.path.abspath(root.directory))
        return not any(
            each is not None and (each.kind == "environment" or each.environment is not None)
            for each in (root, above)
        )

    def history(self, root: Root) -> History:
        """Return the findings of a module that are reported once."""
        return self._histories.setdefault(os.path.abspath(root.directory), History())

    def forget_reported(self) -> None:
        """Begin another run: findings of a kind that is reported once are new."""
        self._histories.clear()

    def mentions(self, root: Root) -> Mentions:
        """Return the keys that code looks up, of all modules that a root sees."""
        place = os.path.abspath((root.environment or root).directory)
        if place not in self._mentions:
            modules = [each.module.path for each in self.index(root).modules.values()]
            self._mentions[place] = Mentions((place, *modules), self.reach)
        return self._mentions[place]

    def changed_keys(self, root: Root) -> ChangedInModules:
        """Return the keys whose values lookup_options change, in a root and its modules."""
        place = os.path.abspath((root.environment or root).directory)
        if place not in self._changed:
            modules = self.index(root).modules
            paths = {name: each.module.path for name, each in modules.items()}
            own = (root.environment or root).data
            self._changed[place] = ChangedInModules(own, paths, self.reach)
        return self._changed[place]

    def layouts(self, root: Root) -> list[Layout]:
        """Return the layouts of data for lookups in a root: of the root and of all its modules."""
        place = os.path.abspath((root.environment or root).directory)
        if place not in self._layouts:
            own = (root.environment or root).data
            paths = dict.fromkeys([each.module.path for each in self.index(root).modules.values()])
            paths.pop(own.directory, None)
            self._layouts[place] = [own, *[Layout(path, self.reach) for path in paths]]
        return self._layouts[place]

    def _made(self, root: Root, place: str) -> Index:
        own = self.module(root)
        if own is None:
            path, site = root.modulepath(self.reach), Module(ENVIRONMENT, place, self.reach)
        else:
            path, site = module_path(own.module), None
        found = find_modules(path, self._listings, self.reach)
        modules = {name: self._module(each) for name, each in found.items()}
        project = None if root.project is None else self.module(root.project)
        for each in (own, project):
            if each is not None:
                modules[each.name] = each
        return Index(modules, None if site is None else self._module(site), own, self.reach)

    def _module(self, module: Module) -> ModuleIndex:
        key = module.path, module.name
        if key not in self._modules:
            self._modules[key] = ModuleIndex(module, self.files, self._listings)
        return self._modules[key]

    @property
    def ruby(self) -> SyntaxChecker:
        """The Ruby that parses code."""
        if self._ruby is None:
            self._ruby = SyntaxChecker(self.choices.ruby)
        return self._ruby

    @property
    def no_ruby(self) -> Diagnostic | None:
        """The finding about the files that only Ruby could read, None if there are none.

        It is an error where the user has chosen a Ruby.
        """
        if not self.unread:
            return None
        endings = sorted(self.unread_names.items())
        counts = listed([f"{count} {name.removeprefix('*')}" for name, count in endings])
        level: Literal["error", "warning"] = "error"
        if self.choices.ruby in ("auto", "off"):
            level = "warning"
        message = f"not read: {counts} ({self.ruby.reason})"
        return Diagnostic(level, NO_RUBY, message, None, None, None, None, None)

    @property
    def unread_names(self) -> Counter[str]:
        """How many files only Ruby could read, by the endings of their names: ``*.rb``."""
        return Counter(sorted(ending_of(os.path.basename(file.inside)) for file in self.unread))

    def add_hint(self, error: PuppetError) -> None:
        """Add hints to an error, as running its file would."""
        if self._session is None:
            self._session = Host(facts={}).session
        self._session.add_hint(error)

    def close(self) -> None:
        """End the Ruby."""
        if self._ruby is not None:
            self._ruby.close()
