"""``puppet-repl parse`` and ``puppet-repl validate``: syntax trees and errors of many files.

Each finding begins with its level, as those of Puppet do; ``validate`` counts them at the end.

Exit status: 0 when every file is good, 1 when one is refused, 2 when one cannot be read. With
--fail-on-warnings a file with a warning is refused.
"""

from __future__ import annotations

import sys
from collections import Counter

from puppet_repl.base.errors import PuppetError, Report, ValidationErrors
from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.base.reach import Reach
from puppet_repl.base.safe_text import visible, visible_json, visible_lines
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.host.argument_parser import ArgumentParser, utf8_text
from puppet_repl.host.host import Host
from puppet_repl.host.session_options import add_options
from puppet_repl.language.runtime.options import OPTIONS
from puppet_repl.language.syntax import pn
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.advice import Advice
from puppet_repl.tools.rendering.diagnostics import DEFAULT_WIDTH, error_excerpt, report_excerpt
from puppet_repl.tools.rendering.fragments import Fragment, plain
from puppet_repl.tools.validation.diagnostic import NO_FILES, UNREADABLE, unreadable
from puppet_repl.tools.validation.file import Choices, File
from puppet_repl.tools.validation.kinds import CODE, KINDS, PUPPET_CODE
from puppet_repl.tools.validation.manifests import checked
from puppet_repl.tools.validation.walk import STANDARD_INPUT, Walk, findings_of
from puppet_repl.tools.validation.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from puppet_repl.language.syntax import ast
    from puppet_repl.session import Session
    from puppet_repl.tools.validation.diagnostic import Finding

REFUSED = 1
UNREADABLE_FILE = 2
_BAR = 30


def main(argv: list[str]) -> int:
    """Run one of the two commands, ``argv[0]``; return the exit status."""
    options = make_parser(argv[0]).parse_args(argv[1:])
    sources = _Sources(options)
    if argv[0] == "validate":
        return _validate(options, sources)
    for file in sources:
        try:
            program, reports = checked(file.source, file.options)
        except OSError as error:
            sources.show(unreadable(file.path or STANDARD_INPUT, why_unusable(error)))
        except PuppetError as error:
            sources.show(error)
        else:
            for report in reports:
                sources.show(report)
            sources.clear()
            _print_tree(program, options, sources)
    return sources.status


def _validate(options: Namespace, sources: _Sources) -> int:
    for file in sources:
        for found in findings_of(file):
            sources.show(found)
    unread = sources.workspace.unread_text
    sources.say(*([] if unread is None else [f"Warning: {unread}"]), *_summary(sources.found))
    sources.workspace.close()
    refused = options.fail_on_warnings and sources.advised
    return max(sources.status, REFUSED if refused else 0)


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
        parser.set_defaults(warn=False, fail_on_warnings=False, kinds=PUPPET_CODE, ruby="off")
    else:
        parser.add_argument(
            "--warn", action="store_true", help="warn of probable mistakes in valid code, too"
        )
        parser.add_argument(
            "--fail-on-warnings",
            action="store_true",
            help="the same, and exit with 1 where there is a warning",
        )
        add_options(parser, "ruby")
        parser.set_defaults(code=None, kinds=KINDS, ruby="auto")
    return parser


class _Sources:
    """The files to work on, with a progress bar where the error output is a terminal."""

    def __init__(self, options: Namespace) -> None:
        self.status = 0
        self.found: Counter[str] = Counter()
        self.advised = False
        self._session: Session | None = None
        self._shown = ""
        advice = options.warn or options.fail_on_warnings
        ruby = options.ruby
        if options.hermetic and ruby not in ("auto", "off"):
            ruby = "sandbox"
        choices = Choices(options.language, options.strict, options.tasks, advice, ruby)
        self.workspace = Workspace(choices, Reach(options.files) if options.hermetic else None)
        self._walk = Walk(self.workspace, options.kinds)
        if options.code is not None:
            self._walk.files.append(File(None, CODE, None, self.workspace, Source(options.code)))
        for name in options.files or ([] if options.code is not None else ["-"]):
            self._walk.add(name, Reach([name]) if options.hermetic else None)
        self.many = len(self._walk.files) > 1
        self._bar = self.many and sys.stderr.isatty()
        for found in self._walk.findings:
            self.show(found)

    def __iter__(self) -> Iterator[File]:
        for number, file in enumerate(self._walk.files):
            if self._bar:
                self._progress(number)
            yield file
        self.clear()

    def say(self, *lines: str) -> None:
        """Print to the error output."""
        if lines:
            self.clear()
            print(*map(visible_lines, lines), sep="\n", file=sys.stderr)

    def show(self, found: Finding) -> None:
        """Print a finding with the lines of code, and count it."""
        if isinstance(found, PuppetError):
            self._show_error(found)
        elif isinstance(found, Report):
            self.say(_line(found), *_rows(report_excerpt(found, _width())))
            self._count(found.level)
        elif found.code == UNREADABLE:
            reason = found.message.removeprefix("cannot read it: ")
            self.say(f"Error: cannot read {visible(found.file or '')}: {reason}")
            self._count("err")
            self.status = UNREADABLE_FILE
        elif found.code == NO_FILES:
            self.say(f"Warning: {found.message} in {visible(found.file or '')}")
            self.found["warning"] += 1
        else:
            self.say(str(found))
            self._count("warning" if found.severity == "warning" else "err")

    def _show_error(self, error: PuppetError) -> None:
        """Print an error with the hints that running its file would give."""
        if self._session is None:
            self._session = Host(facts={}).session
        self._session.add_hint(error)
        self.say(*error_lines(error))
        levels = [report.level for report in error.reports]
        self.found["warning"] += levels.count("warning")
        self.found["error"] += levels.count("err") or 1
        self.status = max(self.status, REFUSED)

    def _count(self, level: str) -> None:
        if level == "err":
            self.found["error"] += 1
            self.status = max(self.status, REFUSED)
        else:
            self.found["warning"] += 1
            self.advised = True

    def clear(self) -> None:
        """Remove the progress bar."""
        if self._shown:
            print("\r" + " " * len(self._shown) + "\r", end="", file=sys.stderr, flush=True)
            self._shown = ""

    def _progress(self, number: int) -> None:
        total = len(self._walk.files)
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


def _print_tree(program: ast.Program, options: Namespace, sources: _Sources) -> None:
    try:
        if options.format == "json":
            import json

            text = visible_json(json.dumps(pn.to_data(program), ensure_ascii=False))
        else:
            text = pn.to_pn(program)
    except PuppetError as error:
        sources.show(error)
        return
    if sources.many:
        print("---", visible(program.source.name or ""))
    print(visible_lines(text) if sys.stdout.isatty() else text)
