"""What a session remembers of its inputs, and how an input or another block is rolled back."""

from __future__ import annotations

from puppet_repl.base.errors import (
    NO_MEMORY,
    NO_TIME,
    EvaluationError,
    EvaluationIssue,
    PuppetError,
    RuntimeFailure,
    TimeLimitExceeded,
    ValidationErrors,
)
from puppet_repl.base.memory import (
    MEMORY_LIMIT,
    NO_ALLOCATION,
    ExtraMemory,
    clear_frames,
    keep_reserve,
    use_reserve,
)
from puppet_repl.base.wording import counted
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.values.default import UNSET
from puppet_repl.session.outcome import NOTHING, Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, TypeAlias

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session.outcome import Added

    Between = tuple[int, str, Value]
    Mark: TypeAlias = tuple[Any, ...]

    class Part(Protocol):
        """A part of the state: a context, or all that a session works on."""

        def mark(self) -> Any:
            """Return its state."""

        def return_to(self, mark: Any) -> None:
            """Return to a state; after an interrupt it is called again."""


# Changes that can be undone; each keeps a copy of the names that the session knew before it.
MAX_UNDONE = 100
# Characters of messages that stay where memory has run out.
MAX_LOGGED = 1 << 20


class Change:
    """A change that can be undone: an input that changed the session, or a forgotten name.

    ``mark`` is that of the context before the change. ``count``, ``size`` and ``between`` are of
    the same time: the number of the last input, the number of inputs (two inputs may have the same
    number), and ``Record.between``.
    """

    __slots__ = ("between", "count", "mark", "size", "text")

    def __init__(
        self, text: str, mark: Mark, count: int, size: int, between: tuple[Between, ...]
    ) -> None:
        self.text = text
        self.mark = mark
        self.count = count
        self.size = size
        self.between = between


class Undone:
    """Changes that were undone together: their texts, and the mark of the session with them."""

    __slots__ = ("mark", "texts")

    def __init__(self, texts: list[str], mark: Mark) -> None:
        self.texts = texts
        self.mark = mark


class Record:
    """The inputs of a session that succeeded, their results, and the marks to return to.

    ``inputs`` are number, text and outcome of each; ``results`` the values by number, ``count`` the
    last number, ``logs`` the messages of the input that runs. ``past`` are the changes, the last
    one comes last; inputs that changed nothing are not among them. ``between`` is what happened
    between inputs, in order: the number of inputs before it, and name and value of a variable that
    was bound, or a forgotten name and UNSET. ``undone`` can be redone, the last undo comes last;
    any other change clears it.
    """

    __slots__ = ("between", "count", "inputs", "logs", "past", "results", "undone")

    def __init__(self) -> None:
        self.inputs: list[tuple[int, str, Outcome]] = []
        self.results: dict[int, Value] = {}
        self.past: list[Change] = []
        self.count = 0
        self.logs: list[tuple[str, str]] = []
        self.between: list[Between] = []
        self.undone: list[Undone] = []

    def mark(self) -> Mark:
        """Return the whole record, for ``return_to``."""
        between, undone = tuple(self.between), tuple(self.undone)
        return tuple(self.inputs), dict(self.results), tuple(self.past), self.count, between, undone

    def return_to(self, mark: Mark) -> None:
        """Return to a mark, earlier or later; call it again after an interrupt."""
        inputs, results, past, self.count, between, undone = mark
        self.undone[:] = undone
        self.inputs[:] = inputs
        self.between[:] = between
        self.results = dict(results)
        self.past[:] = past

    def clear(self) -> None:
        """Forget all inputs."""
        self.past.clear()
        self.results.clear()
        self.inputs.clear()
        self.between.clear()
        self.undone.clear()
        self.count = 0

    def keep_assigned(self, name: str, value: Value) -> None:
        """Add a variable that no input has bound."""
        self._add_between(f"${name}", value)

    def keep_forgotten(self, name: str, mark: Mark) -> None:
        """Add a name that was forgotten, and the mark of the context before that."""
        before = tuple(self.between)
        change = Change(f":forget {name}", mark, self.count, len(self.inputs), before)
        self._add_between(name, UNSET)
        self._add_change(change)

    def _add_between(self, name: str, value: Value) -> None:
        """Add an event for a name; it replaces one since the last input."""
        self.undone.clear()
        place = len(self.inputs), name
        self.between = [each for each in self.between if each[:2] != place]
        self.between.append((*place, value))

    def keep(self, text: str, outcome: Outcome, change: Change | None) -> None:
        """Add the next input; without ``change`` it has changed nothing."""
        number = self.count + 1
        self.results[number] = None if outcome.value is NOTHING else outcome.value
        if change is not None:
            self._add_change(change)
        self.inputs.append((number, text, outcome))
        self.count = number

    def _add_change(self, change: Change) -> None:
        self.past.append(change)
        del self.past[:-MAX_UNDONE]
        self.undone.clear()

    def last_changes(self, number: int) -> list[Change]:
        """Return the last changes, at most ``number``, the last one first."""
        return self.past[::-1][:number]

    def take_back(self, changes: int) -> None:
        """Drop the last changes, and all inputs since."""
        for _ in range(changes):
            change = self.past.pop()
            self._drop_inputs(change.size, change.count)
            self.between[:] = change.between

    def first_change_since(self, size: int) -> Change | None:
        """Return the first change after the first ``size`` inputs, None if there was none."""
        return next((change for change in self.past if change.size >= size), None)

    def take_back_input(self) -> Change | None:
        """Drop the last input; return its Change, or None if it changed nothing."""
        size = len(self.inputs) - 1
        change = self.past.pop() if self.past and self.past[-1].size == size else None
        self._drop_inputs(size, self.inputs[-1][0] - 1)
        if change is not None:
            self.between[:] = change.between
            self.undone.clear()
        else:  # variables that were bound since then are kept
            self.between[:] = [
                (min(position, size), name, value) for position, name, value in self.between
            ]
        return change

    @property
    def ends_in_input(self) -> bool:
        """Whether nothing was changed since the last input, as ``forget`` does it."""
        size = len(self.inputs)
        return size > 0 and not (self.past and self.past[-1].size >= size)

    def last_value(self) -> Value:
        """Return the value of the last input that has one, or NOTHING."""
        for _, _, outcome in reversed(self.inputs):
            if outcome.value is not NOTHING:
                return outcome.value
        return NOTHING

    def drop_after(self, size: int, count: int, mark: Mark) -> None:
        """Drop the input that began at a mark, after an interrupt while it was kept."""
        if self.past and self.past[-1].mark is mark:
            self.past.pop()
        self._drop_inputs(size, count)

    def _drop_inputs(self, size: int, count: int) -> None:
        """Keep the first ``size`` inputs; ``count`` is the number of the last one of them."""
        while len(self.inputs) > size:
            self.results.pop(self.inputs.pop()[0], None)
        self.results.pop(count + 1, None)
        if self.inputs:
            number, _, outcome = self.inputs[-1]
            self.results[number] = None if outcome.value is NOTHING else outcome.value
        self.count = count


class FailedCatalog:
    """The state at the last failure that had declared resources: a context and its mark."""

    __slots__ = ("context", "mark")

    def __init__(self) -> None:
        self.context: Context | None = None
        self.mark: Mark | None = None

    def keep(self, context: Context) -> None:
        """Keep the state of a context that is about to be rolled back."""
        if context.has_catalog and context.catalog.state.fresh:
            self.context, self.mark = context, context.mark()


class Transaction:
    """One input: kept if it succeeds, rolled back if it fails; ``outcome`` says which.

    Used as a context manager, which ends with the block: a PuppetError becomes the outcome, and so
    does running out of memory or time. For anything else the caller has to call ``roll_back``, and
    around the whole block, because an interrupt can also arrive while the context manager exits.

    Without ``text`` the input is not recorded. The caller sets ``value`` and, to labels of the
    input's definitions, ``defined``. ``add_hint`` is called with the error of a failure,
    ``before_keeping`` before a success is kept. ``name`` is that of the file of the input.
    ``failed`` gets the state of a catalog that is rolled back, and loses it at a success.
    """

    __slots__ = (
        "_add_hint",
        "_before_keeping",
        "_context",
        "_count",
        "_failed",
        "_mark",
        "_name",
        "_record",
        "_size",
        "_text",
        "_undone",
        "defined",
        "outcome",
        "value",
    )

    def __init__(
        self,
        context: Context,
        record: Record,
        text: str | None,
        add_hint: Callable[[PuppetError], None],
        before_keeping: Callable[[], object],
        name: str | None = None,
        failed: FailedCatalog | None = None,
    ) -> None:
        record.logs = []
        self._failed = failed
        self._name = name
        self._context = context
        self._record = record
        self._text = text
        self._add_hint = add_hint
        self._before_keeping = before_keeping
        self._mark = context.mark()
        self._count = record.count
        self._size = len(record.inputs)
        self._undone = tuple(record.undone)
        self.value: Value = NOTHING
        self.defined: tuple[str, ...] = ()
        self.outcome = Outcome()

    def __enter__(self) -> None:
        """Begin; the mark was set when the transaction was created."""

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        placeholders = self._context.placeholders
        if placeholders is not None:
            placeholders.report(self._context)
        self._context.end_messages()
        if error is None:
            self.outcome = self._commit()
            return False
        if isinstance(error, PuppetError):
            self.outcome = self._fail(error)
            return True
        if isinstance(error, TimeLimitExceeded):
            self.stop(error)
            return True
        if isinstance(error, NO_ALLOCATION):
            use_reserve()
            clear_frames(error)
            error.__traceback__ = error.__context__ = None
            self.outcome = self._fail_without_memory(None)
            return True
        return False

    def _commit(self) -> Outcome:
        record, context = self._record, self._context
        self._before_keeping()
        if self._failed is not None:
            self._failed.mark = None
        added = _AddedTo(context.catalog) if context.has_catalog else None
        if self._text is None:
            return Outcome(self.value, record.logs, added=added)
        outcome = Outcome(self.value, record.logs, number=self._count + 1, added=added)
        outcome.defined = self.defined
        change = None
        if self.defined or context.has_changed(self._mark):
            between = tuple(record.between)
            change = Change(self._text, self._mark, self._count, self._size, between)
        record.keep(self._text, outcome, change)
        if self.value is not NOTHING:
            context.top.bind("_", self.value)
        return outcome

    def _fail(self, error: PuppetError) -> Outcome:
        if error.code == NO_MEMORY:
            use_reserve()
            return self._fail_without_memory(error)
        self._add_hint(error)
        if type(error) is PuppetError or isinstance(error, (EvaluationIssue, RuntimeFailure)):
            error.__class__ = EvaluationError  # kept frames find it by its identity
        failure = self._context.failure
        if failure is not None and not failure.is_of(error):
            self._context.failure = None  # an error of before, which was dealt with
        if self._failed is not None:
            self._failed.keep(self._context)
        self._context.return_to(self._mark)
        if isinstance(error, ValidationErrors):
            # They belong to the error, which shows them; only Puppet logs them as well.
            self._record.logs.extend((report.level, report.logged) for report in error.reports)
        return Outcome(logs=self._record.logs, error=error)

    def stop(self, error: TimeLimitExceeded) -> None:
        """Fail because the time is up."""
        from puppet_repl.base.deadline import end_deadline
        from puppet_repl.language.compiler.locations import stopped

        end_deadline()
        file = None if self._name is None else Source("", self._name)
        self.outcome = self._fail(stopped(error, NO_TIME, file))

    def _fail_without_memory(self, error: PuppetError | None) -> Outcome:
        with ExtraMemory():
            if self._failed is not None:
                self._failed.mark = None
            self._context.return_to(self._mark)
            if error is None:
                setting = self._context.options.spelt("max_memory")
                error = PuppetError(MEMORY_LIMIT.format(setting), NO_MEMORY)
            self._record.logs = _shortened(self._record.logs)
            keep_reserve()
            return Outcome(logs=self._record.logs, error=error)

    def roll_back(self) -> None:
        """Return to the state before the input, even if Ctrl-C arrives meanwhile."""
        despite_interrupts(self._return)

    def _return(self) -> None:
        self._context.return_to(self._mark)
        self._record.drop_after(self._size, self._count, self._mark)
        self._record.undone[:] = self._undone


def _shortened(logs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the first messages: memory has run out, perhaps because of them."""
    room = MAX_LOGGED
    for index, (_, text) in enumerate(logs):
        room -= len(text)
        if room < 0:
            left_out = f"{counted(len(logs) - index, 'further message')}: memory has run out"
            return [*logs[:index], ("warning", left_out)]
    return logs


class Rollback:
    """Undoes changes to a part of the state if a block fails or is interrupted.

    The block gets the mark from its beginning.
    """

    __slots__ = ("_mark", "_part")

    def __init__(self, part: Part) -> None:
        self._part = part

    def __enter__(self) -> Any:
        self._mark = self._part.mark()
        return self._mark

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if error is not None:
            self._return(error)

    def _return(self, error: BaseException | None) -> None:
        interrupt = despite_interrupts(lambda: self._part.return_to(self._mark))
        if interrupt is not None and not isinstance(error, KeyboardInterrupt):
            raise interrupt


class Temporarily(Rollback):
    """Undoes changes to a part of the state at the end of a block, however it ends."""

    __slots__ = ()

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        self._return(error)


def despite_interrupts(work: Callable[[], None]) -> KeyboardInterrupt | None:
    """Do work, from the start again after each Ctrl-C meanwhile. Return the last interrupt."""
    interrupt: KeyboardInterrupt | None = None
    while True:
        try:
            work()
            return interrupt
        except KeyboardInterrupt as stop:
            interrupt = stop


class _AddedTo:
    """A function that returns what an input has added to a catalog."""

    __slots__ = ("_catalog",)

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def __call__(self) -> Added:
        from puppet_repl.catalog.json import added

        return added(self._catalog)
