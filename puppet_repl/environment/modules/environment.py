"""The environment of a session: its modules, manifests and data, and what they have by name.

What files define is looked at again at the next input after they have changed.
"""

from __future__ import annotations

import os

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.modules import issues
from puppet_repl.environment.modules.autoloader import Autoloader, read_if_there
from puppet_repl.environment.modules.environment_conf import SiteSettings, WatchedConf
from puppet_repl.environment.modules.listings import Listings
from puppet_repl.environment.modules.module_types import ModuleTypes
from puppet_repl.environment.modules.modules import Module, ModuleSet, find_modules, own_file
from puppet_repl.environment.modules.ruby_functions import RubyFunctions, SharedName
from puppet_repl.environment.modules.ruby_index import RubyIndexes
from puppet_repl.environment.modules.site_manifests import SiteManifests
from puppet_repl.environment.modules.stdlib import BUNDLED_STDLIBS, Stdlib, is_stdlib
from puppet_repl.language.runtime.shared import Shared
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.source_files import read_template
from puppet_repl.language.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from puppet_repl.base.stamp import Look, Stamp
    from puppet_repl.catalog.resource_types import NativeType
    from puppet_repl.environment.hiera.hiera import Hiera
    from puppet_repl.environment.modules.autoloader import LoadedFile
    from puppet_repl.environment.modules.changes import Changes
    from puppet_repl.environment.modules.modules import NameKind
    from puppet_repl.environment.modules.offered_names import OfferedNames
    from puppet_repl.environment.modules.ruby_functions import UnavailableFunction
    from puppet_repl.environment.modules.ruby_index import RubyIndex
    from puppet_repl.environment.ruby.function_docs import FunctionDescription
    from puppet_repl.language.functions.registry import Function, LegacyFunction
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value

    # Creates the data of an environment, from its directory and a function from modules to theirs.
    MakeHiera: TypeAlias = Callable[[str | None, Callable[[str], str | None]], Hiera]


class Environment:
    """Modules on a path, and perhaps a directory with functions, types and manifests.

    ``make_hiera`` is called when data are first looked up. With a ``reach`` no other modules are
    read.
    """

    def __init__(
        self,
        context: Context,
        modulepath: tuple[str, ...],
        directory: str | None,
        make_hiera: MakeHiera,
    ) -> None:
        self.context = context
        self._make_hiera = make_hiera
        self.directory = None if directory is None else os.path.abspath(directory)
        self._given_modulepath = tuple(os.path.abspath(path) for path in modulepath)
        self._conf = (
            None
            if self.directory is None
            else WatchedConf(
                self.directory,
                context.options.profile,
                context.reach,
                SiteSettings(context.options.puppet_settings, lambda: context.node_name),
            )
        )
        found = context.options.found
        # The modules of an environment that nobody has named are those of its repository.
        self.reach = context.reach
        if found is not None and self._conf is not None:
            named = [*self._given_modulepath, *BUNDLED_STDLIBS.values()]
            self.reach = found.reach(self._conf.conf.modulepath, named)
        self.modulepath = self._path()
        self._listings: Listings | None = None
        self._is_ready = False
        self._module_set: ModuleSet | None = None
        # What others have seen is not for a session that may not look at all files.
        self._shared = context.shared if context.reach is None else Shared()
        self.autoloader = Autoloader(context, lambda: self.modules, self.directory, self._shared)
        self._has_data: bool | None = None
        self._hiera: Hiera | None = None
        self._types: dict[str, NativeType | None] = {}
        self._module_types = ModuleTypes(context)
        self._ruby = RubyFunctions(context)
        self._stdlib: Stdlib | None = None
        self._names: OfferedNames | None = None
        self._changes: Changes | None = None
        self._site = SiteManifests(self.directory or "", context.reach)

    # The environment itself

    def _path(self) -> tuple[str, ...]:
        """Return the module path: what the session was given, then what the environment has."""
        return (*self._given_modulepath, *(self._conf.conf.modulepath if self._conf else ()))

    @property
    def _is_found(self) -> bool:
        """Whether the directory is one that nobody has named."""
        return self.reach is not None and self.context.reach is None

    @property
    def settings(self) -> dict[str, str]:
        """The settings of Puppet that the environment has, as texts."""
        found = {"modulepath": os.pathsep.join(self.modulepath)} if self.modulepath else {}
        if self._conf is None:
            return found
        conf = self._conf.conf
        return {"manifest": conf.manifest, **conf.others, **found}

    def make_ready(self) -> None:
        """Raise the errors of the environment; warn as Puppet does when it makes an environment."""
        if self._is_ready:
            return
        if self._conf is not None:
            self._conf.check()
        for path in self.modulepath:
            listing = self.listings.of(path)
            if listing.problem is not None:
                raise issues.unreadable_environment(path, listing.problem)
            self._warn_of_broken([os.path.join(path, name) for name in listing.broken])
        if self.reach is not None:
            from puppet_repl.environment.modules.hermetic import warn_of_what_is_hidden

            warn_of_what_is_hidden(self, self.reach, is_found=self._is_found)
        self._check_metadata()
        if self._conf is not None:
            self._conf.tell(self.context)
        self._is_ready = True

    @property
    def listings(self) -> Listings:
        """What directories hold, shared with other sessions that read all files."""
        if self._listings is None:
            look = self.context.look
            if self._is_found:
                self._listings = Listings(self.reach, look)
            else:
                self._listings = Listings(self.context.reach, look, self._shared.listings)
        return self._listings

    # Modules

    @property
    def modules(self) -> dict[str, Module]:
        """The modules by name."""
        return self._modules.modules

    @property
    def left_out(self) -> list[Module]:
        """The modules on the path that Puppet leaves out because of their metadata."""
        return self._modules.left_out

    @property
    def _modules(self) -> ModuleSet:
        """The modules of this input; sessions share those of a look that lasts."""
        if self._module_set is None:
            options = self.context.options
            known, look = self._shared.module_sets, self.context.look
            key = (*self.modulepath, self._is_found), self.directory, options.strict, options.stdlib
            found = known.get(key)
            if found is None or found.look_number != look.number:
                for other, its in list(known.items()):
                    if its.look_number != look.number:
                        known.pop(other, None)  # another thread may be faster
                found = known[key] = self._find_modules(look)
            self._module_set = found
        return self._module_set

    def _find_modules(self, look: Look) -> ModuleSet:
        reach = self.reach
        options = self.context.options
        modules = find_modules(self.modulepath, self.listings, reach)
        found = ModuleSet(look.number, modules)
        if modules:
            from puppet_repl.environment.modules.metadata import finding_of

            known = self._shared.metadata
            for module in list(modules.values()):
                finding = finding_of(module, options.strict, known, look)
                if finding.log is not None or finding.fault is not None:
                    found.findings.append((module.path, finding))
                if not finding.is_loaded:
                    found.left_out.append(modules.pop(module.name))
        names = (*modules, *[module.name for module in found.left_out])
        if "stdlib" not in names and options.stdlib in BUNDLED_STDLIBS:
            path = BUNDLED_STDLIBS[options.stdlib]
            modules["stdlib"] = Module("stdlib", path, reach)
        return found

    def _check_metadata(self) -> None:
        """Log the findings in the metadata of modules; raise PuppetError for an error."""
        loader = self.modules.get("environment")
        for path, finding in self._modules.findings:
            error = finding.error()
            if error is not None:
                raise error
            if finding.log is not None:
                self.context.log_once(path, *finding.log)
        if loader is not None:
            raise issues.module_named_environment(loader.path)

    @property
    def stdlib(self) -> Stdlib | None:
        """The functions of the module stdlib, None if there is none."""
        if self._stdlib is None:
            module = self.modules.get("stdlib")
            if module is not None and is_stdlib(module):
                self._stdlib = Stdlib(module)
        return self._stdlib

    def module_directory(self, name: str) -> str | None:
        """Return the directory of a module."""
        self.make_ready()
        module = self.modules.get(name)
        return None if module is None else module.path

    def find_file(self, kind: str, reference: str) -> str | None:
        """Return the path of a file ``module/path`` below a directory of the module, if it exists.

        An absolute path is returned as it is. Raises RuntimeFailure for a path that a hermetic
        session may not read.
        """
        if os.path.isabs(reference):
            self.context.check_reach(reference)
            self._note_file(reference)
            return reference if os.path.exists(reference) else None
        self.make_ready()
        name, slash, rest = reference.partition("/")
        module = self.modules.get(name)
        if not slash or module is None:
            return None
        path = os.path.join(module.path, kind, *rest.split("/"))
        self.context.check_reach(path)
        self._note_file(path)
        return path if os.path.exists(path) else None

    def _note_file(self, path: str) -> None:
        """Note that code uses a file, which may be missing."""
        stamp = self.context.look.newest_stamp(path)
        self.autoloader.asked.setdefault(path, stamp)
        self.context.note_file(path, stamp)

    def load_template(self, reference: str) -> Source | None:
        """Return the text of an EPP template, None if there is none."""
        path = self.find_file("templates", reference)
        if path is None or not os.path.isfile(path):
            return None
        return read_if_there(path, self.context.reach, read_template)

    def manifests(self) -> list[Source]:
        """Return the site manifests of the environment; raise PuppetError for its errors."""
        self.make_ready()
        if self._conf is None:
            return []
        manifest = self._conf.conf.manifest
        try:
            found = self._site.read(manifest)
        except OSError as error:
            path = error.filename or manifest
            raise issues.unreadable_environment(path, why_unusable(error)) from None
        self._warn_of_broken(self._site.broken)
        return found

    def _warn_of_broken(self, paths: list[str]) -> None:
        """Warn of links to themselves and the like, which Puppet ignores without a word."""
        for path in paths:
            try:
                os.stat(path)
            except OSError as error:
                self.context.warn_once(path, f"{path} is ignored: {why_unusable(error)}")

    # Data

    @property
    def has_data(self) -> bool:
        """Whether a hiera.yaml was chosen, or the environment or any of its modules has one.

        What environment.conf chooses as their source counts, too.
        """
        if self._has_data is None:
            self.make_ready()
            has = self.listings.has
            is_chosen = self._conf is not None and self._conf.conf.data_provider is not None
            self._has_data = (
                is_chosen
                or self.context.options.hiera_config is not None
                or bool(self.context.options.data)
                or any(has(directory, "hiera.yaml") for directory in self._data_directories())
            )
        return self._has_data

    def _data_directories(self) -> list[str]:
        directories = [module.path for module in self.modules.values()]
        return directories if self.directory is None else [*directories, self.directory]

    @property
    def hiera(self) -> Hiera:
        """The data of the environment and its modules."""
        self.make_ready()
        if self._hiera is None:
            self._hiera = self._make_hiera(self.directory, self.module_directory)
        return self._hiera

    def data_files(self) -> dict[str, Stamp | None]:
        """Return the files of data as the last input has found them, None if not there."""
        files = {} if self._hiera is None else self._hiera.used_files()
        return files | self.data_settings()

    def data_settings(self) -> dict[str, Stamp | None]:
        """Return the hiera.yaml files as the last input has found them, None if not there."""
        files = {} if self._hiera is None else self._hiera.used_settings()
        if self._has_data is False:
            files |= {os.path.join(each, "hiera.yaml"): None for each in self._data_directories()}
        return files

    def data_lookup(self, key: str, scope: Scope) -> tuple[bool, Value]:
        """Tell whether the data hold a parameter of a class; return that and its value."""
        context = self.context
        if context.body_files is not None:
            context.body_files.reads_data = True
        if not self.has_data:
            return False, None
        outer = context.scope
        context.scope = scope
        try:
            value = self.hiera.search(context, scope, key, None)
        finally:
            context.scope = outer
        return (False, None) if value is UNSET else (True, value)

    def data_places(self, key: str, scope: Scope) -> list[str]:
        """Return where the data have a parameter of a class: ``data/common.yaml, line 3``.

        The value is looked up again. The list is empty if a function has returned it.
        """
        try:
            _, places = self.hiera.explained(self.context, scope, key, None)
        except PuppetError:
            return []
        return [
            f"{self._short_path(each.location)}, line {each.line}"
            for each in places
            if each.taken and each.location is not None and each.line is not None
        ]

    def _short_path(self, path: str) -> str:
        inside = f"{self.directory}{os.sep}"
        return path.removeprefix(inside) if self.directory else path

    def placeholder(self, key: str, scope: Scope, expected: PuppetType | None) -> Value:
        """Return the placeholder of a key without a value that the data may hold, or UNSET.

        Only sessions that have placeholders for secrets have one, see ``Hiera.placeholder``.
        """
        if self.context.placeholders is None:
            return UNSET
        return self.hiera.placeholder(self.context, scope, key, expected)

    # Loading by name

    def load_definition(self, name: str) -> bool:
        """Load the manifests that may define a class or define; tell whether any was loaded."""
        self.make_ready()
        return self.autoloader.load_definition(name)

    def load_type(self, name: str) -> None:
        """Load the file of a type alias or data type, or of the type set that it may be in."""
        self.make_ready()
        path = self.data_types.get(name)
        if path is None or self._may_hide("types", name, path):
            self.autoloader.load_type(name)
        if path is not None and name not in self.context.types.known:
            if self.context.catalog.definitions.find_resource_type(name) is None:
                self.autoloader.load_data_type(name, path)

    def _may_hide(self, kind: str, name: str, path: str) -> bool:
        """Tell whether a file in Puppet of the environment itself goes before one in Ruby."""
        own = None if "::" in name else self.own_file(kind, name)
        return own is not None and not path.startswith(f"{self.directory}{os.sep}")

    def load_function(self, name: str) -> Function | UnavailableFunction | SharedName | None:
        """Load the file of a function, if there is one.

        Return a function of the built-in stdlib or in Ruby. A function in Puppet is added to the
        functions of the context instead; then, or for an unknown name, return None.
        """
        self.make_ready()
        self.autoloader.load_stubs()
        if name in self.context.functions:
            return None
        path = self.ruby_functions.get(name)
        if path is None or self._may_hide("functions", name, path):
            self.autoloader.load_function(name)
            if name in self.context.functions:
                return None
        if name in self._index().shared:
            return SharedName(name, self._index().owners(name), self)
        return self.native_function(name) if path is None else self.function_at(name, path)

    def function_at(self, name: str, path: str) -> Function | UnavailableFunction:
        """Return the function in a Ruby file, or that of stdlib that is built in for it."""
        native = self.native_function(name, path)
        # debug::break of the module debug opens another debugger; ours replaces it.
        return native or self.context.find_added(name) or self._ruby.load(name, path)

    def module_of(self, file: str) -> Module | None:
        """Return the module that a file belongs to."""
        owners = (one for one in self.modules.values() if file.startswith(one.path + os.sep))
        return next(owners, None)

    def native_function(self, name: str, path: str | None = None) -> Function | None:
        """Return the function of stdlib that is built in under this name, None if there is none.

        ``path`` is the Ruby file that declares the name; one in another module takes precedence.
        """
        if path is None:
            path = self.ruby_functions.get(name)
        stdlib = self.stdlib
        if stdlib is None or (stdlib.is_of_another_release(name) and self.context.can_run_ruby):
            return None
        return stdlib.find(name, path)

    def legacy_function(self, name: str) -> LegacyFunction | None:
        """Return a 3.x function, even if a 4.x function hides it; None if it cannot be called.

        Ruby code and validate_legacy() call it.
        """
        native = self.native_legacy_function(name)
        if native is not None:
            return native
        path = self.legacy_file(name)
        from puppet_repl.language.functions.registry import LegacyFunction

        found: object
        if path is None:
            found = self.context.find_builtin(name)
        else:
            found = self._ruby.load(name, path)
        return found if isinstance(found, LegacyFunction) else None

    def legacy_file(self, name: str) -> str | None:
        """Return the file of a 3.x function, the loaded one if several modules have the name."""
        path = self.legacy_functions.get(name)
        return None if path is None else self._ruby.legacy_file(name, path)

    def native_legacy_function(self, name: str) -> LegacyFunction | None:
        """Return the function of stdlib of the older kind (3.x), which is built in."""
        path = self.legacy_functions.get(name)
        return None if self.stdlib is None else self.stdlib.find_legacy(name, path)

    def own_file(self, kind: str, name: str) -> str | None:
        """Return the file of the environment itself that may define a function or type.

        ``kind`` is the directory that it is in: ``functions`` or ``types``.
        """
        return None if self.directory is None else own_file(self.directory, kind, name)

    # Ruby

    def find_resource_type(self, name: str) -> NativeType | None:
        """Return a resource type that a module defines, read from its Ruby or Puppet file."""
        try:
            return self._types[name]
        except KeyError:
            pass
        self.make_ready()
        native = self._find_type(name, evaluate=True)
        self._types[name] = native
        return native

    def scan_resource_type(self, name: str) -> NativeType | None:
        """Return a resource type of a module, as far as it is known without running Ruby."""
        return self._types.get(name) or self._find_type(name, evaluate=False)

    def _find_type(self, name: str, *, evaluate: bool) -> NativeType | None:
        return self._module_types.find(
            name, self._index(), self.directory, self.listings, evaluate=evaluate
        )

    def type_file(self, name: str) -> str | None:
        """Return the Ruby file of the first module that defines a resource type."""
        return self._index().types.get(name)

    def _index(self) -> RubyIndex:
        """Return where resource types and functions in Ruby are, looked at once an input."""
        found = self._modules
        if found.ruby_index is None:
            shared = self._shared
            if shared.ruby_indexes is None:
                shared.ruby_indexes = RubyIndexes()
            found.ruby_index = shared.ruby_indexes.index(
                self.modulepath,
                found.modules.values(),
                found.left_out,
                self.directory,
                self.listings,
            )
        return found.ruby_index

    @property
    def ruby_functions(self) -> dict[str, str]:
        """Functions that modules have in Ruby, with their files."""
        return self._index().functions

    def describe_function(self, name: str) -> FunctionDescription | None:
        """Return what the file of a function in Ruby says of it; None if there is none."""
        path = self.ruby_functions.get(name)
        if path is None:
            return None
        module = self.module_of(path)
        theme = "environment" if module is None else f"module {module.name}"
        return self._ruby.describe(name, path, theme)

    @property
    def data_types(self) -> dict[str, str]:
        """Data types that Ruby files create, with these files."""
        return self._index().data_types

    @property
    def legacy_functions(self) -> dict[str, str]:
        """Those of the older kind (3.x), with their files."""
        return self._index().legacy

    def names_of(self, kind: NameKind) -> list[str]:
        """Return the names of one kind that modules could provide."""
        if self._names is None:
            # Programs do not ask, only completion and listings.
            from puppet_repl.environment.modules.offered_names import OfferedNames

            self._names = OfferedNames(self.context.reach)
        return self._names.of(kind, self)

    # Changes

    def refresh(self) -> bool:
        """Unload files that have changed; return whether there were any."""
        ruby_changed = self._ruby.refresh()
        if self._hiera is not None:
            self._hiera.begin_input()
        if self._conf is not None:
            self._conf.refresh()
        before, self.modulepath = self.modulepath, self._path()
        self._is_ready = False
        if self.modulepath != before:
            changed = self.autoloader.forget_all()
        else:
            files = self.autoloader.forget_changed()
            changed = bool(files)
            if files or self._changes is not None or self.context.has_catalog:
                self._note_changes(files)
        if self._conf is not None:
            for line in self._site.changes(self._conf.conf.manifest):
                self.context.note(line)
        self._module_set = None
        self._has_data = None
        self._stdlib = None
        if self._names is not None:
            self._names.clear()
        self._types.clear()
        if self.context.has_catalog:
            self.context.catalog.definitions.forget_types()
        return changed or ruby_changed

    def _note_changes(self, files: Mapping[str, LoadedFile]) -> None:
        # A program of one input has none, and does not import what reports them.
        if self._changes is None:
            from puppet_repl.environment.modules.changes import Changes

            self._changes = Changes(self.context)
        for line in self._changes.lines(files, lambda: self.modules):
            self.context.note(line)

    def forget(self, name: str) -> None:
        """Forget the file that defines a name, so that it is loaded again."""
        self.autoloader.forget(name)
