"""Errors that a user of the language can see.

A PuppetError is usually raised without its location in the source. The evaluator adds the location
(see compiler.locations). Three kinds of errors differ in the beginning of the message and in the
node to blame:

* PuppetError itself and ParseError are finished: their message is shown unchanged;
* EvaluationIssue is one of Puppet's numbered issues: "Evaluation Error: " goes before it, and
  ``blame`` may name an operand of the node that was being evaluated;
* RuntimeFailure is any other failure inside an expression: "Evaluation Error: Error while
  evaluating a Function Call, " and the like go before it, after the label of that node.

If code fails while it runs, the session returns an EvaluationError.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal, TypeAlias, TypeGuard, TypeVar

    from puppet_repl.language.syntax.source import Source

    Kind = TypeVar("Kind", bound="PuppetError")

    Blame: TypeAlias = str | tuple[str, int] | object | None
    Culprit: TypeAlias = int | str
    SubjectKind: TypeAlias = Literal[
        "variable", "function", "type", "resource type", "class", "attribute", "undef parameters"
    ]

NO_MEMORY = "NO_MEMORY"
"""The code of an error of our own: the limit of memory was reached."""
NO_TIME = "NO_TIME"
"""The code of an error of our own: the limit of time was reached."""
INTERRUPTED = "INTERRUPTED"
"""The code of an interruption, which Puppet has no error for."""
ILLEGAL_SIGNAL = "ILLEGAL_SIGNAL"
"""The code of break(), next() and return() that nothing catches; Puppet has no code for it."""


class Frame:
    """One line of a Puppet stack trace: ``name`` was running at ``line`` of ``file``.

    ``skipped`` is how many calls there were between this one and the next of the trace.
    """

    __slots__ = ("column", "file", "line", "name", "skipped")

    def __init__(
        self, name: str, file: str | None, line: int, column: int | None, skipped: int = 0
    ) -> None:
        self.name = name
        self.file = file
        self.line = line
        self.column = column
        self.skipped = skipped

    def __repr__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"<Frame {self.name} at {place}>"


class Subject:
    """The unknown name that an error is about, for hints.

    ``candidates`` are names of that kind that only the raiser knows: local variables, the
    parameters of a class. Names that the session knows anyway need not be among them. Of the kind
    "undef parameters" the name is that of a class or defined type, and the candidates are those of
    its parameters with a default that are undef.
    """

    __slots__ = ("candidates", "kind", "name")

    def __init__(self, kind: SubjectKind, name: str, candidates: Iterable[str] = ()) -> None:
        self.kind = kind
        self.name = name
        self.candidates = tuple(candidates)


class TimeLimitExceeded(KeyboardInterrupt):
    """Raised in Puppet code when its time is up (see base.deadline).

    It is an interrupt, so that all code that can be interrupted can be limited. A session turns it
    into the error of the input. ``setting`` names the setting of the limit.
    """

    def __init__(self, setting: str = "--max-seconds") -> None:
        super().__init__(f"Time limit exceeded (see {setting})")


class InputEnded(KeyboardInterrupt):
    """Raised in code that is stopped by a debugger, when the user ends the input."""


class OutOfMemory(MemoryError):
    """Something could not be done within the limit of memory; the message says what."""


class PuppetError(Exception):
    """What went wrong, and where: lines and columns count from 1, columns in characters.

    ``code`` is Puppet's issue code. ``start`` and ``end`` are offsets into ``source``. ``frames``
    are the calls on the way, innermost first. ``notes`` are hints of our own that never change the
    message; Python shows them below it, after the notes of ``add_note``. ``subject`` is the name
    that the error is about, or None, and ``opening`` the span of a bracket or quote that is never
    closed, or None. ``related`` are other spans of the source that explain the error, each after
    a message about it. ``outer`` is the text around the source of an error in a heredoc, with the
    span of the error there. With ``at_caller`` the caller of the innermost code is to blame.
    ``culprit`` is the argument at fault, by its position from 0, or the attribute, by its name;
    ``focus`` is its span in the source, which is marked in place of the whole call or resource.
    """

    at_caller = False
    _added: tuple[str, ...] = ()

    def __init__(
        self,
        message: str,
        code: str = "RUNTIME_ERROR",
        *,
        source: Source | None = None,
        start: int | None = None,
        end: int | None = None,
        frames: tuple[Frame, ...] = (),
        notes: tuple[str, ...] = (),
        subject: Subject | None = None,
        culprit: Culprit | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.culprit = culprit
        self.source = source
        self.start = start
        self.end = end
        self.line: int | None = None
        self.column: int | None = None
        self.frames = frames
        self.notes = notes
        self.subject = subject
        self.focus: tuple[int, int] | None = None
        self.opening: tuple[int, int] | None = None
        self.related: tuple[tuple[str, int, int], ...] = ()
        self.outer: tuple[Source, int, int] | None = None
        self.reports: tuple[Report, ...] = ()  # warnings that were logged on the way
        if source is not None and start is not None:
            self.line, self.column = source.position(start)

    @property
    def __notes__(self) -> list[str]:
        """The notes of PEP 678, with the hints."""
        return [*self._added, *self._hints]

    @__notes__.setter
    def __notes__(self, notes: list[str]) -> None:
        hints = self._hints
        self._added = tuple(each for each in notes if each not in hints)

    @property
    def _hints(self) -> list[str]:
        return [f"  hint: {note}" for note in self.notes]

    def add_note(self, note: str, /) -> None:
        """Add a note, as to any exception."""
        self._added = (*self._added, note)

    @property
    def file(self) -> str | None:
        """The name of the source; None for a text without a name."""
        return self.source.name if self.source is not None else None

    @property
    def stack(self) -> tuple[Frame, ...]:
        """The calls on the way, innermost first."""
        return self.frames

    @property
    def location(self) -> str:
        """``(file: F, line: L, column: C)`` as Puppet writes it, or ''."""
        return location_text(self.file, self.line, self.column)

    def __str__(self) -> str:
        location = self.location
        return f"{self.message} {location}" if location else self.message

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the attributes, whatever the arguments of the class are."""
        return _copy_of, (type(self), self.args, self.__dict__)


def location_text(file: str | None, line: int | None, column: int | None) -> str:
    """Return ``(file: F, line: L, column: C)`` as far as known, or ''."""
    parts = []
    if file is not None:
        parts.append(f"file: {file}")
    if line is not None:
        parts.append(f"line: {line}")
    if column is not None:
        parts.append(f"column: {column}")
    return f"({', '.join(parts)})" if parts else ""


def _copy_of(kind: type[Kind], args: tuple[object, ...], state: dict[str, object]) -> Kind:
    made = kind.__new__(kind, *args)
    made.__dict__.update(state)
    return made


def is_finished(error: BaseException) -> TypeGuard[PuppetError]:
    """Tell whether an error already has its location, so that nothing is added."""
    return type(error) is PuppetError or isinstance(error, ParseError)


class ParseError(PuppetError):
    """A text that is not a program, or that the language forbids.

    It is the input itself, or a file that the input loads.
    """


class EvaluationError(PuppetError):
    """Code that failed while it ran."""


class CompileError(EvaluationError):
    """No catalog came of code for a node."""


class Interruption(PuppetError):
    """The user stopped the code, which is not a failure; no location before the code ran."""


class EvaluationIssue(PuppetError):
    """An issue of the evaluator, without its location yet.

    ``blame`` says which part of the node under evaluation is at fault: None is the node itself,
    a string one of its fields ("left"), a pair an item of a field (("keys", 1)), an AST node
    that very node.
    """

    def __init__(
        self,
        message: str,
        code: str,
        blame: Blame = None,
        *,
        subject: Subject | None = None,
    ) -> None:
        super().__init__(message, code, subject=subject)
        self.blame = blame
        self.prefix = "Evaluation Error: "


class RuntimeFailure(PuppetError):
    """A failure that Puppet reports with the label of the node it happened in."""

    def __init__(
        self,
        message: str,
        *,
        notes: tuple[str, ...] = (),
        subject: Subject | None = None,
        culprit: Culprit | None = None,
    ) -> None:
        super().__init__(message, "RUNTIME_ERROR", notes=notes, subject=subject, culprit=culprit)


class ParseFailure(RuntimeFailure):
    """A failure of Puppet's class ParseError, which some functions take for an answer."""


class Report:
    """One finding about a text: an error or a warning, with Puppet's log level.

    ``level`` is 'err' or 'warning'; ``start`` and ``end`` are the offsets in the source where
    Puppet locates the finding. ``span`` is a better span for it, or None. ``replacements`` are
    alternatives, each with its range.
    """

    __slots__ = ("code", "end", "level", "message", "replacements", "source", "span", "start")

    def __init__(
        self, level: str, message: str, code: str, source: Source, start: int, end: int
    ) -> None:
        self.level = level
        self.message = message
        self.code = code
        self.source = source
        self.start = start
        self.end = end
        self.span: tuple[int, int] | None = None
        self.replacements: tuple[tuple[int, int, str], ...] = ()

    @property
    def position(self) -> tuple[int, int]:
        """Line and column, counted from 1."""
        return self.source.position(self.start)

    @property
    def location(self) -> str:
        """``(file: F, line: L, column: C)`` as Puppet writes it."""
        return location_text(self.source.name, *self.position)

    @property
    def logged(self) -> str:
        """The message as Puppet logs it: with its location."""
        return f"{self.message} {self.location}"


class ValidationErrors(ParseError):
    """Several errors found in one text: ``reports`` in the order Puppet logs them.

    The message is Puppet's "Language validation logged N errors. Giving up".
    """

    def __init__(self, message: str, reports: tuple[Report, ...], source: Source) -> None:
        super().__init__(message, "LANGUAGE_VALIDATION", source=source)
        self.reports = reports
