"""The command that begins, ends and steers the tour, and how its steps are shown."""

from __future__ import annotations

from puppet_repl.frontends.tour.entry import Entry
from puppet_repl.frontends.tour.guide import Tour
from puppet_repl.frontends.tour.steps import FAREWELL
from puppet_repl.tools.reports.parts import CommandError, Message, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.command_model import Call
    from puppet_repl.tools.reports.parts import Part

_ELSEWHERE = (
    "The tour is one of the prompt that puppet-repl opens. In notebooks the lessons show around: "
    "notebooks/00-index.ipynb is the first."
)
_HOW_TO = "Anything else may be typed in between. :tour next goes on, :tour off ends the tour."


def tour(call: Call) -> Report:
    """``:tour [next|back|off|N]``; without an argument at the step where it was left."""
    if not call.host.can_tour:
        return Report(Message(_ELSEWHERE))
    if call.host.tour is None:
        call.host.tour = Tour()
    given = call.host.tour
    if call.argument == "off":
        given.is_on = False
        return Report(Message(f"The tour is off; :tour goes on with step {given.position}.", "dim"))
    position = _position(given, call.argument)
    if position > given.count:
        given.end()
        return Report(Message(FAREWELL))
    is_begun = given.is_on
    given.begin(position)
    parts = step_parts(given)
    return Report(*parts) if is_begun else Report(*parts, Message(_HOW_TO, "dim"))


def _position(given: Tour, argument: str) -> int:
    """Return the step that an argument is about; one after the last is the end of the tour."""
    if argument == "next":
        return given.position + 1
    if argument == "back":
        return max(given.position - 1, 1)
    if not argument:
        return given.position
    if len(argument) < 3 and argument.isdecimal() and 1 <= int(argument) <= given.count:
        return int(argument)
    raise CommandError(
        f"the tour has no step '{argument}'",
        f"say :tour next, :tour back, :tour off, or the number of a step, 1 to {given.count}",
    )


def step_parts(given: Tour) -> list[Part]:
    """Return what the step says that a tour is at."""
    return [
        Message(f"Tour {given.position} of {given.count}: {given.step.title}", "heading"),
        Message(given.step.text),
        _proposal(given.code),
    ]


def _proposal(code: str) -> Message:
    return Message(f"Type: {code}", "hint")


def reaction(given: Tour, entry: Entry) -> Report | None:
    """Return what the tour says about an entry, and the next step; None if it says nothing."""
    found = given.see(entry)
    if found is None:
        return None
    if not found.is_done:
        code = [_proposal(found.code)] if found.code else []
        return Report(Message(found.text), *code)
    said = Message(found.text + "\n", "ok")
    return Report(said, *step_parts(given)) if given.is_on else Report(said, Message(FAREWELL))
