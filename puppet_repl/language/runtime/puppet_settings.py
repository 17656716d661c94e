"""The values of Puppet's settings, as ``$settings::NAME`` has them where a server compiles.

A value is text as in puppet.conf, which may name other settings: ``$confdir/ssl``. It is converted
by the kind of its setting, with Puppet's messages.
"""

from __future__ import annotations

import os
import re

from puppet_repl.base.matching import did_you_mean
from puppet_repl.language.runtime.puppet_settings_table import SETTINGS
from puppet_repl.language.values.ruby import ruby_class, ruby_inspect, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from puppet_repl.language.values.protocols import Value

# The settings that decide how code is run: options of a session, of the same names.
OPTIONS = (
    "environment",
    "hiera_config",
    "modulepath",
    "storeconfigs",
    "strict",
    "strict_variables",
)
# Settings that Puppet refuses in puppet.conf.
_OF_ENVIRONMENT = ("config_version", "manifest")
# Settings that environment.conf changes for its environment.
_FIRST_OF_ENVIRONMENT = (
    "environment_data_provider",
    "environment_timeout",
    "rich_data",
    "static_catalogs",
)
# The only setting in which $environment stands for the name of the environment.
_WITH_ENVIRONMENT = "config_version"
_REFERENCE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")
_ENVIRONMENT = re.compile(r"\$(?:environment\b|\{environment\})")
# The owner and the permissions of a file, which Puppet removes from a value.
_OF_FILE = re.compile(r"\{(?:\s*(?:owner|group|mode)\s*=\s*\w+\s*(?:,|(?=\})))+\}")
_SECONDS = re.compile(r"([0-9]+)([ydhms]?)")
_UNITS = {"y": 365 * 86_400, "d": 86_400, "h": 3_600, "m": 60, "s": 1, "": 1}
_INTEGER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]+|[1-9][0-9_]*|0)")
_PRIORITIES = {"high": -10, "normal": 0, "low": 10, "idle": 19}
_HIGHEST_PORT = 65_535
_PATHS = ("directory", "file", "file_or_directory", "path")
# Enough to judge values before there is a session.
_OF_ANY_SESSION = {"certname": "localhost"}


class SettingProblem(ValueError):
    """A setting that Puppet does not have, or a value that it refuses."""


class IsOption(SettingProblem):
    """A setting that is an option of the session, which ``name`` names."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the setting '{name}' is an option of its own")
        self.name = name


class PuppetSettings:
    """All settings: those that are given, then those of a session, then Puppet's defaults.

    The settings that environment.conf may change come from there first. ``given`` are values as
    ``taken`` returns them. ``warnings`` are those of Puppet about the values that were read so far.
    With ``is_hermetic``, paths are refused that depend on the process: relative ones, and those
    that begin with ``~``.
    """

    def __init__(
        self,
        given: Mapping[str, object],
        of_session: Mapping[str, object],
        *,
        is_hermetic: bool = False,
    ) -> None:
        self._given = given
        self._of_session = of_session
        self._is_hermetic = is_hermetic
        self.warnings: list[str] = []
        self._values: dict[str, Value] = {}
        self._pending: list[str] = []

    def all(self) -> dict[str, Value]:
        """Return the values of all settings by name. Raises SettingProblem."""
        return {name: self.value(name) for name in SETTINGS}

    def value(self, name: str) -> Value:
        """Return the value of a setting, which must exist. Raises SettingProblem."""
        if name not in self._values:
            kind = self._kind(name)
            text = self._text(name)
            if name != "code":
                text = self._interpolated(name, text)
                if self._is_hermetic and kind in _PATHS and name not in self._of_session:
                    _check_absolute(name, kind, text)
                text = _CONVERSIONS[kind](name, text) if kind in _CONVERSIONS else text
            self._values[name] = text
        return self._values[name]

    def _kind(self, name: str) -> str:
        kind: str = SETTINGS[name][0]
        return self._kind(SETTINGS[name][1]) if kind == "alias" else kind

    def _text(self, name: str) -> Any:
        values = (self._given, self._of_session)
        for each in reversed(values) if name in _FIRST_OF_ENVIRONMENT else values:
            if name in each:
                return each[name]
        if name == "manifest":
            return os.path.join(self._environment(), str(self.value("default_manifest")))
        if name == "modulepath":
            own = os.path.join(self._environment(), "modules")
            return os.pathsep.join([own, str(self.value("basemodulepath"))])
        kind, default = SETTINGS[name][:2]
        return self._text(default) if kind == "alias" else default

    def _environment(self) -> str:
        """Return the directory of the environment, where it is on a server."""
        path = str(self.value("environmentpath")).partition(os.pathsep)[0]
        return os.path.join(path, str(self._of_session.get("environment", "production")))

    def _interpolated(self, name: str, text: Any) -> Any:
        if not isinstance(text, str) or "$" not in text:
            return text
        if name in self._pending:
            raise SettingProblem(f"the setting '{name}' refers to itself")
        self._pending.append(name)
        try:
            made = _REFERENCE.sub(lambda found: self._referred(name, found), text)
        except _NoValue as problem:
            raise _NoValue(f"Error converting value for param '{name}': {problem}") from None
        finally:
            self._pending.pop()
        if name != _WITH_ENVIRONMENT and _ENVIRONMENT.search(text):
            self.warnings.append(
                f"You cannot interpolate $environment within '{name}' when using directory"
                f" environments. Its value will remain {made}."
            )
        return made

    def _referred(self, name: str, found: re.Match[str]) -> str:
        other = found[1] or found[2]
        if other == "run_mode":
            return "server"
        if other == "environment" and name != _WITH_ENVIRONMENT:
            return found[0]
        value = self.value(other) if other in SETTINGS else None
        if value is None:
            raise _NoValue(f"Could not find value for {found[0]}")
        return ruby_text(value)


class _NoValue(SettingProblem):
    """A value names a setting that has none."""


def symbols() -> list[str]:
    """Return the names of the settings whose texts are symbols in Ruby."""
    kinds = ("certificate_revocation", "symbolic_enum", "terminus")
    return [name for name, row in SETTINGS.items() if row[0] in kinds]


def taken(given: Mapping[str, object]) -> dict[str, object]:
    """Return settings as a session keeps them: texts as in puppet.conf, truth values and numbers.

    Raises SettingProblem.
    """
    found = {name: _translated(name, value) for name, value in given.items()}
    settings = PuppetSettings(found, _OF_ANY_SESSION)
    for name in (*found, *SETTINGS):  # a message begins with a given name if it can
        settings.value(name)
    certname = found.get("certname")
    if isinstance(certname, str) and certname != certname.lower():
        raise SettingProblem("Certificate names must be lower case")
    is_fixed = settings.value("disable_per_environment_manifest")
    if is_fixed and not os.path.isabs(str(settings.value("default_manifest"))):
        raise SettingProblem(
            "The 'default_manifest' setting must be set to an absolute path when"
            " 'disable_per_environment_manifest' is true"
        )
    return found


def _translated(name: str, value: object) -> object:
    """Return a given value as Puppet reads it from puppet.conf."""
    if name not in SETTINGS:
        near = did_you_mean(name, SETTINGS)
        raise SettingProblem(f"Puppet has no setting '{name}'{f'; {near}' if near else ''}")
    if name in OPTIONS:
        raise IsOption(name)
    if name in _OF_ENVIRONMENT:
        raise SettingProblem(f"Cannot set {name} settings in puppet.conf")
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value):
        return tuple(value)
    if not isinstance(value, str):
        raise SettingProblem(f"'{name}' is a text, a list of texts, a number, or true or false")
    text = _OF_FILE.sub("", value.strip(), count=1)
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    return re.sub(r"^[\"']|[\"']$", "", text).rstrip()


def hermetic_settings_problem(given: Mapping[str, object]) -> str | None:
    """Return why a hermetic session cannot have settings as ``taken`` returns them, or None."""
    try:
        PuppetSettings(given, _OF_ANY_SESSION, is_hermetic=True).all()
    except SettingProblem as problem:
        return str(problem)
    return None


def _check_absolute(name: str, kind: str, value: object) -> None:
    """Raise SettingProblem for a path that says nothing without the process that reads it."""
    if isinstance(value, str):
        for path in _split(os.pathsep, value) if kind == "path" else (value,):
            if not os.path.isabs(path):
                raise SettingProblem(
                    f"a hermetic session takes absolute paths only, not '{path}' as '{name}'"
                )


# Conversions, by kind


def _path(name: str, value: Any) -> Any:
    """Return a path as Ruby's File.expand_path does."""
    return os.path.abspath(os.path.expanduser(value)) if isinstance(value, str) else value


def _paths(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return os.pathsep.join([_path(name, each) for each in _split(os.pathsep, value)])


def _split(pattern: str, text: str) -> list[str]:
    """Return what Ruby's String#split does: no empty parts at the end."""
    parts = re.split(pattern, text)
    while parts and not parts[-1]:
        parts.pop()
    return parts


def _boolean(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return bool(value == "true")
    raise SettingProblem(f"Invalid value '{ruby_inspect(value)}' for boolean parameter: {name}")


def _integer(name: str, value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = value.strip() if isinstance(value, str) else ""
    if _INTEGER.fullmatch(text) and not text.endswith("_") and "__" not in text:
        digits = text.lstrip("+-").replace("_", "")
        if digits[:1] == "0" and digits[1:2].isdigit():
            digits = f"0o{digits[1:]}"
        return int(digits, 0) * (-1 if text[0] == "-" else 1)
    raise SettingProblem(
        f"Cannot convert '{ruby_inspect(value)}' to an integer for parameter: {name}"
    )


def _port(name: str, value: Any) -> int:
    number = _integer(name, value)
    if 0 <= number <= _HIGHEST_PORT:
        return number
    raise SettingProblem(f"Value '{number}' is not a valid port number for parameter: {name}")


def _seconds(text: object) -> int | None:
    found = _SECONDS.fullmatch(text) if isinstance(text, str) else None
    return None if found is None else int(found[1]) * _UNITS[found[2]]


def _duration(name: str, value: Any) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    seconds = _seconds(value)
    if seconds is None:
        text = ruby_inspect(value)
        raise SettingProblem(f"Invalid duration format '{text}' for parameter: {name}")
    return seconds


def _ttl(name: str, value: Any) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < 0:
            raise SettingProblem(
                f"Invalid negative 'time to live' {value} - did you mean 'unlimited'?"
            )
        return value
    seconds = float("inf") if value == "unlimited" else _seconds(value)
    if seconds is None:
        text = ruby_inspect(value)
        raise SettingProblem(f"Invalid 'time to live' format '{text}' for parameter: {name}")
    return seconds


def _choice(name: str, value: Any) -> Any:
    choices = SETTINGS[name][2]
    if value in choices:
        return value
    quoted = "', '".join(choices)
    raise SettingProblem(
        f"Invalid value '{ruby_text(value)}' for parameter {name}. Allowed values are '{quoted}'"
    )


def _terminus(name: str, value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value or None
    raise SettingProblem(f"Invalid terminus setting: {ruby_text(value)}")


def _array(name: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, tuple):
        return value
    if isinstance(value, str):
        return tuple(_split(r"\s*,\s*", value))
    raise SettingProblem(f"Expected an Array or String, got a {ruby_class(value)}")


def _pairs(name: str, value: Any) -> tuple[Any, ...]:
    return tuple([tuple(_split(":", each)) for each in _array(name, value)])


def _priority(name: str, value: Any) -> int | None:
    if value is None or value is False:
        return None
    if isinstance(value, int) and value is not True:
        return value
    if isinstance(value, str):
        if re.search("[0-9]", value):
            found = re.match(r"\s*([+-]?[0-9]+)", value)
            return int(found[1]) if found else 0
        if value in _PRIORITIES:
            return _PRIORITIES[value]
    raise SettingProblem(f"Invalid priority format '{ruby_inspect(value)}' for parameter: {name}")


def _revocation(name: str, value: Any) -> Any:
    if value is True or value in ("chain", "true", "leaf"):
        return "leaf" if value == "leaf" else "chain"
    if value is False or value is None or value == "false":
        return False
    raise SettingProblem(
        f"Invalid certificate revocation value {ruby_text(value)}:"
        " must be one of 'true', 'chain', 'leaf', or 'false'"
    )


def _autosign(name: str, value: Any) -> Any:
    if value is True or value == "true":
        return True
    if value is False or value is None or value == "false":
        return False
    if os.path.isabs(ruby_text(value)):
        return value
    raise SettingProblem(
        f"Invalid autosign value {ruby_text(value)}: must be 'true'/'false' or an absolute path"
    )


_CONVERSIONS: dict[str, Callable[[str, Any], Any]] = {
    "array": _array,
    "autosign": _autosign,
    "boolean": _boolean,
    "certificate_revocation": _revocation,
    "directory": _path,
    "duration": _duration,
    "enum": _choice,
    "file": _path,
    "file_or_directory": _path,
    "http_extra_headers": _pairs,
    "integer": _integer,
    "path": _paths,
    "port": _port,
    "priority": _priority,
    "server_list": _pairs,
    "symbolic_enum": _choice,
    "terminus": _terminus,
    "ttl": _ttl,
}
