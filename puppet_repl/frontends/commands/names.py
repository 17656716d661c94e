"""Commands that list names and show their documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from puppet_repl.base.browser import IN_BROWSER
from puppet_repl.base.matching import did_you_mean, has_wildcards, matches_wildcards
from puppet_repl.host.command_registry import COMMANDS, COMMON, command_names, find_command
from puppet_repl.language.types.algebra.infer import infer
from puppet_repl.language.types.data_types import DOCUMENTED
from puppet_repl.session.symbols import GIVEN_VARIABLES, SessionSymbols
from puppet_repl.tools.inspection.names import documents, function_summary, type_summary
from puppet_repl.tools.inspection.parameters import class_parameter_names, document_class_parameter
from puppet_repl.tools.inspection.texts import RESOURCE_TYPES
from puppet_repl.tools.reports.parts import (
    Cell,
    CommandError,
    Document,
    Message,
    Report,
    Table,
    ValueCell,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Call, Command
    from puppet_repl.tools.reports.parts import Part

# Files of modules that are parsed for one list: each takes about a millisecond.
MAX_READ = 300


def matching(names: Iterable[str], pattern: str) -> list[str]:
    """Return the names that contain a pattern, ignoring case, or match its wildcards."""
    wanted = pattern.lower().removeprefix("$")
    if not wanted:
        return list(names)
    if has_wildcards(wanted):
        return [name for name in names if matches_wildcards(name.lower(), wanted)]
    return [name for name in names if wanted in name.lower()]


def help_(call: Call) -> Report:
    """``:help [all|keys [PATTERN]|NAME]``."""
    if call.words[:1] == ["keys"]:
        return _keys(call, call.argument[len("keys") :].strip())
    if call.argument not in ("", "all"):
        return _documented(call, call.argument)
    # A page is closed like any other.
    here = [command for command in COMMANDS if not IN_BROWSER or command.name != "quit"]
    shown = here if call.argument else _most_useful(call)
    rows: list[tuple[str | Cell, ...]] = []
    group = ""
    for command in shown:
        if command.group != group and call.argument:
            group = command.group
            rows.append((Cell(group, "heading"), ""))
        rows.append((Cell(f"  :{command.name}", "function"), command.summary))
    more = (
        "Anything else is Puppet code. $_ is the last value, $_3 that of input 3.\n"
        ":help NAME explains a command, a function, a type, a resource type or a class."
    )
    if not call.argument:
        more += f"\n:help all lists all {len(here)} commands, :help keys the keys."
    return Report(Table(("", ""), rows, whole=(0, 1)), Message("\n" + more, "dim"))


def _most_useful(call: Call) -> Iterable[Command]:
    """Return the commands that are needed most at this prompt."""
    common = (command for command in COMMANDS if command.name in COMMON)
    if call.host.stopped_stack is None:
        return common
    looking = (command for command in common if command.when_stopped == "looks")
    return (*(command for command in COMMANDS if command.group == "Stopping"), *looking)


def doc(call: Call) -> Report:
    """``:doc NAME``."""
    if not call.argument:
        raise CommandError("which name?", "for example :doc split")
    return _documented(call, call.argument)


def _documented(call: Call, name: str) -> Report:
    known = SessionSymbols(call.session)
    found = []
    if call.command.name == "help" and name in command_names():
        found = documents(known, f":{name}")
    found = found or documents(known, name)
    if not found and find_command(name) is not None:
        found = documents(known, f":{name}")
    parameter = None if found else document_class_parameter(known, name)
    if parameter is not None:
        found = [parameter]
    if not found:
        names = (
            *command_names(),
            *known.function_names(),
            *known.type_names(),
            *known.resource_type_names(),
            *known.class_names(),
            *class_parameter_names(known, name),
            *[f"${each}" for each in known.variables()],
        )
        hint = did_you_mean(name, names) or ":names lists all names"
        raise CommandError(f"no documentation for '{name}'", hint)
    report = Report()
    for number, documentation in enumerate(found):
        if number:
            report.parts.append(Message(""))
        report.parts.append(Document(documentation))
    return report


def vars_(call: Call) -> Report:
    """``:vars [PATTERN]``."""
    known = SessionSymbols(call.session)
    variables = {**known.variables(), **known.class_variables()}
    names = matching(variables, call.argument)
    shown = [name for name in names if call.argument or not _is_given(name)]
    rows = [
        (Cell(f"${name}", "variable"), Cell(kind_name(value), "type"), ValueCell(value))
        for name, value in ((name, variables[name]) for name in shown)
    ]
    empty = f"no variable matches '{call.argument}'" if call.argument else "no variables yet"
    return Report(Table(("Name", "Type", "Value"), rows, empty=empty))


# Puppet gives these to each class.
_OF_EVERY_CLASS = ("::name", "::title", "::module_name", "::caller_module_name")


def _is_given(name: str) -> bool:
    """Tell whether a variable exists without any code assigning it."""
    if name in GIVEN_VARIABLES or name.endswith(_OF_EVERY_CLASS):
        return True
    return name == "_" or (name[:1] == "_" and name[1:].isdigit())


def kind_name(value: object) -> str:
    """Return the name of the type of a value, without its parameters."""
    kind = type(value)
    simple = {int: "Integer", str: "String", bool: "Boolean", float: "Float", tuple: "Array"}
    if kind in simple:
        return simple[kind]
    if value is None:
        return "Undef"
    return str(infer(value).name)


def names(call: Call) -> Report:
    """``:names [functions|types|classes] [PATTERN]``: the tables that have rows."""
    kind, _, pattern = call.argument.partition(" ")
    lists, one = [*_LISTS.values()], "name"
    if kind in _LISTS:
        lists, one = [_LISTS[kind]], _ONE[kind]
    else:
        pattern = call.argument
    report = Report()
    for part in (part for list_names in lists for part in list_names(call, pattern.strip())):
        if not isinstance(part, Table) or part.rows:
            report.parts += [*([Message("")] if report.parts else ()), part]
    if not report.parts:
        empty = f"no {one} matches '{pattern.strip()}'" if pattern else f"no {kind} yet"
        return Report(Message(empty, "dim"))
    return report


def _functions(call: Call, pattern: str) -> list[Part]:
    """List functions, those of stdlib last."""
    known = SessionSymbols(call.session)
    of_stdlib = set(known.stdlib_function_names())
    others: list[tuple[str | Cell, ...]] = []
    stdlib: list[tuple[str | Cell, ...]] = []
    for name in matching(known.function_names(), pattern):
        row = (Cell(name, "function"), _function_summary(known, name))
        (stdlib if name in of_stdlib else others).append(row)
    heads = ("Function", "What it does")
    return [Table(heads, others), Table(heads, stdlib, title="stdlib")]


def _function_summary(known: SessionSymbols, name: str) -> str | Cell:
    summary = function_summary(known, name)
    if not summary and name in known.user_functions():
        return Cell("user-defined", "dim")
    return summary


def _types(call: Call, pattern: str) -> list[Part]:
    """List data types with type aliases, and resource types."""
    known = SessionSymbols(call.session)
    aliases = known.type_aliases()

    def rows() -> Iterator[tuple[Cell, str]]:
        for name in matching(known.type_names(), pattern):
            alias = aliases.get(name)
            if alias is not None:
                yield Cell(name, "type"), f"= {alias.resolved()}"
            elif name in DOCUMENTED:
                record = DOCUMENTED[name]
                yield Cell(name + record.parameters, "type"), record.text
            else:
                yield Cell(name, "type"), type_summary(known, name)

    resource_types = [
        (Cell(name, "type"), RESOURCE_TYPES.get(name, ""))
        for name in matching(known.resource_type_names(), pattern)
    ]
    return [
        Table(("", ""), rows(), title="Data types"),
        Table(("", ""), resource_types, title="Resource types"),
    ]


def _classes(call: Call, pattern: str) -> list[Part]:
    """List classes and defined types, with the parameters of those that are read."""
    known = SessionSymbols(call.session)
    loaded = {**known.definitions(), **known.defines()}
    defined_types = set(known.defined_type_names())
    declared = known.declared_classes()
    names = matching(sorted({*known.class_names(), *defined_types}), pattern)
    unread = len([name for name in names if name not in loaded]) > MAX_READ
    rows: list[tuple[Cell, str, str]] = []
    for name in names:
        kind = "defined type" if name in defined_types else "class"
        if name in declared:
            kind += ", declared"
        parameters: list[str] = []
        if name in loaded:
            parameters = [parameter.name for parameter in loaded[name].parameters]
        elif not unread:
            parameters = known.parameters_in_module(name)
        rows.append((Cell(name, "type"), kind, ", ".join(f"${each}" for each in parameters)))
    parts: list[Part] = [Table(("Name", "Kind", "Parameters"), rows)]
    if unread:
        said = "parameters of classes that are not loaded: :names classes PATTERN shows them"
        parts.append(Message(said, "dim"))
    return parts


_ONE = {"functions": "function", "types": "type", "classes": "class"}
_LISTS: Mapping[str, Callable[[Call, str], list[Part]]] = {
    "functions": _functions,
    "types": _types,
    "classes": _classes,
}


def _keys(call: Call, pattern: str) -> Report:
    """Return the keys of the prompt that match a pattern. Raises CommandError without a prompt."""
    if call.host.keys is None:
        if call.host.show_value is not None:
            raise CommandError(
                "keys are of the front end here", "in JupyterLab: Settings, Keyboard Shortcuts"
            )
        raise CommandError("there are no keys here", "the full-screen prompt has them")
    pattern = pattern.lower()
    rows: list[tuple[Cell | str, ...]] = []
    for heading, found in call.host.keys():
        kept = [row for row in found if pattern in " ".join(row).lower()]
        rows += [(Cell(heading, "heading"), "")] if kept else []
        rows += [(Cell(f"  {names}", "function"), what) for names, what in kept]
    return Report(Table(("", ""), rows, empty=f"no key matches '{pattern}'", whole=(0, 1)))
