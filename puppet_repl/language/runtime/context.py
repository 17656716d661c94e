"""The state of a session that compiled code, functions and the catalog share."""

from __future__ import annotations

from _thread import RLock

from puppet_repl.base.errors import RuntimeFailure, location_text
from puppet_repl.language.runtime import issues
from puppet_repl.language.runtime.call_names import CallNames
from puppet_repl.language.runtime.layers import Layers
from puppet_repl.language.runtime.scope import Scope
from puppet_repl.language.runtime.shared import Shared
from puppet_repl.language.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType
    from typing import Any, Protocol, TypeAlias

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.base.private_store import PrivateStore
    from puppet_repl.base.reach import Reach
    from puppet_repl.base.stamp import NotedFiles, Stamp
    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.exports import ExportStore
    from puppet_repl.environment.modules.environment import Environment
    from puppet_repl.environment.ruby.host import RubyHost
    from puppet_repl.language.compiler.failures import Failure
    from puppet_repl.language.compiler.program import CompiledProgram
    from puppet_repl.language.functions.registry import Function
    from puppet_repl.language.runtime.access import Access
    from puppet_repl.language.runtime.closure import Closure, UserFunction
    from puppet_repl.language.runtime.layers import AnyFunction
    from puppet_repl.language.runtime.operators import Arithmetic
    from puppet_repl.language.runtime.options import Options
    from puppet_repl.language.runtime.placeholders import Placeholders
    from puppet_repl.language.runtime.user_types import TypeOrigin
    from puppet_repl.language.syntax.outline import Outline
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.defined import DefinedType
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session.classification import Classification

    Log: TypeAlias = Callable[[str, str], None]

    class RenderEpp(Protocol):
        """Renders a template: the text of a file, or the argument of inline_epp()."""

        def __call__(self, source: Source, parameters: Value, *, inline: bool) -> Value: ...

    class CompileText(Protocol):
        """Parses, validates and compiles a text, and defines its functions and types."""

        def __call__(
            self,
            source: Source,
            context: Context,
            module_name: str | None,
            module_file: str | None,
            check: Callable[[Outline], None] | None,
        ) -> CompiledProgram: ...


class Context(Layers):
    """The state of one session. Two contexts share only the parts of ``shared``.

    ``names`` are the globals of compiled code: operators, and user-defined functions by name and
    number of arguments, so that a call needs no lookup and later definitions take effect in earlier
    code. ``reach`` limits the files that a hermetic session may read; other sessions have None.
    """

    def __init__(
        self,
        options: Options,
        facts: dict[str, Any] | None = None,
        log: Log | None = None,
    ) -> None:
        super().__init__()
        self.options = options
        self._log = log
        # Called with a line about what an input did that its program does not log.
        self.note: Callable[[str], None] = _ignore
        # Called at the end of an input or other work, before its result is known to anybody.
        self.end_messages: Callable[[], None] = _nothing
        self.facts = facts
        self.find_builtin: Callable[[str], Function | None] = _no_builtin
        # Functions of Python; no other function of their names counts.
        self.given: dict[str, Function] = {}
        # Functions that Puppet lacks; those of the user and of modules hide them.
        self.find_added: Callable[[str], Function | None] = _no_builtin
        self.make_catalog: Callable[[Context], Catalog] | None = None
        self.find_exports: Callable[[], ExportStore | None] = _no_exports
        self.compile_text: CompileText | None = None
        self.shared = Shared()
        self.reach: Reach | None = None
        self.locate: Callable[[BaseException], PuppetError] = _unlocated
        self.top_variable: Callable[[str], Value] = _no_variable
        # Whether the manifests of a site, or a program in their place, are compiled.
        self.compiles_site = False
        self.render_epp: RenderEpp | None = None
        self.make_environment: Callable[[Context], Environment | None] | None = None
        self._environment_lock = RLock()
        self.make_classification: Callable[[Context, str], Classification] | None = None
        self._classification: Classification | None = None
        self.query_puppetdb: Callable[[Context, object], Any] = _no_puppetdb
        self.make_ruby: Callable[[Context], RubyHost] | None = None
        self._ruby: RubyHost | None = None
        self._arithmetic: Arithmetic | None = None
        self._access: Access | None = None
        self.top = Scope(self, "top")
        self.scope = self.top
        self.names: dict[str, Any] = {}
        self.call_names = CallNames(self)
        # The placeholders of secrets that could not be read; None before the first one.
        self.placeholders: Placeholders | None = None
        self._bytes: dict[int, tuple[str, bytes]] = {}
        # The store of compiled files, if any; None before the first use.
        self.program_store: tuple[PrivateStore | None] | None = None
        # The frames of the last error, where somebody may want to look at them.
        self.keeps_failures = False
        self.failure: Failure | None = None
        # What notes the files that the body of a class or define uses, while one runs.
        self.body_files: NotedFiles | None = None
        # Stops the code that runs, for debug::break(); False where nobody could look.
        self.stop_here: Callable[[], bool] = _no_stop

    @property
    def node_name(self) -> str:
        """The certname of the node. Collects the facts that say it, unless it was given."""
        if self.facts is None and not self.options.node:
            self.top_variable("facts")
        return self.options.certname(self.facts)

    @property
    def classification(self) -> Classification | None:
        """What an external node classifier says about the node, asked once; None without one.

        Raises PuppetError.
        """
        if self.make_classification is not None:
            node = self.node_name  # the facts that say it may have asked the classifier
            make = self.make_classification
            if make is not None:
                self._classification = make(self, node)
                self.make_classification = None
        return self._classification

    @property
    def environment_name(self) -> str:
        """The name of the environment, which a classifier may say, else the options."""
        found = self.classification
        return (found and found.environment) or self.options.environment_name

    @property
    def has_server(self) -> bool:
        """Whether the catalog of a node is compiled as by a server, whose facts are variables."""
        return self.compiles_site or bool(self.options.node)

    @property
    def exports(self) -> ExportStore | None:
        """The exported resources of other nodes; None without storeconfigs."""
        return self.find_exports()

    # Strings of bytes

    def mark_bytes(self, text: str, data: bytes) -> str:
        """Note that a string has Ruby's encoding for bytes; return it.

        It is a String like all others, except that a catalog holds it as a Binary. The encoding is
        one of the object: an equal string may have another one.
        """
        if len(text) > 1:  # Python has only one object for a shorter one
            self._bytes[id(text)] = (text, data)
        return text

    @property
    def has_bytes(self) -> bool:
        """Whether any string was marked as bytes."""
        return bool(self._bytes)

    def bytes_of(self, text: str) -> bytes | None:
        """Return the bytes of a string that was marked as bytes, None for other strings."""
        found = self._bytes.get(id(text))
        return None if found is None else found[1]

    # Logs

    def log(self, level: str, message: str) -> None:
        """Report a message at a level of Puppet's (debug ... emerg)."""
        if self._log is not None:
            self._log(level, message)

    def redirect_log(self, log: Log | None) -> Log | None:
        """Pass messages to another function from now on; return the one before."""
        before, self._log = self._log, log
        return before

    def has_warned(self, key: str) -> bool:
        """Tell whether ``warn_once`` has warned already."""
        return key in self._warned

    def warn_once(self, key: str, message: str) -> bool:
        """Warn, once in a session for each key; tell whether this was the first time."""
        return self.log_once(key, "warning", message)

    def warn_of_difference(self, name: str, source: Source, place: tuple[int, int | None]) -> None:
        """Warn, once for a place, that Puppet ends in an error where this session goes on.

        ``name`` is that of a row of ``base.differences``, ``place`` the line and the column, if
        that is known.
        """
        from puppet_repl.base.differences import warning_of

        warning = warning_of(name, self.options.profile)
        if warning:
            message = f"{warning} {location_text(source.name, *place)}"
            self.warn_once(f"difference {id(source)} {message}", message)

    def log_once(self, key: str, level: str, message: str) -> bool:
        """Log a message, once in a session for each key; tell whether this was the first time."""
        if key in self._warned:
            return False
        self._warned.add(key)
        self.log(level, message)
        return True

    def check_reach(self, path: str) -> None:
        """Raise RuntimeFailure for a path that a hermetic session may not read."""
        if self.reach is not None and not self.reach.allows(path):
            raise issues.out_of_reach(path)

    def note_file(self, path: str, stamp: Stamp | None) -> None:
        """Note that the code that runs uses a file, which may be missing."""
        if self.body_files is not None:
            self.body_files.files.setdefault(path, stamp)

    @property
    def environment(self) -> Environment | None:
        """The modules and data, created once, when something is first looked up in them."""
        if self.make_environment is not None:
            # Completion may ask for it beside an input: both get the same environment.
            with self._environment_lock:
                make = self.make_environment
                if make is not None:
                    self._environment = make(self)
                    self.make_environment = None
        return self._environment

    @property
    def ruby(self) -> RubyHost:
        """The Ruby of modules; started when it is first needed."""
        if self._ruby is None:
            if self.make_ruby is None:
                raise RuntimeFailure("There is no Ruby here")
            self._ruby = self.make_ruby(self)
        return self._ruby

    @property
    def can_run_ruby(self) -> bool:
        """Whether there is a Ruby to run anything; starts it."""
        return self.make_ruby is not None and self.ruby.has_engine

    @property
    def has_ruby(self) -> bool:
        """Whether the Ruby of modules has been used."""
        return self._ruby is not None

    def close(self) -> None:
        """End what runs beside this process."""
        if self._ruby is not None:
            self._ruby.close()

    # Scopes

    def bind_known(self, name: str) -> bool:
        """Bind a predefined variable of the top scope: a fact or a setting; False without one.

        They are determined at the first use.
        """
        value = self.top_variable(name)
        if value is UNSET:
            return False
        self.top.bind(name, value)
        self.fixed.add(name)
        return True

    def forget_known(self, name: str) -> None:
        """Have a predefined variable determined again when it is next read."""
        if name in self.fixed:
            self.fixed.remove(name)
            del self.top.variables[name]

    @property
    def arithmetic(self) -> Arithmetic:
        """The operators ``+ - * / % << >>``."""
        if self._arithmetic is None:
            from puppet_repl.language.runtime.operators import Arithmetic

            self._arithmetic = Arithmetic(self)
        return self._arithmetic

    @property
    def access(self) -> Access:
        """The operator ``[]``."""
        if self._access is None:
            from puppet_repl.language.runtime.access import Access

            self._access = Access(self)
        return self._access

    @property
    def catalog(self) -> Catalog:
        """The catalog; created at the first use."""
        catalog = self._catalog
        if catalog is None:
            if self.make_catalog is None:
                raise RuntimeFailure("There is no catalog to work on here")
            catalog = self._catalog = self.make_catalog(self)
        return catalog

    @property
    def has_catalog(self) -> bool:
        """Whether the catalog has been used."""
        return self._catalog is not None

    def call_site(self) -> tuple[Source | None, int | None]:
        """Return source and line of the Puppet code that is running."""
        import sys

        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            program = frame.f_globals.get("__puppet__")
            if program is not None:
                return program.source, frame.f_lineno
            frame = frame.f_back
        return None, None

    def access_type(self, type_: PuppetType, keys: tuple[Value, ...]) -> Value:
        """Evaluate ``T[keys...]``; the access of types is imported at the first use."""
        from puppet_repl.language.types.making.access import access

        return access(type_, keys, self)

    # Functions

    def lookup_function(self, name: str) -> AnyFunction | None:
        """Return a built-in function, a user-defined one or one of a module; None if unknown."""
        name = name.removeprefix("::")
        function: AnyFunction | None = (
            self.given.get(name) or self.functions.get(name) or self._found.get(name)
        )
        if function is not None:
            return function
        function = self.find_builtin(name)
        if function is None and self.environment is not None:
            ruby = self.environment.load_function(name)
            function = self.functions.get(name)
            if function is None and ruby is not None:
                function = self._found[name] = ruby
        return self.find_added(name) if function is None else function

    def function_seen_from(self, file: str | None, name: str) -> AnyFunction | None:
        """Return the function that the code of a file calls; without a file, no module's code.

        If several modules have a function of that name, each calls its own.
        """
        function = self.lookup_function(name)
        seen_from = getattr(function, "seen_from", None)
        if seen_from is not None:
            function = seen_from(file)
        return function

    def call_function(
        self, name: str, args: tuple[Value, ...], block: Closure | None = None
    ) -> Any:
        """Call a function by name; raises UNKNOWN_FUNCTION."""
        function = self.lookup_function(name)
        if function is None:
            if self.options.unknown_functions == "warn":
                self.warn_once(f"function {name}", f"Unknown function: '{name}' (it gives undef)")
                return None
            raise issues.unknown_function(name)
        return function.call(self, args, block)

    def define_function(self, function: UserFunction) -> None:
        """Add a user-defined function, or replace an earlier one of that name."""
        name = function.name
        if name in self._defined or (self.options.bind_once and name in self.functions):
            spec = self.functions[name].spec
            raise issues.redefinition("function", name, issues.origin(spec.source, spec.at))
        self._defined.add(name)
        self.functions[name] = function
        self.call_names.bind(name)

    # Types

    def lookup_type(self, name: str) -> PuppetType | None:
        """Return a type that the program or a module defines; None if unknown."""
        key = name.removeprefix("::").lower()
        found: PuppetType | None = self.types.known.get(key)
        if found is not None:
            return found
        if self.environment is not None:
            self.environment.load_type(key)
            found = self.types.known.get(key)
            if found is not None:
                return found
        outer, colons, leaf = key.rpartition("::")
        if colons:
            # The types of a set inside of another one are not known outside of it.
            type_set = self.types.known.get(outer)
            if type_set is not None:
                if not self.types.is_new(outer):
                    type_set.settled()
                found = type_set.member(leaf)
        if found is None:
            self.types.note_unknown(key)
        return found

    def define_type(self, name: str, type_: DefinedType, origin: TypeOrigin) -> None:
        """Add a user-defined type, or replace one of that name from an earlier input."""
        key = name.lower()
        self._check_builtin_type(key)
        self.types.add(key, type_, origin, once=self.options.bind_once)
        self.types_version += 1

    def drop_types(self, keys: Iterable[str]) -> bool:
        """Forget user-defined types by name in lower case; tell whether any was known."""
        self.types_version += 1
        return self.types.drop(keys)

    def _check_builtin_type(self, key: str) -> None:
        from puppet_repl.language.types.making.factory import lookup

        known = lookup(key)
        if known is not None:
            is_reference = known.kind == "Resource" and key != "resource"
            place = None if is_reference or key in _LATE_TYPES else "builtin"
            raise issues.redefinition("type", key, place)

    # Forgetting

    def forget(self, name: str) -> bool:
        """Forget a variable (``$x``), function, type, class or define; False if unknown."""
        if name.startswith("$"):
            return self.top.variables.pop(name[1:], self) is not self
        key = name.removeprefix("::")
        if self._environment is not None:
            self._environment.forget(key if key in self.functions else key.lower())
        if key[:1].isupper():
            return self.drop_types((key.lower(),))
        found = self.functions.pop(key, None) is not None
        if found:
            self.call_names.bind(key)
        if self._catalog is not None and self._catalog.forget(key.lower()):
            found = True
        return found

    # Programs

    def load_program(
        self,
        source: Source,
        module_name: str | None = None,
        module_file: str | None = None,
        check: Callable[[Outline], None] | None = None,
    ) -> CompiledProgram:
        """Parse, validate and compile a source text, and define its functions and types.

        ``module_file`` is passed to validate(); ``check`` may raise further errors about what the
        text defines.
        """
        assert self.compile_text is not None
        return self.compile_text(source, self, module_name, module_file, check)


_LATE_TYPES = frozenset(
    ("annotation", "data", "deferred", "error", "richdata", "richdatakey", "target", "task")
)
"""Built-in types that Puppet itself defines in Puppet code."""


def _ignore(text: str) -> None:
    pass


def _nothing() -> None:
    pass


def _no_stop() -> bool:
    return False


def _no_variable(name: str) -> Value:
    return UNSET


def _no_puppetdb(context: Context, query: object) -> Any:
    raise RuntimeFailure("There is no PuppetDB here")


def _no_exports() -> ExportStore | None:
    return None


def _no_builtin(name: str) -> Function | None:
    return None


def _unlocated(error: BaseException) -> PuppetError:
    raise error
