"""Findings in a text before it runs: errors and warnings with their ranges."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, ValidationErrors
from puppet_repl.language.runtime.node_names import warnings_of_nodes
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from puppet_repl.base.errors import Report
    from puppet_repl.session import Session

_IDLE = "IDEM_EXPRESSION_NOT_LAST"


class Finding:
    """One error or warning; ``start`` and ``end`` are offsets of at least one character.

    ``code`` is the name that Puppet has for the issue, '' for one without a name.
    """

    __slots__ = ("code", "end", "hint", "message", "severity", "start")

    def __init__(
        self,
        source: Source,
        found: PuppetError | Report,
        severity: Literal["error", "warning"] = "error",
        hint: str = "",
    ) -> None:
        self.start, self.end = range_of(source, found)
        self.code = found.code or ""
        self.severity = severity
        self.message = found.message
        self.hint = hint


def finding_of(error: PuppetError, text: str) -> Finding:
    """Return the error of a text as a finding."""
    source = error.outer[0] if error.outer else error.source or Source(text)
    return Finding(source, error, hint="; ".join(error.notes))


def warnings_of(
    program: ast.Program,
    *,
    language: str,
    strict: str,
    tasks: bool = False,
    module_file: str | None = None,
) -> list[Report]:
    """Return the warnings about a program that does not run; raise PuppetError for a refused one.

    They include code that fails in Puppet, where the text alone shows it. ``module_file`` is the
    path below a directory of modules, for the names that the file may define.
    """
    found = validate(
        program, language=language, strict=strict, tasks=tasks, module_file=module_file
    )
    return [*program.warnings, *found, *warnings_of_nodes(program, language)]


def find_problems(
    session: Session,
    text: str,
    *,
    epp: bool = False,
    tasks: bool = False,
    conditions: bool = False,
) -> tuple[ast.Program | None, list[Finding]]:
    """Return the tree of a manifest or template, and what is wrong with it; nothing is evaluated.

    With ``tasks`` it may define plans. There is no tree of a text that is not well formed. Of
    ``conditions`` each may be alone, and a semicolon after the last, as ``:why`` takes them.
    """
    source = Source(text.rstrip().removesuffix(";") if conditions else text)
    options = session.options
    program = None
    try:
        program = parse(source, epp=epp, tasks=tasks)
        found = warnings_of(program, language=options.language, strict=options.strict, tasks=tasks)
    except ValidationErrors as error:  # the reports hold the errors
        reports = error.reports
        if conditions:
            reports = tuple(each for each in reports if not _is_condition(program, each))
        return program, _of_reports(source, reports)
    except PuppetError as error:
        if conditions and _is_condition(program, error):
            return program, _of_reports(source, error.reports)
        finding = Finding(source, error, hint="; ".join(error.notes))
        return program, [finding, *_of_reports(source, error.reports)]
    return program, _of_reports(source, found)


def _is_condition(program: ast.Program | None, found: PuppetError | Report) -> bool:
    """Tell whether an error is that a statement of the program itself has no effect."""
    body = None if program is None else program.body
    return (
        found.code == _IDLE
        and isinstance(body, ast.BlockExpression)
        and any(found.start == each.at for each in body.statements)
    )


def _of_reports(source: Source, reports: Iterable[Report]) -> list[Finding]:
    return [
        Finding(source, report, "error" if report.level == "err" else "warning")
        for report in reports
    ]


def range_of(
    source: Source, found: PuppetError | Report, *, at_opening: bool = True
) -> tuple[int, int]:
    """Return the range of what was found, or ``at_opening`` of what was opened and never closed.

    What else is wrong with the end of the text is at its last character. Blanks alone could not be
    seen: the range begins with the character before them.
    """
    text = source.text
    last = _last(text, len(text))
    start, end = found.start, found.end
    if isinstance(found, PuppetError):
        if found.outer is not None and found.outer[0] is source:
            _, start, end = found.outer
        elif found.source is not source:  # nobody knows where
            return len(text) - len(text.lstrip()), last + 1
        elif found.opening is not None and at_opening:
            return found.opening
    elif found.span is not None:
        return found.span
    start = last if start is None else min(start, last)
    end = max(start + 1, start + 1 if end is None else min(end, last + 1))
    if not text[start:end].strip():
        start = _last(text, start)
    return start, end


def _last(text: str, end: int) -> int:
    """Return the offset of the last character before an offset, blanks left out; or 0.

    There may be many findings: a long text is not copied for each.
    """
    while end > 0 and text[end - 1].isspace():
        end -= 1
    return max(end - 1, 0)
