"""``:copy``: a value for the clipboard, in the words of other programs."""

from __future__ import annotations

from puppet_repl.base.wording import counted
from puppet_repl.frontends.commands.earlier_values import last_value, value_of_input
from puppet_repl.frontends.commands.isolated_code import evaluate_aside
from puppet_repl.frontends.commands.state import number_of
from puppet_repl.session import NOTHING
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.values import render_value
from puppet_repl.tools.reports.parts import CommandError, Failure, Message, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Call
    from puppet_repl.language.values.protocols import Value

# Of the text in UTF-8: many terminals take no longer sequences than 100,000 characters of Base64.
MAX_BYTES = 74_000


def copy(call: Call) -> Report:
    """``:copy [N|EXPR]``; the front end's ``copy`` puts the text on the clipboard."""
    put = call.host.copy
    if put is None:
        raise CommandError(
            "the clipboard is of the front end here", "in a notebook, copy the output itself"
        )
    value: Value
    if not call.argument:
        value = last_value(call)
    elif call.argument.isdecimal():
        value = value_of_input(call, number_of(call.argument, "the number of an input"))
    else:
        outcome = evaluate_aside(call, call.argument)
        if outcome.error is not None:
            return Report(Failure(outcome.error))
        value = None if outcome.value is NOTHING else outcome.value
    text = value if type(value) is str else plain(render_value(value))
    size = len(text.encode("utf-8", "replace"))
    if size > MAX_BYTES:
        raise CommandError(
            f"{size:,} bytes are too much for the clipboard of a terminal",
            f"at most {MAX_BYTES:,}; puppet-repl -e CODE -o puppet writes any value",
        )
    put(text)
    return Report(Message(f"copied {counted(len(text), 'character')}", "dim"))
