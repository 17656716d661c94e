"""``validate``: the findings in files or a text, as data."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple, overload

from puppet_repl.base.errors import PuppetError, ValidationErrors
from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.base.safe_text import visible_lines
from puppet_repl.base.wording import why_unusable
from puppet_repl.frontends.shared.file_validation import checked, files_below
from puppet_repl.language.runtime.options import OPTIONS
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.source_files import read_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import Report
    from puppet_repl.frontends.api.arguments import Path
    from puppet_repl.language.runtime.options import Strictness

UNREADABLE = "UNREADABLE"
"""The code of an error without a code of Puppet's: a file cannot be read."""
NO_FILES = "NO_FILES"
"""The code of the warning about a directory without files to check."""


class Diagnostic(NamedTuple):
    """One finding: its text is that of ``puppet-repl validate``.

    ``code`` is Puppet's name of the error, or the rule for a probable mistake. Lines and columns
    count from 1, columns in characters; the end is after the last character. They are None without
    a location; ``file`` is None for a text without a name.
    """

    severity: Literal["error", "warning"]
    code: str
    message: str
    file: str | None
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None

    def __str__(self) -> str:
        parts = (("file", self.file), ("line", self.line), ("column", self.column))
        place = ", ".join(f"{name}: {part}" for name, part in parts if part is not None)
        text = f"{self.severity.capitalize()}: {self.message}"
        return visible_lines(f"{text} ({place})" if place else text)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, as JSON data."""
        return self._asdict()


@overload
def validate(
    path: Path | Iterable[Path],
    *,
    strict: Strictness = "error",
    language: str = DEFAULT_LANGUAGE,
    tasks: bool = False,
    advice: bool = False,
) -> list[Diagnostic]: ...


@overload
def validate(
    *,
    text: str,
    name: str | None = None,
    strict: Strictness = "error",
    language: str = DEFAULT_LANGUAGE,
    tasks: bool = False,
    advice: bool = False,
) -> list[Diagnostic]: ...


def validate(
    path: Path | Iterable[Path] | None = None,
    *,
    text: str | None = None,
    name: str | None = None,
    strict: Strictness = "error",
    language: str = DEFAULT_LANGUAGE,
    tasks: bool = False,
    advice: bool = False,
) -> list[Diagnostic]:
    """Return the findings in files, or in a text.

    ``path`` is a file, a directory with manifests and EPP templates at any depth, or several of
    these. The ``name`` of a ``text`` may say that it is a template: ``x.epp``. The verdicts are
    those of ``puppet-repl validate``: the list is empty where all is well, and a file is refused
    where one of its findings is an error. Nothing runs. ``strict`` is Puppet's setting,
    ``language`` a profile of the language; plans are allowed below a directory ``plans``, and with
    ``tasks`` everywhere. With ``advice`` there are warnings of probable mistakes in valid code, too
    (``--warn``). Raises OSError for a path that does not exist.
    """
    OPTIONS["strict"].taken(strict)
    OPTIONS["language"].taken(language)
    if (path is None) is (text is None):
        raise TypeError("validate() takes a path, or a text")
    sources = _sources(path) if text is None else [Source(text, name)]
    found: list[Diagnostic] = []
    for source in sources:
        if isinstance(source, Diagnostic):
            found.append(source)
            continue
        try:
            _, reports = checked(
                source, strict=strict, language=language, tasks=tasks, advice=advice
            )
            found += map(_of_report, reports)
        except PuppetError as error:
            found += of_error(error)
    return found


def _sources(path: Path | Iterable[Path] | None) -> Iterator[Source | Diagnostic]:
    """Yield the texts to check, or the diagnostics of files that cannot be read."""
    paths = [path] if isinstance(path, (str, os.PathLike)) else path or ()
    for given in paths:
        each = os.fspath(given)
        os.stat(each)
        if not os.path.isdir(each):
            yield from _read(each)
            continue
        files = files_below(each)
        if not files:
            yield _without_place("warning", NO_FILES, "no .pp or .epp files", each)
        for file in files:
            yield from _read(file)


def _read(path: str) -> Iterator[Source | Diagnostic]:
    try:
        yield read_source(path)
    except OSError as error:
        yield _without_place("error", UNREADABLE, f"cannot read it: {why_unusable(error)}", path)
    except PuppetError as error:
        yield from of_error(error)


def _without_place(
    severity: Literal["error", "warning"], code: str, message: str, file: str
) -> Diagnostic:
    return Diagnostic(severity, code, message, file, None, None, None, None)


def of_error(error: PuppetError) -> Iterator[Diagnostic]:
    """Yield what an error stands for: each of several, and the warnings before it."""
    yield from map(_of_report, error.reports)
    if not isinstance(error, ValidationErrors):
        end = _end(error.source, error.start, error.end)
        yield Diagnostic(
            "error", error.code, error.message, error.file, error.line, error.column, *end
        )


def _of_report(report: Report) -> Diagnostic:
    severity: Literal["error", "warning"] = "warning" if report.level == "warning" else "error"
    end = _end(report.source, report.start, report.end)
    place = report.source.name, *report.position
    return Diagnostic(severity, report.code, report.message, *place, *end)


def _end(
    source: Source | None, start: int | None, end: int | None
) -> tuple[int | None, int | None]:
    if source is None or start is None:
        return None, None
    return source.position(start if end is None else end)
