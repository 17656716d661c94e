"""``puppet-repl reference MODULE``: write the documentation of a module, or check it.

Exit status: 0 for success, 1 if a file of the module cannot be parsed, or a check has findings,
2 for errors: wrong usage, no module, a file that cannot be written or compared.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from difflib import unified_diff
from itertools import zip_longest

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.file_replacement import replace_file
from puppet_repl.base.safe_text import visible, visible_json, visible_lines
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.environment.reference.checks import RULES, check_module
from puppet_repl.environment.reference.json_form import as_json
from puppet_repl.environment.reference.markdown import as_markdown
from puppet_repl.environment.reference.model import Problem
from puppet_repl.environment.reference.module import is_module, read_module
from puppet_repl.host.argument_parser import ArgumentParser
from puppet_repl.tools.rendering.annotations import annotation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from puppet_repl.environment.reference.model import Module

GOOD, BAD, TROUBLE = 0, 1, 2
PROGRAM = "puppet-repl reference"
MOST_LINES = 20
"""How many lines are shown of the difference to the file that is there."""

FILE_RULES = {
    "missing-file": "There is no REFERENCE.md.",
    "outdated": "REFERENCE.md is not what would be written.",
}
"""Rules about the file that the documentation is written to."""

_STATES = {"outdated": "is out of date", "missing-file": "is missing"}

EPILOG = """\
--check writes nothing. It reports the warnings of puppet-strings, and whether REFERENCE.md (or the
file of --output) is what would be written. --ignore leaves a rule out: outdated and missing-file
are those about the file. If a file of the module cannot be parsed, no file is written.

examples:
  puppet-repl reference --output REFERENCE.md          document the module of this directory
  puppet-repl reference modules/motd --format json
  puppet-repl reference --check
  puppet-repl reference --check --format github --ignore missing-return

exit status:
  0  all is well     1  a file cannot be parsed, a check found something     2  trouble
"""


def make_parser(name: str = "reference") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Write the documentation of a module, as puppet-strings does, without Ruby.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "module", nargs="?", default=".", metavar="DIR", help="the module (this directory)"
    )
    parser.add_argument(
        "--format",
        choices=("markdown", "json", "github"),
        help="markdown (default) or json; of a check: lines of text (default), json, or github "
        "(annotations of a workflow)",
    )
    parser.add_argument("--output", metavar="FILE", help="write to FILE; - is standard output")
    parser.add_argument("--check", action="store_true", help="report problems, and write nothing")
    parser.add_argument(
        "--ignore",
        metavar="RULE",
        action="append",
        default=[],
        choices=sorted(RULES | FILE_RULES),
        help="leave a rule out; may be repeated",
    )
    return parser


def main(argv: list[str]) -> int:
    """Run the subcommand; return the exit status."""
    parser = make_parser()
    given = parser.parse_args(argv)
    if given.format == "github" and not given.check:
        parser.error("--format github is a form of --check")
    if given.format == "markdown" and given.check:
        parser.error("--check has no format markdown")
    if given.ignore and not given.check:
        parser.error("--ignore is an option of --check")
    if given.output == "-":
        given.output = None
    try:
        if not is_module(given.module):
            return _refuse(f"{given.module}: no module (it has nothing to document)")
        reference = read_module(given.module)
    except OSError as error:
        return _refuse(f"{given.module}: {why_unusable(error)}")
    return _check(reference, given) if given.check else _write(reference, given)


def _refuse(message: str) -> int:
    print(f"{PROGRAM}: {visible(message)}", file=sys.stderr)
    return TROUBLE


def _write(reference: Module, given: Namespace) -> int:
    """Write the documentation; a file is not replaced by one that lacks what cannot be parsed."""
    problems = check_module(reference)
    errors = [problem for problem in problems if problem.level == "error"]
    text = as_json(reference) if given.format == "json" else as_markdown(reference)
    if given.output is None:
        if sys.stdout.isatty():  # comments may hold what a terminal would obey
            text = visible_json(text) if given.format == "json" else visible_lines(text)
        sys.stdout.write(text)
        sys.stdout.flush()
    elif not errors:
        try:
            replace_file(given.output, text)
        except OSError as error:
            return _refuse(f"{given.output}: {why_unusable(error)}")
    for problem in errors:
        print(f"{PROGRAM}: {visible_lines(str(problem))}", file=sys.stderr)
    warnings = len(problems) - len(errors)
    if warnings:
        told = counted(warnings, "warning")
        print(f"{PROGRAM}: {told} ({PROGRAM} --check shows them)", file=sys.stderr)
    if errors and given.output is not None:
        print(f"{PROGRAM}: {visible(given.output)}: not written", file=sys.stderr)
    return BAD if errors else GOOD


# A check


def _check(reference: Module, given: Namespace) -> int:
    ignored = frozenset(given.ignore)
    problems = [
        replace(each, file=os.path.normpath(f"{given.module}/{each.file}"))
        for each in check_module(reference)
        if each.rule not in ignored
    ]
    path = given.output or os.path.normpath(f"{given.module}/REFERENCE.md")
    try:
        stale, difference = _compare(path, reference)
    except OSError as error:
        return _refuse(f"{path}: {why_unusable(error)}")
    state = "" if stale is None else _STATES[stale.rule]
    if stale is not None and stale.rule in ignored:
        stale, difference = None, []
    found = [*problems, stale] if stale is not None else problems
    if given.format == "json":
        _print_json(found)
    elif given.format == "github":
        for problem in found:
            sys.stdout.write(_annotation(problem))
        print(_summary(reference, problems, path, state))
    else:
        for problem in found:
            print(visible_lines(f"{problem} [{problem.rule}]"))
        for line in difference:
            print(visible_lines(f"    {line}"))
        print(_summary(reference, problems, path, state))
    return BAD if found else GOOD


def _compare(path: str, reference: Module) -> tuple[Problem | None, list[str]]:
    """Return the problem of the existing file, and the beginning of its differences.

    A file of an older generator has no defaults from the data: it is compared with the form that
    it is most like. Raises OSError if the file cannot be read.
    """
    try:
        before = _trimmed(read_text(path))
    except FileNotFoundError:
        return Problem("error", "missing-file", "there is no such file", path), []
    except UnicodeDecodeError as error:
        return Problem("error", "outdated", why_unusable(error), path), []
    forms = [_trimmed(as_markdown(reference, with_data=each)) for each in (True, False)]
    if before in forms:
        return None, []
    old = before.splitlines()
    differences = [
        (form, list(unified_diff(old, form.splitlines(), path, "as written now", lineterm="")))
        for form in forms
    ]
    text, lines = min(differences, key=lambda each: len(each[1]))
    shown = lines[:MOST_LINES]
    if len(lines) > MOST_LINES:
        shown.append("...")
    message = "not what would be written now"
    return Problem("error", "outdated", message, path, _first_difference(before, text)), shown


def _trimmed(text: str) -> str:
    """Return a text without the spaces at the ends of lines and of itself, which hooks remove."""
    return "\n".join([line.rstrip(" \t") for line in text.split("\n")]).rstrip() + "\n"


def _first_difference(before: str, now: str) -> int:
    """Return the number of the first line that differs."""
    old, new = before.split("\n"), now.split("\n")
    pairs = enumerate(zip_longest(old, new), 1)
    return next(number for number, (left, right) in pairs if left != right)


def _annotation(problem: Problem) -> str:
    """Return a command that marks the line of a problem."""
    return annotation(
        problem.level,
        problem.message,
        file=problem.file,
        line=problem.line or None,
        title=problem.rule,
    )


def _print_json(problems: list[Problem]) -> None:
    data = [
        {
            "level": each.level,
            "rule": each.rule,
            "message": each.message,
            "file": each.file,
            "line": each.line or None,
        }
        for each in problems
    ]
    print(visible_json(json.dumps(data, ensure_ascii=False, indent=2)))


def _summary(reference: Module, problems: list[Problem], path: str, state: str) -> str:
    entries = counted(len(reference.entries), "entry", "entries")
    files = counted(len({each.file for each in problems}), "file")
    found = f"{counted(len(problems), 'problem')} in {files}" if problems else "no problems"
    return visible(f"{entries}, {found}; {os.path.basename(path)} {state or 'is up to date'}")
