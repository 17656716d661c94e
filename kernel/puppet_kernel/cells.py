"""Running cells: a program, a command or a cell magic becomes an answer, whatever happens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from puppet_kernel.answers import Answer, failure, interrupted, stopped
from puppet_kernel.cell_magics import CellMagicError, is_cell_magic, run_cell_magic
from puppet_kernel.commands import answer_of, run_command
from puppet_kernel.interrupts import Interrupts
from puppet_kernel.outputs import bundle_of, error_content
from puppet_kernel.tracer import Tracer
from puppet_repl.commands import is_command
from puppet_repl.frontend.host import Host

NOT_BEGUN = "the cell was stopped before it began"
ROLLED_BACK = "the cell was stopped and rolled back"
NOT_SHOWN = "the cell has run; only showing its result was stopped"
STOPPED = "the cell was stopped; what had ended before is kept"


class Cells:
    """Runs the cells of one kernel, one at a time, in the main thread.

    A running cell and the making of its outputs may be interrupted. ``report`` is called with each
    error of the program itself.
    """

    def __init__(
        self,
        host: Host,
        tracer: Tracer,
        interrupts: Interrupts,
        report: Callable[[BaseException], object],
    ) -> None:
        self.host = host
        self.puppet = host.session
        self._tracer = tracer
        self._interrupts = interrupts
        self._report = report
        # What an interrupt means for the cell that runs.
        self._consequence = ""

    def run(self, code: str, number: int, *, store: bool) -> Answer:
        """Run the cell of a number; return what it shows and how it ended. Never raises."""
        self._consequence = NOT_BEGUN
        try:
            return self._interrupts.run(partial(self._limited, code, number, store))
        except KeyboardInterrupt as stop:
            is_shown = self._consequence == NOT_SHOWN
            shown = (code, f"cell {number}") if is_shown else None
            return Answer(interrupted(stop, self._consequence, shown))
        except BaseException as error:
            # Whatever it is, without a reply the notebook would wait for ever.
            self._report(error)
            return Answer(stopped(error))

    def _limited(self, code: str, number: int, store: bool) -> Answer:
        with self.puppet.deadline():
            return self._answer(code, number, store)

    def _answer(self, code: str, number: int, store: bool) -> Answer:
        self._consequence = STOPPED
        if is_command(code):
            return run_command(self.host, code)
        if is_cell_magic(code):
            return self._cell_magic(code, number)
        self._consequence = ROLLED_BACK
        name = f"cell {number}"
        with self._tracer.cell(name, code):
            outcome = self.puppet.execute(code, name, record=store)
        self._consequence = NOT_SHOWN
        answer = Answer()
        answer.show(outcome, self.puppet, number)
        return answer

    def _cell_magic(self, code: str, number: int) -> Answer:
        try:
            result = run_cell_magic(self.host, code, f"cell {number}")
        except CellMagicError as error:
            return Answer(failure("CellError", str(error)))
        if result.report is not None:
            return answer_of(result.report, self.puppet)
        answer = Answer()
        if result.text:
            answer.print(result.text)
        if result.outcome is not None:
            answer.show(result.outcome, self.puppet, number)
        return answer

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
