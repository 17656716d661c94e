"""``puppet-repl parse`` and ``puppet-repl validate``: syntax trees and errors of many files.

Each finding begins with its level, as those of Puppet do; ``validate`` counts them at the end.

Exit status: 0 when every file is good, 1 when one is refused, 2 when one cannot be read. With
--fail-on-warnings a file with a warning is refused.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentTypeError
from collections import Counter

from puppet_repl.base.errors import PuppetError, Report, ValidationErrors
from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.base.reach import Reach
from puppet_repl.base.safe_text import visible, visible_json, visible_lines
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.frontends.cli.fixes import Fixer
from puppet_repl.frontends.cli.revisions import Changed, GitError
from puppet_repl.frontends.cli.validation_formats import Findings
from puppet_repl.host.argument_parser import ArgumentParser, utf8_text
from puppet_repl.host.session_options import add_options
from puppet_repl.language.runtime.options import OPTIONS
from puppet_repl.language.syntax import pn
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.advice import Advice
from puppet_repl.tools.rendering.diagnostics import (
    DEFAULT_WIDTH,
    error_excerpt,
    place_excerpt,
    report_excerpt,
)
from puppet_repl.tools.rendering.fragments import Fragment, plain
from puppet_repl.tools.validation.diagnostic import (
    NO_FILES,
    NO_RUBY,
    UNREADABLE,
    Diagnostic,
    diagnostics,
    unreadable,
)
from puppet_repl.tools.validation.file import Choices, File
from puppet_repl.tools.validation.file_rules import ignored_rule
from puppet_repl.tools.validation.kinds import CODE, KINDS, PUPPET_CODE
from puppet_repl.tools.validation.manifests import checked
from puppet_repl.tools.validation.walk import STANDARD_INPUT, Walk, findings_of
from puppet_repl.tools.validation.workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from puppet_repl.language.syntax import ast
    from puppet_repl.tools.validation.diagnostic import Finding

REFUSED = 1
UNREADABLE_FILE = 2
FORMATS = ("text", "json", "github", "sarif", "junit")
_BAR = 30
# So many findings are not counted by rule, and so many files that are not read are named.
_MANY = 20


def main(argv: list[str]) -> int:
    """Run one of the two commands, ``argv[0]``; return the exit status."""
    parser = make_parser(argv[0])
    options = parser.parse_args(argv[1:])
    if options.since is not None and options.hermetic:
        parser.error("--since asks git, which --hermetic does not allow")
    if options.diff and not (options.fix or options.fix_all):
        parser.error("--diff needs --fix or --fix-all")
    if options.diff and options.format != "text":
        parser.error("--diff and --format both print to the output")
    names = options.files or ([] if options.since is not None else ["-"])
    if (options.fix or options.fix_all) and options.format != "text" and "-" in names:
        parser.error("--fix of the input and --format both print to the output")
    try:
        sources = _Sources(options)
    except GitError as error:
        print(f"puppet-repl validate: {visible(str(error))}", file=sys.stderr)
        return UNREADABLE_FILE
    if argv[0] == "validate":
        return _validate(options, sources)
    for file in sources:
        try:
            program, reports = checked(file.source, file.options)
        except OSError as error:
            sources.show(unreadable(file.path or STANDARD_INPUT, why_unusable(error)))
        except PuppetError as error:
            sources.workspace.add_hint(error)
            sources.show(error)
        else:
            for report in reports:
                sources.show(report)
            sources.clear()
            _print_tree(program, options, sources)
    return sources.status


def _validate(options: Namespace, sources: _Sources) -> int:
    """Check all files; nothing is printed for other programs before the end."""
    is_text = options.format == "text"
    found: list[Diagnostic] = list(sources.walk.findings)
    workspace = sources.workspace
    fixer = Fixer(options) if options.fix or options.fix_all else None
    try:
        for file in sources:
            failed = () if fixer is None else fixer.fix(file)
            for each in (*failed, *findings_of(file)):
                if is_text:
                    sources.show(each, file)
                else:
                    sources.count(each)
                found += diagnostics(each)
        if workspace.no_ruby is not None:
            found.append(workspace.no_ruby)
            (sources.show if is_text else sources.count)(workspace.no_ruby)
    finally:
        workspace.close()
    strict = options.fail_on_warnings
    files = [file for file in sources.walk.files if file not in workspace.unread]
    left = sources.walk.left + workspace.unread_names
    result = Findings(files, found, left, strict=strict)
    if fixer is not None:
        sources.say(fixer.summary(sum(sources.found.values())))
    if is_text:
        sources.say(*_summary(sources.found), *_rules(found))
        if sources.has_directory or result.left:
            sources.say(*_overview(result))
    else:
        sys.stdout.write(result.written(options.format))
        sys.stdout.flush()
    return max(sources.status, REFUSED if strict and sources.advised else 0)


def _summary(found: Counter[str]) -> list[str]:
    """Return the line that counts the findings by level; no line without findings."""
    counts = [counted(found[level], level) for level in ("warning", "error") if found[level]]
    return [", ".join(counts)] if counts else []


def _rules(found: Sequence[Diagnostic]) -> list[str]:
    """Return the line that counts many findings by rule."""
    if len(found) <= _MANY:
        return []
    counts = Counter(each.code for each in found).most_common()
    return [f"by rule: {', '.join(f'{number} {code}' for code, number in counts)}"]


def _overview(result: Findings) -> list[str]:
    """Return the lines that count files by kind, and name those that were not read."""
    kinds = ", ".join(f"{subject} {number}" for subject, number in result.kinds.items())
    lines = [f"checked {counted(len(result.files), 'file')}"]
    if len(result.kinds) > 1:
        lines[0] += f": {kinds}"
    if result.left:
        names = [
            f"{number} {name}" if name[:2] == "*." else visible(name)
            for name, number in sorted(result.left.items(), key=lambda each: -each[1])
        ]
        shown = names if len(names) <= _MANY else [*names[:_MANY], f"{len(names) - _MANY} more"]
        lines.append(f"not read: {', '.join(shown)}")
    return lines


def make_parser(name: str) -> ArgumentParser:
    """Return the parser of the arguments of ``parse`` or ``validate``."""
    parser = _parse_parser() if name == "parse" else _validate_parser()
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument(
        "--tasks", action="store_true", help="allow plans everywhere, as Puppet's --tasks"
    )
    add_options(parser, "language")
    parser.set_defaults(language=DEFAULT_LANGUAGE)
    parser.add_argument(
        "--hermetic",
        action="store_true",
        help="refuse links below a directory that lead out of it; nothing else is read anyway",
    )
    return parser


def _parse_parser() -> ArgumentParser:
    """Return a parser of the arguments that only ``parse`` has."""
    parser = ArgumentParser(
        prog="puppet-repl parse",
        description="Print the syntax trees of files.",
        epilog="FILE may be a directory, for all .pp and .epp files below it, or - for the input. "
        "A file that ends in .epp is a template, one below a directory plans a plan.",
    )
    parser.add_argument("-e", metavar="CODE", dest="code", type=utf8_text, help="code to parse")
    parser.add_argument(
        "--format",
        choices=("pn", "json"),
        default="pn",
        help="Puppet's notation (default), or the same as JSON",
    )
    _add_strict(parser, "how duplicate keys of a hash are reported (default: error)")
    parser.set_defaults(
        warn=False,
        fail_on_warnings=False,
        ignore=(),
        fix=False,
        fix_all=False,
        diff=False,
        kinds=PUPPET_CODE,
        ruby="off",
        since=None,
    )
    return parser


def _validate_parser() -> ArgumentParser:
    """Return a parser of the arguments that only ``validate`` has."""
    parser = ArgumentParser(
        prog="puppet-repl validate",
        description="Check files for errors.",
        epilog="FILE may be a directory, for all files below it that can be checked, or - for "
        "manifests on the input. Its name and place decide its kind: manifest, template, "
        "plan, task, code in Ruby, hiera.yaml, data, metadata.json, environment.conf, Puppetfile "
        "or .fixtures.yml.",
    )
    parser.add_argument(
        "--warn", action="store_true", help="warn of probable mistakes in valid code, too"
    )
    parser.add_argument(
        "--fail-on-warnings",
        action="store_true",
        help="the same, and exit with 1 where there is a warning",
    )
    parser.add_argument(
        "--ignore",
        metavar="RULE",
        action="append",
        default=[],
        type=_rule,
        help="report nothing of this rule; may be repeated",
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="change manifests and templates where a warning has one certain answer; the result "
        "for the input is printed (implies --warn)",
    )
    parser.add_argument(
        "--fix-all",
        action="store_true",
        help="the same, and make changes that give a catalog other values",
    )
    parser.add_argument(
        "--diff", action="store_true", help="with --fix: change no file; print the changes"
    )
    add_options(parser, "ruby")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="text (default); or json, github (annotations of a workflow), sarif or junit, on "
        "the standard output",
    )
    parser.add_argument(
        "--since",
        metavar="REV",
        help="check only files that differ from a revision of git, and new ones",
    )
    _add_strict(
        parser,
        "how duplicate keys of a hash, and data files without a hash, are reported "
        "(default: error)",
    )
    parser.set_defaults(code=None, kinds=KINDS, ruby="auto")
    return parser


def _rule(name: str) -> str:
    try:
        return ignored_rule(name)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def _add_strict(parser: ArgumentParser, about: str) -> None:
    parser.add_argument("--strict", choices=OPTIONS["strict"].choices, default="error", help=about)


class _Sources:
    """The files to work on, with a progress bar where the error output is a terminal."""

    def __init__(self, options: Namespace) -> None:
        self.status = 0
        self.found: Counter[str] = Counter()
        self.advised = False
        self._shown = ""
        advice = options.warn or options.fail_on_warnings or options.fix or options.fix_all
        ruby = options.ruby
        if options.hermetic and ruby not in ("auto", "off"):
            ruby = "sandbox"
        choices = Choices(
            *(options.language, options.strict, options.tasks, advice, ruby),
            frozenset(options.ignore),
        )
        self.workspace = Workspace(choices, Reach(options.files) if options.hermetic else None)
        names = options.files or ([] if options.code is not None else ["-"])
        if options.since is not None and not options.files:
            names = [os.curdir]
        self.has_directory = any(map(os.path.isdir, names))
        chosen = None if options.since is None else Changed(names, options.since)
        self.walk = Walk(self.workspace, options.kinds, chosen)
        if options.code is not None:
            self.walk.files.append(File(None, CODE, None, self.workspace, Source(options.code)))
        for name in names:
            self.walk.add(name, Reach([name]) if options.hermetic else None)
        self.many = len(self.walk.files) > 1
        self._bar = self.many and sys.stderr.isatty()
        for found in self.walk.findings:
            if options.format in ("github", "json", "sarif", "junit") and options.kinds is KINDS:
                self.count(found)
            else:
                self.show(found)

    def __iter__(self) -> Iterator[File]:
        for number, file in enumerate(self.walk.files):
            if self._bar:
                self._progress(number)
            yield file
        self.clear()

    def say(self, *lines: str) -> None:
        """Print to the error output."""
        if lines:
            self.clear()
            print(*map(visible_lines, lines), sep="\n", file=sys.stderr)

    def show(self, found: Finding, file: File | None = None) -> None:
        """Print a finding with the lines of code, and count it."""
        self.count(found)
        if isinstance(found, PuppetError):
            self.say(*error_lines(found))
        elif isinstance(found, Report):
            self.say(_line(found), *_rows(report_excerpt(found, _width())))
        elif found.code == UNREADABLE:
            what, _, reason = found.message.partition(" it: ")
            self.say(f"Error: {what} {visible(found.file or '')}: {reason}")
        elif found.code == NO_FILES:
            self.say(f"Warning: {found.message} in {visible(found.file or '')}")
        else:
            self.say(_with_rule(found), *_rows(_excerpt_of(found, file)))

    def count(self, found: Finding) -> None:
        """Count a finding, and remember the exit status that it demands."""
        for each in diagnostics(found):
            self.found[each.severity] += 1
            if each.severity == "warning":
                self.advised = True
            else:
                unread = each.code in (UNREADABLE, NO_RUBY)
                self.status = max(self.status, UNREADABLE_FILE if unread else REFUSED)

    def clear(self) -> None:
        """Remove the progress bar."""
        if self._shown:
            print("\r" + " " * len(self._shown) + "\r", end="", file=sys.stderr, flush=True)
            self._shown = ""

    def _progress(self, number: int) -> None:
        total = len(self.walk.files)
        done = _BAR * number // total
        shown = f"[{'#' * done}{' ' * (_BAR - done)}] {number}/{total}"
        if shown != self._shown:
            print("\r" + shown, end="", file=sys.stderr, flush=True)
            self._shown = shown


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
