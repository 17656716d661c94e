"""``:history``, ``:edit`` and ``:rerun``: earlier inputs, listed and used again."""

from __future__ import annotations

from puppet_repl.frontends.commands.earlier_inputs import inputs_of
from puppet_repl.host.command_registry import find_command
from puppet_repl.host.command_syntax import parse_command
from puppet_repl.host.history import LOADING_SECONDS
from puppet_repl.tools.reports.parts import Action, Cell, CodeCell, CommandError, Report, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from puppet_repl.host.command_model import Call
    from puppet_repl.host.host import Host

    # When an input was typed, its number and its text.
    Listed = tuple[datetime | None, int | None, str]

# Rows of ``:history``, the newest.
MAX_HISTORY = 40


def edit(call: Call) -> Report:
    """``:edit [N]``."""
    if not call.host.can_edit:
        raise CommandError(
            "there is no editor here", "the full-screen prompt and notebooks have one"
        )
    if len(call.words) > 1:
        raise CommandError("only one input can be edited at a time")
    text = ""
    if call.words:
        text = "\n".join([text for _, text in inputs_of(call.host, call.words)])
    elif call.session.inputs:
        number, text, _ = call.session.inputs[-1]
        typed = {each: entered for each, entered, _ in call.host.entries()}
        text = typed.get(number, text)
    return Report(action=Action("edit", text))


def rerun(call: Call) -> Report:
    """``:rerun N|N-M|-N...``."""
    if not call.host.can_rerun:
        raise CommandError("there are no earlier inputs here", "prompts and notebooks have them")
    if call.host.is_rerunning:
        raise CommandError("an input that is run again runs no others again", "")
    if not call.words:
        raise CommandError("which inputs?", "for example :rerun 3, :rerun 3-5 or :rerun -1")
    texts = [text for _, text in inputs_of(call.host, call.words)]
    return Report(action=Action("run", texts=texts))


def history(call: Call) -> Report:
    """``:history [PATTERN]``: inputs of other sessions, then its own; the newest is last."""
    host = call.host
    host.history.loaded.wait(LOADING_SECONDS)
    host.history.read_again()
    pattern = call.argument.lower()
    listed = [row for row in _with_own(host, _older(host)) if pattern in row[2].lower()]
    if listed and _is_history(listed[-1][2]):
        listed.pop()  # the input that lists them
    shown = listed[-MAX_HISTORY:]
    digits = max([len(_number(number)) for _, number, _ in shown], default=0)
    rows = [
        (
            Cell("" if time is None else short_time(time), "dim"),
            Cell(_number(number).rjust(digits), "dim"),
            CodeCell(text.strip()),
        )
        for time, number, text in shown
    ]
    empty = f"no input matches '{call.argument}'" if pattern else "no inputs yet"
    return Report(Table(("", "", ""), rows, empty=empty, whole=(2,)), newest_last=True)


def _older(host: Host) -> list[Listed]:
    """Return the entries of other sessions, the oldest first, each text once."""
    rows: list[Listed] = [
        (host.history.time_of(number), number, text)
        for number, text in host.history.newest_numbered()
        if number < 0
    ]
    return rows[::-1]


def _with_own(host: Host, rows: list[Listed]) -> Iterator[Listed]:
    """Yield rows and then the inputs of this session, in the order in which they were typed.

    Commands and other texts that are not inputs have no number, and are listed where they were
    typed last. The text of a numbered input is listed only there.
    """
    own = _own(host)
    numbered = {_compared(text) for _, number, text in own if number is not None}
    last = {_compared(text): place for place, (_, _, text) in enumerate(own)}
    for row in rows:
        if _compared(row[2]) not in last:
            yield row
    for place, row in enumerate(own):
        text = _compared(row[2])
        if row[1] is not None or (text not in numbered and last[text] == place):
            yield row


def _own(host: Host) -> list[Listed]:
    """Return what was typed in this session, with the numbers of what became an input.

    What one entry has added, such as the inputs of a file, is in its place. Entries that a
    later one went on with are a part of that one.
    """
    history = host.history
    typed = history.entries[len(history.entries) - history.added :]
    rows: list[Listed] = []
    next_entry = 0
    for number, text, entry in host.entries():
        if entry >= next_entry:
            is_typed = _is_end_of(typed[entry], text)
            skipped = range(next_entry, entry + (not is_typed))
            parts = f"\n{text}\n" if is_typed else ""
            rows += [
                (history.time_of(each), None, typed[each])
                for each in skipped
                if f"\n{typed[each].strip()}\n" not in parts
            ]
            next_entry = entry + 1
        time = history.time_of(entry) if entry >= 0 else None
        rows.append((time, number, text))
    rows += [(history.time_of(each), None, typed[each]) for each in range(next_entry, len(typed))]
    return rows


def _is_end_of(entry: str, text: str) -> bool:
    """Tell whether an input is an entry, perhaps together with what that goes on with."""
    return _compared(text).endswith(_compared(entry).lstrip())


def _compared(text: str) -> str:
    """Return a text without what a prompt takes away from an entry before it is an input."""
    return text.strip("\n ;")


def _is_history(text: str) -> bool:
    parsed = parse_command(text)
    command = None if parsed is None else find_command(parsed[0])
    return command is not None and command.name == "history"


def _number(number: int | None) -> str:
    return "" if number is None else str(number)


def short_time(time: datetime) -> str:
    """Return the time of today, or else the date."""
    from datetime import datetime

    is_today = time.date() == datetime.now().date()
    return time.strftime("%H:%M") if is_today else time.strftime("%Y-%m-%d")
