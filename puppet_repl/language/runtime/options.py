"""The options of a session: settings of Puppet that the language depends on, and limits."""

from __future__ import annotations

import os

from puppet_repl.base.profiles import DEFAULT_LANGUAGE, LANGUAGES, PROFILES

# The values of Puppet's setting strict.
STRICTNESS = ("error", "warning", "off")
# What becomes of functions, resource types and resources that cannot be found, or run.
UNKNOWN = ("error", "warn")
# The versions of the bundled stdlib, by the choices of the option.
STDLIBS = ("9", "8", "off")
DEFAULT_STDLIB = "9"
# How long Ruby may take for a call, in seconds.
RUBY_SECONDS = 60
MAX_RUBY_SECONDS = 86_400
# The choices of Ruby that a hermetic session can obey.
_HERMETIC_RUBY = ("auto", "sandbox", "off")
# The memory limit of code, in bytes.
MAX_MEMORY = 1 << 30
# The highest limit of the time of an input, in seconds.
MAX_SECONDS = 86_400

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import Any, Literal, TypeAlias

    from puppet_repl.base.profiles import Profile

    Path: TypeAlias = "str | os.PathLike[str]"
    Strictness: TypeAlias = Literal["error", "warning", "off"]
    Unknown: TypeAlias = Literal["error", "warn"]


def is_time_limit(value: object) -> bool:
    """Tell whether a value is a number of seconds that an input can be limited to."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 < value <= MAX_SECONDS


def hermetic_ruby_problem(choice: str) -> str | None:
    """Return why a hermetic session cannot have a Ruby, None for one that it can have."""
    if choice in _HERMETIC_RUBY:
        return None
    return f"a hermetic session does not run '{choice}', only the sandbox"


def _check_choice(name: str, value: object, choices: Collection[str]) -> None:
    if value not in choices:
        raise ValueError(f"{name} is one of {', '.join(choices)}, not {value!r}")


def _check_number(name: str, value: object, least: int, most: int | None = None) -> None:
    if isinstance(value, int) and not isinstance(value, bool) and least <= value:
        if most is None or value <= most:
            return
    limits = f"at least {least}" if most is None else f"from {least} to {most}"
    raise ValueError(f"{name} is a whole number, {limits}, not {value!r}")


def _path(name: str, value: Path | None) -> str | None:
    if value is None or isinstance(value, (str, os.PathLike)):
        return None if value is None else os.fspath(value)
    raise TypeError(f"{name} is a path, not {value!r}, a {type(value).__name__}")


def _paths(
    name: str, value: Path | Iterable[Path], separator: str | None = None
) -> tuple[str, ...]:
    """Return several paths; one that is given alone may be several, joined by the separator."""
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        return tuple(part for part in text.split(separator) if part) if separator else (text,)
    try:
        return tuple([_path(name, each) or "" for each in value])
    except TypeError:
        raise TypeError(f"{name} is a path, or a sequence of paths, not {value!r}") from None


def _warn(text: str) -> None:
    """Warn the program that uses this package, at its own line."""
    import sys
    import warnings

    depth = 1
    while sys._getframe(depth).f_globals.get("__name__", "").startswith("puppet_repl."):
        depth += 1
    warnings.warn(text, stacklevel=depth + 1)


class Options:
    """The settings of one session; they stay as they are while an input runs.

    Each is checked: ValueError is raised for a value that is none of its choices, TypeError for one
    of another kind. ``language`` is a profile of the language by name. Another one counts from the
    reset of the session on.

    ``strict`` is Puppet's setting. With ``bind_once`` all inputs share one scope, as in one
    manifest: no name is bound twice. ``node`` is the name of the node, without it the facts say it;
    ``trusted`` are the extensions of its certificate. ``modulepath`` are directories in search
    order, or one text in which they are joined as in Puppet's setting; one that is no directory is
    ignored, as in Puppet, and warned of. ``hiera_config`` is the path of the global layer's
    hiera.yaml. ``max_memory`` is the
    memory limit of code, in bytes; ``max_seconds`` limits the time of one input, None is no limit.
    The time is limited in the main thread only, and not on Windows, which has no timer for it.

    A ``hermetic`` session depends on nothing of this machine: code reads files of its modules and
    of its environment only, runs no programs, and sees neither facts nor variables of this process.
    A ``ruby`` of this machine is refused then.

    With ``storeconfigs``, Puppet's setting, exported resources are kept for other nodes.

    ``stdlib`` chooses the bundled stdlib, which counts where the module path has none. ``ruby``
    runs the Ruby of modules: "sandbox", "system", the path of a ruby, "off", or "auto", the sandbox
    if it is installed; ``ruby_seconds`` limits the time of Ruby itself for a call. With "warn" an
    unknown function is undef and an unknown resource type is accepted, with a warning each, and a
    reference to a resource that is not declared waits for a later input, until the catalog is
    finished.

    With ``cache`` the code of files is kept in the user's cache directory; a hermetic session
    leaves that alone.
    """

    __slots__ = (
        "allow_generate",
        "bind_once",
        "cache",
        "environment",
        "hermetic",
        "hiera_config",
        "language",
        "max_memory",
        "max_seconds",
        "modulepath",
        "node",
        "references",
        "ruby",
        "ruby_seconds",
        "stdlib",
        "storeconfigs",
        "strict",
        "strict_variables",
        "stubs",
        "trusted",
        "unknown_functions",
        "unknown_types",
    )

    def __init__(
        self,
        *,
        language: str = DEFAULT_LANGUAGE,
        strict: Strictness = "error",
        strict_variables: bool = True,
        bind_once: bool = False,
        allow_generate: bool = False,
        hermetic: bool = False,
        max_memory: int = MAX_MEMORY,
        max_seconds: float | None = None,
        modulepath: Path | Iterable[Path] = (),
        environment: Path | None = None,
        node: str | None = None,
        trusted: Mapping[str, object] | None = None,
        hiera_config: Path | None = None,
        stubs: Path | Iterable[Path] = (),
        stdlib: str = "off",
        storeconfigs: bool = True,
        ruby: str = "auto",
        ruby_seconds: int = RUBY_SECONDS,
        unknown_functions: Unknown = "error",
        unknown_types: Unknown = "error",
        references: Unknown = "error",
        cache: bool = True,
    ) -> None:
        _check_choice("language", language, LANGUAGES)
        _check_choice("strict", strict, STRICTNESS)
        _check_choice("stdlib", stdlib, STDLIBS)
        _check_choice("unknown_functions", unknown_functions, UNKNOWN)
        _check_choice("unknown_types", unknown_types, UNKNOWN)
        _check_choice("references", references, UNKNOWN)
        _check_number("max_memory", max_memory, 1)
        _check_number("ruby_seconds", ruby_seconds, 1, MAX_RUBY_SECONDS)
        if node is not None and not isinstance(node, str):
            raise TypeError(f"node is a string, not {node!r}")
        if max_seconds is not None and not is_time_limit(max_seconds):
            raise ValueError(f"max_seconds is above 0, up to {MAX_SECONDS}, not {max_seconds!r}")
        problem = hermetic_ruby_problem(ruby) if hermetic else None
        if problem is not None:
            raise ValueError(problem)
        self.language = language
        self.strict: Strictness = strict
        self.strict_variables = strict_variables
        self.bind_once = bind_once
        self.allow_generate = allow_generate
        self.hermetic = hermetic
        self.max_memory = max_memory
        self.max_seconds = max_seconds
        self.modulepath = _paths("modulepath", modulepath, os.pathsep)
        for path in self.modulepath:
            if not os.path.isdir(path):
                _warn(f"modulepath: {path} is not a directory and is ignored")
        self.environment = _path("environment", environment)
        self.node = node
        self.trusted: Mapping[str, object] = dict(trusted or {})
        self.hiera_config = _path("hiera_config", hiera_config)
        self.stubs = _paths("stubs", stubs)
        self.stdlib = stdlib
        self.storeconfigs = storeconfigs
        self.ruby = ruby
        self.ruby_seconds = ruby_seconds
        self.unknown_functions: Unknown = unknown_functions
        self.unknown_types: Unknown = unknown_types
        self.references: Unknown = references
        self.cache = cache

    def copy(self) -> Options:
        """Return options with the same values, to be changed for another session."""
        made = Options()
        for name in self.__slots__:
            setattr(made, name, getattr(self, name))
        return made

    @property
    def profile(self) -> Profile:
        """What the language of the session has, where its profiles differ."""
        return PROFILES[self.language]

    @property
    def may_run_programs(self) -> bool:
        """Whether code may start programs of this machine."""
        return self.allow_generate and not self.hermetic

    @property
    def environment_name(self) -> str:
        """The name of the environment: of its directory, where that is a name that Puppet accepts.

        It is 'production', as in Puppet, where none was chosen, and for a directory like
        ``control-repo``, which no environment can be named after.
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
