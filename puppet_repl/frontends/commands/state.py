"""Commands that change the session or its settings, or show earlier results."""

from __future__ import annotations

import re

from puppet_repl.base.browser import IN_BROWSER
from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.wording import failure_with_file
from puppet_repl.frontends.commands.resets import begin_anew
from puppet_repl.host.session_setup import default_stdlib
from puppet_repl.host.settings import (
    OF_THE_EDITOR,
    OF_THE_SESSION,
    Setting,
    SettingError,
    find_setting_at_prompt,
)
from puppet_repl.language.runtime.options import hermetic_problem
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.reports.parts import (
    Action,
    Cell,
    CommandError,
    Message,
    Report,
    Table,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Call

# Longer ones are slips of the keyboard, and Python reads none of more than 4,300 digits.
_NUMBER = re.compile(r"[0-9]{1,9}")


def number_of(text: str, what: str) -> int:
    """Return the positive whole number that is an argument. Raises CommandError."""
    if _NUMBER.fullmatch(text) is None or int(text) < 1:
        raise CommandError(f"'{text}' is not {what}", "give a whole number from 1")
    return int(text)


def set_(call: Call) -> Report:
    """``:set [NAME [VALUE|--default] [--save]]``."""
    words = call.argument.split(None, 1)
    if not words:
        return _settings(call)
    rest = words[1].rstrip() if len(words) == 2 else ""
    keeps = rest == "--save" or rest.endswith(" --save")
    if keeps:
        rest = rest[: -len("--save")].rstrip()
    settings, options = call.host.settings, call.session.options
    try:
        setting = find_setting_at_prompt(words[0])
        earlier = settings[setting.name]
        if rest == "--default":
            is_stdlib = setting.name == "stdlib"
            default = default_stdlib(options.environment) if is_stdlib else setting.default
            settings.restore(setting, default)
        elif rest:
            problem = options.hermetic and hermetic_problem({setting.name: setting.parse(rest)})
            if problem:
                raise CommandError(problem[1], "")
            settings.set(setting.name, rest)
    except SettingError as error:
        raise CommandError(str(error), "") from error
    report = Report()
    if keeps:
        report.parts.append(_saved(call, setting, restored=rest == "--default"))
    elif not rest or rest == "--default":
        report.parts += _described(setting, settings[setting.name])
    if setting.resets and settings[setting.name] != earlier:
        text = "session reset"
        if setting.name == "language":
            profile = options.profile
            text = f"{profile.name}: the language of {profile.stands_for}; session reset"
        return begin_anew(call, [*report.parts, Message(text, "dim")])
    return report


def _settings(call: Call) -> Report:
    """Return the table of the settings, those of the editor first."""
    rows: list[tuple[str | Cell, ...]] = []
    for heading, group in (("The prompt", OF_THE_EDITOR), ("The session", OF_THE_SESSION)):
        rows.append((Cell(heading, "heading"), "", ""))
        for each in group:
            value = Cell(each.show(call.host.settings[each.name]), "string")
            rows.append((Cell(f"  {each.name}", "function"), value, each.help))
    return Report(Table(("Setting", "Value", "What it does"), rows, whole=(0, 1, 2)))


def _described(setting: Setting, value: object) -> list[Message]:
    lines = [
        Message(f"{setting.name} = {setting.show(value)}"),
        Message(setting.help, "dim"),
    ]
    values = setting.listed_values()
    return [*lines, Message(f"one of {', '.join(values)}", "dim")] if values else lines


def _saved(call: Call, setting: Setting, *, restored: bool) -> Message:
    """Write a setting to the configuration file. Raises CommandError."""
    if call.session.options.hermetic:
        raise CommandError("a hermetic session saves no settings", "")
    if IN_BROWSER:
        raise CommandError("a browser saves no settings: they hold as long as the page", "")
    try:
        path, has_changed = call.host.save_setting(setting.name, restored=restored)
    except OSError as error:
        raise CommandError(f"cannot save it: {failure_with_file(error)}", "") from error
    except SettingError as error:
        raise CommandError(str(error), "") from error
    if not has_changed:
        return Message(f"{setting.name} is not in {path}; nothing was written", "dim")
    return Message(f"removed from {path}" if restored else f"saved in {path}", "dim")


def undo(call: Call) -> Report:
    """``:undo [N]``."""
    count = number_of(call.argument, "a number of changes") if call.argument else 1
    undone = call.session.undo(count)
    if not undone:
        raise CommandError("there is nothing to undo", "")
    shown = "; ".join(map(_first_line, undone))
    return Report(Message(f"undid: {shown}", "dim"))


def redo(call: Call) -> Report:
    """``:redo [N]``."""
    count = number_of(call.argument, "how many times something was undone") if call.argument else 1
    redone: list[str] = []
    while count and (texts := call.session.redo()):
        redone += texts
        count -= 1
    if not redone:
        raise CommandError("there is nothing to redo", "only what :undo has just taken back is")
    shown = "; ".join(map(_first_line, redone))
    return Report(Message(f"redid: {shown}", "dim"))


def _first_line(text: str) -> str:
    """Return the first line of an input, with a mark where more follows."""
    first, *others = text.strip().split("\n")
    return f"{first} …" if others else first


def forget(call: Call) -> Report:
    """``:forget NAME...``."""
    if not call.words:
        raise CommandError("which name?", "for example :forget $x")
    for name in call.words:
        # A word alone names a variable if nothing else has this name.
        if not call.session.forget(name) and not call.session.forget(f"${name}"):
            known = SessionSymbols(call.session)
            names = [f"${each}" for each in known.variables()]
            names += [*known.user_functions(), *known.type_aliases(), *known.definitions()]
            hint = did_you_mean(name, names) or ":vars and :names list all names"
            raise CommandError(f"no input has defined {name}", hint)
    return Report(Message(f"forgot {', '.join(call.words)}", "dim"))


def reset(call: Call) -> Report:
    """``:reset``."""
    return begin_anew(call, [Message("session reset", "dim")])


def quit_(call: Call) -> Report:
    """``:quit``."""
    return Report(action=Action("quit"))
