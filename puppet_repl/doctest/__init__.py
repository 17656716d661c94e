"""Examples in documents, run and compared: ``puppet-repl doctest FILE...``.

There are two formats. In that of the language specification a comment says what the value of an
expression is, what it logs, or that it fails:

    [1, 2] + 3          # => [1, 2, 3]
    notice("x")         # notice: x
    1 / 0               # error: Division by zero

A session that was saved (``:save web_spec.pp``) is in the first one; its parts are inputs. And
a transcript of a session shows inputs after ``>>`` with what was printed below them.
"""

from __future__ import annotations

import os
import sys

from puppet_repl.base.memory import tune_process
from puppet_repl.base.reading import read_text
from puppet_repl.base.safe_text import visible, visible_lines
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.doctest.documents import Block, blocks_of
from puppet_repl.doctest.examples import Example, examples_of
from puppet_repl.doctest.runner import Difference, Runner
from puppet_repl.environment.facts import FactsError, load_facts
from puppet_repl.frontend.argument_parser import ArgumentParser
from puppet_repl.frontend.session_options import add_limits
from puppet_repl.runtime.options import STRICTNESS
from puppet_repl.session import DEFAULT_STDLIB, Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

__all__ = ["Block", "Difference", "Example", "Runner", "blocks_of", "examples_of", "main"]

USAGE = 2


def main(argv: list[str]) -> int:
    """Run the examples of files; return 0 if all hold, 1 if some differ, 2 for an unusable file."""
    given = make_parser().parse_args(argv)
    texts = []
    for name in given.files:
        try:
            texts.append((name, read_text(name)))
        except (OSError, UnicodeDecodeError) as error:
            sys.stderr.write(f"puppet-repl doctest: {visible(name)}: {why_unusable(error)}\n")
            return USAGE
    tune_process(given.max_memory)
    count = failed = 0
    for name, text in texts:
        runner = _runner(given)
        if runner is None:
            return USAGE
        differences = runner.run_document(name, text)
        count += runner.count
        failed += len(differences)
        for difference in differences:
            sys.stdout.write(visible_lines(difference.text(visible(name))))
        if given.verbose:
            sys.stdout.write(f"{visible(name)}: {counted(runner.count, 'example')}\n")
    held = count - failed
    sys.stdout.write(
        f"{counted(count, 'example')}, {counted(held, 'holds', 'hold')}, "
        f"{counted(failed, 'differs', 'differ')}\n"
    )
    return 1 if failed else 0


def _runner(given: Namespace) -> Runner | None:
    path = given.modulepath.split(os.pathsep) if given.modulepath else []
    options = Options(
        strict=given.strict,
        modulepath=tuple(path),
        stdlib=DEFAULT_STDLIB,
        hermetic=given.hermetic,
        max_memory=given.max_memory,
        max_seconds=given.max_seconds,
    )
    facts: dict[str, Any] | None = None
    if given.facts:
        try:
            facts = load_facts(given.facts)
        except FactsError as error:
            sys.stderr.write(f"puppet-repl doctest: {visible(str(error))}\n")
            return None
    return Runner(options, facts)


def make_parser(name: str = "doctest") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Run the Puppet examples in Markdown, reStructuredText, text and .pp files, "
        "and report what differs. Exit status: 0 all hold, 1 some differ, 2 a file is unusable.",
        epilog="An example is a line with `# => value`, `# error` or `# notice: text` in a block "
        "of Puppet code, or an input after `>>` in a transcript (puppet-console). "
        "A comment `puppet-repl: skip` before a block excludes it, `puppet-repl: run` runs one "
        "without results.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--facts", metavar="FILE", help="facts from a file, or the name of a set")
    parser.add_argument(
        "--modulepath", metavar="DIRS", help="directories of modules, joined by ':'"
    )
    parser.add_argument(
        "--strict",
        choices=STRICTNESS,
        default="error",
        help="Puppet's setting strict (default: error)",
    )
    parser.add_argument(
        "--hermetic",
        action="store_true",
        help="read nothing but the modules; no facts, variables or Ruby of this machine",
    )
    add_limits(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="say how many each file has")
    return parser
