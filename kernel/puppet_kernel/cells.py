"""Running cells: a program, a command or a cell magic becomes an answer, whatever happens."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from puppet_kernel.answers import Answer, Content, failure, interrupted, stopped
from puppet_kernel.cell_magics import (
    CellMagicError,
    is_cell_magic,
    run_cell_magic,
    runs_code,
    split_magic,
)
from puppet_kernel.cell_parts import Plan
from puppet_kernel.commands import answer_of, means_quit, run_command
from puppet_kernel.outputs import bundle_of, error_content
from puppet_repl.base.log_levels import NOTE
from puppet_repl.base.safe_text import visible_lines
from puppet_repl.frontends.commands import is_command
from puppet_repl.frontends.commands.code import duration
from puppet_repl.frontends.commands.entries import without_semicolon
from puppet_repl.frontends.shared.captured_output import Captured
from puppet_repl.frontends.shared.entry_run import Run, note_habit
from puppet_repl.frontends.shared.interrupts import Interrupts
from puppet_repl.frontends.shared.result_hints import hint_on_result
from puppet_repl.host.host import Host
from puppet_repl.session import NOTHING, Outcome
from puppet_repl.tools.rendering.notebook_text import notebook_log

if TYPE_CHECKING:
    from puppet_kernel.debugger import CellDebugger

NOT_BEGUN = "the cell was stopped before it began"
ROLLED_BACK = "the cell was stopped and rolled back"
NOT_SHOWN = "the cell has run; only showing its result was stopped"
STOPPED = "the cell was stopped; what had ended before is kept"


class _Cell:
    """A cell that runs: its text and number, whether it is stored, and what its text says."""

    __slots__ = ("code", "is_partly_run", "name", "number", "plan", "store")

    def __init__(self, code: str, number: int, store: bool) -> None:
        self.code = code
        self.number = number
        self.name = f"cell {number}"
        self.store = store
        self.plan = Plan()
        self.is_partly_run = False


class Cells:
    """Runs the cells of one kernel, one at a time, in the main thread.

    A running cell and the making of its outputs may be interrupted. Without a ``debugger`` they
    stop nowhere. ``report`` is called with each
    error of the program itself. While there is something ``captured``, it takes the log messages.
    """

    def __init__(
        self,
        host: Host,
        debugger: CellDebugger | None,
        interrupts: Interrupts,
        report: Callable[[BaseException], object],
    ) -> None:
        self.host = host
        self.puppet = host.session
        self.captured: Captured | None = None
        self._debugger = debugger
        self._interrupts = interrupts
        self._report = report
        # What an interrupt means for the cell that runs.
        self._consequence = ""

    def answers(self, code: str, number: int, *, store: bool) -> Iterator[Answer]:
        """Run the cell of a number; yield the answer of each of its parts. Never raises.

        Each is to be shown before the next is asked for. One with an error is the last.
        """
        cell = _Cell(code, number, store)
        if store and self._debugger is not None:
            # A cell that is not stored reuses the number of a stored cell: that text is kept.
            self._debugger.begin(cell.name, code)
        answer = self._guarded(partial(self._prepare, cell, code), cell, code)
        started = time.perf_counter()
        self.captured = captured = None if cell.plan.capture is None else Captured()
        # Outputs that are shown only if the cell fails.
        hidden: list[tuple[str, Content]] = []
        try:
            waiting: deque[tuple[str, str | None]] = deque((each, None) for each in cell.plan.parts)
            while waiting:
                yield answer
                part, heading = waiting.popleft()
                if heading and captured is None:
                    shown = Answer()
                    shown.print(f"{heading}\n")
                    yield shown
                self.host.is_rerunning = heading is not None
                answer = self._guarded(partial(self._limited, cell, part), cell, part)
                cell.is_partly_run = True
                waiting.extendleft(reversed(answer.reruns))
                if captured is not None:
                    captured.output += _texts(answer)
                    hidden += answer.messages
                    answer.messages.clear()
                    if answer.value is not NOTHING:
                        captured.value = answer.value
                if answer.error is not None:
                    break
            if captured is not None and answer.error is not None:
                _show_captured(captured.logs, hidden, answer)
            yield answer
        finally:
            self.captured = None
            self.host.is_rerunning = False
        if answer.error is not None:
            return
        if captured is not None:
            answer = self._guarded(partial(self._bind, cell, captured), cell, code)
            yield answer
        if cell.plan.is_timed and answer.error is None:
            answer = Answer()
            answer.print(f"{duration(time.perf_counter() - started)}\n")
            yield answer

    def _guarded(self, work: Callable[[], Answer], cell: _Cell, code: str) -> Answer:
        self._consequence = STOPPED if cell.is_partly_run else NOT_BEGUN
        try:
            return self._interrupts.run(work)
        except KeyboardInterrupt as stop:
            is_shown = self._consequence == NOT_SHOWN
            shown = (code, cell.name) if is_shown else None
            return Answer(interrupted(stop, self._consequence, shown))
        except BaseException as error:
            # Whatever it is, without a reply the notebook would wait for ever.
            self._report(error)
            return Answer(stopped(error))

    def _prepare(self, cell: _Cell, code: str) -> Answer:
        try:
            cell.plan.read(self.puppet, code)
        except CellMagicError as error:
            return _refused(error)
        return Answer()

    def _limited(self, cell: _Cell, part: str) -> Answer:
        with self.puppet.deadline():
            return self._answer(cell, part)

    def _answer(self, cell: _Cell, part: str) -> Answer:
        self._consequence = STOPPED
        if cell.store:
            # A result has the number of its cell, also after a cell that failed.
            self.puppet.number_next(cell.number)
        if is_command(part) or means_quit(self.puppet, part):
            answer = run_command(self.host, part if is_command(part) else ":quit")
            return self._with_parts(answer) if answer.reruns else answer
        if is_cell_magic(part):
            return self._cell_magic(cell, part)
        part, is_ended = without_semicolon(self.puppet, part)
        answer = Answer()
        outcome = self._execute(cell, part)
        run = Run(part, cell.name, outcome)
        quiet = is_ended or (not self.host.settings["show_assignments"] and run.is_assignment)
        self._take(answer, cell, outcome, quiet=quiet)
        hint = None if quiet or cell.plan.is_quiet else hint_on_result(self.puppet, run)
        if hint is not None:
            stream, text = notebook_log(NOTE, f"hint: {hint}")
            answer.print(text, stream)
        return answer

    def _with_parts(self, answer: Answer) -> Answer:
        """Split the cells that an answer has to be run again into their parts."""
        parts = []
        for _, text in answer.reruns:
            plan = Plan()
            try:
                plan.read(self.puppet, text)
            except CellMagicError as error:
                return _refused(error)
            if plan.capture is not None:
                return Answer(
                    failure("CellError", "a cell with %%capture is run again by hand only")
                )
            parts += [(part, "" if index else text) for index, part in enumerate(plan.parts)]
        answer.reruns = parts
        return answer

    def _cell_magic(self, cell: _Cell, part: str) -> Answer:
        if runs_code(split_magic(part)[0]):
            self._consequence = ROLLED_BACK
        try:
            result = run_cell_magic(self.host, part, cell.name)
        except CellMagicError as error:
            return _refused(error)
        if result.report is not None:
            return answer_of(result.report, self.puppet)
        answer = Answer()
        if result.text:
            answer.print(result.text)
        if result.outcome is not None:
            self._take(answer, cell, result.outcome, quiet=False)
        return answer

    def _take(self, answer: Answer, cell: _Cell, outcome: Outcome, *, quiet: bool) -> None:
        """Add the outcome of code to an answer, unless the cell shows none."""
        quiet = quiet or cell.plan.is_quiet or self.captured is not None
        answer.show(outcome, self.puppet, cell.number, quiet=quiet)

    def _bind(self, cell: _Cell, captured: Captured) -> Answer:
        answer = Answer()
        outcome = captured.bind(self.puppet, str(cell.plan.capture))
        answer.show(outcome, self.puppet, cell.number, quiet=True)
        return answer

    def _execute(self, cell: _Cell, code: str) -> Outcome:
        self._consequence = STOPPED if cell.is_partly_run else ROLLED_BACK
        debugger = self._debugger if cell.store else None
        with nullcontext() if debugger is None else debugger.tracer.tracing():
            outcome = self.puppet.execute(code, cell.name, record=cell.store)
        note_habit(self.puppet, code, outcome)
        self._consequence = NOT_SHOWN
        return outcome

    def values(self, wanted: dict[str, str]) -> dict[str, Any]:
        """Return the values of user expressions by name, each with its own status."""
        found: dict[str, Any] = {}
        for name, text in wanted.items():
            try:
                found[name] = self._interrupts.run(partial(self._value, text))
            except KeyboardInterrupt:
                break
            except BaseException as error:
                self._report(error)
                found[name] = {"status": "error", **stopped(error)}
        return found

    def _value(self, text: str) -> dict[str, Any]:
        outcome = self.puppet.execute(text, record=False)
        if outcome.error is not None:
            return {"status": "error", **error_content(outcome.error)}
        return {"status": "ok", "data": bundle_of(outcome.value), "metadata": {}}


def _texts(answer: Answer) -> list[str]:
    """Return the messages of an answer as text."""
    texts = []
    for kind, content in answer.messages:
        if kind == "stream":
            texts.append(content["text"])
        elif kind == "display_data":
            texts.append(content["data"].get("text/plain", "") + "\n")
    return texts


def _show_captured(
    logs: list[tuple[str, str]], hidden: list[tuple[str, Content]], answer: Answer
) -> None:
    """Add the logs and the hidden outputs of a cell above its error."""
    for level, message in logs:
        name, text = notebook_log(level, message)
        answer.print(text, name)
    answer.messages += hidden


def _refused(error: CellMagicError) -> Answer:
    """Return the answer to a magic that is used wrongly; its text may be in the message."""
    return Answer(failure("CellError", visible_lines(str(error))))
