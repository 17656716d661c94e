"""What a user may set: one table, a file to keep it in, and the values in force.

The engine's settings are options of the session (``is_setting`` in their table), the others are
the front end's to obey. ``config.toml`` is a flat table of the same names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress

from puppet_repl.base.deadline import limit_problem
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.log_levels import LEVELS, THRESHOLDS
from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.wording import why_unusable
from puppet_repl.language.runtime.option_table import Option
from puppet_repl.language.runtime.option_values import accepts, wanted
from puppet_repl.language.runtime.options import OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import Any

    from puppet_repl.host.history import StrPath
    from puppet_repl.language.runtime.option_table import Kind
    from puppet_repl.language.runtime.options import Options

# The settings that are options of a session, under the same names.
OF_THE_ENGINE = tuple(name for name, row in OPTIONS.items() if row.is_setting)
# Switches may also be written so.
_ON = ("on", "true", "yes", "1")
_OFF = ("off", "false", "no", "0")
_SWITCHED = {True: "on", False: "off"}
# Texts that are written in quotes: with blanks, or in quotes already, which would be taken off.
_NEEDS_QUOTES = re.compile(r"""\s|^(['"])(.*\1)?$""", re.DOTALL)
# What a file holds for a setting of each kind, and the types of TOML.
_IN_TOML: dict[Kind, str] = {
    "limit": "a number or 'off'",
    "number": "an integer",
    "settings": "a table",
    "switch": "true or false",
}
_TYPES: dict[type, str] = {
    bool: "a Boolean",
    int: "an integer",
    float: "a float",
    list: "an array",
    dict: "a table",
}
# The table of the profiles, options of sessions that have a name.
PROFILES = "profiles"
TOO_DEEP = "it is nested too deeply"


class SettingError(Exception):
    """An unknown name or a wrong value; the message describes a valid one."""


class Setting(Option):
    """One setting; a change of one that ``resets`` begins the session anew: only a command does.

    One that is not ``at_prompt`` is read from the configuration file only.
    """

    def __init__(
        self,
        name: str,
        kind: Kind,
        default: object,
        summary: str,
        choices: tuple[str, ...] = (),
        *,
        highest: int | None = None,
        resets: bool = False,
        at_prompt: bool = True,
        flag: str = "",
    ) -> None:
        self.name = name
        self.kind = kind
        self.default = default
        self.help = summary
        self.choices = ("on", "off") if kind == "switch" else choices
        self.highest = highest
        self.resets = resets
        self.at_prompt = at_prompt
        self.flag = flag

    def listed_values(self) -> tuple[str, ...]:
        """Return the values to choose from, none for a text."""
        return theme_names() if self.kind == "theme" else self.choices

    def parse(self, text: str) -> Any:
        """Return the value that ``text`` denotes; raise SettingError where it denotes none."""
        text = text.strip()
        if self.kind == "switch":
            if text.lower() in _ON:
                return True
            if text.lower() in _OFF:
                return False
            raise SettingError(f"{self.name} is on or off, not '{text}'")
        if self.kind == "limit":
            return self._parse_limit(text)
        if self.kind == "theme" and text not in theme_names():
            hint = did_you_mean(text, theme_names()) or ":set theme lists them"
            raise SettingError(f"there is no theme '{text}'; {hint}")
        if self.kind in ("program", "text"):
            is_quoted = text and text[0] == text[-1] and text[0] in ("'", '"')
            return text[1:-1] if is_quoted else text
        value = _number(text) if self.kind == "number" else text
        if not accepts(self, value):
            raise SettingError(f"{self.name} is {wanted(self)}, not '{text}'")
        return value

    def _parse_limit(self, text: str) -> float | None:
        if text.lower() in _OFF[:3]:
            return None
        value = _number(text, whole=False)
        if not accepts(self, value):
            raise SettingError(f"{self.name} is {wanted(self)}, or off, not '{text}'")
        problem = limit_problem()
        if problem is not None:
            raise SettingError(f"{self.name} cannot be kept: {problem}")
        return value

    def of_toml(self, value: object) -> Any:
        """Return the value that one of a TOML file stands for.

        Raises SettingError where it is of another type, or denotes no value of this setting.
        """
        is_text = self.kind in ("program", "text")
        if self.kind == "settings" and isinstance(value, dict):
            return _of_puppet(self.name, value)
        is_plain = self.kind != "settings"
        if isinstance(value, str) and is_plain:
            # Text is not stripped: blanks at the end of a prompt are intended.
            return value if is_text else self.parse(value)
        if isinstance(value, int) and is_plain and not is_text and value.bit_length() < 64:
            return self.parse(_SWITCHED[value] if isinstance(value, bool) else str(value))
        if isinstance(value, float) and self.kind == "limit":
            return self.parse(str(value))
        expected = _IN_TOML.get(self.kind, "a string")
        raise SettingError(f"{self.name} is {expected}, not {_of_type(value)}")

    def show(self, value: object) -> str:
        """Return a value as ``:set`` writes and reads it."""
        if isinstance(value, bool):
            return _SWITCHED[value]
        text = "off" if value is None else str(value)
        if self.kind in ("program", "text") and _NEEDS_QUOTES.search(text or " "):
            return f"'{text}'"
        return text


def _of_puppet(name: str, given: dict[str, object]) -> dict[str, object]:
    """Return settings of Puppet as a session keeps them; raise SettingError for wrong ones."""
    # Few users set any, and Puppet has many.
    from puppet_repl.language.runtime.puppet_settings import IsOption, taken

    try:
        return taken(given)
    except IsOption as problem:
        row = OPTIONS[problem.name]
        option = row.name if row.is_setting else row.flag
        raise SettingError(f"{name}: {problem}: {option}") from None
    except ValueError as problem:
        raise SettingError(f"{name}: {problem}") from None


def _number(text: str, *, whole: bool = True) -> float | None:
    """Return the number that a text denotes, a whole one as an integer; None for none."""
    if text.isascii() and (text.isdigit() or not whole):
        with suppress(ValueError, OverflowError):
            number = float(text)
            return int(number) if number.is_integer() else number
    return None


def _of_the_engine(*, at_prompt: bool) -> Iterator[Setting]:
    """Yield the options of a session that are settings."""
    for row in OPTIONS.values():
        if row.is_setting and row.at_prompt == at_prompt:
            yield Setting(
                row.name,
                row.kind,
                row.default,
                row.help,
                row.choices,
                highest=row.highest,
                resets=row.resets,
                at_prompt=at_prompt,
                flag=row.flag,
            )


OF_THE_EDITOR = (
    Setting("theme", "theme", "puppet", "colours: 'puppet' or any style of Pygments"),
    Setting("editing_mode", "choice", "emacs", "the keys of emacs or vi (F4)", ("emacs", "vi")),
    Setting(
        "background",
        "choice",
        "auto",
        "the background of the terminal; auto asks it, or reads COLORFGBG",
        ("auto", "dark", "light"),
    ),
    Setting("prompt", "text", "puppet [{n}]> ", "the prompt; {n} is the number of the input"),
    Setting("pager", "switch", True, "show output that is taller than the screen in a pager"),
    Setting("complete_while_typing", "switch", True, "offer completions as you type"),
    Setting("documentation", "switch", True, "explain completions, and calls as you type them"),
    Setting("suggest_from_history", "switch", True, "show the rest of an earlier input in grey"),
    Setting("close_brackets", "switch", False, "close brackets and quotes as you open them"),
    Setting("check_syntax", "switch", True, "underline syntax errors while you type"),
    Setting("advice", "switch", True, "warn of probable mistakes in what you type"),
    Setting("show_type", "switch", True, "show the type after a result"),
    Setting("show_assignments", "switch", True, "show the value of an input that assigns it"),
    Setting("log_level", "choice", "notice", "the lowest log level that is shown", THRESHOLDS),
)
OF_THE_SESSION = tuple(_of_the_engine(at_prompt=True))
AT_PROMPT = (*OF_THE_EDITOR, *OF_THE_SESSION)
"""The settings that ``:set`` and the panel show, those that are changed most first."""

SETTINGS = (
    *AT_PROMPT,
    Setting(
        "shell_marks",
        "switch",
        True,
        "mark prompts and output for the terminal (OSC 133)",
        at_prompt=False,
    ),
    *_of_the_engine(at_prompt=False),
)
"""All settings that the configuration file may have."""


def _of_type(value: object) -> str:
    """Return the type of a TOML value in words; an Integer may be too long to be shown."""
    if isinstance(value, int) and value.bit_length() >= 64:
        return f"an integer of {value.bit_length()} bits"
    return _TYPES.get(type(value), "a date or a time")


def find_setting(name: str) -> Setting:
    """Return the setting of that name; raise SettingError, with the nearest name, for others."""
    wanted = name.replace("-", "_")
    for setting in SETTINGS:
        if setting.name == wanted:
            return setting
    names = (setting.name for setting in SETTINGS)
    hint = did_you_mean(wanted, names) or ":set lists all"
    raise SettingError(f"there is no setting '{name}'; {hint}")


def find_setting_at_prompt(name: str) -> Setting:
    """Return a setting that commands may change; raise SettingError for any other name."""
    setting = find_setting(name)
    if setting.at_prompt:
        return setting
    flag = f"the option {setting.flag} or " if setting.flag else ""
    raise SettingError(f"{setting.name} is set before the start: by {flag}a line of config.toml")


def theme_names() -> tuple[str, ...]:
    """Return 'puppet' and the styles that come with Pygments (plug-ins are not searched)."""
    from pygments.styles import STYLE_MAP

    return ("puppet", *sorted(STYLE_MAP))


class Settings:
    """The present values. The functions ``changed`` are called with the name of a changed setting.

    ``chosen`` are the names of settings that a user has set, in a file or by typing.
    """

    def __init__(self) -> None:
        self.values: dict[str, Any] = {setting.name: setting.default for setting in SETTINGS}
        self.changed: list[Callable[[str], None]] = []
        self.chosen: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def set(self, name: str, text: str) -> Setting:
        """Set from text; raise SettingError where the name or the value is wrong."""
        setting = find_setting(name)
        self.put(setting.name, setting.parse(text))
        self.chosen.add(setting.name)
        return setting

    def put(self, name: str, value: object) -> None:
        """Set a value that is known to be right."""
        self.values[name] = value
        for notify in self.changed:
            notify(name)

    def restore(self, setting: Setting, value: object) -> None:
        """Give a setting its default again, as if the user had never set it."""
        self.put(setting.name, value)
        self.chosen.discard(setting.name)

    def shows(self, level: str) -> bool:
        """Tell whether log messages of that level are wanted; those above ``err`` always are."""
        hidden = LEVELS[: LEVELS.index(self.values["log_level"])]
        return level not in hidden

    def take_from(self, options: Options) -> None:
        """Copy the options of a session to the engine's settings."""
        for name in OF_THE_ENGINE:
            self.values[name] = getattr(options, name)

    def apply_to(self, options: Options) -> None:
        """Copy the engine's settings to the options of a session."""
        for name in OF_THE_ENGINE:
            setattr(options, name, self.values[name])

    def load(self, path: StrPath) -> list[str]:
        """Read a file, if it exists; return a line for each wrong or outdated setting."""
        try:
            table = parse_toml(read_text(os.fspath(path)))
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            return [f"cannot read {path}: {why_unusable(error)}"]
        except SettingError as error:
            return [f"{path}: {error}"]
        table.pop(PROFILES, None)  # which are read when somebody names one
        problems = [f"{path}: {notice}" for notice in rename_old_settings(table)]
        for name, value in table.items():
            try:
                setting = find_setting(name)
                self.values[setting.name] = setting.of_toml(value)
                self.chosen.add(setting.name)
            except SettingError as error:
                problems.append(f"{path}: {error}")
        return problems

    def save(self, path: StrPath, name: str, *, restored: bool = False) -> bool:
        """Write one setting to a file; everything else in it, comments too, stays as it is.

        One that was ``restored`` is removed from the file. Without it there, nothing is written,
        and False is returned. Settings with outdated names get those
        of today. Raises OSError where the file cannot be read or written, and SettingError where it
        is not TOML.
        """
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        from puppet_repl.base.file_replacement import replace_file

        try:
            text = read_text(os.fspath(path)) if os.path.exists(path) else ""
            # The messages of tomllib are clearer, and the same as when the file is loaded.
            parse_toml(text)
            document = tomlkit.parse(text)
        except UnicodeDecodeError as error:
            reason = why_unusable(error)
            raise SettingError(f"{path} is not valid, nothing was saved: {reason}") from error
        except RecursionError:
            raise SettingError(f"{path} is not valid, nothing was saved: {TOO_DEEP}") from None
        except (SettingError, TOMLKitError, ValueError) as error:
            raise SettingError(f"{path} is not valid, nothing was saved: {error}") from error
        rename_old_settings(document)
        if restored:
            if name not in document:
                return False
            document.remove(name)
        else:
            value = self.values[name]
            document[name] = "off" if value is None else value
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            replace_file(path, tomlkit.dumps(document), mode=0o600)
        except OSError as error:
            error.filename = error.filename or os.fspath(path)  # a full disk names none
            raise
        return True


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table that a text denotes. Raises SettingError, which says where it is wrong."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingError(str(error)) from None
    except RecursionError:
        raise SettingError(TOO_DEEP) from None
    except ValueError:  # of Python's own types, whose limits are not TOML's
        raise SettingError("a number or a date is out of range") from None


def rename_old_settings(table: MutableMapping[str, Any]) -> list[str]:
    """Give settings that were renamed their names of today; return a notice for each.

    ``puppet_strict`` became ``strict``, and the switch ``strict`` became ``bind_once``. Where a
    table has the new name as well, that one counts.
    """
    notices = []
    if isinstance(table.get("strict"), bool):
        # tomlkit unwraps a Boolean, which loses its comment; item() does not.
        switch = getattr(table, "item", table.get)("strict")
        del table["strict"]
        table.setdefault("bind_once", switch)
        notices.append("the switch 'strict' is called 'bind_once' now")
    if "puppet_strict" in table:
        level = table.pop("puppet_strict")
        table.setdefault("strict", level)
        notices.append("'puppet_strict' is called 'strict' now")
    return notices
