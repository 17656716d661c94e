"""What a client wants to run: the arguments of the request ``launch``, checked."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.matching import nearest
from puppet_repl.base.wording import why_unusable
from puppet_repl.frontends.debug_adapter.arguments import DebugError, get
from puppet_repl.host.session_options import UsageError, add_session_options, host_of
from puppet_repl.host.surroundings import take_surroundings
from puppet_repl.language.runtime.option_values import split_paths
from puppet_repl.language.types.text.format import code_text
from puppet_repl.language.values.python import from_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from puppet_repl.frontends.debug_adapter.arguments import Message
    from puppet_repl.host.host import Host

KEYS = (
    *("args", "class", "cwd", "environment", "facts", "factSet", "modulePath", "noDebug", "node"),
    *("parameters", "program", "show", "stopOnEntry"),
)
SHOWN = ("catalog", "resources")
INPUT = "launch"
"""What the code is called that declares the class of a launch."""
_MISSPELT = 0.8
_CLASS = re.compile(r"(?:::)?[a-z]\w*(?:::[a-z]\w*)*")
# The arguments that are options of the command line, in whose messages these are named.
_OPTIONS = {
    "--environment": "environment",
    "--node": "node",
    "--modulepath": "modulePath",
    "--facts": "facts",
}


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


class Launch:
    """A program to run, and how to run it; ``host`` has its session.

    One of ``program`` (the absolute path of a manifest or a template, with its ``text``),
    ``class_name`` and nothing, for the manifests of the environment. ``parameters`` are those of
    the class or the template. ``show`` names results to print at the end. Raises DebugError.
    """

    def __init__(self, arguments: Message, warn: Callable[[str], None]) -> None:
        """Read arguments; ``warn`` is called with warnings. The directory of the process changes.

        Raises DebugError for arguments that cannot be used, and FactsError.
        """
        _check_names(arguments)
        self.stops_on_entry = get(arguments, "stopOnEntry", False)
        self.debugs = not get(arguments, "noDebug", False)
        self.show = _words(arguments, "show")
        for each in self.show:
            if each not in SHOWN:
                raise DebugError(f"'show' has 'catalog' and 'resources', not '{each}'")
        self.class_name = get(arguments, "class", "")
        self.parameters: dict[str, Any] = get(arguments, "parameters", {})
        _enter(get(arguments, "cwd", ""))
        self.program, self.text = _program(get(arguments, "program", ""))
        self._check(bool(get(arguments, "environment", "")))
        self.host = _host(arguments, warn)

    def _check(self, has_environment: bool) -> None:
        if self.program and self.class_name:
            raise DebugError("give either a 'program' or a 'class', not both")
        if not (self.program or self.class_name or has_environment):
            raise DebugError("a 'program', a 'class' or an 'environment' is needed to run anything")
        if self.class_name and not _CLASS.fullmatch(self.class_name):
            raise DebugError(f"'class': '{self.class_name}' is not the name of a class")
        if self.parameters and not (self.class_name or self.is_template):
            raise DebugError("'parameters' are for a 'class', or a 'program' that is a template")

    @property
    def is_template(self) -> bool:
        """Whether the program is a template in EPP."""
        return self.program.endswith(".epp")

    @property
    def code(self) -> str:
        """The code that declares the class."""
        if not self.parameters:
            return f"include {self.class_name}"
        given = code_text(from_python(self.parameters))
        return f"class {{ '{self.class_name}': * => {given} }}"


def _check_names(arguments: Message) -> None:
    """Raise DebugError for a name that is almost that of an argument; clients add names."""
    for name in arguments:
        folded = name.replace("_", "").replace("-", "").lower()
        meant = next((each for each in KEYS if each.lower() == folded), None)
        near = meant or nearest(name, KEYS, likeness=_MISSPELT)
        if name not in KEYS and near is not None:
            raise DebugError(f"there is no argument '{name}', did you mean '{near}'?")


def _words(arguments: Message, name: str, others: str = "") -> list[str]:
    """Return an argument that is a string or a list of strings. Raises DebugError.

    ``others`` are further forms that it may have, for the message.
    """
    given = arguments.get(name)
    if given is None:
        return []
    words = given if isinstance(given, list) else [given]
    if not all(isinstance(each, str) for each in words):
        raise DebugError(f"'{name}' has to be {others}a string or a list of strings")
    return words


def _enter(directory: str) -> None:
    if not directory:
        return
    try:
        os.chdir(directory)
    except (OSError, ValueError) as error:
        reason = why_unusable(error) if isinstance(error, OSError) else str(error)
        raise DebugError(f"'cwd': cannot use {directory}: {reason}") from None


def _program(path: str) -> tuple[str, str]:
    """Return the absolute path of a program, and its text. Raises DebugError."""
    if not path:
        return "", ""
    if not path.endswith((".pp", ".epp")):
        raise DebugError(f"'program': {path} is neither a manifest, .pp, nor a template, .epp")
    path = os.path.abspath(path)
    try:
        return path, read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise DebugError(f"'program': cannot read {path}: {why_unusable(error)}") from None


def _host(arguments: Message, warn: Callable[[str], None]) -> Host:
    """Return the host of a session as the arguments describe it. Raises DebugError."""
    parser = _Parser(prog="args", add_help=False, allow_abbrev=False)
    add_session_options(parser)
    facts = arguments.get("facts")
    layers: list[Any] = [*_words(arguments, "factSet")]
    layers += [facts] if isinstance(facts, dict) else _words(arguments, "facts", "an object, ")
    try:
        given = parser.parse_args(_words(arguments, "args"))
        for name in ("environment", "node"):
            setattr(given, name, get(arguments, name, "") or getattr(given, name))
        given.modulepath = _module_path(arguments) or given.modulepath
        given.facts = [*layers, *(given.facts or ())] or None
        take_surroundings(given, warn)
        return host_of(given, warn)
    except UsageError as error:
        raise DebugError(_with_names(str(error))) from None


def _module_path(arguments: Message) -> str:
    """Return the directories of modules as the option has them. Raises DebugError."""
    joined = os.pathsep.join(_words(arguments, "modulePath"))
    for path in split_paths(joined):
        if not os.path.isdir(path):
            raise DebugError(f"'modulePath': {path} is not a directory")
    return joined


def _with_names(message: str) -> str:
    """Return a message about an option that names the argument instead."""
    for option, name in _OPTIONS.items():
        if message.startswith(f"{option}: "):
            return f"'{name}'{message.removeprefix(option)}"
    return message
