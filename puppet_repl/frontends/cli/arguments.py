"""The arguments of the command line: its subcommands and its options."""

from __future__ import annotations

import argparse
import os
from itertools import islice

from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.version import full_version
from puppet_repl.host.argument_parser import PROFILE_WORD, ArgumentParser, utf8_text
from puppet_repl.host.session_options import add_session_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    # The name of an option, and its words.
    Early: TypeAlias = tuple[str, list[str]]

PROGRAM = "puppet-repl"
# Those in which ``run_program`` prints values.
FORMS = ("json", "yaml", "puppet", "table")

# Name -> (module, explanation). The module has make_parser(name) and main(arguments).
SUBCOMMANDS = {
    "batch": ("puppet_repl.frontends.cli.batch", "answer JSON requests, one per line"),
    "compile": ("puppet_repl.frontends.cli.compile", "compile the catalogs of nodes"),
    "diff": ("puppet_repl.frontends.cli.diff", "compare two catalogs"),
    "parse": ("puppet_repl.frontends.cli.parse", "print syntax trees"),
    "validate": ("puppet_repl.frontends.cli.validate", "check files for errors"),
    "format": ("puppet_repl.frontends.cli.format", "format manifests and EPP templates"),
    "language-server": (
        "puppet_repl.frontends.language_server.command",
        "serve an editor: diagnostics, completion, formatting",
    ),
    "debug-adapter": (
        "puppet_repl.frontends.debug_adapter.command",
        "serve the debugger of an editor: breakpoints, steps, variables",
    ),
    "lookup": ("puppet_repl.frontends.cli.lookup", "look keys up in the data of an environment"),
    "reference": (
        "puppet_repl.frontends.cli.reference",
        "write or check the documentation of a module",
    ),
    "doctest": ("puppet_repl.frontends.doctest.command", "run the Puppet examples in documents"),
    "modules": (
        "puppet_repl.frontends.cli.modules",
        "install the modules of a Puppetfile, list them and newer ones",
    ),
    "kernel": ("puppet_kernel.install", "install the Jupyter kernel"),
    "cache": ("puppet_repl.frontends.cli.cache", "show or clear the cache of compiled files"),
    "ruby": ("puppet_repl.frontends.cli.ruby", "install the Ruby that runs functions of modules"),
    "completion": (
        "puppet_repl.frontends.cli.shell_completion",
        "print completion for a shell",
    ),
}

# Subcommands of puppet that are renamed or missing here.
_OF_PUPPET = {
    "apply": "puppet-repl evaluates code and applies nothing: puppet-repl FILE.pp",
    "parser": "puppet-repl validate FILE.pp checks files",
    # Usual abbreviations.
    "dap": "did you mean debug-adapter?",
    "fmt": "did you mean format?",
    "lsp": "did you mean language-server?",
}

EPILOG = """\
examples:
  puppet-repl                              open the prompt
  puppet-repl -e '[1, 2].map |$x| { $x * 2 }'
  puppet-repl site.pp                      run a manifest
  puppet-repl -i site.pp                   run it, then open the prompt
  echo '1 + 1' | puppet-repl               run piped code
  puppet-repl -e '$facts["os"]' --format json    print JSON, YAML, code or a table
  puppet-repl --facts rocky-9 -e '$facts["os"]["family"]'
  puppet-repl validate manifests/*.pp      check files
  puppet-repl -e ':doc split'              run a command of the prompt

files (below ~/.config and ~/.local/share, or where the system keeps such files):
  puppet-repl/config.toml                  settings, written by :set NAME VALUE --save
  puppet-repl/startup.pp                   Puppet code that is run before the first input
  puppet-repl/history                      earlier inputs of all sessions

environment:
  NO_COLOR                                 no colours
  TERM=dumb                                plain lines, as with --plain
  VISUAL, EDITOR                           the editor of :edit and Ctrl-X Ctrl-E
  PAGER                                    the pager for output taller than the screen
  PUPPET_REPL_NO_CACHE                     no cache of compiled files, as with --no-cache

exit status:
  0  all went well     1  code was refused or failed     2  wrong usage, unreadable file

other commands (each with --help):
"""


def with_profile(arguments: list[str]) -> list[str]:
    """Return a command line with ``@NAME``, its first word or that of a command, as an option."""
    at = 1 if arguments and arguments[0] in SUBCOMMANDS else 0
    words = [word for word in arguments[1:3] if PROFILE_WORD.fullmatch(word)]
    if arguments[:1] == ["diff"] and len(words) == 2:
        return arguments  # they are compared
    found = PROFILE_WORD.fullmatch(arguments[at]) if len(arguments) > at else None
    if found is None:
        return arguments
    return [*arguments[:at], f"--profile={found[1]}", *arguments[at + 1 :]]


def meant_subcommand(word: str) -> str | None:
    """Return which subcommand a word that is not a file may mean, None if none is near.

    Something with a dot or a slash in it is meant as a file.
    """
    if "." in word or "/" in word or word in SUBCOMMANDS:
        return None
    if word in _OF_PUPPET:
        return _OF_PUPPET[word]
    return did_you_mean(word, SUBCOMMANDS)


class _ShowVersion(argparse.Action):
    """Print the version, which nothing reads before."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"{PROGRAM} {full_version()}")
        parser.exit()


class MainParser(ArgumentParser):
    """The parser of a command line, whose first word may be a subcommand that is misspelt."""

    def subcommand(self, words: list[str]) -> tuple[str, list[Early], list[str]] | None:
        """Return the subcommand, the options before it, and the words after it.

        Without a subcommand, or with an unknown option before it, return None.
        """
        early: list[Early] = []
        rest = iter(words)
        for word in rest:
            if word in SUBCOMMANDS:
                return word, early, list(rest)
            typed = word.partition("=")[0] if word.startswith("--") else word[:2]
            flag = typed if typed in self._option_string_actions else None
            if flag is None or flag == "--version":
                return None
            early.append((flag, [flag + word[len(typed) :]]))
            if word == typed and self._option_string_actions[flag].nargs != 0:
                early[-1][1].extend(islice(rest, 1))
        return None

    def _refuse_help_of_unknown(self, words: list[str]) -> None:
        """End with an error if the help of a misspelt subcommand is asked for."""
        if words[1:2] in (["--help"], ["-h"]) and not os.path.exists(words[0]):
            meant = meant_subcommand(words[0])
            if meant is not None:
                self.error(f"there is no command {words[0]!r}; {meant}")

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return the options; with words too many say which subcommand is meant."""
        self._refuse_help_of_unknown(args or [])
        given, unknown = self.parse_known_args(args, namespace)
        self.refuse_later_profiles(given, unknown)
        if unknown:
            meant = None if given.file is None else meant_subcommand(given.file)
            if meant is not None:
                if len(unknown) == 1:
                    meant = meant.replace("FILE.pp", unknown[0])
                self.error(f"there is no command {given.file!r}; {meant}")
            self.refuse(unknown)
        return given


def make_parser() -> MainParser:
    """Return the parser of a command line without a subcommand."""
    listing = "".join(
        f"  puppet-repl {name:12} {text}\n" for name, (_, text) in SUBCOMMANDS.items()
    )
    parser = MainParser(
        prog=PROGRAM,
        description="Evaluate code of Puppet 8 or OpenVox: at a prompt, from a file or a pipe.",
        epilog=EPILOG + listing,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="?", metavar="FILE.pp", help="a manifest to run, - for input")
    add_options(parser)
    return parser


def add_options(parser: ArgumentParser) -> None:
    """Add the options of a command line without a subcommand."""
    parser.add_argument(
        "-e",
        metavar="CODE",
        dest="code",
        action="append",
        type=utf8_text,
        help="evaluate CODE and print its value; several run one after the other",
    )
    parser.add_argument(
        "-i",
        dest="stays",
        action="store_true",
        help="open the prompt after FILE.pp or CODE, even if it failed",
    )
    parser.add_argument(
        "--format",
        choices=FORMS,
        help="the form of the value (of code, a file or a pipe)",
    )
    add_session_options(parser)
    parser.add_argument("--plain", action="store_true", help="plain lines instead of a full screen")
    parser.add_argument(
        "--version", action=_ShowVersion, nargs=0, help="show program's version number and exit"
    )
