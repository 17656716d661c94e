"""Find and load the functions that modules define in Ruby.

A function is loaded once. If a loaded file has changed at the next input, Ruby starts again: the
effects of one file in Ruby cannot be undone.
"""

from __future__ import annotations

import os

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.file_reading import read_text
from puppet_repl.environment.modules.ruby_index import ENVIRONMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.environment.modules.environment import Environment
    from puppet_repl.environment.ruby.function_docs import FunctionDescription
    from puppet_repl.language.functions.registry import Function
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_LEGACY = os.path.join("lib", "puppet", "parser", "functions") + os.sep
_OF_PUPPETDB = frozenset(("query_facts", "query_nodes", "query_resources"))


class UnavailableFunction:
    """A function in Ruby where there is no Ruby to run it."""

    __slots__ = ("name", "path")

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self.path = path

    def call(self, context: Context, args: tuple[Value, ...], block: Value = None) -> Value:
        """Raise the error about the missing Ruby, or warn once and return undef."""
        message = f"The function '{self.name}' is in Ruby ({self.path}), which cannot be run here"
        if context.options.unknown_functions == "warn":
            context.warn_once(f"function {self.name}", f"{message} (it gives undef)")
            return None
        # Loaded already: it was asked for a Ruby.
        from puppet_repl.environment.ruby.engines import remedy

        raise RuntimeFailure(
            f"{message}; {remedy(context)}",
            notes=(f"--stubs FILE can hold a function '{self.name}' in Puppet that replaces it",),
        )


class SharedName:
    """A function name that several modules have. Which one is called depends on the calling code.

    A module calls its own, then those of the modules that it depends on, then those of the others.
    """

    __slots__ = ("_environment", "_files", "name")

    def __init__(self, name: str, files: dict[str, str], environment: Environment) -> None:
        self.name = name
        self._files = files
        self._environment = environment

    def seen_from(self, file: str | None) -> Function | UnavailableFunction:
        """Return the function that the code of a file calls; without a file, no module's code."""
        module = None if file is None else self._environment.module_of(file)
        order = [ENVIRONMENT]
        if module is not None:
            order += [module.name, *module.dependencies]
        order += self._files
        owner = next(each for each in order if each in self._files)
        return self._environment.function_at(self.name, self._files[owner])

    def call(
        self, context: Context, args: tuple[Value, ...], block: Closure | None = None
    ) -> Value:
        """Call the function for the Puppet code that runs."""
        source, _ = context.call_site()
        return self.seen_from(None if source is None else source.name).call(context, args, block)


class RubyFunctions:
    """The functions in Ruby of an environment; loaded ones are kept by file."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._loaded: dict[str, Function] = {}
        # The files of 3.x functions by name. The first file loaded for a name is kept.
        self._legacy: dict[str, str] = {}
        self._described: dict[str, tuple[Stamp | None, FunctionDescription | None]] = {}
        self._native: dict[str, tuple[Stamp | None, Function | None]] = {}

    def describe(self, name: str, path: str, theme: str) -> FunctionDescription | None:
        """Return what a file says about its function, for documentation; it is not run.

        ``theme`` says whose it is.
        """
        # The prompt opens without it.
        from puppet_repl.environment.ruby.function_docs import read_function

        stamp = self.context.look.newest_stamp(path)
        known = self._described.get(path)
        if known is None or known[0] != stamp:
            reach = self.context.reach
            try:
                if reach is not None:
                    reach.check(path)
                text = read_text(path, errors="replace")
            except OSError:
                return None
            known = self._described[path] = (stamp, read_function(name, text, theme))
        return known[1]

    def load(self, name: str, path: str) -> Function | UnavailableFunction:
        """Return a function from its file; raise the error of the file."""
        if _LEGACY in path:
            path = self.legacy_file(name, path)
        loaded = self._loaded.get(path)
        if loaded is not None:
            return loaded
        self.context.check_reach(path)
        native = self._answered(name, path) if name in _OF_PUPPETDB else None
        if native is not None:
            return native
        ruby = self.context.ruby
        if not ruby.has_engine:
            return UnavailableFunction(name, path)
        function: Function
        if _LEGACY in path:
            function = ruby.legacy_function(name, path)
        else:
            function = ruby.function(name, path)
        self._loaded[path] = function
        return function

    def _answered(self, name: str, path: str) -> Function | UnavailableFunction | None:
        """Return the function that is built in for a file that connects to PuppetDB, or None."""
        # Few modules have functions of these names.
        from puppet_repl.environment.puppetdb.module_functions import function_of_module

        stamp = self.context.look.newest_stamp(path)
        known = self._native.get(path)
        if known is None or known[0] != stamp:
            known = self._native[path] = stamp, function_of_module(name, path)
        options = self.context.options
        if known[1] is not None and options.puppetdb is None:
            if options.unknown_functions == "warn":
                return UnavailableFunction(name, path)
        return known[1]

    def legacy_file(self, name: str, path: str) -> str:
        """Return the file of the 3.x function that has been loaded, or now is, with this name."""
        return self._legacy.setdefault(name, path)

    def refresh(self) -> bool:
        """Forget everything if a file has changed or Ruby has ended; tell whether it was so."""
        context = self.context
        if not context.has_ruby:
            return False
        ruby = context.ruby
        if ruby.is_running and ruby.is_current:
            ruby.end_if_worn()  # the functions load their files again
            return False
        changed = bool(self._loaded)
        self._loaded.clear()
        self._legacy.clear()
        ruby.end()
        return changed
