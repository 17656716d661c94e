"""Interrupt ways back of a session at every line: ``python -m tests.session.interrupted SCENARIO``.

A process of its own, because an interrupt that escapes would end the run of the tests. It fails
where an interrupt leaves the session in another state than before.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from opcode import opmap
from pathlib import Path

from puppet_repl.frontends.shared.entry_run import run_entry
from puppet_repl.session import Options, Session
from tests.session.session_inputs import FACTS, furnish, state, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# 3.12 has the event at the target of the jump, 3.13 at its start.
_JUMPS_BACK = [opmap[name] for name in ("FOR_ITER", "JUMP_BACKWARD")]
OTHER = {"os": {"name": "Plan 9"}, "kernel": "9"}


class Interrupter:
    """Raises KeyboardInterrupt at the Nth line that Python runs.

    From 3.12 on, no handler of the frame sees what a trace function raises at a jump back within a
    line, as a comprehension has it. With an interrupt by a signal it does.
    """

    def __init__(self, line: int) -> None:
        self.left = line

    def __call__(self, frame: FrameType, event: str, argument: object) -> Interrupter:
        if event == "line" and frame.f_code.co_code[frame.f_lasti] not in _JUMPS_BACK:
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt
        return self


def over_before(work: Callable[[], object], line: int, ignored: list[object]) -> bool | None:
    """Interrupt a piece of work; tell whether it was over before, None where it went on.

    An interrupt in a destructor is ignored by Python itself, and noted in ``ignored``.
    """
    previous, hook = sys.gettrace(), sys.unraisablehook
    interrupter = Interrupter(line)
    sys.unraisablehook = ignored.append
    sys.settrace(interrupter)
    try:
        work()
    except KeyboardInterrupt:
        return False
    finally:
        sys.settrace(previous)
        sys.unraisablehook = hook
    if interrupter.left <= 0:
        assert ignored, "somebody swallowed the interrupt"
        return None
    return True


def interrupt_restoring(session: Session, times: int) -> list[int]:
    """Let the next attempts to return to a mark be interrupted; return how many are left."""
    return_to = session._context.return_to
    left = [times]

    def interrupted(found: tuple[Any, ...]) -> None:
        session._context.top.variables.clear()
        if left[0]:
            left[0] -= 1
            raise KeyboardInterrupt
        return_to(found)

    vars(session._context)["return_to"] = interrupted
    return left


def run_interrupted(scenario: str) -> None:
    """Run a scenario in a process of its own; raise what went wrong."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.session.interrupted", scenario],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "well\n"), done.stderr[-3000:]


def _more(session: Session) -> None:
    """Change what ``furnish`` has made."""
    value(session, "$kept = 2 function old() { 'new' } type Old = String")
    value(session, "Notify <| |> { message => 'new' } notify { 'more': }")


def _undo(session: Session) -> None:
    session.undo(2)


def _undone(session: Session) -> None:
    _more(session)
    session.undo(2)


def _forget_one(name: str) -> Callable[[Session], None]:
    def forget(session: Session) -> None:
        assert session.forget(name)

    return forget


def _continued(session: Session) -> None:
    _more(session)
    value(session, "# a comment")
    value(session, "if false { 1 }")
    value(session, "# another one")


def _continued_by_change(session: Session) -> None:
    _more(session)
    value(session, "if $kept == 2 { $y = 1 Notify['old'] { tag => 't' } include d }")


def _with_class(session: Session) -> None:
    value(session, "class d { notify { 'd': } }")
    _continued_by_change(session)


def _nothing(session: Session) -> None:
    pass


SCENARIOS: dict[str, tuple[Callable[[Session], object], Callable[[Session], object]]] = {
    "undo": (_more, _undo),
    "undo the catalog": (_nothing, lambda session: session.undo(99)),
    "redo": (_undone, Session.redo),
    "redo the catalog": (lambda session: session.undo(99), Session.redo),
    "replace": (_more, lambda session: session.replace_inputs(1, "$y = 2")),
    "forget a variable": (_nothing, _forget_one("$kept")),
    "forget a function": (_nothing, _forget_one("old")),
    "forget a type": (_nothing, _forget_one("Old")),
    "forget a class": (_nothing, _forget_one("c")),
    "else": (_continued, lambda session: run_entry(session, "else { $y = 2 notify { 'e': } }")),
    "else of changes": (_with_class, lambda session: run_entry(session, "else { notice(1) }")),
    "else that fails": (_with_class, lambda session: run_entry(session, "else { nix( }")),
    "elsif that fails": (
        _continued,
        lambda session: run_entry(session, "elsif true { notify { 'n': } fail('no') }"),
    ),
    "reset": (_more, Session.reset),
    "facts": (_more, lambda session: session.use_facts(OTHER)),
    "node": (_more, lambda session: session.use_node("other.example.com")),
    "trusted": (_more, lambda session: session.use_trusted({"pp_role": "web"})),
}
"""What is prepared, and what is interrupted then."""


def _all_of(session: Session) -> object:
    context = session._context
    options = session.options
    past = [(change.text, change.count) for change in session._execution.record.past]
    past += [(text, 0) for each in session._execution.record.undone for text in each.texts]
    node = options.node, dict(options.trusted), dict(session.facts or {})
    return state(session), past, node, context.top.match and context.top.match.group(1)


def main(scenario: str) -> None:
    """Interrupt the work of a scenario at every line, later on at every hundredth part."""
    prepare, work = SCENARIOS[scenario]

    def prepared() -> Session:
        session = Session(Options(node="one.example.com", storeconfigs=True), facts=FACTS)
        session.storeconfigs.changed = lambda _: None
        prepare(furnish(session))
        return session

    done = prepared()
    work(done)  # what is imported once is imported now
    after = _all_of(done)
    session = prepared()
    before = _all_of(session)
    line = 1
    late = 0  # interrupts after everything has happened
    ignored: list[object] = []
    while True:
        is_over = over_before(partial(work, session), line, ignored)
        found = _all_of(session)
        if is_over:
            assert found == after
            break
        if is_over is None or found == after != before:
            late += is_over is not None
            session = prepared()
        else:
            assert found == before, f"line {line}:\n{found}\n{before}"
        line += 1 + line // 100
    assert line > 20
    assert len(ignored) < 5
    assert late < 6
    print("well")


if __name__ == "__main__":
    main(sys.argv[1])
