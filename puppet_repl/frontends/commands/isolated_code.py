"""Code that commands evaluate aside: it sees what there is, and leaves nothing after."""

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
    """Give a function that evaluates code; each text sees what those before it have assigned.

    It may bind these names again, as an input may.
    While code is stopped it is evaluated in the frame that is looked at, otherwise in the session.
    At the end of the context what it changed is rolled back.
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
