"""Undo and redo, replaced inputs, forgotten names, reset: see the methods of ``Session``.

An error or an interrupt leaves the session unchanged.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.session.outcome import NOTHING
from puppet_repl.session.transaction import MAX_UNDONE, Rollback, Temporarily, Undone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.session.execution import Execution
    from puppet_repl.session.outcome import Outcome

    Seen = TypeVar("Seen")


def undo(execution: Execution, inputs: int) -> list[str]:
    """Undo the last changes."""
    record = execution.record
    changes = record.last_changes(inputs)
    if not changes:
        return []
    with Rollback(execution) as mark:
        record.take_back(len(changes))
        execution.context.return_to(changes[-1].mark)
        execution.before_keeping()
        texts = [change.text for change in changes]
        record.undone.append(Undone(texts, mark))
        del record.undone[:-MAX_UNDONE]
    return texts


def redo(execution: Execution) -> list[str]:
    """Undo the last undo."""
    if not execution.record.undone:
        return []
    undone = execution.record.undone[-1]
    with Rollback(execution):
        execution.return_to(undone.mark)
        execution.before_keeping()
    return undone.texts[::-1]


def look_back(execution: Execution, look: Callable[[], Seen]) -> Seen:
    """Call a function on the state before the last input."""
    record = execution.record
    change = record.first_change_since(len(record.inputs) - 1)
    if change is None:
        return look()
    with Temporarily(execution):
        execution.context.return_to(change.mark)
        return look()


def look_at_failed(execution: Execution, look: Callable[[], Seen]) -> Seen | None:
    """Call a function on the state that the last failure had come to; None without one."""
    failed = execution.failed
    if failed is None or failed.mark is None or failed.context is not execution.context:
        return None
    with Temporarily(execution):
        execution.context.return_to(failed.mark)
        _relate(execution.context)
        return look()


def _relate(context: Context) -> None:
    """Add the relationships of the declared resources, which wait for the end of an input."""
    relationships = context.catalog.relationships
    log = context.redirect_log(None)
    try:
        relationships.evaluate(relationships.declared(), may_wait=True)
    except PuppetError:
        pass  # the rest of them stays unwritten
    finally:
        context.redirect_log(log)


def replace_inputs(execution: Execution, count: int, run: Callable[[], Outcome]) -> Outcome:
    """Run an input in place of the last ones."""
    with Rollback(execution) as mark:
        for _ in range(count):
            _take_back_input(execution)
        outcome = run()
        if outcome.error is not None:
            execution.return_to(mark)
        return outcome


def _take_back_input(execution: Execution) -> None:
    record, context = execution.record, execution.context
    change = record.take_back_input()
    if change is not None:
        context.return_to(change.mark)
        return
    context.top.variables.pop("_", None)
    value = record.last_value()
    if value is not NOTHING:
        context.top.bind("_", value)


def forget(execution: Execution, name: str) -> bool:
    """Forget one name, in a way that can be undone."""
    context = execution.context
    before = context.mark()
    with Rollback(execution):
        is_known = context.forget(name)
        if is_known:
            execution.record.keep_forgotten(name, before)
    return is_known


def begin_anew(execution: Execution, change: Callable[[], None] | None = None) -> None:
    """Forget all inputs, after a change to the facts, the node or its certificate."""
    context, storeconfigs = execution.context, execution.storeconfigs
    with Rollback(execution):
        storeconfigs.keep(context)  # under the name that the node had
        if change is not None:
            change()
        execution.context = execution.new_context()
        execution.record.clear()
        storeconfigs.dropped = None  # the next catalog has dropped nothing
    context.close()
