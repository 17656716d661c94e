"""A command line without a subcommand: its options, and whether a program or the prompt is run."""

from __future__ import annotations

import os
import sys

from puppet_repl.cli.program import host_of_program, open_prompt, run_program
from puppet_repl.frontend.host import Host
from puppet_repl.runtime.options import RUBY_SECONDS
from puppet_repl.session import DEFAULT_STDLIB, Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

USAGE = 2


def _options(given: Namespace) -> Options:
    path = given.modulepath.split(os.pathsep) if given.modulepath else []
    return Options(
        strict=given.strict or "error",
        allow_generate=given.allow_generate,
        max_memory=given.max_memory,
        modulepath=tuple(path),
        environment=given.environment,
        node=given.node,
        stubs=tuple(given.stubs or ()),
        stdlib=given.stdlib or ("off" if given.environment else DEFAULT_STDLIB),
        ruby=given.ruby or "auto",
        ruby_seconds=given.ruby_seconds or RUBY_SECONDS,
        unknown_functions=given.unknown_functions or "error",
        unknown_types=given.unknown_types or "error",
    )


def _paths_problem(given: Namespace) -> str | None:
    """Return what is wrong with the files and directories that options name, None if nothing is.

    A directory of modules may be missing, as in Puppet; that is only a warning.
    """
    if given.environment and not os.path.isdir(given.environment):
        return f"--environment: {given.environment} is not a directory"
    for path in given.stubs or ():
        if not os.path.isfile(path):
            return f"--stubs: there is no file {path}"
    for path in (given.modulepath or "").split(os.pathsep):
        if path and not os.path.isdir(path):
            _usage(f"--modulepath: {path} is not a directory and is ignored")
    return None


def run(given: Namespace) -> int:
    """Run what the arguments ask for; return the exit status."""
    problem = _paths_problem(given)
    if problem is not None:
        return _usage(problem)
    facts = None
    if given.facts:
        from puppet_repl.environment.facts import FactsError, load_facts

        try:
            facts = load_facts(given.facts)
        except FactsError as error:
            return _usage(str(error))
    if given.code is not None and given.file is not None:
        return _usage("give either -e CODE or a file, not both")
    if given.code is None and given.file is None and sys.stdin.isatty():
        return _open_prompt(given, facts)
    return _run_text(given, facts)


def _run_text(given: Namespace, facts: dict[str, object] | None) -> int:
    """Run the program that the options name, or the one that is piped in."""
    name = None
    if given.code is not None:
        text = given.code
    elif given.file is not None and given.file != "-":
        name = given.file
        text = _read_file(name)
    else:
        text = _decode(sys.stdin.buffer.read(), "standard input")
    if text is None:
        return USAGE
    host = host_of_program(_options(given), facts)
    return run_program(text, name, host, color=not given.no_color)


def _open_prompt(given: Namespace, facts: dict[str, object] | None) -> int:
    options = _options(given)
    chosen = ("strict", "stdlib", "ruby", "ruby_seconds", "unknown_functions", "unknown_types")
    overrides = {name: getattr(given, name) for name in chosen if getattr(given, name) is not None}
    if given.environment:
        overrides["stdlib"] = options.stdlib  # an environment brings its own modules
    host = Host(options, facts=facts, overrides=overrides)
    return open_prompt(host, plain=given.plain, color=not given.no_color)


def _usage(message: str) -> int:
    print(f"puppet-repl: {message}", file=sys.stderr)
    return USAGE


def _read_file(path: str) -> str | None:
    """Return the text of a file; None after printing why it cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        _usage(f"cannot read {path}: {error.strerror or error}")
        return None
    return _decode(data, path)


def _decode(data: bytes, path: str) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[start : error.start].decode("utf-8")) + 1
        _usage(f"invalid UTF-8 (file: {path}, line: {line}, column: {column})")
        return None
