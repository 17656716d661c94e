"""``puppet-repl validate``: errors and probable mistakes in many files.

Each finding begins with its level, as those of Puppet do; they are counted at the end.

Exit status: 1 when a file is refused, 2 when a file cannot be read, else 0. With
--fail-on-warnings a file with a warning is refused.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentTypeError
from collections import Counter

from puppet_repl.base.safe_text import visible
from puppet_repl.base.wording import counted
from puppet_repl.frontends.cli.checked_files import (
    REFUSED,
    UNREADABLE_FILE,
    CheckedFiles,
    add_file_options,
)
from puppet_repl.frontends.cli.fixes import Fixer
from puppet_repl.frontends.cli.validation_formats import Findings
from puppet_repl.frontends.shared.revisions import GitError
from puppet_repl.host.argument_parser import ArgumentParser
from puppet_repl.host.session_options import add_options
from puppet_repl.tools.validation.diagnostic import Diagnostic, diagnostics
from puppet_repl.tools.validation.file import Choices
from puppet_repl.tools.validation.file_rules import ignored_rule
from puppet_repl.tools.validation.kinds import KINDS
from puppet_repl.tools.validation.walk import findings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

FORMATS = ("text", "json", "github", "sarif", "junit")
# So many findings are not counted by rule, and so many files that are not read are named.
_MANY = 20


def main(argv: list[str]) -> int:
    """Check the files that the arguments after the command name; return the exit status."""
    parser = make_parser(argv[0])
    given = parser.parse_args(argv[1:])
    names = given.files or ["-" if given.since is None else os.curdir]
    _check(given, names, parser)
    try:
        files = CheckedFiles(
            _choices(given), names, KINDS, hermetic=given.hermetic, since=given.since
        )
    except GitError as error:
        print(f"puppet-repl validate: {visible(str(error))}", file=sys.stderr)
        return UNREADABLE_FILE
    return _validate(given, files)


def _check(given: Namespace, names: list[str], parser: ArgumentParser) -> None:
    """Refuse arguments that exclude each other."""
    fixes = given.fix or given.fix_all
    if given.since is not None and given.hermetic:
        parser.error("--since asks git, which --hermetic does not allow")
    if given.diff and not fixes:
        parser.error("--diff needs --fix or --fix-all")
    if given.diff and given.format != "text":
        parser.error("--diff and --format both print to the output")
    if fixes and given.format != "text" and "-" in names:
        parser.error("--fix of the input and --format both print to the output")


def _choices(given: Namespace) -> Choices:
    advice = given.warn or given.fail_on_warnings or given.fix or given.fix_all
    ruby = given.ruby
    if given.hermetic and ruby not in ("auto", "off"):
        ruby = "sandbox"
    return Choices(
        *(given.language, given.strict, given.tasks, advice, ruby), frozenset(given.ignore)
    )


def _validate(given: Namespace, files: CheckedFiles) -> int:
    """Check all files; nothing is printed for other programs before the end."""
    is_text = given.format == "text"
    tell = files.show if is_text else files.count
    found: list[Diagnostic] = list(files.walk.findings)
    for each in found:
        tell(each)
    workspace = files.workspace
    fixer = Fixer(given) if given.fix or given.fix_all else None
    try:
        for file in files:
            failed = () if fixer is None else fixer.fix(file)
            for finding in (*failed, *findings_of(file)):
                if is_text:
                    files.show(finding, file)
                else:
                    files.count(finding)
                found += diagnostics(finding)
        if workspace.no_ruby is not None:
            found.append(workspace.no_ruby)
            tell(workspace.no_ruby)
    finally:
        workspace.close()
    strict = given.fail_on_warnings
    read = [file for file in files.walk.files if file not in workspace.unread]
    left = files.walk.left + workspace.unread_names
    result = Findings(read, found, left, strict=strict)
    if fixer is not None:
        files.say(fixer.summary(sum(files.found.values())))
    if is_text:
        files.say(*_summary(files.found), *_rules(found))
        if files.has_directory or result.left:
            files.say(*_overview(result))
    else:
        sys.stdout.write(result.written(given.format))
        sys.stdout.flush()
    return max(files.status, REFUSED if strict and files.found["warning"] else 0)


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


def make_parser(name: str = "validate") -> ArgumentParser:
    """Return the parser of the arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
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
        help="the same, and exit with 1 if there is a warning",
    )
    parser.add_argument(
        "--ignore",
        metavar="RULE",
        action="append",
        default=[],
        type=_rule,
        help="leave a rule out; may be repeated",
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
        "--diff", action="store_true", help="with --fix: print the changes, write nothing"
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
    add_file_options(
        parser,
        about_strict="how duplicate keys of a hash, and data files without a hash, are reported "
        "(default: error)",
    )
    parser.set_defaults(ruby="auto")
    return parser


def _rule(name: str) -> str:
    try:
        return ignored_rule(name)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None
