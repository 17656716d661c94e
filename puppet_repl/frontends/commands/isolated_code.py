"""Evaluate code for a command: it sees the session, but its effects are rolled back."""

from __future__ import annotations

from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from puppet_repl.host.command_model import Call
    from puppet_repl.session.outcome import Outcome

    Evaluate: TypeAlias = Callable[[str], Outcome]


@contextmanager
def aside(call: Call) -> Iterator[Evaluate]:
    """Give a function that evaluates code; each text sees the assignments of earlier texts.

    It may bind these names again, as an input may. While code is stopped, the selected frame
    evaluates it, otherwise the session. The end of the context rolls its changes back.
    """
    session = call.session
    stack = call.host.stopped_stack
    if stack is None:
        with session.temporarily():
            yield lambda text: session.execute(text, record=False)
        return
    with stack.evaluating() as evaluate:

        def shown(text: str) -> Outcome:
            outcome = evaluate(text)
            if session.log is not None:
                for level, message in outcome.logs:
                    session.log(level, message)
            return outcome

        yield shown


def evaluate_aside(call: Call, text: str) -> Outcome:
    """Evaluate one text as ``aside`` does."""
    with aside(call) as evaluate:
        return evaluate(text)
