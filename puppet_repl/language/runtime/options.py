"""The options of a session: settings of Puppet that the language depends on, and limits.

``Options`` is a table with a row for each. From its rows follow the checks, the arguments of the
command line and of the kernel (``host/session_options.py``), the settings of the prompt
(``host/settings.py``), and the keys of ``batch`` with their schema
(``frontends/cli/batch_options.py``). Whoever adds an option adds a row, and a line to
``SessionOptions``, from which type checkers know the keyword arguments of the API's functions.
"""

from __future__ import annotations

import os

from puppet_repl.base.profiles import DEFAULT_LANGUAGE, LANGUAGES, PROFILES
from puppet_repl.language.runtime.option_table import Table, option

# The values of Puppet's setting strict.
STRICTNESS = ("error", "warning", "off")
# What becomes of functions, resource types and resources that cannot be found, or run.
_UNKNOWN = ("error", "warn")
# What becomes of secrets in the data that cannot be read here.
_SECRETS = ("error", "placeholder")
DEFAULT_STDLIB = "9"
# How long Ruby may take for a call, in seconds.
RUBY_SECONDS = 60
# The choices of Ruby that a hermetic session can obey.
_HERMETIC_RUBY = ("auto", "sandbox", "off")
# The memory limit of code, in bytes.
MAX_MEMORY = 1 << 30
# The highest limit of a time, in seconds: a day.
_MAX_SECONDS = 86_400
# Those that are also settings of the language server.
_IN_EDITORS = {"max_seconds": "maxSeconds"}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Literal, Protocol, TypeAlias, TypedDict

    from puppet_repl.base.profiles import Profile
    from puppet_repl.base.reach import Reach
    from puppet_repl.language.runtime.option_table import (
        DataValue,
        ExtensionsValue,
        Functions,
        FunctionsValue,
        Path,
        PathsValue,
        PathValue,
        SettingsValue,
    )

    Spelling: TypeAlias = Literal["argument", "editor", "flag", "key", "setting"]
    Strictness: TypeAlias = Literal["error", "warning", "off"]
    Secrets: TypeAlias = Literal["error", "placeholder"]
    Unknown: TypeAlias = Literal["error", "warn"]

    class Found(Protocol):
        """A module, or an environment, that the user has not named but is in."""

        @property
        def environment(self) -> str | None: ...
        @property
        def modulepath(self) -> tuple[str, ...]: ...
        @property
        def problem(self) -> str | None: ...
        @property
        def text(self) -> str: ...
        def reach(self, modulepath: Iterable[str], named: Iterable[str]) -> Reach: ...

    class SessionOptions(TypedDict, total=False):
        """The options that functions of the API take beside their own arguments."""

        allow_generate: bool
        bind_once: bool
        cache: bool
        enc: Path | None
        functions: Functions
        hermetic: bool
        language: str
        max_memory: int
        max_seconds: float | None
        puppetdb: Path | None
        puppet_settings: Mapping[str, object]
        references: Unknown
        ruby: str
        ruby_seconds: int
        secrets: Secrets
        stdlib: str
        storeconfigs: bool
        strict: Strictness
        strict_variables: bool
        stubs: Path | Sequence[Path]
        trusted: Mapping[str, object]
        unknown_functions: Unknown
        unknown_types: Unknown


class Options(Table):
    """The settings of one session; they do not change while an input runs.

    Each is checked: ValueError is raised for a value that is not among the choices, TypeError for a
    value of another kind. ``language`` names a profile of the language; a change takes effect at
    the reset of the session.

    ``strict`` is Puppet's setting. With ``bind_once`` all inputs share one scope, as in one
    manifest: a name cannot be bound twice. ``node`` is the name of the node, by default from the
    facts; ``trusted`` are the extensions of its certificate. ``enc`` is the path of a file with
    what an external node classifier prints about the node, of a directory with such a file for each
    node, or of a program. ``modulepath`` are directories in search order, or one text in which they
    are joined as in Puppet's setting; a path that is not a directory is ignored, as in Puppet, with
    a warning. ``hiera_config`` is the path of the global layer's hiera.yaml; ``data`` is a mapping
    of keys to values that come before all layers, or several, of which later ones come first.
    ``functions`` are callables of Python, by the names of the functions that they replace in the
    session, or a list of those that ``puppet_repl.function`` has declared. ``puppet_settings`` are
    further settings of Puppet, by name, which ``$settings::NAME`` shows. ``max_memory`` is the
    memory limit of code, in bytes; ``max_seconds`` limits the time of one input, in any thread;
    None means no limit.

    A ``hermetic`` session does not depend on this machine: code reads files of its modules and of
    its environment only, runs no programs, and sees neither facts nor variables of this process. A
    ``ruby`` of this machine is refused.

    With ``storeconfigs``, Puppet's setting, exported resources are kept for other nodes.
    ``puppetdb`` is the path of a file with such resources and with answers to queries, or the
    address of a server, which no hermetic session asks.

    ``stdlib`` chooses the bundled stdlib, which is used if the module path has none. ``ruby`` runs
    the Ruby of modules: "sandbox", "system", the path of a ruby, "off", or "auto", the sandbox if
    it is installed; ``ruby_seconds`` limits the time of Ruby itself for a call. With "warn" an
    unknown function is undef and an unknown resource type is accepted, with a warning each, and a
    reference to a resource that is not declared waits for a later input, until the catalog is
    finished. ``secrets`` says what becomes of encrypted values whose key is not here, and of levels
    of the data that cannot be asked: an error, or placeholders, which one warning counts.

    With ``cache`` the code of files is kept in the user's cache directory, except by hermetic
    sessions.
    """

    environment: PathValue = option(
        default=None,
        kind="path",
        flag="--environment DIR",
        help="an environment (environment.conf, ...)",
        key_help="the directory of an environment, or a mere name, that of $environment",
    )
    modulepath: PathsValue = option(
        default=(),
        kind="search_path",
        flag="--modulepath DIRS",
        help="directories of modules",
        flag_help="directories of modules, joined by ':'",
    )
    node: str | None = option(
        default=None, kind="text", flag="--node NAME", help="the name of the node"
    )
    enc: PathValue = option(
        default=None,
        kind="path",
        flag="--enc FILE",
        help="the ENC: its YAML, a directory with NODE.yaml, or a program",
        key_help="a file with YAML as an ENC prints it, or a directory with NODE.yaml",
    )
    trusted: ExtensionsValue = option(
        default={},
        kind="extensions",
        flag="--trusted NAME=VALUE",
        help="extensions in the node's certificate",
        flag_help="an extension in the node's certificate: pp_role=web; may be repeated",
    )
    hiera_config: PathValue = option(
        default=None,
        kind="path",
        flag="--hiera-config FILE",
        help="the hiera.yaml of the global layer of data",
    )
    data: DataValue = option(
        default=(),
        kind="data",
        no_key="a request has the data of files",
        help="data on top of all layers",
    )
    functions: FunctionsValue = option(
        default={},
        kind="functions",
        no_key="only a program in Python has them",
        help="functions of Python in place of those of modules",
    )
    puppet_settings: SettingsValue = option(
        default={},
        kind="settings",
        flag="--setting NAME=VALUE",
        is_setting=True,
        at_prompt=False,
        resets=True,
        help="settings of Puppet, for $settings::NAME",
        key_help="settings of Puppet, for $settings::NAME",
        flag_help="a setting, as in puppet.conf: ca_server=ca.lan; may be repeated",
    )
    stubs: PathsValue = option(
        default=(),
        kind="paths",
        flag="--stubs FILE",
        help="files with Puppet functions that replace functions written in Ruby",
        flag_help="Puppet functions in place of functions in Ruby; may be repeated",
    )
    strict: Strictness = option(
        default="error",
        kind="choice",
        choices=STRICTNESS,
        flag="--strict",
        is_setting=True,
        help="Puppet's setting strict: how doubtful code is reported",
        flag_help="how doubtful code is reported, Puppet's setting (default: error)",
    )
    strict_variables: bool = option(
        default=True,
        kind="switch",
        flag="--no-strict-variables",
        is_setting=True,
        at_prompt=False,
        help="an unknown variable is an error",
        flag_help="with --strict warning or off, unknown variables are undef",
    )
    bind_once: bool = option(
        default=False,
        kind="switch",
        is_setting=True,
        at_prompt=False,
        no_key="without 'session' a request binds each name once",
        help="refuse to reassign a variable in a later input",
    )
    stdlib: str = option(
        default="off",
        kind="choice",
        choices=(DEFAULT_STDLIB, "8", "off"),
        flag="--stdlib",
        is_setting=True,
        help="the bundled stdlib to use if the module path has none",
        flag_help="the bundled stdlib to use if the module path has none"
        f" (default: {DEFAULT_STDLIB}; off with --environment)",
    )
    ruby: str = option(
        default="auto",
        kind="program",
        flag="--ruby ENGINE",
        is_setting=True,
        help="what runs the Ruby of modules: auto, sandbox, system, the path of a ruby, or off",
        flag_help="what runs Ruby: auto (default), sandbox, system, a path, or off",
    )
    ruby_seconds: int = option(
        default=RUBY_SECONDS,
        kind="number",
        highest=_MAX_SECONDS,
        flag="--ruby-seconds N",
        is_setting=True,
        at_prompt=False,
        help="the seconds that Ruby may take for a call",
    )
    max_seconds: float | None = option(
        default=None,
        kind="limit",
        highest=_MAX_SECONDS,
        flag="--max-seconds N",
        is_setting=True,
        help="the seconds that an input may take, or off",
        key_help="the seconds that the request may take",
        flag_help="time limit of an input, request or catalog: 10, 0.5 (default: none)",
    )
    max_memory: int = option(
        default=MAX_MEMORY,
        kind="size",
        flag="--max-memory SIZE",
        no_key="the limit is that of the process: puppet-repl batch --max-memory",
        help="memory limit of Puppet code, in bytes",
        flag_help="memory limit of Puppet code: 512M, 2G (default: 1G)",
    )
    unknown_functions: Unknown = option(
        default="error",
        kind="choice",
        choices=_UNKNOWN,
        flag="--unknown-functions",
        is_setting=True,
        at_prompt=False,
        help="functions in Ruby that cannot be run: an error, or undef with a warning",
        flag_help="Ruby functions that cannot run: an error (default), or a warning",
    )
    unknown_types: Unknown = option(
        default="error",
        kind="choice",
        choices=_UNKNOWN,
        flag="--unknown-types",
        is_setting=True,
        at_prompt=False,
        help="resource types that no file defines: an error, or accepted with a warning",
        flag_help="unknown resource types: an error (default), or a warning",
    )
    secrets: Secrets = option(
        default="error",
        kind="choice",
        choices=_SECRETS,
        flag="--secrets",
        is_setting=True,
        help="secrets in the data that cannot be read here: an error, or placeholders",
        flag_help="secrets that cannot be read: an error (default), or placeholders",
    )
    references: Unknown = option(
        default="error",
        kind="choice",
        choices=_UNKNOWN,
        is_setting=True,
        at_prompt=False,
        no_key="what a request refers to has to be declared at its end",
        help="relationships with resources that no input has declared yet"
        " (default at a prompt: warn)",
    )
    cache: bool = option(
        default=True,
        kind="switch",
        flag="--no-cache",
        is_setting=True,
        at_prompt=False,
        no_key="it is that of the process: puppet-repl batch --no-cache",
        help="keep compiled files in the cache directory",
        flag_help="do not use the cache of compiled files",
    )
    language: str = option(
        default=DEFAULT_LANGUAGE,
        kind="choice",
        choices=LANGUAGES,
        flag="--language",
        is_setting=True,
        resets=True,
        help="Puppet 8 or OpenVox 9 (a change resets the session)",
        key_help="Puppet 8 or OpenVox 9",
        flag_help="Puppet 8.11 and OpenVox 8 (default), or OpenVox 9",
    )
    allow_generate: bool = option(
        default=False,
        kind="switch",
        flag="--allow-generate",
        no_key="batch runs no programs",
        help="let generate() run programs, and --enc one",
    )
    hermetic: bool = option(
        default=False,
        kind="switch",
        flag="--hermetic",
        help="read nothing outside of the modules and the environment; no facts, variables,"
        " programs or Ruby of this machine",
        flag_help="read the modules and the environment only, run no programs",
    )
    puppetdb: PathValue = option(
        default=None,
        kind="path",
        flag="--puppetdb FILE",
        help="PuppetDB: a JSON file with exported resources and answers to queries, or its address",
        flag_help="exported resources and answers: a JSON file, or https://HOST:8081",
    )
    storeconfigs: bool = option(
        default=True,
        kind="switch",
        flag="--no-storeconfigs",
        default_of_key=False,
        help="keep and collect exported resources",
        flag_help="neither keep nor collect exported resources",
    )

    def check(self) -> None:
        """Raise ValueError for options that contradict each other; warn of missing directories."""
        problem = hermetic_problem(self.__dict__) if self.hermetic else None
        if problem is not None:
            raise ValueError(problem[1])
        for path in self.modulepath:
            if not os.path.isdir(path):
                from puppet_repl.base.python_warnings import warn_user

                warn_user(f"modulepath: {path} is not a directory and is ignored")

    def copy(self) -> Options:
        """Return options with the same values, to be changed for another session."""
        made = object.__new__(Options)
        made.__dict__.update(self.__dict__)
        return made

    @property
    def spelling(self) -> Spelling:
        """How the user of the session writes options: as arguments of Python, unless one said so.

        The others are those of the command line, keys of ``batch``, settings of prompt or editor.
        """
        spelling: Spelling = self.__dict__.get("_spelling", "argument")
        return spelling

    def spell(self, spelling: Spelling) -> Options:
        """Say how the user writes options; return these ones."""
        self.__dict__["_spelling"] = spelling
        return self

    def spelt(self, name: str) -> str:
        """Return an option as the user of the session writes it, for messages."""
        row = self.rows[name]
        if self.spelling == "setting" and row.at_prompt:
            return f":set {name} {row.metavar}"
        if self.spelling == "editor" and name in _IN_EDITORS:
            return _IN_EDITORS[name]
        if self.spelling == "argument" or (self.spelling == "key" and not row.no_key):
            return name
        return row.flag

    @property
    def found(self) -> Found | None:
        """The module or environment of the working directory; None if another is named."""
        found: Found | None = self.__dict__.get("_found")
        return found if found is not None and found.environment == self.environment else None

    def find(self, found: Found | None, *, waits: bool) -> Options:
        """Take the modules or the environment that were found; return these options.

        If the site ``waits``, its manifests do not run before the user names a node.
        """
        if found is not None:
            self.environment = found.environment
        self.__dict__["_waits"] = waits
        self.__dict__["_found"] = found
        return self

    @property
    def search_path(self) -> tuple[str, ...]:
        """The named directories of modules, else those of the module that was found."""
        found = self.found
        return self.modulepath or (() if found is None else found.modulepath)

    @property
    def runs_site(self) -> bool:
        """Whether the manifests of the environment run at the start, and the classes of an ENC.

        If the user has named neither, they wait for a node that the user names.
        """
        has_site = self.environment is not None or self.enc is not None
        return has_site and not self.__dict__.get("_waits")

    def name_node(self, name: str) -> None:
        """Set the name of the node, which the user has chosen."""
        self.node = name
        self.__dict__["_waits"] = False

    @property
    def profile(self) -> Profile:
        """The profile of the session's language."""
        return PROFILES[self.language]

    @property
    def may_run_programs(self) -> bool:
        """Whether code may start programs of this machine."""
        return self.allow_generate and not self.hermetic

    @property
    def environment_name(self) -> str:
        """The name of the environment: the name of its directory, if Puppet accepts that name.

        It is 'production', as in Puppet, without an environment, and for a directory like
        ``control-repo``, whose name Puppet does not accept.
        """
        chosen = os.path.basename(os.path.abspath(self.environment)) if self.environment else ""
        is_name = chosen.isascii() and chosen.replace("_", "a").isalnum()
        return chosen if is_name else "production"

    def certname(self, facts: dict[str, Any] | None) -> str:
        """Return the name of the node in lower case: the option, or what the facts say."""
        name = self.node
        if not name and facts:
            networking = facts.get("networking")
            named = networking.get("fqdn") if isinstance(networking, dict) else None
            name = facts.get("clientcert") or named or facts.get("fqdn")
        return str(name or "localhost").lower()


OPTIONS = Options.rows


def hermetic_problem(values: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the name of an option that a hermetic session cannot obey and why, None without one.

    ``values`` are those of options as a session keeps them; any may be missing.
    """
    ruby = values.get("ruby") or "auto"
    if ruby not in _HERMETIC_RUBY:
        return "ruby", f"a hermetic session does not run '{ruby}', only the sandbox"
    puppetdb = values.get("puppetdb")
    if puppetdb:
        from puppet_repl.language.runtime.puppetdb_address import is_address

        if is_address(os.fspath(puppetdb)):
            return "puppetdb", "a hermetic session asks no server"
    settings = values.get("puppet_settings")
    if not settings:
        return None
    # Few sessions are given any, and Puppet has many.
    from puppet_repl.language.runtime.puppet_settings import hermetic_settings_problem

    problem = hermetic_settings_problem(settings)
    return None if problem is None else ("puppet_settings", problem)
