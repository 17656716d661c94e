"""Findings as the lines that ``parse``, ``validate`` and ``format`` print."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, Report, ValidationErrors
from puppet_repl.base.safe_text import visible
from puppet_repl.tools.advice.model import Advice
from puppet_repl.tools.rendering.diagnostics import (
    DEFAULT_WIDTH,
    error_excerpt,
    place_excerpt,
    report_excerpt,
)
from puppet_repl.tools.rendering.fragments import Fragment, plain
from puppet_repl.tools.validation.diagnostic import NO_FILES, UNREADABLE, Diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.validation.diagnostic import Finding
    from puppet_repl.tools.validation.file import File


def finding_lines(found: Finding, file: File | None = None) -> list[str]:
    """Return a finding with the lines of code, those of a file where it is given."""
    if isinstance(found, PuppetError):
        return error_lines(found)
    if isinstance(found, Report):
        return [_line(found), *_rows(report_excerpt(found, _width()))]
    if found.code == UNREADABLE:
        what, _, reason = found.message.partition(" it: ")
        return [f"Error: {what} {visible(found.file or '')}: {reason}"]
    if found.code == NO_FILES:
        return [f"Warning: {found.message} in {visible(found.file or '')}"]
    return [_with_rule(found), *_rows(_excerpt_of(found, file))]


def error_lines(error: PuppetError) -> list[str]:
    """Return an error as Puppet prints it, a line for each of several, with the lines of code.

    Hints of our own are last.
    """
    width = _width()
    lines: list[str] = []
    for report in error.reports:
        lines += [_line(report), *_rows(report_excerpt(report, width))]
    if not isinstance(error, ValidationErrors):
        lines.append(f"Error: {error.message} {visible(error.location)}".rstrip())
        lines += _rows(error_excerpt(error, width))
    elif len(error.reports) > 1:
        place = "" if error.file is None else f" (file: {visible(error.file)})"
        lines.append(f"Error: {error.message}{place}")
    return [*lines, *[f"  hint: {visible(note)}" for note in error.notes]]


def _with_rule(found: Diagnostic) -> str:
    text = str(found)
    if found.severity == "error" or " (file: " not in text:
        return text
    head, place, rest = text.rpartition(" (file: ")
    return f"{head} [{found.code}]{place}{rest}"


def _excerpt_of(found: Diagnostic, file: File | None) -> list[Fragment]:
    """Return the line of a finding with carets; nothing for a text that cannot be read again."""
    if file is None or found.line is None or found.file != file.path:
        return []
    try:
        source = file.source
    except (OSError, PuppetError):
        return []
    length = 1
    if found.end_line == found.line and found.end_column and found.column:
        length = max(found.end_column - found.column, 1)
    return place_excerpt(source, found.line, found.column, length, _width())


def _width() -> int:
    from shutil import get_terminal_size

    return get_terminal_size((DEFAULT_WIDTH, 24)).columns


def _rows(excerpt: list[Fragment]) -> list[str]:
    return plain(excerpt).split("\n") if excerpt else []


def _line(report: Report) -> str:
    prefix = "Warning" if report.level == "warning" else "Error"
    rule = f" [{report.rule}]" if isinstance(report, Advice) else ""
    return f"{prefix}: {visible(report.message)}{rule} {visible(report.location)}"
