"""``:on``: one piece of code on many machines."""

from __future__ import annotations

from puppet_repl.base.matching import did_you_mean, nearest
from puppet_repl.base.recursion import deep_calls
from puppet_repl.catalog.puppet_code import attributes_of, reference
from puppet_repl.environment.facts.facts import factset_names
from puppet_repl.environment.facts.factset_words import hint_of, meant_set, told_sets
from puppet_repl.frontends.commands.catalog import declared_in
from puppet_repl.frontends.commands.conditions import is_for_effect
from puppet_repl.host.command_syntax import is_command
from puppet_repl.host.known_nodes import NODES, UnknownNode, note_if_unknown, note_on_unknown
from puppet_repl.host.machine_words import (
    UnusableMachine,
    machines_of,
    named_nodes,
    split_machines,
)
from puppet_repl.host.machines import UnknownFactSet, session_for
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.model.resource import ClassType, ResourceType
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session import NOTHING
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.reports.parts import (
    CommandError,
    MachineRow,
    Message,
    OnMachines,
    Report,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.host.command_model import Call
    from puppet_repl.host.host import Host
    from puppet_repl.host.machines import Machine
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Outcome, Session


_ADDED_ONLY = "only what this code adds is listed, nothing of the site or earlier inputs"


def on(call: Call) -> Report:
    """``:on MACHINE... CODE``."""
    words, start = split_machines(call.argument, call.session)
    code = call.argument[start:]
    first = (code.split(None, 1) or [""])[0].rstrip(",")
    meant = meant_set(first)
    if meant is not None and not _is_type_of_resource(code):
        raise CommandError(f"there is no fact set '{first}'", hint_of(meant))
    if not words:
        raise CommandError("which machines?", _hint(first))
    if not code.strip():
        raise CommandError("which code?", "for example :on debian-12 rocky-9 include ntp")
    if is_command(code):
        name = code.split(None, 1)[0]
        hint = "a condition as the code is shown as true or false for each machine"
        raise CommandError(f":on runs code, and {name} is a command", hint)
    # Lines are counted from the command, as it was written.
    blank = "\n" * call.argument[:start].count("\n")
    return on_machines(call.host, words, blank + code)


def _is_type_of_resource(code: str) -> bool:
    """Tell whether a brace is after the first word of code."""
    return any(rest.startswith("{") for rest in code.split(None, 1)[1:])


def _hint(first: str) -> str:
    meant = nearest(first, factset_names())
    if meant is not None:
        return f"did you mean {meant}?"
    return (
        f"the sets are {told_sets()}; put -- between names of nodes and the code: :on web01 -- CODE"
    )


def _instead_of(word: str, session: Session) -> str:
    """Return what to write instead of a word that is not a machine."""
    hint = did_you_mean(word, (*factset_names(), *named_nodes(session)))
    return hint or f"the sets are {told_sets()}; {NODES}"


def on_machines(host: Host, words: Iterable[str], code: str, name: str | None = None) -> Report:
    """Run code on the machines that words name, each in a session of its own.

    Earlier inputs of the session run there first. ``name`` is the name of the code in errors.
    Raises CommandError for an unknown fact set, and for a word that does not name a machine.
    """
    session = host.session
    try:
        machines = machines_of(words, session)
    except UnknownFactSet as error:
        raise CommandError(error.message, error.hint) from error
    rows = []
    unknown: list[str] = []
    for machine in machines:
        if isinstance(machine, UnusableMachine):
            rows.append(MachineRow(machine.name, problem=machine.reason))
        else:
            try:
                rows.append(_row(machine, session, code, name, host, unknown))
            except UnknownNode as error:
                raise CommandError(str(error), _instead_of(error.name, session)) from error
    report = Report(OnMachines(rows))
    if any(row.has_others for row in rows):
        report.parts.append(Message(_ADDED_ONLY, "dim"))
    if unknown:
        report.parts.append(Message(note_on_unknown(unknown), "dim"))
    return report


def _row(
    machine: Machine,
    session: Session,
    code: str,
    name: str | None,
    host: Host,
    unknown: list[str],
) -> MachineRow:
    """Return what code does on a machine; the name of a node that nothing knows is noted.

    Raises UnknownNode for one without a domain.
    """
    made, failed = session_for(machine, session)
    try:
        if machine.node is not None:
            note_if_unknown(made, machine.node, session, unknown)
        if failed is not None and failed.error is not None:
            return MachineRow(machine.name, error=failed.error, is_earlier=True)
        outcome = made.execute(code, name)
        logs = [(level, text) for level, text in outcome.logs if host.settings.shows(level)]
        if outcome.error is not None:
            return MachineRow(machine.name, error=outcome.error, logs=logs)
        resources = _added(made, outcome)
        value = None if outcome.value is NOTHING else outcome.value
        return MachineRow(
            machine.name,
            value=value,
            resources=resources,
            logs=logs,
            has_both=bool(resources) and _has_value(outcome, code),
            has_others=_shows_resources(outcome) and _has_more_than(made, len(resources)),
        )
    finally:
        made.close()


def _shows_resources(outcome: Outcome) -> bool:
    """Tell whether an input has added resources, or returned them, as include does in any case."""
    return bool(outcome.resources) or _is_reference(outcome.value)


def _is_reference(value: Value) -> bool:
    """Tell whether a value is a class or a resource, or an array with one."""
    values = value if type(value) is tuple else (value,)
    return any(isinstance(each, ClassType | ResourceType) for each in values)


def _has_value(outcome: Outcome, code: str) -> bool:
    """Tell whether code has a value of interest: not of a resource, ``include`` or ``each``."""
    if outcome.value is NOTHING or outcome.value is None or _is_reference(outcome.value):
        return False
    with deep_calls:
        body = parse(Source(code)).body
    last = body.statements[-1] if isinstance(body, ast.BlockExpression) else body
    return not is_for_effect(last)


def _has_more_than(session: Session, count: int) -> bool:
    """Tell whether a session has more resources than so many, node blocks aside."""
    return sum(each.type != "Node" for each in declared_in(session)) > count


def _added(session: Session, outcome: Outcome) -> list[tuple[str, PuppetHash]]:
    """Return reference and attributes of the resources that an input has added."""
    added = {(row["type"], row["title"]) for row in outcome.resources}
    return [
        (reference(resource), PuppetHash(attributes_of(resource)))
        for resource in SessionSymbols(session).resources()
        if (resource.type, resource.title) in added
    ]
