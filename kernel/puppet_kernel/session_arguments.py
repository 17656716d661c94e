"""The options of a session in a kernelspec: ``... -f {connection_file} --environment DIR``.

They are those of the command line. Jupyter's own options are beside them and are left to it.
"""

from __future__ import annotations

import argparse
import os
from typing import NoReturn

from puppet_repl.environment.facts.facts import is_factset
from puppet_repl.host.host import Host
from puppet_repl.host.session_options import (
    UsageError,
    add_session_options,
    host_of,
    make_absolute,
)
from puppet_repl.host.surroundings import take_surroundings
from puppet_repl.session import DEFAULT_STDLIB, Options


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def _parser() -> argparse.ArgumentParser:
    # An abbreviation could be meant for Jupyter.
    parser = _Parser(add_help=False, allow_abbrev=False)
    add_session_options(parser)
    return parser


def split_arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Return the arguments that describe the session, and all others, which are Jupyter's."""
    takes_value = {
        name: action.nargs is None
        for action in _parser()._actions
        for name in action.option_strings
    }
    own: list[str] = []
    others: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        name, equals, _ = argument.partition("=")
        if name not in takes_value:
            others.append(argument)
            continue
        own.append(argument)
        if takes_value[name] and not equals:
            own += [value for value in (next(rest, None),) if value is not None]
    return own, others


def host_of_arguments(arguments: list[str]) -> tuple[Host, list[str]]:
    """Return the host of a kernel, and the problems of the arguments, a line each.

    A kernel has to start, or its notebook shows no error: a wrong option drops all options.
    """
    problems: list[str] = []
    try:
        given = _parser().parse_args(arguments)
        take_surroundings(given, problems.append)
        return host_of(given, problems.append), problems
    except UsageError as error:
        problems.append(f"{error}; the kernel has started without its options")
        # Whoever restricts the session means it whatever else is wrong.
        options = Options(stdlib=DEFAULT_STDLIB, hermetic="--hermetic" in arguments)
        return Host(options), problems


def absolute_arguments(arguments: list[str]) -> list[str]:
    """Return checked arguments in which all paths are absolute. Raises UsageError.

    A kernel starts in the directory of its notebook, not where it was installed.
    """
    parser = _parser()
    given = parser.parse_args(arguments)
    host_of(given).session.close()
    make_absolute(given)
    if given.facts:
        given.facts = [each if is_factset(each) else os.path.abspath(each) for each in given.facts]
    written: list[str] = []
    for action in parser._actions:
        value = getattr(given, action.dest)
        option = action.option_strings[0]
        if value == action.default:
            continue
        if isinstance(value, bool):
            written.append(option)
            continue
        for each in value if isinstance(value, list) else [value]:
            written += [option, str(each)]
    return written
