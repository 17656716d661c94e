"""Completion for the shells: ``puppet-repl completion SHELL`` prints a script.

The script is made by shtab from the parsers of the command line and of its subcommands, so that
there is no second list of options. What the value of an option is follows from its metavar.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any

from puppet_repl.environment.facts.facts import factset_names
from puppet_repl.frontends.cli.arguments import PROGRAM, SUBCOMMANDS, add_options
from puppet_repl.host.argument_parser import ArgumentParser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SHELLS = ("bash", "zsh", "fish")

EPILOG = """\
to be written to one of the shell's own files:
  bash   source <(puppet-repl completion bash)
  zsh    puppet-repl completion zsh > ~/.zfunc/_puppet-repl
  fish   puppet-repl completion fish > ~/.config/fish/completions/puppet-repl.fish
"""

# The kinds of values that shtab completes, by metavar.
_KINDS = {"FILE": "file", "DIR": "directory", "DIRS": "directory"}

# shtab completes a subcommand or a manifest as the first word, not both; these lines, added to its
# script, offer manifests too.
_BASH_MANIFESTS = """\
_puppet_repl_manifests() {
  compgen -f -X '!*.pp' -- "$1"
  compgen -d -- "$1"
}
_shtab_puppet_repl_pos_0_COMPGEN=_puppet_repl_manifests
"""
_ZSH_MANIFESTS = """\
functions -c _shtab_puppet_repl_commands _puppet_repl_subcommands
_shtab_puppet_repl_commands() {
  _puppet_repl_subcommands
  _files -g '*.pp'
}
"""
_FISH_MANIFESTS = """
complete -c puppet-repl -n '_shtab_puppet_repl_using; and test $_shtab_puppet_repl_npos -eq 0' \\
  -ka '(__fish_complete_suffix .pp)'
"""


def make_parser(name: str = "completion") -> ArgumentParser:
    """Return the parser of the subcommand's arguments."""
    parser = ArgumentParser(
        prog=f"{PROGRAM} {name}",
        description="Print the completion of puppet-repl for a shell.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell to complete in")
    return parser


def main(argv: list[str]) -> int:
    """Print the script for a shell; return the exit status."""
    print(script(make_parser().parse_args(argv).shell), end="")
    return 0


def script(shell: str) -> str:
    """Return the script for one shell."""
    import shtab

    parser = whole_parser()
    for each in _parsers(parser):
        for action in each._actions:
            kind = _facts() if action.dest == "facts" else _KINDS.get(str(action.metavar))
            if kind is not None:
                described: Any = action  # argparse does not know the attribute
                described.complete = kind
    preamble = {"bash": _BASH_MANIFESTS, "zsh": _ZSH_MANIFESTS}.get(shell, "")
    text: str = shtab.complete(parser, shell, preamble=preamble)
    return text.rstrip("\n") + "\n" + (_FISH_MANIFESTS if shell == "fish" else "")


def whole_parser() -> ArgumentParser:
    """Return a parser that describes the whole command line, with all subcommands."""
    parser = ArgumentParser(prog=PROGRAM)
    add_options(parser)
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, (module, text) in SUBCOMMANDS.items():
        described = import_module(module).make_parser(name)
        commands.add_parser(name, help=text, parents=[described], add_help=False)
    return parser


def _parsers(parser: ArgumentParser) -> Iterator[ArgumentParser]:
    """Yield a parser and those of its subcommands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _parsers(below)


def _facts() -> dict[str, object]:
    """Describe to shtab that a value is the name of a fact set, or a file."""
    names = " ".join(factset_names())
    function = f"""\
_puppet_repl_facts() {{
  compgen -W '{names}' -- "$1"
  compgen -f -- "$1"
}}"""
    return {
        "bash": "_puppet_repl_facts",
        "zsh": f"{{ compadd {names}; _files }}",
        "fish": f"(__fish_complete_path (commandline -ct)) {names}",
        "preamble": {"bash": function},
    }
