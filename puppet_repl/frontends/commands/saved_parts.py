"""What of a session ``:save`` writes: its inputs, and between them what cells have captured."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from puppet_repl.frontends.commands.earlier_inputs import inputs_of
from puppet_repl.language.values.default import UNSET
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.values import render_value, whole_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.host.host import Host
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session
    from puppet_repl.session.outcome import Outcome

_CAPTURED = "was bound by %%capture"


@dataclass(slots=True, eq=False)
class SavedPart:
    """A part of a saved session: its text, and of an input of it the number and the outcome."""

    text: str
    number: int | None = None
    outcome: Outcome | None = None
    _: KW_ONLY
    is_input: bool = True


def saved_parts(session: Session) -> list[SavedPart]:
    """Return the inputs of a session and the assignments of captured values, in order."""
    captured: dict[int, list[SavedPart]] = {}
    for place, name, value in session.between_inputs:
        if value is not UNSET:
            part = SavedPart(_assignment(session, name, value), is_input=False)
            captured.setdefault(place, []).append(part)
    parts = captured.get(0, [])
    for place, (number, text, outcome) in enumerate(session.inputs, 1):
        parts.append(SavedPart(text.strip("\n"), number, outcome))
        parts += captured.get(place, ())
    return parts


def chosen_parts(session: Session, host: Host, ranges: list[str]) -> list[SavedPart]:
    """Return the inputs that ranges of numbers stand for, in the order given.

    Of a cell these are its programs. Raises CommandError.
    """
    inputs: dict[int, list[SavedPart]] = {}
    for number, text, outcome in session.inputs:
        inputs.setdefault(number, []).append(SavedPart(text.strip("\n"), number, outcome))
    parts = []
    for number, text in inputs_of(host, ranges):
        parts += [SavedPart(text)] if number < 0 else inputs.get(number, [])
    return parts


def _assignment(session: Session, name: str, value: Value) -> str:
    """Return the code that binds a captured value, or a comment where no code gives it."""
    text = _code_of(session, value)
    if text is None:
        return f"# {name} {_CAPTURED}; no code gives its value, so it is not saved"
    return f"# {name} {_CAPTURED}\n{name} = {text}"


def _code_of(session: Session, value: Value) -> str | None:
    """Return code for a value; None where there is none, as for what is sensitive."""
    try:
        text = plain(render_value(value))
        with session.temporarily():
            outcome = session.execute(f"[{text}]", record=False)
        # What is sensitive, or of a type that is another one by now, reads otherwise.
        is_same = outcome.error is None and whole_text(outcome.value) == whole_text((value,))
    except MemoryError:  # what shares its parts may have a text of any size
        return None
    return text if is_same else None
