"""Commands about the environment of the session and its modules."""

from __future__ import annotations

import os
import shlex

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.environment.modules.environment_conf import read_environment_conf
from puppet_repl.environment.modules.layout import Layout, offer_of
from puppet_repl.frontends.commands.reach import check_path
from puppet_repl.frontends.commands.resets import begin_anew, followed_by
from puppet_repl.host.session_setup import NO_ENVIRONMENT
from puppet_repl.session import DEFAULT_STDLIB
from puppet_repl.tools.reports.parts import Cell, CommandError, Failure, Message, Report, Table

_WAITS = "found around this directory: its manifests run for a node (:node NAME)"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Call
    from puppet_repl.session import Session


def environment(call: Call) -> Report:
    """``:environment [DIR]``; lines below it are code, run in the environment."""
    argument, _, code = call.argument.partition("\n")
    if not argument.strip():
        return followed_by(call, _show_environment(call), code)
    words = _words(argument)
    if len(words) != 1:
        raise CommandError("give one directory")
    options = call.session.options
    if words[0] == NO_ENVIRONMENT:
        options.environment = None
        options.find(None, waits=False)
        if "stdlib" not in call.host.settings.chosen:
            call.host.settings.put("stdlib", DEFAULT_STDLIB)
        return begin_anew(call, [Message("no environment; session reset", "dim")], code)
    directory = os.path.abspath(os.path.expanduser(words[0]))
    check_path(call.session, words[0])
    _check(words[0], directory)
    try:
        read_environment_conf(directory, reach=call.session.reach)
    except PuppetError as error:
        return Report(Failure(error))
    options.environment = directory
    options.find(None, waits=False)
    parts = _taken(call, Layout(directory, call.session.reach))
    return begin_anew(call, parts, code)


def _show_environment(call: Call) -> Report:
    """Return what the environment of the session has, or which one the user might want."""
    chosen = call.session.options.environment
    if chosen is None:
        reach = call.session.reach
        here = os.getcwd()
        offer = offer_of(here) if reach is None or reach.allows(here) else None
        hint = offer or (
            ":environment DIR takes one: a directory with environment.conf, hiera.yaml, modules"
            " or manifests"
        )
        return Report(Message("no environment"), Message(hint, "dim"))
    found = call.session.environment
    reach = call.session.reach if found is None else found.reach
    layout = Layout(os.path.abspath(chosen), reach)
    rows: list[tuple[str, str | Cell]] = [
        ("name", Cell(str(call.session.catalog.context.environment_name), "string")),
        ("directory", Cell(layout.directory, "string")),
        *(
            ("" if number else "modules", text)
            for number, text in enumerate(layout.modulepath_texts or ["no module path"])
        ),
        ("data", layout.data_text or "no hiera.yaml"),
        ("manifests", ", ".join(layout.short_path(path) for path in layout.manifests) or "none"),
    ]
    report = Report(Table(("Environment", ""), rows, whole=(1,)))
    report.parts += [Message(hint, "dim") for hint in layout.hints]
    if not call.session.options.runs_site:
        report.parts.append(Message(_WAITS, "dim"))
    if layout.problem is not None:
        report.parts.append(Failure(layout.problem))
    return report


def _check(given: str, directory: str) -> None:
    """Raise CommandError for what cannot be the directory of an environment."""
    if not os.path.isdir(directory):
        raise CommandError(f"{given} is not a directory", "")
    try:
        os.listdir(directory)
    except OSError as error:
        raise CommandError(f"cannot read {given}: {why_unusable(error)}", "") from None


def _taken(call: Call, layout: Layout) -> list[Message]:
    """Return what to tell about an environment that was just taken."""
    name = call.session.options.environment_name
    parts = [Message(f"{name}: {', '.join(layout.texts)}; session reset", "dim")]
    settings = call.host.settings
    if settings["stdlib"] == DEFAULT_STDLIB and "stdlib" not in settings.chosen:
        settings.put("stdlib", "off")
        if "stdlib" not in layout.names:
            text = "it has no stdlib, and the bundled one is off; ':set stdlib 9' takes it"
            parts.append(Message(text, "dim"))
    return [*parts, *(Message(hint, "dim") for hint in layout.hints)]


def modulepath(call: Call) -> Report:
    """``:modulepath [DIR...]``; lines below it are code, run with the modules."""
    session = call.session
    directories, _, code = call.argument.partition("\n")
    if directories.strip():
        chosen = _directories(session, directories)
        session.options.modulepath = chosen
        session.reset()
        modules = {} if session.environment is None else session.environment.modules
        text = f"{counted(len(modules), 'module')}; session reset"
        return begin_anew(call, [Message(text, "dim")], code)
    found = session.environment
    modules = {} if found is None else found.modules
    rows = [
        (Cell(module.name, "class"), module.version or "", module.path)
        for module in sorted(modules.values(), key=lambda module: module.name)
    ]
    empty = "no modules; :modulepath DIR names a directory of modules"
    report = Report(Table(("Module", "Version", "Directory"), rows, empty=empty, whole=(0, 2)))
    return followed_by(call, report, code)


def _directories(session: Session, text: str) -> tuple[str, ...]:
    """Return the directories that the argument names, separated by blanks or as in PATH."""
    names = [part for word in _words(text) for part in word.split(os.pathsep) if part]
    for name in names:
        check_path(session, name)
    paths = [os.path.expanduser(name) for name in names]
    for path in paths:
        if not os.path.isdir(path):
            raise CommandError(f"{path} is not a directory", "")
    return tuple(paths)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise CommandError(f"cannot read '{text}': {error}") from None
