"""What a user may set: one table, a file to keep it in, and the values in force.

The engine's settings end up in the session's options, the others are the front-end's to obey.
``config.toml`` is a flat table of the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from puppet_repl.session import Session

FILE_NAME = "config.toml"
STARTUP_NAME = "startup.pp"
APPLICATION = "puppet-repl"


class SettingError(Exception):
    """A name or a value that is not one; the message says what would be right."""


class Setting:
    """One setting: ``choices`` are its values where they can be listed, else ``kind`` says.

    ``kind`` is 'choice', 'switch', 'text', 'number' or 'theme'.
    """

    __slots__ = ("choices", "default", "help", "kind", "name")

    def __init__(
        self, name: str, kind: str, default: Any, summary: str, choices: tuple[str, ...] = ()
    ) -> None:
        self.name = name
        self.kind = kind
        self.default = default
        self.help = summary
        self.choices = ("on", "off") if kind == "switch" else choices

    def parse(self, text: str) -> Any:
        """The value that a text stands for; SettingError says what would do."""
        text = text.strip()
        if self.kind == "switch":
            if text.lower() in ("on", "true", "yes", "1"):
                return True
            if text.lower() in ("off", "false", "no", "0"):
                return False
            raise SettingError(f"{self.name} is on or off, not '{text}'")
        if self.kind == "choice" and text not in self.choices:
            raise SettingError(f"{self.name} is one of {', '.join(self.choices)}, not '{text}'")
        if self.kind == "number":
            if not text.isdigit():
                raise SettingError(f"{self.name} is a whole number, not '{text}'")
            return int(text)
        if self.kind == "theme" and text not in theme_names():
            from puppet_repl.base.matching import nearest

            near = nearest(text, theme_names())
            hint = f"did you mean {near}?" if near else ":set theme lists them"
            raise SettingError(f"there is no theme '{text}'; {hint}")
        return text[1:-1] if text[:1] == text[-1:] and text[:1] in ("'", '"') and text else text

    def show(self, value: Any) -> str:
        """A value as ``:set`` writes and reads it."""
        if self.kind == "switch":
            return "on" if value else "off"
        return str(value)


LOG_LEVELS = ("debug", "info", "notice", "warning", "err")

SETTINGS = (
    Setting("strict", "switch", False, "Puppet's rules across inputs too: no name is bound twice"),
    Setting(
        "puppet_strict",
        "choice",
        "error",
        "Puppet's setting strict: what to do about doubtful code",
        ("error", "warning", "off"),
    ),
    Setting("strict_variables", "switch", True, "an unknown variable is an error"),
    Setting("log_level", "choice", "notice", "the least log level that is shown", LOG_LEVELS),
    Setting("show_type", "switch", True, "show the type behind a result"),
    Setting("pager", "switch", True, "show what is taller than the screen in a pager"),
    Setting("editing_mode", "choice", "emacs", "keys of emacs or of vi (F4)", ("emacs", "vi")),
    Setting("theme", "theme", "puppet", "colours: 'puppet' or any style of Pygments"),
    Setting("prompt", "text", "puppet [{n}]> ", "the prompt; {n} is the number of the input"),
    Setting("complete_while_typing", "switch", True, "offer completions as you type"),
    Setting("documentation_pane", "switch", True, "show the documentation of a completion"),
    Setting("signature_help", "switch", True, "show the parameters of a call as you type it"),
    Setting("suggest_from_history", "switch", True, "show the rest of an earlier input in grey"),
    Setting("close_brackets", "switch", False, "close brackets and quotes as you open them"),
    Setting("match_brackets", "switch", True, "show the bracket that belongs to the one at hand"),
    Setting("check_syntax", "switch", True, "underline syntax errors while you type"),
    Setting("shell_marks", "switch", True, "mark prompts and output for the terminal (OSC 133)"),
)


def find_setting(name: str) -> Setting:
    """The setting of that name; SettingError names the nearest one."""
    wanted = name.replace("-", "_")
    for setting in SETTINGS:
        if setting.name == wanted:
            return setting
    from puppet_repl.base.matching import nearest

    near = nearest(wanted, [setting.name for setting in SETTINGS])
    hint = f"did you mean {near}?" if near else ":set lists all"
    raise SettingError(f"there is no setting '{name}'; {hint}")


def theme_names() -> tuple[str, ...]:
    """'puppet' and the styles of Pygments, those of plug-ins not looked for."""
    from pygments.styles import STYLE_MAP

    return ("puppet", *sorted(STYLE_MAP))


class Settings:
    """The values in force. ``changed`` are called with the name of what was set."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {setting.name: setting.default for setting in SETTINGS}
        self.changed: list[Callable[[str], None]] = []

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def set(self, name: str, text: str) -> Setting:
        """Set from text; SettingError where the name or the value is wrong."""
        setting = find_setting(name)
        self.put(setting.name, setting.parse(text))
        return setting

    def put(self, name: str, value: Any) -> None:
        """Set a value that is known to be right."""
        self.values[name] = value
        for notify in self.changed:
            notify(name)

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Name, value and explanation of each setting."""
        for setting in SETTINGS:
            yield setting.name, setting.show(self.values[setting.name]), setting.help

    def shows(self, level: str) -> bool:
        """Whether log lines of that level are wanted; those above an error always are."""
        least = LOG_LEVELS.index(self.values["log_level"])
        return level not in LOG_LEVELS[:least]

    def apply_to(self, session: Session) -> None:
        """Hand the engine's settings to a session."""
        session.options.bind_once = self.values["strict"]
        session.options.strict = self.values["puppet_strict"]
        session.options.strict_variables = self.values["strict_variables"]

    def load(self, path: Path) -> list[str]:
        """Read a file, where there is one; answers what was wrong in it, a line each."""
        try:
            text = path.read_text("utf-8")
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            return [f"cannot read {path}: {error}"]
        import tomllib

        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            return [f"{path}: {error}"]
        problems = []
        for name, value in table.items():
            shown = ("on" if value else "off") if isinstance(value, bool) else str(value)
            try:
                # As it stands: blanks at the end of a prompt are meant.
                setting = find_setting(name)
                parsed = shown if setting.kind == "text" else setting.parse(shown)
                self.values[setting.name] = parsed
            except SettingError as error:
                problems.append(f"{path}: {error}")
        return problems

    def save(self, path: Path, name: str) -> None:
        """Write one setting to a file and leave the rest of the file as it is."""
        value = self.values[name]
        line = f"{name} = {_toml(value)}"
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        for index, known in enumerate(lines):
            if known.split("=")[0].strip() == name:
                lines[index] = line
                break
        else:
            lines.append(line)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", "utf-8")


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    import json

    return json.dumps(value, ensure_ascii=False)


def config_folder() -> Path:
    """Where the settings and the start-up file of this user are."""
    from pathlib import Path

    from platformdirs import user_config_dir

    return Path(user_config_dir(APPLICATION, appauthor=False))


def data_folder() -> Path:
    """Where the history of this user is."""
    from pathlib import Path

    from platformdirs import user_data_dir

    return Path(user_data_dir(APPLICATION, appauthor=False))
