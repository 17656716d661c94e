"""Completion of commands and of their arguments."""

from __future__ import annotations

import os
from collections.abc import Iterator

from puppet_repl.base.matching import ranked
from puppet_repl.commands.registry import COMMANDS, Command, find_command
from puppet_repl.completion import MOST, Completion, Completions, complete
from puppet_repl.completion.details import explain
from puppet_repl.frontend.settings import SETTINGS, SettingError, find_setting, theme_names
from puppet_repl.inspection.symbols import SessionSymbols

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session


def complete_command(
    session: Session, before: str, parsed: tuple[str, str, int] | None
) -> Completions:
    """Complete the name of a command, or what stands behind it."""
    sign = before.lstrip()[:1]
    name_start = len(before) - len(before.lstrip()) + 1
    at_name = parsed is None or before.endswith(parsed[0])
    if at_name and not before[name_start:].strip(" \t?").count(" "):
        names = ranked(_commands(), before[name_start:])
        items = [
            Completion(
                item.text,
                "command",
                detail=item.detail,
                name=f":{item.text}",
                label=sign + item.text,
            )
            for item in names
        ]
        return Completions(name_start, len(before), items)
    if parsed is None:
        return Completions(len(before), len(before), [])
    command = find_command(parsed[0])
    if command is None or not command.completes:
        return Completions(len(before), len(before), [])
    return _complete_argument(session, before, command, parsed[2])


def _commands() -> Iterator[Completion]:
    for order, command in enumerate(COMMANDS):
        yield Completion(command.name, "command", detail=command.summary, weight=order)


def _complete_argument(session: Session, before: str, command: Command, start: int) -> Completions:
    argument = before[start:]
    if "expression" in command.completes:
        # Code, perhaps behind a first word that says what about it is wanted.
        first = command.completes[0]
        words = argument.split(None, 1)
        if first != "expression":
            if len(words) < 2 and not argument.endswith(" "):
                return _of_words((first,), before, start)
            start += (
                len(argument) - len(argument.split(None, 1)[1])
                if len(words) == 2
                else len(argument)
            )
        found = complete(session, before[start:])
        return Completions(start + found.start, start + found.end, found.items)
    words = argument.split(" ")
    word_start = len(before) - len(words[-1])
    kind = command.completes[min(len(words), len(command.completes)) - 1]
    if kind == "value":
        return _of_words(_setting_values(words[0]), before, word_start)
    if "|" in kind:
        return _of_words(tuple(kind.split("|")), before, word_start)
    if kind == "file":
        return complete_file(before, word_start)
    items = list(_named(SessionSymbols(session), kind, words))
    chosen = ranked(items, before[word_start:])[:MOST]
    explain(SessionSymbols(session), chosen)
    return Completions(word_start, len(before), chosen)


def _of_words(words: tuple[str, ...], before: str, start: int) -> Completions:
    items = [Completion(word, "value", weight=order) for order, word in enumerate(words)]
    return Completions(start, len(before), ranked(items, before[start:]))


def _setting_values(name: str) -> tuple[str, ...]:
    try:
        setting = find_setting(name)
    except SettingError:
        return ()
    return theme_names() if setting.kind == "theme" else setting.choices


def _named(known: SessionSymbols, kind: str, words: list[str]) -> Iterator[Completion]:
    if kind == "name":
        for command in COMMANDS:
            yield Completion(command.name, "command", name=f":{command.name}", weight=2)
        for name in known.function_names():
            yield Completion(name, "function")
        for name in known.type_names():
            yield Completion(name, "type")
        for name in known.resource_type_names():
            yield Completion(name, "resource type", weight=1)
        for name in known.class_names():
            yield Completion(name, "class")
    elif kind == "setting":
        for setting in SETTINGS:
            yield Completion(setting.name, "setting", detail=setting.help)
    elif kind == "variable":
        for name in known.variable_names():
            yield Completion(name, "variable", name=f"${name}")
    elif kind == "own":
        yield from _own_names(known)
    elif kind == "resource":
        for resource in known.resources():
            yield Completion(f"{resource.type}['{resource.title}']", "title")
    elif kind == "fact":
        for word in ("use", "set", *factset_names()):
            yield Completion(word, "value", weight=1)
        for key in known.facts().keys():
            yield Completion(str(key), "key")
    elif kind == "factset" and words[0] == "use":
        for name in factset_names():
            yield Completion(name, "value")
    elif kind == "input":
        for number, text, _ in reversed(known.session.inputs[-50:]):
            yield Completion(str(number), "value", detail=text.split("\n")[0][:60], weight=-number)


def _own_names(known: SessionSymbols) -> Iterator[Completion]:
    for name in known.variables():
        if not name.startswith("_"):
            yield Completion(f"${name}", "variable")
    for name in known.own_functions():
        yield Completion(name, "function")
    for name in known.type_aliases():
        yield Completion(name, "type")
    for name in (*known.definitions(), *known.defines()):
        if name and name != "main":
            yield Completion(name, "class")


def factset_names() -> list[str]:
    """The sets of facts that come along."""
    from puppet_repl.environment.facts import factset_names as names

    return list(names())


def complete_file(before: str, start: int) -> Completions:
    """Files and folders that begin with the last word."""
    typed = before[start:]
    folder, _, beginning = typed.rpartition("/")
    path = os.path.expanduser(folder + "/" if folder or typed.startswith("/") else ".")
    items = []
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.name.startswith(".") and not beginning.startswith("."):
                    continue
                is_folder = entry.is_dir()
                weight = 0 if entry.name.endswith((".pp", ".ipynb", ".epp")) else 1
                shown = entry.name + ("/" if is_folder else "")
                items.append(Completion(shown, "file", weight=weight))
    except OSError:
        return Completions(start, len(before), [])
    begin = len(before) - len(beginning)
    return Completions(begin, len(before), ranked(items, beginning)[:MOST])
