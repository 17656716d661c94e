"""How a session goes back: inputs that are undone or taken back, names that are forgotten."""

from __future__ import annotations

from puppet_repl.outcome import NOTHING
from puppet_repl.transaction import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.runtime.context import Context
    from puppet_repl.transaction import Record


def undo(record: Record, context: Context, inputs: int) -> list[str]:
    """Undo the last changes; return their texts, the last one first."""
    changes = record.take_back(inputs)
    if changes:
        context.restore(changes[-1].state)
    return [change.text for change in changes]


def take_back_input(record: Record, context: Context) -> bool:
    """Undo the last input, which must exist; tell whether it had changed anything."""
    change = record.take_back_input()
    if change is not None:
        context.restore(change.state)
        return True
    context.top.variables.pop("_", None)
    value = record.last_value()
    if value is not NOTHING:
        context.top.bind("_", value)
    return False


def forget(record: Record, context: Context, name: str) -> bool:
    """Forget one name, in a way that can be undone; tell whether it was known."""
    change = Change(f":forget {name}", context.snapshot(), record.count)
    is_known = context.forget(name)
    if is_known:
        record.past.append(change)
    return is_known
