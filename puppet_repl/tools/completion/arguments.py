"""Completion of commands and of their arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice

from puppet_repl.base.fuzzy_search import ranked
from puppet_repl.environment.facts.facts import ENDINGS, factset_names
from puppet_repl.host.command_registry import COMMANDS, GRAPH_FORMATS, find_command
from puppet_repl.host.command_syntax import is_command, parse_command
from puppet_repl.host.machine_words import nodes_of_site
from puppet_repl.host.options_file import OptionsFileError
from puppet_repl.host.settings import AT_PROMPT, SettingError, find_setting
from puppet_repl.host.surroundings import profile_names
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.completion.details import explain
from puppet_repl.tools.completion.files import complete_file
from puppet_repl.tools.completion.machines import (
    complete_catalog,
    complete_machine,
    complete_machine_or_code,
)
from puppet_repl.tools.completion.model import (
    MAX_COMPLETIONS,
    MAX_EXPLAINED,
    Completion,
    Completions,
)
from puppet_repl.tools.completion.sources import complete_code, data_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from puppet_repl.host.command_model import ArgumentKind, Command
    from puppet_repl.session import Session

    ArgumentSource: TypeAlias = Callable[[SessionSymbols, list[str]], Iterator[Completion]]

# Of the inputs that commands can name, of this session and from before it.
MAX_INPUTS = 50
MAX_INPUT_TEXT = 60
_OPTION = re.compile(r"--[a-z]+")


def complete_command(known: SessionSymbols, before: str) -> Completions:
    """Complete the name of a command, or its arguments."""
    parsed = parse_command(before)
    sign = before.lstrip()[:1]
    name_start = len(before) - len(before.lstrip()) + 1
    at_name = parsed is None or before.endswith(parsed[0])
    if at_name and not before[name_start:].strip(" \t?").count(" "):
        items = ranked(_command_names(sign), before[name_start:])
        return Completions(name_start, len(before), items)
    command = None if parsed is None else find_command(parsed[0])
    if parsed is None or command is None or not command.completes:
        return Completions(len(before), len(before), [])
    return _complete_argument(known, before, command, parsed[2])


def _command_names(sign: str) -> Iterator[Completion]:
    for order, command in enumerate(COMMANDS):
        yield Completion(
            command.name,
            "command",
            label=sign + command.name,
            detail=command.summary,
            name=f":{command.name}",
            weight=order,
        )


def _complete_argument(
    known: SessionSymbols, before: str, command: Command, start: int
) -> Completions:
    session = known.session
    if command.takes_code:
        return _complete_code_argument(known, before, command, start)
    words = before[start:].split(" ")
    word_start = len(before) - len(words[-1])
    kind = command.completes[min(len(words), len(command.completes)) - 1]
    if words[-1].startswith("-") and kind != "earlier input":
        return _of_words(tuple(_OPTION.findall(command.arguments)), before, word_start)
    if isinstance(kind, tuple):
        return _of_words(kind, before, word_start)
    if kind == "value":
        return _of_words(_setting_values(words[0]), before, word_start)
    if kind in ("file", "directory"):
        only_directories = kind == "directory"
        return complete_file(before, word_start, session.reach, only_directories=only_directories)
    if kind == "fact":
        return complete_facts(known, before, word_start, words[:-1])
    if kind == "machine":
        return complete_machine(session, before, word_start)
    if kind == "catalog":
        return complete_catalog(session, before, word_start)
    source = SOURCES.get(kind)
    if source is None:
        return Completions(len(before), len(before), [])
    chosen = ranked(source(known, words), before[word_start:])[:MAX_COMPLETIONS]
    explain(known, chosen[:MAX_EXPLAINED])
    return Completions(word_start, len(before), chosen)


def _complete_code_argument(
    known: SessionSymbols, before: str, command: Command, start: int
) -> Completions:
    """Complete code, perhaps after a first word that names its form."""
    first = command.completes[0]
    if first == "machine":
        found = complete_machine_or_code(known, before[start:])
        return Completions(start + found.start, start + found.end, found.items)
    offered: list[Completion] = []
    if isinstance(first, tuple):
        if " " in before[start:]:
            start += command.code_at(before[start:])
        else:
            offered = _of_words(first, before, start).items
    found = complete_code(known, before[start:])
    if offered:
        found.items = offered if found.start else [*offered, *found.items]
        found.start = 0
    return Completions(start + found.start, start + found.end, found.items)


def _of_words(words: tuple[str, ...], before: str, start: int) -> Completions:
    items = [Completion(word, "value", weight=order) for order, word in enumerate(words)]
    return Completions(start, len(before), ranked(items, before[start:]))


def _setting_values(name: str) -> tuple[str, ...]:
    try:
        return find_setting(name).listed_values()
    except SettingError:
        return ()


# The sources of arguments: what the session has, by the kind of the argument


def _names(known: SessionSymbols, _words: list[str]) -> Iterator[Completion]:
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


def _user_defined(known: SessionSymbols, _words: list[str]) -> Iterator[Completion]:
    for name in known.variables():
        if not name.startswith("_"):
            yield Completion(f"${name}", "variable")
    for name in known.user_functions():
        yield Completion(name, "function")
    for name in known.type_aliases():
        yield Completion(name, "type")
    for name in (*known.definitions(), *known.defines()):
        if name and name != "main":
            yield Completion(name, "class")


def _settings(_known: SessionSymbols, _words: list[str]) -> Iterator[Completion]:
    for setting in AT_PROMPT:
        yield Completion(setting.name, "setting", detail=setting.help)


def _variables(known: SessionSymbols, _words: list[str]) -> Iterator[Completion]:
    for name in known.variable_names():
        yield Completion(name, "variable", name=f"${name}")


def _resources(known: SessionSymbols, _words: list[str]) -> Iterator[Completion]:
    for resource in known.typed_resources():
        yield Completion(f"{resource.type}['{resource.title}']", "title")


def _graph_parts(known: SessionSymbols, _words: list[str]) -> Iterator[Completion]:
    for order, word in enumerate(GRAPH_FORMATS):
        yield Completion(word, "value", weight=order)
    for resource in known.typed_resources():
        if resource.type == "Class":
            yield Completion(resource.title.lower(), "class", weight=4)
        else:
            yield Completion(f"{resource.type}['{resource.title}']", "title", weight=5)


def _nodes(known: SessionSymbols, _words: list[str]) -> Iterator[Completion]:
    for name in nodes_of_site(known.session):
        yield Completion(name, "value")
    if known.session.options.hermetic:
        return
    with suppress(OptionsFileError):  # :node @NAME reports it
        for name in profile_names():
            yield Completion(f"@{name}", "value", detail="profile", weight=1)


def _extensions(known: SessionSymbols, _words: list[str]) -> Iterator[Completion]:
    for name, value in known.session.options.trusted.items():
        yield Completion(f"{name}=", "key", detail=str(value))
    for name in EXTENSIONS:
        if name not in known.session.options.trusted:
            yield Completion(f"{name}=", "key", weight=1)


def _inputs(known: SessionSymbols, _words: list[str]) -> Iterator[Completion]:
    for number, text, _ in reversed(known.session.inputs[-MAX_INPUTS:]):
        yield _input(number, text)


def _earlier_inputs(known: SessionSymbols, words: list[str]) -> Iterator[Completion]:
    """Yield the inputs of the session, and then those from before it."""
    yield from _inputs(known, words)
    earlier = known.session.earlier_inputs
    if earlier is not None:
        older = (
            (number, text) for number, text in earlier() if number < 0 and not is_command(text)
        )
        for number, text in islice(older, MAX_INPUTS):
            yield _input(number, text)


def _input(number: int, text: str) -> Completion:
    first_line = text.split("\n")[0][:MAX_INPUT_TEXT]
    return Completion(str(number), "value", detail=first_line, weight=-number)


def _data_keys(known: SessionSymbols, _words: list[str]) -> Iterator[Completion]:
    return data_keys(known)


def _places(known: SessionSymbols, _words: list[str]) -> Iterator[Completion]:
    for name in known.user_functions():
        yield Completion(name, "function")
    for name in known.class_names():
        yield Completion(name, "class")
    for name in known.defined_type_names():
        yield Completion(name, "resource type")


SOURCES: Mapping[ArgumentKind, ArgumentSource] = {
    "data key": _data_keys,
    "earlier input": _earlier_inputs,
    "extension": _extensions,
    "graph part": _graph_parts,
    "name": _names,
    "node": _nodes,
    "place": _places,
    "resource": _resources,
    "setting": _settings,
    "user-defined": _user_defined,
    "variable": _variables,
}
"""The kinds of arguments that are completed by names of the session."""


EXTENSIONS = (
    "pp_role",
    "pp_environment",
    "pp_datacenter",
    "pp_zone",
    "pp_region",
    "pp_apptier",
    "pp_application",
    "pp_authorization",
    "pp_auth_role",
    "pp_auth_auto_renew",
    "pp_cli_auth",
    "pp_cloudplatform",
    "pp_cluster",
    "pp_cost_center",
    "pp_created_by",
    "pp_department",
    "pp_employee",
    "pp_hostname",
    "pp_image_name",
    "pp_instance_id",
    "pp_network",
    "pp_owner",
    "pp_preshared_key",
    "pp_product",
    "pp_project",
    "pp_provisioner",
    "pp_securitypolicy",
    "pp_service",
    "pp_software_version",
    "pp_uuid",
)
"""Those that decide about roles and places first."""


def complete_facts(
    known: SessionSymbols, before: str, start: int, earlier: list[str]
) -> Completions:
    """Complete a word of ``:facts`` after the ``earlier`` ones, whose first may be ``use``."""
    word = before[start:]
    session = known.session
    if "=" in word:
        return Completions(len(before), len(before), [])
    if "/" in word or word.startswith("~"):
        return complete_file(before, start, session.reach)
    outer, dot, _ = word.rpartition(".")
    if dot:
        inner = _facts_below(known, outer)
        found = [Completion(f"{outer}.{key}", "key") for key in inner]
        if found:
            return Completions(start, len(before), _best(found, word))
    items = [*_sets(earlier), *_files(session, before, start)]
    items += [Completion(str(key), "key") for key in known.facts().keys()]
    return Completions(start, len(before), _best(items, word))


def _best(items: list[Completion], word: str) -> list[Completion]:
    return ranked(items, word)[:MAX_COMPLETIONS]


def _sets(earlier: list[str]) -> Iterator[Completion]:
    first = ("use", "set") if not earlier else ("local",) if earlier == ["use"] else ()
    for word in (*first, *factset_names()):
        yield Completion(word, "value", weight=1)


def _files(session: Session, before: str, start: int) -> list[Completion]:
    """Return the files of the current directory that may hold facts, and its directories."""
    found = complete_file(before, start, session.reach).items
    return [each for each in found if each.text.endswith((*ENDINGS, "/"))]


def _facts_below(known: SessionSymbols, path: str) -> list[str]:
    value: object = known.facts()
    for name in path.split("."):
        value = value.get(name) if type(value) is PuppetHash else None
    return [str(key) for key in value.keys()] if type(value) is PuppetHash else []
