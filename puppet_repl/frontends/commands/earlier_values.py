"""The values of earlier inputs, which commands show again or write in another form."""

from __future__ import annotations

from puppet_repl.frontends.commands.isolated_code import evaluate_aside
from puppet_repl.session import NOTHING
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.reports.parts import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Call
    from puppet_repl.language.values.protocols import Value


def last_value(call: Call) -> Value:
    """Return the last value of the session. Raises CommandError before the first value."""
    variables = SessionSymbols(call.session).variables()
    if "_" not in variables:
        raise CommandError("there is no value yet", "")
    value = variables["_"]
    return None if value is NOTHING else value


def value_of_input(call: Call, number: int) -> Value:
    """Return the value of an input, by its number. Raises CommandError."""
    outcome = evaluate_aside(call, f"$_{number}")
    if outcome.error is not None:
        raise CommandError(f"input {number} has no value", ":history lists the inputs")
    return None if outcome.value is NOTHING else outcome.value
