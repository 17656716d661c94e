"""The problems of a document, or of the code of a cell: ranges, messages and edits.

A document has the findings of ``puppet-repl validate --warn``; the code of a cell is checked with
the names of its session. Nothing is evaluated.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from puppet_repl.base.errors import PuppetError, Report, ValidationErrors
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.advice.inputs import advise_in_session
from puppet_repl.tools.advice.model import Advice
from puppet_repl.tools.inspection.findings import find_problems, range_of
from puppet_repl.tools.inspection.unknown_names import Names, unknown_names
from puppet_repl.tools.validation.diagnostic import Diagnostic, diagnostics
from puppet_repl.tools.validation.walk import findings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Literal, Protocol, TypeAlias

    from puppet_repl.language.syntax import ast
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.session import Session
    from puppet_repl.tools.inspection.unknown_names import Unknown
    from puppet_repl.tools.validation.diagnostic import Finding
    from puppet_repl.tools.validation.file import File

    Severity: TypeAlias = Literal["error", "warning", "unknown"]

    class Piece(Protocol):
        """A program or a template in a cell, and its offset there.

        ``has_names`` tells whether it runs with the names of the session, ``given`` are variables
        that it has, and ``are_conditions`` says that each of its expressions may be alone.
        """

        @property
        def offset(self) -> int: ...
        @property
        def text(self) -> str: ...
        @property
        def is_template(self) -> bool: ...
        @property
        def has_names(self) -> bool: ...
        @property
        def given(self) -> frozenset[str]: ...
        @property
        def are_conditions(self) -> bool: ...


MAX_PROBLEMS = 100
# Each unknown name takes a search for similar names.
MAX_UNKNOWN = 30
_GUESS = re.compile(r"did you mean ([\w:]+)\?")
_NAME = re.compile(r"\w+(?:::\w+)*")
_WORD = re.compile(r"[\w:$]*\w|\S")


class Problem(NamedTuple):
    """A finding and its range; ``code`` is the rule, or Puppet's name of the error.

    The ``edits``, each with its range and the new text, fix it together. ``replacements`` are
    alternatives: each writes another name or value that may have been meant. ``missing`` is the
    file of a module that would define what the code names. ``related`` are ranges that explain it,
    each with a message.
    """

    start: int
    end: int
    severity: Severity
    message: str
    hint: str = ""
    code: str = ""
    edits: tuple[tuple[int, int, str], ...] = ()
    replacements: tuple[tuple[int, int, str], ...] = ()
    missing: str = ""
    related: tuple[tuple[int, int, str], ...] = ()


def problems_of_file(file: File) -> list[Problem]:
    """Return the findings in a file in the order of the text, those that ``validate`` has."""
    found = [each for finding in findings_of(file) for each in _problems_of(file, finding)]
    found.sort(key=lambda problem: (problem.start, problem.end))
    return found


def _problems_of(file: File, finding: Finding) -> Iterator[Problem]:
    for part, shown in zip(_parts(finding), diagnostics(finding), strict=True):
        start, end = _span(file.source, part, shown)
        message, code = shown.message, shown.code
        if shown.file is not None and shown.file != file.path:
            message = f"{message} (file: {shown.file})"
            start, end = 0, 0
        edits = tuple(
            (
                _offset(file.source, edit.line, edit.column),
                _offset(file.source, edit.end_line, edit.end_column),
                edit.text,
            )
            for edit in shown.edits
        )
        hint = "\n".join(shown.hints)
        meant = part.replacements if isinstance(part, Report) else ()
        if isinstance(part, PuppetError) and (guess := _GUESS.search(hint)) is not None:
            meant = _guessed(file.source.text, start, end, guess[1])
        missing = part.missing if isinstance(part, Advice) else ""
        related = tuple(
            (
                _offset(file.source, each.line, each.column),
                _offset(file.source, each.end_line, each.end_column),
                each.message,
            )
            for each in shown.related
            if each.file == file.path
        )
        problem = Problem(start, end, shown.severity, message, hint, code, edits, meant)
        yield problem._replace(missing=missing, related=related)


def _guessed(text: str, start: int, end: int, near: str) -> tuple[tuple[int, int, str], ...]:
    """Return the replacement of a range by the name that a hint offers, if it is one name."""
    old = text[start:end].strip("'\"")
    if _NAME.fullmatch(old) is None:
        return ()
    start = text.index(old, start)
    return ((start, start + len(old), near),)


def _parts(finding: Finding) -> Iterator[Diagnostic | Report | PuppetError]:
    """Yield what ``diagnostics`` yields a Diagnostic for, in the same order."""
    if not isinstance(finding, PuppetError):
        yield finding
        return
    yield from finding.reports
    if not isinstance(finding, ValidationErrors):
        yield finding


def _span(
    source: Source, part: Diagnostic | Report | PuppetError, shown: Diagnostic
) -> tuple[int, int]:
    """Return the range of a finding.

    Without an end it is the range of a word, without a column that of a line.
    """
    if isinstance(part, PuppetError):
        outer = None if part.outer is None else part.outer[0]
        has_offset = part.start is not None or part.line is None
        if source in (part.source, outer) and has_offset:
            return range_of(source, part, at_opening=False)
    elif not isinstance(part, Diagnostic):
        return range_of(source, part)
    if shown.line is None:
        return 0, 0
    if shown.column is None:
        line = source.line(shown.line)
        start = _offset(source, shown.line, len(line) - len(line.lstrip()) + 1)
        return start, start + len(line.strip())
    start = _offset(source, shown.line, shown.column)
    if shown.end_line is not None and shown.end_column is not None:
        return start, max(_offset(source, shown.end_line, shown.end_column), start)
    word = _WORD.match(source.text, start)
    return start, start if word is None else word.end()


def _offset(source: Source, line: int, column: int) -> int:
    starts = source.line_starts
    if line > len(starts):
        return len(source.text)
    return min(starts[line - 1] + column - 1, len(source.text))


# The code of a cell


def problems_of_pieces(
    session: Session,
    code: str,
    pieces: Iterable[Piece],
    names_of_cells: Callable[[], Names | None],
    *,
    advice: bool,
) -> Iterator[Problem]:
    """Yield the problems of a cell, which has some pieces of code.

    ``names_of_cells`` returns the names that this and other cells define, None if nobody knows
    them. Only a piece that can be parsed makes it be called.
    """
    programs: list[tuple[ast.Program, int, frozenset[str]]] = []
    parsed: list[tuple[ast.Program, int]] = []
    errors: list[range] = []
    for piece in pieces:
        # As many lines above as in the cell: hints name lines, those of a template its own.
        above = 0 if piece.is_template else code.count("\n", 0, piece.offset)
        offset = piece.offset - above
        text = "\n" * above + piece.text
        program, found = find_problems(
            session, text, epp=piece.is_template, conditions=piece.are_conditions
        )
        for each in found:
            start, end = each.start + offset, each.end + offset
            errors.append(range(start, end))
            yield Problem(start, end, each.severity, each.message, each.hint)
        if program is not None and not any(each.severity == "error" for each in found):
            parsed.append((program, offset))
        if program is not None and piece.has_names:
            programs.append((program, offset, piece.given))
    defined = names_of_cells() if programs or parsed else None
    if defined is None:
        return
    for program, offset in parsed if advice else ():
        for warning in advise_in_session(session, program, defined.variables):
            start, end = warning.start + offset, warning.end + offset
            errors.append(range(start, end))
            yield Problem(start, end, "warning", f"{warning.message} [{warning.rule}]")
    for program, offset, given in programs:
        names = Names()
        names.add(defined)
        names.variables |= given
        for name in islice(unknown_names(SessionSymbols(session), program, names), MAX_UNKNOWN):
            problem = _of_unknown(name, offset)
            if not any(problem.start in wrong for wrong in errors):
                yield problem


def _of_unknown(name: Unknown, offset: int) -> Problem:
    message = f"neither the session nor a cell above sets ${name.name}"
    if name.kind == "function":
        message = f"neither the session nor a cell above has a function {name.name}"
    start, end = name.start + offset, name.end + offset
    return Problem(start, end, "unknown", message, name.hint or "")
