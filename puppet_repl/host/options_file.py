"""Options of a session in files: ``.puppet-repl.toml`` of a repository, profiles of config.toml.

A repository may be a stranger's. So its file can neither let code start programs or read more, nor
raise a limit, and its paths stay in the repository; see ``_OF_REPOSITORY``.
"""

from __future__ import annotations

import os
import re

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.reach import is_inside
from puppet_repl.base.wording import shortened, why_unusable
from puppet_repl.environment.facts.facts import is_factset
from puppet_repl.host.settings import PROFILES, SettingError, parse_toml
from puppet_repl.language.runtime.options import OPTIONS
from puppet_repl.language.runtime.puppetdb_address import OF_TLS, address_problem, is_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.runtime.option_table import Option

_FACTS = "facts"
# What the file of a repository may set: it starts no program, and reads the repository only.
_OF_REPOSITORY = (
    "enc",
    "environment",
    "facts",
    "hermetic",
    "hiera_config",
    "language",
    "modulepath",
    "node",
    "puppet_settings",
    "ruby",
    "secrets",
    "stdlib",
    "storeconfigs",
    "strict",
    "strict_variables",
    "stubs",
    "trusted",
    "unknown_functions",
    "unknown_types",
)
# Reasons why it cannot set others.
_REFUSED = {
    "allow_generate": "code could start programs",
    "hooks": "they would start programs",
    "puppetdb": "code could ask a server, or write a file",
}
# Engines of Ruby that start no program of the machine.
_SAFE_RUBY = ("off", "sandbox")
_ALLOWED = (*[name for name, row in OPTIONS.items() if row.flag], _FACTS)
_KEY = re.compile(r"""\s*(["']?)([\w-]+)\1\s*[.=]""")
_TABLE = re.compile(r"\s*\[+\s*([^\]]+?)\s*\]+")


class OptionsFileError(Exception):
    """A file that cannot be used; the message names it, with the line, and says why."""


class OptionsFile:
    """The options in a file, as a command line gives them.

    ``base`` has those that always count, ``profile`` returns those of one of the ``profiles``: only
    then the paths of a profile have to exist. ``root`` is the directory of the repository that the
    file is of, None for the user's own file: relative paths are below the directory of the file.
    Raises OptionsFileError.
    """

    def __init__(self, path: str, root: str | None) -> None:
        self.path = path
        self.name = os.path.basename(path)
        self.root = root
        self._shown = os.path.relpath(path) if root is not None else path
        self.base: dict[str, Any] = {}
        self.profiles: dict[str, dict[str, Any]] = {}  # as the file has them
        self._checks_paths = False
        try:
            self._text = read_text(path)
            table = parse_toml(self._text)
        except (OSError, UnicodeDecodeError) as error:
            raise OptionsFileError(f"cannot read {self._shown}: {why_unusable(error)}") from None
        except SettingError as error:
            raise OptionsFileError(f"{self._shown}: {error}") from None
        profiles = table.pop(PROFILES, {})
        if not isinstance(profiles, dict):
            raise self._error("profiles are tables: [profiles.NAME]", PROFILES)
        for name, given in profiles.items():
            if not isinstance(given, dict):
                raise self._error(f"the profile '{name}' is not a table", PROFILES, name)
            self._values(given, PROFILES, name)
            self.profiles[name] = given
        self._checks_paths = True
        if root is not None:  # those of the user are settings
            self.base = self._values(table)

    def profile(self, name: str) -> dict[str, Any]:
        """Return the options of a profile that the file has. Raises OptionsFileError."""
        return self._values(self.profiles[name], PROFILES, name)

    def _values(self, table: dict[str, Any], *above: str) -> dict[str, Any]:
        """Return the values of options by name."""
        return {name: self._value(name, each, above) for name, each in table.items()}

    def _value(self, name: str, value: Any, above: tuple[str, ...]) -> Any:
        allowed = _ALLOWED if self.root is None else _OF_REPOSITORY
        if name not in allowed:
            if name in _ALLOWED or name in _REFUSED:
                reason = _REFUSED.get(name, "it is for the user to choose")
                raise self._refusal(name, reason, above)
            hint = did_you_mean(name, allowed) or f"there are {', '.join(allowed)}"
            raise self._error(f"there is no option '{name}'; {hint}", *above, name)
        if name == "ruby" and self.root is not None and value not in _SAFE_RUBY:
            reason = f"only {' or '.join(map(repr, _SAFE_RUBY))} start no program"
            raise self._refusal(name, reason, above)
        try:
            return self._taken(name, value)
        except SettingError as error:
            raise self._error(f"{name}: {error}", *above, name) from None

    def _taken(self, name: str, value: Any) -> Any:
        """Return a value as the parser of a command line does. Raises SettingError."""
        if name == _FACTS:
            return [each if is_factset(each) else self._path(each) for each in _texts(value)]
        row = OPTIONS[name]
        if row.kind == "switch":
            return _checked(value, bool, "true or false")
        if row.kind == "path":
            text: str = _checked(value, str, "a path")
            if name == "puppetdb" and is_address(text):
                problem = address_problem(text)
                if problem is not None:
                    raise SettingError(problem)
                return text
            path = self._path(text)
            if name == "enc" and self.root is not None and self._checks_paths:
                _check_data(path)
            return path
        if row.kind == "paths":
            return [self._path(each) for each in _texts(value)]
        if row.kind == "search_path":
            paths = [self._path(each) for each in _texts(value)]
            if any(os.pathsep in path for path in paths):
                raise SettingError(f"a directory of modules cannot have '{os.pathsep}' in its name")
            return os.pathsep.join(paths)
        if row.kind in ("extensions", "settings"):
            given = _checked(value, dict, "a table")
            if self.root is not None:
                _check_settings(given)
            return [f"{key}={_plain(each)}" for key, each in given.items()]
        return _of_choices(row, value)

    def _path(self, text: str) -> str:
        """Return an absolute path, in the repository if the file is of one. Raises SettingError."""
        if "\0" in text:
            raise SettingError("a path cannot have NUL in it")
        directory = os.path.dirname(os.path.abspath(self.path))
        if self.root is None:
            return os.path.normpath(os.path.join(directory, os.path.expanduser(text)))
        path = os.path.normpath(os.path.join(directory, text))
        if not self._checks_paths:
            return path
        if not os.path.lexists(path):
            raise SettingError(f"there is no {text}")
        if not is_inside(path, self.root):
            raise SettingError(f"{text} is outside of the repository")
        return path

    def _refusal(self, name: str, reason: str, above: tuple[str, ...]) -> OptionsFileError:
        text = f"'{name}' cannot be set in the file of a repository: {reason}"
        return self._error(text, *above, name)

    def _error(self, message: str, *names: str) -> OptionsFileError:
        return OptionsFileError(f"{self._shown}:{_line_of(self._text, names)}: {message}")


def _checked(value: Any, kind: type, words: str) -> Any:
    if isinstance(value, kind):
        return value
    raise SettingError(f"{words} is needed, not {shortened(repr(value), 40)}")


def _check_data(path: str) -> None:
    """Raise SettingError for a classifier that could be a program."""
    from puppet_repl.session.classification import ENDINGS

    if not (path.endswith(ENDINGS) or os.path.isdir(path)):
        raise SettingError(f"a file of data ends in {', '.join(ENDINGS)}: programs are refused")


def _check_settings(given: dict[str, Any]) -> None:
    """Raise SettingError for a setting that would decide whom the user's PuppetDB is.

    The keys are those of tables of extensions as well, which have other names.
    """
    refused = next((name for name in OF_TLS if name in given), None)
    if refused is not None:
        raise SettingError(f"{refused} is for the user to choose: --setting {refused}=FILE")


def _texts(value: Any) -> list[str]:
    """Return the strings of an array, or a single one."""
    given = value if isinstance(value, list) else [value]
    return [_checked(each, str, "a string, or an array of strings,") for each in given]


def _plain(value: Any) -> str:
    """Return a value of a table as the command line has it."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(_checked(value, (str, int), "a string"))  # type: ignore[arg-type]


def _of_choices(row: Option, value: Any) -> Any:
    if row.choices:
        if value not in row.choices:
            raise SettingError(f"{', '.join(row.choices)} are the choices, not {value!r}")
        return value
    if row.kind in ("limit", "number", "size"):
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
        if not is_number or (row.highest is not None and value > row.highest):
            raise SettingError(f"a number is needed, not {shortened(repr(value), 40)}")
        return value
    return _checked(value, str, "a string")


def _line_of(text: str, names: tuple[str, ...]) -> int:
    """Return the number of the line with a key, or of the table that it is in.

    ``names`` are those of its tables and its own. An inline table is one line.
    """
    best, depth = 1, 0
    table: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        header = _TABLE.match(line)
        key = _KEY.match(line)
        if header is not None:
            table = [part.strip(" \"'") for part in header[1].split(".")]
            here = table
        elif key is not None:
            here = [*table, key[2]]
        else:
            continue
        if len(here) > depth and tuple(here) == names[: len(here)]:
            best, depth = number, len(here)
    return best
