"""The subcommand ``puppet-repl doctest``.

Exit status: 0 when all is well, 1 when something is not, 2 for a file that cannot be read.
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.safe_text import visible
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.environment.modules.tested_module import module_of, module_path
from puppet_repl.frontends.doctest.block_checks import check_document
from puppet_repl.frontends.doctest.block_compilation import Compiler
from puppet_repl.frontends.doctest.documents import ENDINGS, TEMPLATE, all_blocks
from puppet_repl.frontends.doctest.reports import FORMATS, Report, concluded, written
from puppet_repl.frontends.doctest.runner import DEFAULT_FACTS, SECONDS, Runner
from puppet_repl.host.argument_parser import ArgumentParser
from puppet_repl.host.session_options import UsageError, add_session_options, host_maker
from puppet_repl.host.surroundings import take_surroundings
from puppet_repl.tools.rendering.diagnostics import error_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.frontends.doctest.documents import Block
    from puppet_repl.host.host import Host

GOOD, BAD, UNUSABLE = 0, 1, 2

EPILOG = f"""\
An example is a line with `# => value`, `# error` or `# notice: text` in a block of Puppet code, or
an input after `>>` in a transcript (puppet-console). A block is code that a document marks as
puppet, pp, puppet8 or epp, or the code below @example in comments of manifests and of Ruby. In a
directory all documents are checked; in a module, all but REFERENCE.md, CHANGELOG.md and spec.

A comment `puppet-repl: skip` before a block excludes it, `puppet-repl: run` runs one without
results, and `puppet-repl: fragment` excludes one from compilation. Code with ... and
attributes or entries of a hash without the code around them are parsed, but not compiled.

Modules are searched in --modulepath, then in the module of the document, its fixtures
(spec/fixtures/modules, symlinks in .fixtures.yml), and the directory modules that it is in.
Without --facts the facts are those of the set {DEFAULT_FACTS}.

examples:
  puppet-repl doctest docs                      run the examples that have results
  puppet-repl doctest --syntax README.md        parse every block
  puppet-repl doctest --compile . --format github

exit status:
  0  all is well     1  an example differs, a block is refused     2  a file is unusable
"""


def make_parser(name: str = "doctest") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Run the Puppet examples in Markdown, reStructuredText, text, .pp and .rb "
        "files, and report what differs.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a document, or a directory")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "--syntax", action="store_true", help="parse and validate every block, run none"
    )
    modes.add_argument(
        "--compile",
        action="store_true",
        help="compile every block, each for itself; run those that have results",
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="text (default), github (annotations of a workflow), or json",
    )
    add_session_options(parser)
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="print the numbers of blocks and examples in each file",
    )
    parser.set_defaults(max_seconds=SECONDS)
    return parser


def main(argv: list[str]) -> int:
    """Run the examples of files; return 0 if all hold, 1 if some differ, 2 for an unusable file."""
    given = make_parser().parse_args(argv)
    texts: list[tuple[str, list[tuple[str, str]]]] = []
    for path in given.files:
        texts.append((path, []))
        for name in documents_of(path):
            try:
                texts[-1][1].append((name, read_text(name)))
            except (OSError, UnicodeDecodeError) as error:
                _tell(name, why_unusable(error))
                return UNUSABLE
    try:
        if given.profile:
            take_surroundings(given)
        # A fixed set, so that results are the same on every machine.
        given.facts = given.facts or [DEFAULT_FACTS]
        return _run(texts, given, host_maker(given))
    except UsageError as error:
        sys.stderr.write(f"puppet-repl doctest: {visible(str(error))}\n")
        return UNUSABLE


def _run(
    texts: list[tuple[str, list[tuple[str, str]]]], given: Namespace, make: Callable[..., Host]
) -> int:
    """Check the documents of each path and print the findings; return the exit status."""
    report = Report(checks=given.syntax or given.compile)
    told: dict[str, None] = {}  # many documents have the same environment
    empty: dict[str, str] = {}
    for path, documents in texts:
        before = report.size
        for name, text in documents:
            found = _Document(name, text, given, make)
            _look(found, report, given)
            for error in found.problems:
                told.setdefault(error_text(error).rstrip("\n"))
        if report.size == before:
            is_directory = os.path.isdir(path)
            empty[path] = (
                IN_DIRECTORY if is_directory else why_nothing(*documents[0], checks=report.checks)
            )
    for problem in told:
        sys.stderr.write(f"{problem}\n")
    for path, why in empty.items():
        _tell(path, why)
    sys.stdout.write(concluded(report, given.format))
    return BAD if report.found or told else GOOD


def _look(found: _Document, report: Report, given: Namespace) -> None:
    """Check one document and print its findings."""
    before = len(report.found)
    found.look(report)
    for warning in dict.fromkeys(found.warnings):
        sys.stderr.write(f"{visible(found.name)}: Warning: {visible(warning)}\n")
    for _, finding in report.found[before:]:
        sys.stdout.write(written(found.name, finding, given.format))
    if given.verbose and given.format != "json":
        sys.stdout.write(f"{visible(found.name)}: {found.counts}\n")


def _tell(path: str, what: str) -> None:
    sys.stderr.write(f"puppet-repl doctest: {visible(path)}: {what}\n")


class _Document:
    """One document that is checked as the options say.

    ``problems`` are the errors of the manifests of the environment, ``warnings`` say where Puppet
    ends in an error, ``counts`` is its content.
    """

    def __init__(self, name: str, text: str, given: Namespace, make: Callable[..., Host]) -> None:
        self.name = name
        self.text = text
        self.problems: list[PuppetError] = []
        self.warnings: list[str] = []
        self.counts = ""
        self._given = given
        self._module = None if given.environment else module_of(name)
        self._make = make
        if self._module is not None:
            self._make = partial(make, module_path(self._module))

    def look(self, report: Report) -> None:
        """Check the blocks, run the examples, and add the findings to the report."""
        blocks = self._check(report) if report.checks else 0
        examples = 0 if self._given.syntax else self._compare(report)
        counts = [counted(blocks, "block")] if report.checks else []
        if examples or not report.checks:
            counts.append(counted(examples, "example"))
        self.counts = ", ".join(counts)

    def _check(self, report: Report) -> int:
        host = self._make()
        compiler = Compiler(host, self._module) if self._given.compile else None
        checked = list(check_document(self.name, self.text, host.session, compiler))
        for each in checked:
            report.blocks.append((self.name, each))
            self.warnings += each.warnings
            if each.failure is not None:
                report.found.append((self.name, each.failure))
        if compiler is not None:
            self.problems += compiler.problems
            self.warnings += compiler.warnings
        return len(checked)

    def _compare(self, report: Report) -> int:
        runner = Runner(self._make)
        differences = runner.run_document(self.name, self.text)
        report.found += [(self.name, each) for each in differences]
        report.examples += runner.count
        self.problems += runner.problems
        self.warnings += runner.warnings
        return runner.count


IN_DIRECTORY = "no document in it has a block of Puppet code, or an example with a result"
"""The reason for a directory."""


def why_nothing(name: str, text: str, *, checks: bool) -> str:
    """Return why a document has no block to check, or no example to run."""
    if name.endswith(".ipynb"):
        return "notebooks are not read: what they show is compared by running them"
    blocks = [block for block in all_blocks(name, text) if _is_puppet(block)]
    if blocks and checks:
        return "its examples are run without --syntax"
    if blocks:
        return "no example has a result (1 + 1 # => 2); --syntax or --compile checks every block"
    if name.endswith((".pp", ".rb")):
        return "no comment has an @example"
    if name.endswith(ENDINGS):
        return "no block says puppet"
    if checks:
        return "only Markdown (.md), reStructuredText (.rst), manifests and Ruby have blocks"
    return "no paragraph has a result (1 + 1 # => 2)"


def _is_puppet(block: Block) -> bool:
    return block.is_code or block.is_console or block.language == TEMPLATE


# Files that programs write, or that show code of earlier versions.
_LEFT_OUT = ("REFERENCE.md", "CHANGELOG.md", "HISTORY.md")
# Directories of tests, and of other projects.
_NOT_SEARCHED = ("spec", "vendor", "node_modules", "pkg")
# The Ruby of a module that documents what Puppet code can use.
_RUBY = os.path.join("lib", "puppet", "")


def documents_of(path: str) -> list[str]:
    """Return a file, or the documents below a directory: texts, manifests, Ruby of modules."""
    return sorted(_below(path)) if os.path.isdir(path) else [path]


def _below(directory: str) -> Iterator[str]:
    for where, directories, names in os.walk(directory):
        directories[:] = [
            name for name in directories if name[0] not in "._" and name not in _NOT_SEARCHED
        ]
        for name in names:
            if name in _LEFT_OUT or not name.endswith(ENDINGS):
                continue
            path = os.path.join(where, name)
            if not name.endswith(".rb") or _RUBY in os.path.abspath(path):
                yield path
