"""The options of a command line that describe a session: read alike wherever one is begun.

The prompt, a program, the subcommands that compile or look up, and the kernel have them.
"""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentTypeError

from puppet_repl.base.deadline import timer_problem
from puppet_repl.base.memory import clear_frames, tune_process
from puppet_repl.base.profiles import DEFAULT_LANGUAGE, LANGUAGES
from puppet_repl.base.safe_text import visible
from puppet_repl.environment.facts.facts import FactsError, layered_facts, machine_facts, override
from puppet_repl.host.argument_parser import utf8_text
from puppet_repl.host.host import Host
from puppet_repl.language.runtime.options import (
    DEFAULT_STDLIB,
    MAX_MEMORY,
    MAX_RUBY_SECONDS,
    MAX_SECONDS,
    RUBY_SECONDS,
    STDLIBS,
    STRICTNESS,
    UNKNOWN,
    Options,
    hermetic_ruby_problem,
    is_time_limit,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from puppet_repl.environment.facts.local_facts import Facts

MIN_MEMORY = 16 << 20
# More than any machine has; the system takes no greater limit than 2^63.
_MAX_MEMORY = 1 << 60
_SHIFTS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
# The options that are settings too: what is given here wins over the user's configuration file.
_SETTINGS = (
    "language",
    *("strict", "stdlib", "ruby", "ruby_seconds", "unknown_functions", "unknown_types"),
    "max_seconds",
)


class UsageError(Exception):
    """An option whose value cannot be used; the message names the option and says why."""


def add_session_options(parser: ArgumentParser) -> None:
    """Add the options that describe a session; ``host_of`` reads them."""
    add_language_option(parser)
    _add_node_options(parser)
    _add_ruby_options(parser)
    parser.add_argument(
        "--unknown-functions",
        choices=UNKNOWN,
        help="functions in Ruby that cannot be run are errors, or undef with a warning",
    )
    parser.add_argument(
        "--unknown-types",
        choices=UNKNOWN,
        help="unknown resource types are errors, or accepted with a warning",
    )
    parser.add_argument(
        "--strict",
        choices=STRICTNESS,
        help="Puppet's setting strict: how doubtful code is reported (default: error)",
    )
    parser.add_argument(
        "--no-strict-variables",
        dest="strict_variables",
        action="store_false",
        help="with --strict warning or off an unknown variable is undef, as in Puppet before 8",
    )
    parser.add_argument("--allow-generate", action="store_true", help="let generate() run programs")
    parser.add_argument(
        "--hermetic",
        action="store_true",
        help="read nothing outside of the modules and the environment; no facts, variables,"
        " programs or Ruby of this machine",
    )
    add_limits(parser)
    add_cache_option(parser)
    parser.add_argument("--no-color", action="store_true", help="no colours")


def add_limits(parser: ArgumentParser) -> None:
    """Add the options that limit memory and time."""
    parser.add_argument(
        "--max-memory",
        type=_size,
        default=MAX_MEMORY,
        metavar="SIZE",
        help="memory limit of Puppet code: 512M, 2G",
    )
    parser.add_argument(
        "--max-seconds",
        type=time_limit,
        metavar="N",
        help="time limit of an input, a request or a catalog: 10, 0.5 (default: none)",
    )


def add_cache_option(parser: ArgumentParser) -> None:
    """Add the option that leaves the user's cache directory alone."""
    parser.add_argument(
        "--no-cache",
        dest="cache",
        action="store_false",
        help="neither take compiled files from the cache directory nor keep them there",
    )


def add_language_option(parser: ArgumentParser) -> None:
    """Add the option that chooses the profile of the language."""
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        help="the language: puppet-8 (default: Puppet 8.11, OpenVox 8) or openvox-9",
    )


def _add_node_options(parser: ArgumentParser) -> None:
    """Add the options about files of an environment and about the node."""
    parser.add_argument(
        "--environment", metavar="DIR", help="an environment (environment.conf, ...)"
    )
    parser.add_argument(
        "--modulepath", metavar="DIRS", help="directories of modules, joined by ':'"
    )
    parser.add_argument("--node", metavar="NAME", type=utf8_text, help="the name of the node")
    parser.add_argument(
        "--facts",
        metavar="FILE",
        action="append",
        help="facts from a JSON or YAML file, or the name of a set; may be repeated",
    )
    parser.add_argument(
        "--fact",
        metavar="NAME=VALUE",
        action="append",
        type=utf8_text,
        help="one fact, on top of the others: os.family=RedHat; may be repeated",
    )
    parser.add_argument(
        "--trusted",
        metavar="NAME=VALUE",
        action="append",
        type=utf8_text,
        help="an extension in the node's certificate: pp_role=web; may be repeated",
    )
    parser.add_argument(
        "--hiera-config", metavar="FILE", help="the hiera.yaml of the global layer of data"
    )
    parser.add_argument(
        "--puppetdb", metavar="FILE", help="a JSON file that keeps exported resources"
    )


def _add_ruby_options(parser: ArgumentParser) -> None:
    """Add the options about what modules have in Ruby."""
    parser.add_argument(
        "--stubs",
        metavar="FILE",
        action="append",
        help="Puppet functions that replace functions written in Ruby",
    )
    parser.add_argument(
        "--stdlib",
        choices=STDLIBS,
        help="the stdlib that counts where no module path has one"
        " (default: 9; off with --environment)",
    )
    parser.add_argument(
        "--ruby",
        metavar="ENGINE",
        help="what runs the Ruby of modules: sandbox (default, if installed), system,"
        " the path of a ruby, off",
    )
    parser.add_argument(
        "--ruby-seconds",
        type=_seconds,
        metavar="N",
        help=f"the seconds that Ruby may take for a call (default: {RUBY_SECONDS})",
    )


def host_of(given: Namespace, warn: Callable[[str], None] | None = None) -> Host:
    """Return the host of a session as the options describe it. Raises UsageError.

    ``warn`` is called with what is doubtful; it is printed by default. The user's own files are
    not read: that is for ``Host.read_user_files``.
    """
    return host_maker(given, warn)()


def host_maker(given: Namespace, warn: Callable[[str], None] | None = None) -> Callable[..., Host]:
    """Return what makes hosts as the options describe them, of which each has a session of its own.

    It may be given directories of modules, which count after those of the options.
    Files of facts, which may be pipes, are read once. Raises UsageError, as the function returned
    does where the file of exported resources cannot be used.
    """
    if given.node is not None:
        check_node_name(given.node)
    _check_hermetic(given)
    _check_paths(given, warn or _print_warning)
    overrides: dict[str, object] = {
        name: getattr(given, name) for name in _SETTINGS if getattr(given, name)
    }
    if not given.strict_variables:
        overrides["strict_variables"] = False
    if not given.cache:
        overrides["cache"] = False
    if given.environment:
        overrides.setdefault("stdlib", "off")  # an environment brings its own modules
    # A file of facts is read under the limit of memory, too.
    tune_process(given.max_memory)
    options, facts = options_of(given), facts_of(given)

    def make(modulepath: tuple[str, ...] = ()) -> Host:
        copied = options.copy()
        copied.modulepath += modulepath
        host = _host(copied, facts, overrides, given.puppetdb)
        host.facts_from = [
            *[("--facts", name) for name in given.facts or ()],
            *[("--fact", assignment) for assignment in given.fact or ()],
        ]
        return host

    return make


def _host(
    options: Options, facts: Facts | None, overrides: dict[str, object], puppetdb: str | None
) -> Host:
    if not puppetdb:
        return Host(options, facts=facts, overrides=overrides)
    from puppet_repl.catalog.exports_file import ExportsError

    try:
        return Host(options, facts=facts, overrides=overrides, puppetdb=puppetdb)
    except ExportsError as error:
        raise UsageError(f"--puppetdb: {error}") from None


def _check_hermetic(given: Namespace) -> None:
    """Raise UsageError for an option that a hermetic session cannot obey."""
    if not given.hermetic:
        return
    if given.allow_generate:
        raise UsageError("--allow-generate: a hermetic session runs no programs")
    problem = hermetic_ruby_problem(given.ruby or "auto")
    if problem is not None:
        raise UsageError(f"--ruby: {problem}")


def check_node_name(name: str) -> None:
    """Raise UsageError for a text that can be no name of a node: see ``may_name_file``."""
    if not may_name_file(name):
        raise UsageError(f"--node: '{name}' is no name of a node")


def may_name_file(name: str) -> bool:
    """Tell whether a node's name can be that of a file of the node, which is in its directory.

    As in Puppet it cannot begin with two dots or a drive, and has neither slashes, backslashes nor
    NUL in it, on any system; nor can it be blank.
    """
    has_drive = name[:1].isascii() and name[:1].isalpha() and name[1:2] == ":"
    is_path = has_drive or name.startswith("..") or any(sign in name for sign in "/\\\0")
    return bool(name.strip()) and name != "." and not is_path


def options_of(given: Namespace) -> Options:
    """Return the options of a session. Raises UsageError for an extension that is none."""
    path = given.modulepath.split(os.pathsep) if given.modulepath else []
    options = Options(
        language=given.language or DEFAULT_LANGUAGE,
        strict=given.strict or "error",
        strict_variables=given.strict_variables,
        allow_generate=given.allow_generate,
        hermetic=given.hermetic,
        max_memory=given.max_memory,
        max_seconds=given.max_seconds,
        environment=os.path.abspath(given.environment) if given.environment else None,
        node=given.node,
        trusted=_extensions(given.trusted or ()),
        hiera_config=given.hiera_config,
        stubs=tuple(given.stubs or ()),
        stdlib=given.stdlib or ("off" if given.environment else DEFAULT_STDLIB),
        ruby=given.ruby or "auto",
        ruby_seconds=given.ruby_seconds or RUBY_SECONDS,
        unknown_functions=given.unknown_functions or "error",
        unknown_types=given.unknown_types or "error",
        cache=given.cache,
    )
    options.modulepath = tuple(part for part in path if part)  # what is missing is said already
    return options


def facts_of(given: Namespace) -> Facts | None:
    """Return the facts that the options name, None for those of a session without any.

    Raises UsageError. A later file wins, fact by fact, and single facts win over files.
    """
    try:
        facts = layered_facts(given.facts or ())
        for assignment in given.fact or ():
            facts = override(_own_facts(given) if facts is None else facts, assignment)
    except FactsError as error:
        raise UsageError(str(error)) from None
    except MemoryError as error:
        clear_frames(error)
        raise UsageError("the facts: memory limit exceeded (see --max-memory)") from None
    return facts


def _own_facts(given: Namespace) -> Facts:
    if not given.hermetic:
        return machine_facts()
    from puppet_repl.environment.modules.hermetic import hermetic_facts

    return hermetic_facts()


def _extensions(given: list[str] | tuple[()]) -> dict[str, object]:
    """Return the extensions of a certificate by name; each value is a String, as in one."""
    extensions: dict[str, object] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--trusted: '{text}' is not of the form NAME=VALUE")
        extensions[name.strip()] = value
    return extensions


def _check_paths(given: Namespace, warn: Callable[[str], None]) -> None:
    """Check the files and directories that options name. Raises UsageError.

    A directory of modules may be missing, as in Puppet; that is only a warning. So is a directory
    that does not look like an environment.
    """
    if given.environment:
        _check_environment(given.environment, warn)
    files = [("--stubs", path) for path in given.stubs or ()]
    if given.hiera_config:
        files.append(("--hiera-config", given.hiera_config))
    for option, path in files:
        problem = problem_with_file(path)
        if problem is not None:
            raise UsageError(f"{option}: {problem}")
    for path in (given.modulepath or "").split(os.pathsep):
        if path and not os.path.isdir(path):
            warn(f"--modulepath: {path} is not a directory and is ignored")


def problem_with_file(path: str) -> str | None:
    """Return why a file cannot be used that is read whenever a session begins anew, or None."""
    if os.path.isfile(path):
        return None
    if not os.path.exists(path):
        return f"there is no file {path}"
    if os.path.isdir(path):
        return f"{path} is a directory"
    return f"{path} is no regular file, and has to be: it is read more than once"


def _check_environment(directory: str, warn: Callable[[str], None]) -> None:
    from puppet_repl.environment.modules.layout import doubt_of

    if not os.path.isdir(directory):
        raise UsageError(f"--environment: {directory} is not a directory")
    doubt = doubt_of(directory)
    if doubt is not None:
        warn(f"--environment: {doubt}")


def _print_warning(text: str) -> None:
    print(f"puppet-repl: {visible(text)}", file=sys.stderr)


def _size(text: str) -> int:
    match = re.fullmatch(r"([0-9]{1,19})([KMGT]?)", text.upper())
    if match is None:
        raise ArgumentTypeError(f"not a size: '{text}' (expected a number, with K, M, G or T)")
    size = min(int(match[1]) << _SHIFTS[match[2]], _MAX_MEMORY)
    if size < MIN_MEMORY:
        raise ArgumentTypeError(f"{text} is too little: at least {MIN_MEMORY >> 20}M are needed")
    return size


def time_limit(text: str) -> float:
    """Return the seconds that an argument says. Raises ArgumentTypeError."""
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) and is_time_limit(float(text)):
        problem = timer_problem()
        if problem is not None:
            raise ArgumentTypeError(problem)
        return float(text)
    raise ArgumentTypeError(f"not a number of seconds above 0, up to {MAX_SECONDS}: '{text}'")


def _seconds(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_RUBY_SECONDS:
        return int(text)
    raise ArgumentTypeError(f"not a whole number from 1 to {MAX_RUBY_SECONDS}: '{text}'")
