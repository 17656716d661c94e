"""How a session goes back: undone and replaced inputs, forgotten names, a new beginning.

An interrupt leaves the session as it was before.
"""

from __future__ import annotations

from puppet_repl.session.outcome import NOTHING
from puppet_repl.session.transaction import MAX_UNDONE, Savepoint, Undone, put_back

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.session.execution import Execution
    from puppet_repl.session.outcome import Outcome
    from puppet_repl.session.transaction import Record

    Seen = TypeVar("Seen")


def undo(execution: Execution, inputs: int) -> list[str]:
    """Undo the last changes; return their texts, the last one first."""
    record, context = execution.record, execution.context
    changes = record.last_changes(inputs)
    if not changes:
        return []
    earlier = changes[-1].state
    savepoint = Savepoint(context, record, earlier)
    try:
        record.take_back(len(changes))
        context.restore(earlier)
        execution.before_keeping()
        texts = [change.text for change in changes]
        record.undone.append(Undone(texts, savepoint))
        del record.undone[:-MAX_UNDONE]
        return texts
    except BaseException:
        savepoint.come_back()
        raise


def redo(execution: Execution) -> list[str]:
    """Make the session what it was before the last undo; return the texts that are there again.

    Inputs since then have changed nothing, and go.
    """
    record = execution.record
    if not record.undone:
        return []
    undone = record.undone[-1]
    now = Savepoint(execution.context, record, execution.context.snapshot())
    try:
        interrupt = undone.savepoint.come_back()
        if interrupt is not None:
            raise interrupt
        execution.before_keeping()
        return undone.texts[::-1]
    except BaseException:
        now.come_back()
        raise


def look_back(execution: Execution, look: Callable[[], Seen]) -> Seen:
    """Return what ``look`` returns where the last input, which must exist, has not been run.

    Then the session is as it is.
    """
    record, context = execution.record, execution.context
    change = record.first_change_since(len(record.inputs) - 1)
    if change is None:
        return look()
    savepoint = Savepoint(context, record, change.state)
    try:
        context.restore(change.state)
        seen = look()
    except BaseException:
        savepoint.come_back()
        raise
    interrupt = savepoint.come_back()
    if interrupt is not None:
        raise interrupt
    return seen


def replace_inputs(execution: Execution, count: int, run: Callable[[], Outcome]) -> Outcome:
    """Run an input in place of the last ones, which must exist; they stay unless it succeeds."""
    record, context = execution.record, execution.context
    savepoint = _savepoint(record, context, count)
    try:
        for _ in range(count):
            _take_back_input(record, context)
        outcome = run()
        if outcome.error is not None:
            interrupt = savepoint.come_back()
            if interrupt is not None:
                raise interrupt
        return outcome
    except BaseException:
        savepoint.come_back()
        raise


def forget(execution: Execution, name: str) -> bool:
    """Forget one name, in a way that can be undone; tell whether it was known."""
    record, context = execution.record, execution.context
    state = context.snapshot()
    savepoint = Savepoint(context, record, state)
    try:
        is_known = context.forget(name)
        if is_known:
            record.keep_forgotten(name, state)
        return is_known
    except BaseException:
        savepoint.come_back()
        raise


def begin_anew(execution: Execution, change: Callable[[], None] | None = None) -> None:
    """Forget all inputs, after a change to the facts, the node or its certificate.

    An interrupt leaves it all as it was.
    """
    context, facts, options = execution.context, execution.facts, execution.options
    storeconfigs = execution.storeconfigs
    node, trusted, dropped = options.node, options.trusted, storeconfigs.dropped
    inputs = execution.record.snapshot()

    def restore() -> None:
        execution.context, execution.facts = context, facts
        options.node, options.trusted, storeconfigs.dropped = node, trusted, dropped
        execution.record.restore(inputs)

    try:
        storeconfigs.keep_at_end(context)  # under the name that the node had
        if change is not None:
            change()
        execution.context = execution.new_context()
        execution.record.clear()
    except BaseException:
        put_back(restore)
        raise
    context.close()


def _savepoint(record: Record, context: Context, inputs: int) -> Savepoint:
    """Return the way back from taking back the last inputs."""
    change = record.first_change_since(len(record.inputs) - inputs)
    return Savepoint(context, record, context.snapshot() if change is None else change.state)


def _take_back_input(record: Record, context: Context) -> None:
    change = record.take_back_input()
    if change is not None:
        context.restore(change.state)
        return
    context.top.variables.pop("_", None)
    value = record.last_value()
    if value is not NOTHING:
        context.top.bind("_", value)
