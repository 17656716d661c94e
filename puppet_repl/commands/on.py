"""``:on``: one piece of code on many machines."""

from __future__ import annotations

from puppet_repl.base.matching import nearest
from puppet_repl.catalog.puppet_code import attributes_of, reference
from puppet_repl.commands.results import CommandError, MachineRow, OnMachines, Report
from puppet_repl.environment.facts import factset_names
from puppet_repl.frontend.machine_words import (
    UnusableMachine,
    machines_of,
    split_machines,
)
from puppet_repl.frontend.machines import session_for
from puppet_repl.inspection.symbols import SessionSymbols
from puppet_repl.session import NOTHING
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.commands.model import Call
    from puppet_repl.frontend.host import Host
    from puppet_repl.frontend.machines import Machine
    from puppet_repl.session import Outcome, Session


def on(call: Call) -> Report:
    """``:on MACHINE... CODE``."""
    words, start = split_machines(call.argument, call.session)
    code = call.argument[start:]
    if not words:
        raise CommandError("which machines?", _hint(code))
    if not code.strip():
        raise CommandError("which code?", "for example :on debian-12 rocky-9 include ntp")
    first = code.split(None, 1)[0].rstrip(",")
    meant = nearest(first, factset_names()) if "-" in first else None
    if meant is not None:
        raise CommandError(f"'{first}' is no machine", f"did you mean {meant}?")
    # Lines are counted from the command, as it was written.
    blank = "\n" * call.argument[:start].count("\n")
    return Report(on_machines(call.host, words, blank + code))


def _hint(text: str) -> str:
    first = (text.split() or [""])[0].rstrip(",")
    meant = nearest(first, factset_names())
    if meant is not None:
        return f"did you mean {meant}?"
    names = ", ".join(factset_names())
    return f"the sets are {names}; write -- behind other names, before the code"


def on_machines(host: Host, words: Iterable[str], code: str, name: str | None = None) -> OnMachines:
    """Run code on the machines that words name, each in a session of its own.

    What the session has run before is run there first. ``name`` is what errors call the code.
    """
    session = host.session
    rows = []
    for machine in machines_of(words, session):
        if isinstance(machine, UnusableMachine):
            rows.append(MachineRow(machine.name, problem=machine.reason))
        else:
            rows.append(_row(machine, session, code, name, host))
    return OnMachines(rows)


def _row(machine: Machine, session: Session, code: str, name: str | None, host: Host) -> MachineRow:
    made, failed = session_for(machine, session)
    try:
        if failed is not None and failed.error is not None:
            return MachineRow(machine.name, error=failed.error, is_earlier=True)
        outcome = made.execute(code, name)
        logs = [(level, text) for level, text in outcome.logs if host.settings.shows(level)]
        if outcome.error is not None:
            return MachineRow(machine.name, error=outcome.error, logs=logs)
        resources = _added(made, outcome)
        value = None if outcome.value is NOTHING else outcome.value
        return MachineRow(machine.name, value=value, resources=resources, logs=logs)
    finally:
        made.close()


def _added(session: Session, outcome: Outcome) -> list[tuple[str, PuppetHash]]:
    """Return reference and attributes of the resources that an input has added."""
    added = {(row["type"], row["title"]) for row in outcome.resources}
    return [
        (reference(resource), PuppetHash(attributes_of(resource)))
        for resource in SessionSymbols(session).resources()
        if (resource.type, resource.title) in added
    ]
