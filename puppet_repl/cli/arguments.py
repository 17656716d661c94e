"""The arguments of the command line: its subcommands and its options."""

from __future__ import annotations

import argparse
from argparse import ArgumentTypeError

from puppet_repl.runtime.options import (
    MAX_RUBY_SECONDS,
    RUBY_SECONDS,
    STDLIBS,
    STRICTNESS,
    UNKNOWN,
)
from puppet_repl.version import __version__

PROGRAM = "puppet-repl"
MIN_MEMORY = 16 << 20

# Name -> (module, explanation). The module has make_parser(name) and main(arguments).
SUBCOMMANDS = {
    "batch": ("puppet_repl.cli.batch", "answer JSON requests, one per line"),
    "parse": ("puppet_repl.cli.syntax_commands", "print syntax trees"),
    "validate": ("puppet_repl.cli.syntax_commands", "check files for errors"),
    "doctest": ("puppet_repl.doctest", "run the Puppet examples in documents"),
    "kernel": ("puppet_kernel.install", "install the Jupyter kernel"),
    "ruby": ("puppet_repl.cli.ruby", "install the Ruby that runs functions of modules"),
    "completion": ("puppet_repl.cli.shell_completion", "print completion for bash, zsh or fish"),
}

EPILOG = """\
examples:
  puppet-repl                              open the prompt
  puppet-repl -e '[1, 2].map |$x| { $x * 2 }'
  puppet-repl site.pp                      run a manifest
  echo '1 + 1' | puppet-repl               run what is piped in
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
  PAGER                                    the pager for what is taller than the screen

exit status:
  0  all went well     1  code was refused or failed     2  wrong usage, unreadable file

other commands (each with --help):
"""


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of a command line without a subcommand."""
    listing = "".join(
        f"  puppet-repl {name:12} {text}\n" for name, (_, text) in SUBCOMMANDS.items()
    )
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Evaluate Puppet 8 code: at a prompt, from a file, or from a pipe.",
        epilog=EPILOG + listing,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="?", metavar="FILE.pp", help="a manifest to run, - for input")
    add_options(parser)
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a command line without a subcommand."""
    parser.add_argument("-e", metavar="CODE", dest="code", help="evaluate CODE and print its value")
    parser.add_argument(
        "--modulepath", metavar="DIRS", help="directories of modules, joined by ':'"
    )
    parser.add_argument(
        "--environment", metavar="DIR", help="an environment (environment.conf, ...)"
    )
    parser.add_argument(
        "--facts", metavar="FILE", help="facts from a JSON or YAML file, or the name of a set"
    )
    parser.add_argument("--node", metavar="NAME", help="the name of the node")
    parser.add_argument(
        "--stubs",
        metavar="FILE",
        action="append",
        help="Puppet functions that replace functions written in Ruby",
    )
    parser.add_argument(
        "--stdlib",
        choices=STDLIBS,
        help="the stdlib that counts where no module path has one"
        " (default: 9; off with --environment)",
    )
    parser.add_argument(
        "--ruby",
        metavar="ENGINE",
        help="what runs the Ruby of modules: sandbox (default, if installed), system,"
        " the path of a ruby, off",
    )
    parser.add_argument(
        "--ruby-seconds",
        type=_seconds,
        metavar="N",
        help=f"the seconds that Ruby may take for a call (default: {RUBY_SECONDS})",
    )
    parser.add_argument(
        "--unknown-functions",
        choices=UNKNOWN,
        help="functions in Ruby that cannot be run are errors, or undef with a warning",
    )
    parser.add_argument(
        "--unknown-types",
        choices=UNKNOWN,
        help="unknown resource types are errors, or accepted with a warning",
    )
    parser.add_argument(
        "--strict",
        choices=STRICTNESS,
        help="Puppet's setting strict: how doubtful code is reported (default: error)",
    )
    parser.add_argument("--allow-generate", action="store_true", help="let generate() run programs")
    parser.add_argument(
        "--max-memory",
        type=_size,
        default=1 << 30,
        metavar="SIZE",
        help="memory limit of Puppet code: 512M, 2G",
    )
    parser.add_argument("--plain", action="store_true", help="a line mode without a full screen")
    parser.add_argument("--no-color", action="store_true", help="no colours")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")


def _size(text: str) -> int:
    scale = {"K": 10, "M": 20, "G": 30}.get(text[-1:].upper())
    digits = text[:-1] if scale else text
    if not digits.isdigit():
        raise ArgumentTypeError(f"not a size: '{text}' (expected a number, with K, M or G)")
    size = int(digits) << (scale or 0)
    if size < MIN_MEMORY:
        raise ArgumentTypeError(f"{text} is too little: at least {MIN_MEMORY >> 20}M are needed")
    return size


def _seconds(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_RUBY_SECONDS:
        return int(text)
    raise ArgumentTypeError(f"not a whole number from 1 to {MAX_RUBY_SECONDS}: '{text}'")
