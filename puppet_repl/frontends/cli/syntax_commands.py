"""``puppet-repl parse`` and ``puppet-repl validate``: syntax trees and errors of many files.

Each finding begins with its level, as those of Puppet do; ``validate`` counts them at the end.

Exit status: 0 when every file is good, 1 when one is refused, 2 when one cannot be read. With
--fail-on-warnings a file with a warning is refused.
"""

from __future__ import annotations

import os
import sys
from collections import Counter

from puppet_repl.base.errors import PuppetError, Report, ValidationErrors
from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.base.reach import Reach
from puppet_repl.base.safe_text import visible, visible_json, visible_lines
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.frontends.shared.file_validation import checked, files_below
from puppet_repl.host.argument_parser import ArgumentParser, utf8_text
from puppet_repl.host.host import Host
from puppet_repl.host.session_options import add_options
from puppet_repl.language.runtime.options import OPTIONS
from puppet_repl.language.syntax import pn
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.source_files import read_source
from puppet_repl.tools.advice import Advice
from puppet_repl.tools.rendering.diagnostics import DEFAULT_WIDTH, error_excerpt, report_excerpt
from puppet_repl.tools.rendering.fragments import Fragment, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from puppet_repl.language.syntax import ast
    from puppet_repl.session import Session

REFUSED = 1
UNREADABLE = 2
_BAR = 30


def main(argv: list[str]) -> int:
    """Run one of the two commands, ``argv[0]``; return the exit status."""
    options = make_parser(argv[0]).parse_args(argv[1:])
    sources = _Sources(options)
    status = 0
    for source in sources:
        try:
            program, reports = checked(
                source,
                language=options.language,
                strict=options.strict,
                tasks=options.tasks,
                advice=options.warn or options.fail_on_warnings,
            )
        except PuppetError as error:
            status = max(status, REFUSED)
            sources.say_error(error)
            continue
        for report in reports:
            sources.say(_line(report), *_rows(report_excerpt(report, _width())))
            sources.found["warning"] += 1
        if reports and options.fail_on_warnings:
            status = max(status, REFUSED)
        if argv[0] == "parse":
            sources.clear()
            if not _print_tree(program, options, sources):
                status = max(status, REFUSED)
    if argv[0] == "validate":
        sources.say(*_summary(sources.found))
    return max(status, sources.status)


def _summary(found: Counter[str]) -> list[str]:
    """Return the line that counts the findings by level; no line without findings."""
    counts = [counted(found[level], level) for level in ("warning", "error") if found[level]]
    return [", ".join(counts)] if counts else []


def make_parser(name: str) -> ArgumentParser:
    """Return the parser of the arguments of ``parse`` or ``validate``."""
    about = "Print the syntax trees of files." if name == "parse" else "Check files for errors."
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description=about,
        epilog="FILE may be a directory, for all .pp and .epp files below it, or - for the input. "
        "A file that ends in .epp is a template, one below a directory plans a plan.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument(
        "--tasks", action="store_true", help="allow plans everywhere, as Puppet's --tasks"
    )
    add_options(parser, "language")
    parser.set_defaults(language=DEFAULT_LANGUAGE)
    parser.add_argument(
        "--strict",
        choices=OPTIONS["strict"].choices,
        default="error",
        help="how duplicate keys of a hash are reported (default: error)",
    )
    parser.add_argument(
        "--hermetic",
        action="store_true",
        help="refuse links below a directory that lead out of it; nothing else is read anyway",
    )
    if name == "parse":
        parser.add_argument("-e", metavar="CODE", dest="code", type=utf8_text, help="code to parse")
        parser.add_argument(
            "--format",
            choices=("pn", "json"),
            default="pn",
            help="Puppet's notation (default), or the same as JSON",
        )
        parser.set_defaults(warn=False, fail_on_warnings=False)
    else:
        parser.add_argument(
            "--warn", action="store_true", help="warn of probable mistakes in valid code, too"
        )
        parser.add_argument(
            "--fail-on-warnings",
            action="store_true",
            help="the same, and exit with 1 where there is a warning",
        )
        parser.set_defaults(code=None)
    return parser


class _Sources:
    """The sources to work on, with a progress bar where the error output is a terminal."""

    def __init__(self, options: Namespace) -> None:
        self.code: str | None = options.code
        self.status = 0
        self.found: Counter[str] = Counter()
        self._session: Session | None = None
        self._shown = ""
        self.paths: list[str] = []
        for name in options.files or ([] if self.code is not None else ["-"]):
            self._add(name, hermetic=options.hermetic)
        self.many = len(self.paths) > 1
        self._bar = self.many and sys.stderr.isatty()

    def __iter__(self) -> Iterator[Source]:
        if self.code is not None:
            yield Source(self.code)
        for number, path in enumerate(self.paths):
            if self._bar:
                self._progress(number)
            try:
                yield read_source(path)
            except OSError as error:
                name = "standard input" if path == "-" else visible(path)
                self._say_unreadable(f"{name}: {why_unusable(error)}")
            except PuppetError as error:
                self.status = max(self.status, REFUSED)
                self.say_error(error)
        self.clear()

    def _add(self, name: str, *, hermetic: bool) -> None:
        """Add a file, or the files below a directory; hermetically, not what links lead out to."""
        if name == "-" or not os.path.isdir(name):
            self.paths.append(name)
            return
        reach = Reach([name]) if hermetic else None
        found = files_below(name, reach)
        if not found:
            self.say(f"Warning: no .pp or .epp files in {visible(name)}")
            self.found["warning"] += 1
        for path in found:
            if reach is not None and not reach.allows(path):
                self._say_unreadable(f"{visible(path)}: a link that leads out of {visible(name)}")
            else:
                self.paths.append(path)

    def say(self, *lines: str) -> None:
        """Print to the error output."""
        if lines:
            self.clear()
            print(*map(visible_lines, lines), sep="\n", file=sys.stderr)

    def _say_unreadable(self, reason: str) -> None:
        self.status = UNREADABLE
        self.found["error"] += 1
        self.say(f"Error: cannot read {reason}")

    def say_error(self, error: PuppetError) -> None:
        """Print an error with the hints that running its file would give, and count it."""
        if self._session is None:
            self._session = Host(facts={}).session
        self._session.add_hint(error)
        self.say(*error_lines(error))
        levels = [report.level for report in error.reports]
        self.found["warning"] += levels.count("warning")
        self.found["error"] += levels.count("err") or 1

    def clear(self) -> None:
        """Remove the progress bar."""
        if self._shown:
            print("\r" + " " * len(self._shown) + "\r", end="", file=sys.stderr, flush=True)
            self._shown = ""

    def _progress(self, number: int) -> None:
        total = len(self.paths)
        done = _BAR * number // total
        shown = f"[{'#' * done}{' ' * (_BAR - done)}] {number}/{total}"
        if shown != self._shown:
            print("\r" + shown, end="", file=sys.stderr, flush=True)
            self._shown = shown


def _width() -> int:
    from shutil import get_terminal_size

    return get_terminal_size((DEFAULT_WIDTH, 24)).columns


def _rows(excerpt: list[Fragment]) -> list[str]:
    return plain(excerpt).split("\n") if excerpt else []


def _line(report: Report) -> str:
    prefix = "Warning" if report.level == "warning" else "Error"
    rule = f" [{report.rule}]" if isinstance(report, Advice) else ""
    return f"{prefix}: {visible(report.message)}{rule} {visible(report.location)}"


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


def _print_tree(program: ast.Program, options: Namespace, sources: _Sources) -> bool:
    try:
        if options.format == "json":
            import json

            text = visible_json(json.dumps(pn.to_data(program), ensure_ascii=False))
        else:
            text = pn.to_pn(program)
    except PuppetError as error:
        sources.say_error(error)
        return False
    if sources.many:
        print("---", visible(program.source.name or ""))
    print(visible_lines(text) if sys.stdout.isatty() else text)
    return True
