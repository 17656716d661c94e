"""The options of a command line that describe a session: read alike wherever one is begun.

The prompt, a program, the subcommands that compile or look up, and the kernel have them.
"""

from __future__ import annotations

import os
import re
import sys
from argparse import Action, ArgumentError, ArgumentTypeError
from functools import partial

from puppet_repl.base.deadline import limit_problem
from puppet_repl.base.memory import clear_frames, tune_process
from puppet_repl.base.safe_text import visible
from puppet_repl.environment.facts.facts import FactsError, layered_facts, machine_facts, override
from puppet_repl.host.argument_parser import utf8_text
from puppet_repl.host.host import Host
from puppet_repl.host.session_setup import default_stdlib, make_options, problem_of
from puppet_repl.language.runtime.option_values import accepts, split_paths, wanted
from puppet_repl.language.runtime.options import DEFAULT_STDLIB, OPTIONS, hermetic_problem
from puppet_repl.language.runtime.puppetdb_address import is_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _ActionsContainer, _ArgumentGroup
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.environment.facts.local_facts import Facts
    from puppet_repl.language.runtime.option_table import Kind, Option
    from puppet_repl.language.runtime.options import Options

MIN_MEMORY = 16 << 20
# More than any machine has; the system takes no greater limit than 2^63.
_MAX_MEMORY = 1 << 60
_SHIFTS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


class UsageError(Exception):
    """An option whose value cannot be used; the message names the option and says why."""


# The groups of a help and their options; those of no group belong to "the session".
_GROUPS = {
    "the node": ("node", "enc", "trusted"),
    "modules and data": (
        *("environment", "modulepath", "stdlib", "hiera_config", "secrets", "puppet_settings"),
        *("puppetdb", "storeconfigs"),
    ),
    "the session": (),
    "limits and Ruby (rarely needed)": (
        *("ruby", "ruby_seconds", "unknown_functions", "unknown_types", "stubs"),
        *("max_seconds", "max_memory", "cache"),
    ),
}


def add_session_options(parser: ArgumentParser, several: str = "") -> _ArgumentGroup:
    """Add the options that describe a session; ``host_of`` reads them. Return the group of nodes.

    ``several`` is the help of --node where it may be repeated.
    """
    titles = {"the node": "the nodes"} if several else {}
    groups = {each: parser.add_argument_group(titles.get(each, each)) for each in _GROUPS}
    group_of = {name: groups[title] for title, names in _GROUPS.items() for name in names}
    nodes, session = groups["the node"], groups["the session"]
    if several:
        nodes.add_argument("--node", metavar="NAME", action="append", type=utf8_text, help=several)
    else:
        _add(nodes, OPTIONS["node"])
    _add_facts(nodes)
    for name, row in OPTIONS.items():
        if row.flag and name != "node":
            _add(group_of.get(name, session), row)
    session.add_argument(
        "--profile",
        metavar="NAME",
        action=_OneProfile,
        type=utf8_text,
        help="options of a profile in .puppet-repl.toml or config.toml; or: @NAME",
    )
    session.add_argument("--no-color", action="store_true", help="no colours")
    return nodes


class _OneProfile(Action):
    """Keep the name of the profile; refuse another one."""

    def __call__(self, parser: object, namespace: Namespace, values: Any, flag: Any = None) -> None:
        """Keep a name."""
        name = getattr(namespace, self.dest)
        if name not in (None, values):
            raise ArgumentError(self, f"there is one profile only: {name}, or {values}")
        setattr(namespace, self.dest, values)


def add_options(parser: ArgumentParser, *names: str) -> None:
    """Add some of the options of a session."""
    for name in names:
        _add(parser, OPTIONS[name])


def _add(parser: _ActionsContainer, row: Option) -> None:
    """Add an option; it is None if it is not given, unless it is a switch or a size."""
    how: dict[str, Any] = {"dest": row.name, "help": row.flag_help or row.help}
    if not row.flag_help and row.kind != "switch" and row.default:
        how["help"] += f" (default: {row.default})"
    if row.metavar:
        how["metavar"] = row.metavar
    if row.kind == "switch":
        how["action"] = "store_false" if row.default else "store_true"
    elif row.kind == "choice":
        how["choices"] = row.choices
    elif row.kind in _READERS:
        how["type"] = partial(_READERS[row.kind], row)
    elif row.kind in ("extensions", "settings", "text"):
        how["type"] = utf8_text
    if row.kind == "size":
        how["default"] = row.default
    if row.kind in ("extensions", "paths", "settings"):
        how["action"] = "append"
    parser.add_argument(row.flag, **how)


def make_absolute(given: Namespace) -> None:
    """Make the paths absolute that options name, for a process that is in another directory."""
    for name, row in OPTIONS.items():
        value = getattr(given, name, None)
        if not value:
            continue
        if row.kind == "search_path":
            value = os.pathsep.join(map(os.path.abspath, split_paths(value)))
        elif row.kind == "paths":
            value = [os.path.abspath(path) for path in value]
        elif name == "puppetdb" and is_address(value):
            continue
        elif row.kind == "path" or (row.kind == "program" and os.sep in value):
            value = os.path.abspath(value)
        setattr(given, name, value)


def _add_facts(parser: _ActionsContainer) -> None:
    parser.add_argument(
        "--facts",
        metavar="FILE",
        action="append",
        help="facts of a JSON or YAML file, or a fact set; may be repeated",
    )
    parser.add_argument(
        "--fact",
        metavar="NAME=VALUE",
        action="append",
        type=utf8_text,
        help="one fact, on top of the others: os.family=RedHat; may be repeated",
    )


def host_of(given: Namespace, warn: Callable[[str], None] | None = None) -> Host:
    """Return the host of a session as the options describe it. Raises UsageError.

    ``warn`` is called with warnings, which are printed by default. The user's own files are not
    read: that is for ``Host.read_user_files``.
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
    values = chosen_values(given)
    if given.hermetic:
        _check_hermetic(given, values)
    # These options take precedence over the user's configuration file.
    overrides = {name: each for name, each in values.items() if OPTIONS[name].is_setting}
    found = getattr(given, "found", None)
    _check(values, warn or print_warning, is_found=found is not None)
    if given.environment and found is None:
        overrides.setdefault("stdlib", default_stdlib(given.environment))
    # A file of facts is read under the limit of memory, too.
    tune_process(given.max_memory)
    options, facts = _options_of(values, is_found=found is not None), facts_of(given)
    options.find(found, waits=getattr(given, "waits", False))
    if options.enc is not None:
        _check_classifier(options.enc, options)

    def make(modulepath: tuple[str, ...] = ()) -> Host:
        copied = options.copy()
        copied.modulepath += modulepath
        host = _host(copied, facts, overrides)
        host.options_from = getattr(given, "options_from", [])
        host.of_profile = getattr(given, "of_profile", {})
        host.facts_from = [
            *[("--facts", name) for name in given.facts or ()],
            *[("--fact", assignment) for assignment in given.fact or ()],
        ]
        return host

    return make


def _host(options: Options, facts: Facts | None, overrides: dict[str, object]) -> Host:
    if not options.puppetdb:
        return Host(options, facts=facts, overrides=overrides)
    from puppet_repl.catalog.exports_file import ExportsError

    try:
        return Host(options, facts=facts, overrides=overrides)
    except ExportsError as error:
        raise UsageError(f"--puppetdb: {error}") from None


def _check_hermetic(given: Namespace, values: dict[str, Any]) -> None:
    """Raise UsageError for an option that a hermetic session cannot obey."""
    if given.allow_generate:
        raise UsageError("--allow-generate: a hermetic session runs no programs")
    _refuse(hermetic_problem(values))


def check_node_name(name: str) -> None:
    """Raise UsageError for a text that cannot be the name of a node."""
    _refuse(problem_of({"node": name}))


def _refuse(problem: tuple[str, str] | None) -> None:
    if problem is not None:
        raise UsageError(f"{OPTIONS[problem[0]].flag}: {problem[1]}")


def chosen_values(given: Namespace) -> dict[str, Any]:
    """Return the values of the options that are given, by name. Raises UsageError."""
    values: dict[str, Any] = {}
    for name, row in OPTIONS.items():
        value = getattr(given, name, None)
        if row.kind == "switch":
            if value not in (None, row.default):
                values[name] = value
        elif value:
            values[name] = value
    if "modulepath" in values:
        values["modulepath"] = split_paths(values["modulepath"])
    if "trusted" in values:
        values["trusted"] = named_values("--trusted", values["trusted"])
    if "puppet_settings" in values:
        values["puppet_settings"] = _puppet_settings(values["puppet_settings"])
    return values


def _puppet_settings(given: list[str]) -> dict[str, object]:
    # Few sessions are given any, and Puppet has many.
    from puppet_repl.language.runtime.puppet_settings import IsOption, taken

    try:
        return taken(named_values("--setting", given))
    except IsOption as problem:
        raise UsageError(f"--setting: {problem}: {OPTIONS[problem.name].flag}") from None
    except ValueError as problem:
        raise UsageError(f"--setting: {problem}") from None


def _options_of(values: dict[str, Any], *, is_found: bool) -> Options:
    """Return the options of a session from checked values."""
    environment = values.get("environment")
    if environment:
        values = {**values, "environment": os.path.abspath(environment)}
    stdlib = DEFAULT_STDLIB if is_found else default_stdlib(environment)
    return make_options({"stdlib": stdlib, **values})


def facts_of(given: Namespace) -> Facts | None:
    """Return the facts that the options name, None for the default facts of a session.

    Raises UsageError. A later file overrides earlier ones, fact by fact; single facts override
    files.
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


def named_values(flag: str, given: list[str]) -> dict[str, object]:
    """Return the values of an option by name; each is a String."""
    values: dict[str, object] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"{flag}: '{text}' is not of the form NAME=VALUE")
        values[name.strip()] = value
    return values


def _check(values: dict[str, Any], warn: Callable[[str], None], *, is_found: bool) -> None:
    """Check nodes, files and directories that options name. Raises UsageError.

    A directory of modules may be missing, as in Puppet; that is only a warning. So is a directory
    that does not look like an environment.
    """
    _refuse(problem_of(values))
    if "environment" in values and not is_found:
        from puppet_repl.environment.modules.layout import doubt_of

        doubt = doubt_of(values["environment"])
        if doubt is not None:
            warn(f"--environment: {doubt}")
    for path in values.get("modulepath", ()):
        if not os.path.isdir(path):
            warn(f"--modulepath: {path} is not a directory and is ignored")


def _check_classifier(path: str, options: Options) -> None:
    """Raise UsageError for a program that classifies nodes, but may not run."""
    # Few sessions have a classifier.
    from puppet_repl.session.classification import program_problem

    problem = program_problem(path, options)
    if problem is not None:
        raise UsageError(f"--enc: {problem}")


def print_warning(text: str) -> None:
    """Print a warning about an option."""
    print(f"puppet-repl: {visible(text)}", file=sys.stderr)


def _size(row: Option, text: str) -> int:
    match = re.fullmatch(r"([0-9]{1,19})([KMGT]?)", text.upper())
    if match is None:
        raise ArgumentTypeError(f"not a size: '{text}' (expected a number, with K, M, G or T)")
    size = min(int(match[1]) << _SHIFTS[match[2]], _MAX_MEMORY)
    if size < MIN_MEMORY:
        raise ArgumentTypeError(f"{text} is too little: at least {MIN_MEMORY >> 20}M are needed")
    return size


def _seconds(row: Option, text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) or not accepts(row, float(text)):
        raise ArgumentTypeError(f"not {wanted(row)}: '{text}'")
    problem = limit_problem()
    if problem is not None:
        raise ArgumentTypeError(problem)
    return float(text)


def _number(row: Option, text: str) -> int:
    if text.isascii() and text.isdigit() and accepts(row, int(text)):
        return int(text)
    raise ArgumentTypeError(f"not {wanted(row)}: '{text}'")


# What reads the value of an option of a kind, or raises ArgumentTypeError.
_READERS: dict[Kind, Callable[[Option, str], object]] = {
    "limit": _seconds,
    "number": _number,
    "size": _size,
}
