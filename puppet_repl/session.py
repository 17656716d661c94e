"""The only door of the engine: a session runs inputs one after the other on one state.

Every input is a layer over the ones before: inside one input Puppet's rules hold to the letter, a
later input may bind a name again. An input that fails leaves the state as it was before it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial

from puppet_repl.base.memory import ExtraMemory, clear_frames
from puppet_repl.base.recursion import deep_calls
from puppet_repl.compiler import compile_program, render_epp
from puppet_repl.environment.top_scope import attach
from puppet_repl.errors import PuppetError, ValidationErrors
from puppet_repl.runtime.context import Context
from puppet_repl.runtime.options import Options
from puppet_repl.syntax.parser import parse
from puppet_repl.syntax.source import Source
from puppet_repl.syntax.validate import validate
from puppet_repl.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.completion import Completions
    from puppet_repl.functions.registry import Function
    from puppet_repl.inspection import Documentation
    from puppet_repl.syntax.completeness import Complete, Incomplete, Invalid

    Added: TypeAlias = tuple[list[dict[str, Any]], list[dict[str, str]]]

__all__ = ["NOTHING", "Nothing", "Options", "Outcome", "Session"]

Log = Callable[[str, str], None]
# Each step back keeps a copy of the names that the session knew then.
MOST_UNDONE = 100
# Address space, no memory, until it is given up for reporting that there is none left.
_RESERVE = 4 << 20
_MOST_INFERRED = 100_000


class Nothing:
    """The class of NOTHING."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = Nothing()
"""What an input gives that has no value: a failed one, an empty one, most commands."""


class Outcome:
    """What came of one input.

    ``logs`` are pairs of level and text in order; ``number`` is N of ``$_N``, None where nothing
    was numbered.
    """

    __slots__ = ("_added", "error", "logs", "number", "value")

    def __init__(
        self,
        value: Any = NOTHING,
        logs: list[tuple[str, str]] | None = None,
        error: PuppetError | None = None,
        number: int | None = None,
        added: Callable[[], Added] | None = None,
    ) -> None:
        self.value = value
        self.logs = logs if logs is not None else []
        self.error = error
        self.number = number
        self._added = added

    @property
    def resources(self) -> list[dict[str, Any]]:
        """What the input added to the catalog, in Puppet's catalog format.

        It is worked out when it is asked for, which has to be before the next input.
        """
        return self._added_to_catalog()[0]

    @property
    def edges(self) -> list[dict[str, str]]:
        """The containment that the input added to the catalog; see ``resources``."""
        return self._added_to_catalog()[1]

    def _added_to_catalog(self) -> Added:
        if self._added is None:
            return [], []
        with deep_calls:
            return self._added()


class Session:
    """One user's work. ``log`` is called with level and text the moment something is logged.

    ``facts`` are the facts of the node, as a JSON-like mapping; without them those of this machine
    are collected when they are first asked for.
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        facts: dict[str, Any] | None = None,
        log: Log | None = None,
    ) -> None:
        self.options = options if options is not None else Options()
        self.log = log
        self._facts = facts
        self._logs: list[tuple[str, str]] = []
        self._past: deque[tuple[object, int]] = deque(maxlen=MOST_UNDONE)
        self._results: dict[int, Any] = {}
        self.inputs: list[tuple[int, str, Outcome]] = []
        self.count = 0
        self._reserve = bytes(_RESERVE)
        self.context = self._new_context()

    def _new_context(self) -> Context:
        context = Context(self.options, self._facts, self._log)
        context.find_builtin = _find_builtin
        context.make_catalog = _make_catalog
        attach(context)
        of_the_node = context.top_variable

        def top_variable(name: str) -> Any:
            if name[:1] == "_" and name[1:].isdigit():
                return self._results.get(int(name[1:]), UNSET)
            return of_the_node(name)

        context.top_variable = top_variable
        return context

    def _log(self, level: str, text: str) -> None:
        self._logs.append((level, text))
        if self.log is not None:
            self.log(level, text)

    # The five verbs

    def execute(
        self, text: str, name: str | None = None, *, record: bool = True, complete: bool = True
    ) -> Outcome:
        """Run one input; never raises for what a user typed.

        Without ``record`` the input has no number and ``$_`` stays as it is, as commands need
        it. Without ``complete`` what Puppet puts off until the end of a compilation (bodies of
        defines, collectors, checks of the catalog) stays put off. A KeyboardInterrupt passes
        through, after the state has been put back.
        """
        return self._run(
            lambda: self._evaluate(text, name, complete=complete), text if record else None
        )

    def check(self, text: str) -> Complete | Incomplete | Invalid:
        """Whether ``text`` is complete, wants more lines (and how deep), or is wrong."""
        from puppet_repl.syntax.completeness import check

        with deep_calls:
            return check(text)

    def complete(self, text: str, cursor: int) -> Completions:
        """What could stand at the cursor. Nothing is evaluated."""
        from puppet_repl.completion import complete

        with deep_calls:
            return complete(self, text, cursor)

    def inspect(self, text: str, cursor: int) -> Documentation | None:
        """What is known about the name at the cursor. Nothing is evaluated."""
        from puppet_repl.inspection import inspect

        with deep_calls:
            return inspect(self, text, cursor)

    def reset(self) -> None:
        """Forget everything but the settings."""
        self._past.clear()
        self._results.clear()
        self.inputs.clear()
        self.count = 0
        self.context = self._new_context()

    # What builds on them

    def run_site(self) -> Outcome | None:
        """Run the manifests of the environment's folder; the outcome of the first that fails."""
        environment = self.context.environment
        if self.options.environment is None or environment is None:
            return None
        try:
            manifests = environment.manifests()
        except PuppetError as error:
            return Outcome(error=error)
        for source in manifests:
            outcome = self.execute(source.text, source.name, record=False)
            if outcome.error is not None:
                return outcome
        return None

    def render_epp(self, text: str, params: dict[str, Any] | None = None) -> Outcome:
        """Render ``text`` as an EPP template with parameters given as a JSON-like mapping."""
        from puppet_repl.values.data import from_data

        given = None if params is None else from_data(params)

        def render() -> Any:
            return render_epp(Source(text), self.context, given)

        return self._run(render)

    def finish_catalog(self, outcome: Outcome) -> Outcome:
        """Run the catalog's final checks; the outcome then holds all of its resources."""

        def finish() -> Added:
            from puppet_repl.catalog.json import contents

            return contents(self.context.catalog)

        finished = self._run(finish)
        logs = outcome.logs + finished.logs
        if finished.error is not None:
            return Outcome(logs=logs, error=finished.error)
        found = finished.value
        return Outcome(outcome.value, logs, number=outcome.number, added=lambda: found)

    def number_next(self, number: int) -> None:
        """Give the next input this number, as front ends need that count failed inputs too."""
        self.count = number - 1

    def undo(self, inputs: int = 1) -> int:
        """Take the last inputs back; how many there were to take."""
        taken = min(inputs, len(self._past))
        if taken:
            for _ in range(taken):
                state, self.count = self._past.pop()
                self._results.pop(self.count + 1, None)
            del self.inputs[len(self.inputs) - taken :]
            self.context.restore(state)
        return taken

    def forget(self, name: str) -> bool:
        """Forget one name of the inputs (``$x``, a function, type or class); False if unknown."""
        return self.context.forget(name)

    def use_facts(self, facts: dict[str, Any]) -> None:
        """Be a machine with other facts; the session starts anew."""
        self._facts = facts
        self.reset()

    def describe(self, value: Any) -> dict[str, str | None]:
        """Program text, plain text and inferred type of a value, as ``batch`` answers them."""
        from puppet_repl.types.algebra.infer import infer
        from puppet_repl.types.text.format import plain_text, program_text

        if value is NOTHING:
            value = None
        with deep_calls:
            plain: str | None
            try:
                plain = plain_text(value)
            except PuppetError:  # bytes that are no text
                plain = None
            return {
                "value": program_text(value),
                "str": plain,
                "type": str(infer(value)),
            }

    def type_text(self, value: Any) -> str:
        """The inferred type of a value, as text; of a very large one only which kind it is."""
        from puppet_repl.types.algebra.infer import infer
        from puppet_repl.values.size import is_large

        with deep_calls:
            if is_large(value, _MOST_INFERRED):
                return "Array" if isinstance(value, tuple) else "Hash"
            return str(infer(value))

    # How an input runs

    def _evaluate(self, text: str, name: str | None, *, complete: bool) -> Any:
        source = Source(text, name)
        program = parse(source)
        for warning in program.warnings:
            self._log("warning", warning.message)
        for report in validate(program, strict=self.options.strict):
            self._log(report.level, report.message)
        compiled = compile_program(program, self.context)
        self.context.begin_input()
        value = compiled.run()
        if complete:
            self.context.end_input()
        return value

    def _add_hint(self, error: PuppetError) -> None:
        """Note beside an error which name was probably meant."""
        from puppet_repl.inspection.suggestions import hint_for

        hint = hint_for(self, error)
        if hint is not None:
            error.notes = (*error.notes, hint)

    def _run(self, work: Callable[[], Any], text: str | None = None) -> Outcome:
        """Run one input; with its ``text`` it is counted and kept.

        Whatever leaves this, an interrupt at any point too, leaves the state as it was.
        """
        self._logs = []
        state, count = self.context.snapshot(), self.count
        try:
            with deep_calls:
                return self._attempt(work, state, text)
        except BaseException:
            self._take_back(state, count)
            raise

    def _attempt(self, work: Callable[[], Any], state: object, text: str | None) -> Outcome:
        context = self.context
        logs = self._logs
        try:
            value = work()
        except PuppetError as error:
            if error.code == "NO_MEMORY":
                self._reserve = b""
                return self._without_memory(state, error)
            self._add_hint(error)
            context.restore(state)
            if isinstance(error, ValidationErrors):
                # They belong to the error, which shows them; only Puppet logs them as well.
                logs.extend((report.level, report.message) for report in error.reports)
            return Outcome(logs=logs, error=error)
        except (MemoryError, SystemError) as error:
            # Where an allocation fails inside of it, CPython sometimes says SystemError.
            self._reserve = b""
            clear_frames(error)
            error.__traceback__ = error.__context__ = None
            return self._without_memory(state, None)
        added = partial(_added, context.catalog) if context.has_catalog else None
        if text is None:
            return Outcome(value, logs, added=added)
        number = self.count + 1
        outcome = Outcome(value, logs, number=number, added=added)
        context.top.bind("_", value)
        self._results[number] = value
        self._past.append((state, self.count))
        self.inputs.append((number, text, outcome))
        self.count = number
        return outcome

    def _take_back(self, state: object, count: int) -> None:
        """Be as before an input, however impatient the user is."""
        while True:
            try:
                self.context.restore(state)
                self.count = count
                self._results.pop(count + 1, None)
                if self._past and self._past[-1][0] is state:
                    self._past.pop()
                if self.inputs and self.inputs[-1][0] > count:
                    self.inputs.pop()
                return
            except KeyboardInterrupt:
                continue

    def _without_memory(self, state: object, error: PuppetError | None) -> Outcome:
        """What came of an input that took more memory than there may be."""
        with ExtraMemory():
            self.context.restore(state)
            if error is None:
                error = PuppetError("This takes more memory than there may be", "NO_MEMORY")
            self._reserve = bytes(_RESERVE)
            return Outcome(logs=self._logs, error=error)


def _find_builtin(name: str) -> Function | None:
    from puppet_repl.functions.registry import find

    return find(name)


def _added(catalog: Catalog) -> Added:
    from puppet_repl.catalog.json import added

    return added(catalog)


def _make_catalog(context: Context) -> Catalog:
    from puppet_repl.catalog.catalog import Catalog

    return Catalog(context)
