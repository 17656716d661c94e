"""``puppet-repl parse``: the syntax trees of many files.

Exit status: 1 when a file is refused, 2 when a file cannot be read, else 0.
"""

from __future__ import annotations

import sys

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.safe_text import visible, visible_json, visible_lines
from puppet_repl.base.wording import why_unusable
from puppet_repl.frontends.cli.checked_files import CheckedFiles, add_file_options
from puppet_repl.host.argument_parser import ArgumentParser, utf8_text
from puppet_repl.language.syntax import pn
from puppet_repl.tools.validation.diagnostic import unreadable
from puppet_repl.tools.validation.file import Choices
from puppet_repl.tools.validation.kinds import PUPPET_CODE
from puppet_repl.tools.validation.manifests import checked
from puppet_repl.tools.validation.walk import STANDARD_INPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax import ast


def main(argv: list[str]) -> int:
    """Print the trees of the files that the arguments after the command name."""
    given = make_parser(argv[0]).parse_args(argv[1:])
    choices = Choices(given.language, given.strict, given.tasks, advice=False, ruby="off")
    names = given.files or ([] if given.code is not None else ["-"])
    files = CheckedFiles(choices, names, PUPPET_CODE, hermetic=given.hermetic)
    for found in files.walk.findings:
        files.show(found)
    if given.code is not None:
        files.add_code(given.code)
    for file in files:
        try:
            program, reports = checked(file.source, file.options)
        except OSError as error:
            files.show(unreadable(file.path or STANDARD_INPUT, why_unusable(error)))
        except PuppetError as error:
            files.workspace.add_hint(error)
            files.show(error)
        else:
            for report in reports:
                files.show(report)
            files.clear()
            _print_tree(program, given.format, files)
    return files.status


def make_parser(name: str = "parse") -> ArgumentParser:
    """Return the parser of the arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
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
    add_file_options(
        parser, about_strict="how duplicate keys of a hash are reported (default: error)"
    )
    return parser


def _print_tree(program: ast.Program, form: str, files: CheckedFiles) -> None:
    try:
        if form == "json":
            import json

            text = visible_json(json.dumps(pn.to_data(program), ensure_ascii=False))
        else:
            text = pn.to_pn(program)
    except PuppetError as error:
        files.show(error)
        return
    if files.many:
        print("---", visible(program.source.name or ""))
    print(visible_lines(text) if sys.stdout.isatty() else text)
