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

import sys

from puppet_repl.base.reading import read_text
from puppet_repl.base.safe_text import visible, visible_lines
from puppet_repl.base.wording import counted, why_unusable
from puppet_repl.doctest.documents import Block, blocks_of
from puppet_repl.doctest.examples import Example, examples_of
from puppet_repl.doctest.runner import DEFAULT_FACTS, Difference, Runner
from puppet_repl.frontend.argument_parser import ArgumentParser
from puppet_repl.frontend.session_options import UsageError, add_session_options, host_maker
from puppet_repl.rendering.diagnostics import error_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.frontend.host import Host

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
    if not given.facts:
        # A fixed set, so that results are the same on every machine.
        given.facts = [DEFAULT_FACTS]
    try:
        return _run(texts, host_maker(given), verbose=given.verbose)
    except UsageError as error:
        sys.stderr.write(f"puppet-repl doctest: {visible(str(error))}\n")
        return USAGE


def _run(texts: list[tuple[str, str]], make: Callable[[], Host], *, verbose: bool) -> int:
    """Run the examples of texts with names, print what differs; return the exit status."""
    count = failed = 0
    told: dict[str, None] = {}  # many documents have the same environment
    for name, text in texts:
        runner = Runner(make)
        differences = runner.run_document(name, text)
        for error in runner.problems:
            told.setdefault(error_text(error).rstrip("\n"))
        count += runner.count
        failed += len(differences)
        for difference in differences:
            sys.stdout.write(visible_lines(difference.text(visible(name))))
        if verbose:
            sys.stdout.write(f"{visible(name)}: {counted(runner.count, 'example')}\n")
    for problem in told:
        sys.stderr.write(f"{problem}\n")
    held = count - failed
    sys.stdout.write(
        f"{counted(count, 'example')}, {counted(held, 'holds', 'hold')}, "
        f"{counted(failed, 'differs', 'differ')}\n"
    )
    return 1 if failed or told else 0


def make_parser(name: str = "doctest") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"puppet-repl {name}",
        description="Run the Puppet examples in Markdown, reStructuredText, text and .pp files, "
        "and report what differs. Exit status: 0 all hold, 1 some differ, 2 a file is unusable.",
        epilog="An example is a line with `# => value`, `# error` or `# notice: text` in a block "
        "of Puppet code, or an input after `>>` in a transcript (puppet-console). "
        "A comment `puppet-repl: skip` before a block excludes it, `puppet-repl: run` runs one "
        "without results. Without --facts the facts are those of the set debian-12.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    add_session_options(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="say how many each file has")
    return parser
