"""One finding of ``validate``, as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from puppet_repl.base.errors import PuppetError, Report, ValidationErrors
from puppet_repl.base.safe_text import visible_lines
from puppet_repl.tools.advice.model import Advice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from puppet_repl.language.syntax.source import Source

    # What checks yield. A report and an error know the text around them, which is shown with them.
    Finding: TypeAlias = "Diagnostic | Report | PuppetError"

UNREADABLE = "UNREADABLE"
"""The code of an error without a code of Puppet's: a file cannot be read."""
NO_FILES = "NO_FILES"
"""The code of the warning about a directory without files to check."""
NO_RUBY = "NO_RUBY"
"""The code of the warning about files that only Ruby could read, where there is none."""


class Edit(NamedTuple):
    """A change of a text: from line and column to the end, both as in a ``Diagnostic``."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class RelatedLocation(NamedTuple):
    """A location that explains a ``Diagnostic``, and the text about it: a bracket never closed.

    Lines and columns are as in a ``Diagnostic``.
    """

    message: str
    file: str | None
    line: int
    column: int
    end_line: int
    end_column: int


class Diagnostic(NamedTuple):
    """One finding; ``str`` returns the line that ``puppet-repl validate`` prints.

    An error at the end of the input has the place of the last character there, which Puppet's line
    lacks. ``hints`` say what an error may be due to, in words of our own.
    ``code`` is Puppet's name of the error, or the rule for a probable mistake. Lines and columns
    count from 1, columns in characters; the end is after the last character. Unknown parts
    are ``None``, also the ``file`` of typed text. All ``edits`` together fix the code; those of
    different findings may overlap. ``related`` are the locations that explain an error.
    """

    severity: Literal["error", "warning"]
    code: str
    message: str
    file: str | None
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    edits: tuple[Edit, ...] = ()
    hints: tuple[str, ...] = ()
    related: tuple[RelatedLocation, ...] = ()

    def __str__(self) -> str:
        parts = (("file", self.file), ("line", self.line), ("column", self.column))
        place = ", ".join(f"{name}: {part}" for name, part in parts if part is not None)
        text = f"{self.severity.capitalize()}: {self.message}"
        return visible_lines(f"{text} ({place})" if place else text)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, as JSON data."""
        edits = [each._asdict() for each in self.edits]
        related = [each._asdict() for each in self.related]
        return {**self._asdict(), "edits": edits, "hints": list(self.hints), "related": related}

    @property
    def message_with_hints(self) -> str:
        """The message, and a line for each hint."""
        return "\n".join([self.message, *[f"hint: {hint}" for hint in self.hints]])


def of_file(
    severity: Literal["error", "warning"], code: str, message: str, file: str
) -> Diagnostic:
    """Return a finding about a whole file or directory."""
    return Diagnostic(severity, code, message, file, None, None, None, None)


def unreadable(file: str, reason: str) -> Diagnostic:
    """Return the error about a file that cannot be read."""
    return of_file("error", UNREADABLE, f"cannot read it: {reason}", file)


def diagnostics(found: Finding) -> Iterator[Diagnostic]:
    """Yield what a finding stands for: an error also the warnings before it."""
    if isinstance(found, Diagnostic):
        yield found
    elif isinstance(found, Report):
        yield _of_report(found)
    else:
        yield from map(_of_report, found.reports)
        if not isinstance(found, ValidationErrors):
            place = found.line, found.column, *_end(found.source, found.start, found.end)
            if found.code == "SYNTAX_ERROR" and found.source is not None and found.line is None:
                end = len(found.source.text.rstrip())
                start = found.source.position(max(end - 1, 0))
                place = *start, *found.source.position(end)
            yield Diagnostic(
                *("error", found.code, found.message, found.file, *place),
                hints=tuple(found.notes),
                related=tuple(_related(found)),
            )


def _related(error: PuppetError) -> Iterator[RelatedLocation]:
    source = error.source
    if source is None:
        return
    for message, start, end in error.related:
        yield RelatedLocation(message, source.name, *source.position(start), *source.position(end))


def _of_report(report: Report) -> Diagnostic:
    severity: Literal["error", "warning"] = "warning" if report.level == "warning" else "error"
    end = _end(report.source, report.start, report.end)
    place = report.source.name, *report.position
    edits = _edits(report) if isinstance(report, Advice) else ()
    return Diagnostic(severity, report.code, report.message, *place, *end, edits)


def _edits(advice: Advice) -> tuple[Edit, ...]:
    position = advice.source.position
    return tuple(Edit(*position(start), *position(end), new) for start, end, new in advice.edits)


def _end(
    source: Source | None, start: int | None, end: int | None
) -> tuple[int | None, int | None]:
    if source is None or start is None:
        return None, None
    return source.position(min(start + 1, len(source.text)) if end is None else end)
