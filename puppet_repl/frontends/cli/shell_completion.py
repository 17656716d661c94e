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
    from collections.abc import Callable, Iterator

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
_BASH_MANIFESTS = """
_puppet_repl_manifests() {
  compgen -f -X '!*.pp' -- "$1"
  compgen -d -- "$1"
}
_shtab_puppet_repl_pos_0_COMPGEN=_puppet_repl_manifests
"""
_ZSH_MANIFESTS = """
functions -c _shtab_puppet_repl_commands _puppet_repl_subcommands
_shtab_puppet_repl_commands() {
  _puppet_repl_subcommands
  _files -g '*.pp'
  compadd -- ${(f)"$(_puppet_repl_profiles | sed 's/^/@/')"}
}
"""
_FISH_MANIFESTS = """
complete -c puppet-repl -n '_shtab_puppet_repl_using; and test $_shtab_puppet_repl_npos -eq 0' \\
  -ka '(__fish_complete_suffix .pp)'
complete -c puppet-repl -n '_shtab_puppet_repl_scan; test $_shtab_puppet_repl_npos -eq 0' \\
  -ka '@(_puppet_repl_profiles)'
"""
# The names of profiles, without a start of Python: those of the repository and of the user.
_PROFILES = r"""
_puppet_repl_profiles() {
  local directory="$PWD" file="${XDG_CONFIG_HOME:-$HOME/.config}/puppet-repl/config.toml"
  {
    [ -f "$file" ] && cat "$file"
    while [ -n "$directory" ]; do
      [ -f "$directory/.puppet-repl.toml" ] && cat "$directory/.puppet-repl.toml" && break
      [ -e "$directory/.git" ] && break
      directory="${directory%/*}"
    done
  } | sed -n 's/^[[:space:]]*\[profiles\.\([A-Za-z0-9_-]*\)[].].*/\1/p' | sort -u
}
"""
_BASH_PROFILES = r"""
_puppet_repl_profile_names() { compgen -W "$(_puppet_repl_profiles)" -- "$1"; }
_puppet_repl() {
  # Bash divides words at @ by default.
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" sign=
  [[ $COMP_WORDBREAKS == *@* ]] || sign=@
  if [[ $word == @* || $before == @ ]]; then
    COMPREPLY=($(compgen -P "$sign" -W "$(_puppet_repl_profiles)" -- "${word#@}"))
  else
    _shtab_puppet_repl "$@"
  fi
}
complete -o bashdefault -F _puppet_repl puppet-repl
"""
_FISH_PROFILES = r"""
function _puppet_repl_profiles
  set -l files $HOME/.config/puppet-repl/config.toml
  set -q XDG_CONFIG_HOME; and set files $XDG_CONFIG_HOME/puppet-repl/config.toml
  set -l directory $PWD
  while test -n "$directory"
    if test -f $directory/.puppet-repl.toml
      set -a files $directory/.puppet-repl.toml
      break
    end
    test -e $directory/.git; and break
    set directory (string replace -r '/[^/]*$' '' -- $directory)
  end
  cat $files 2>/dev/null |
    sed -n 's/^[[:space:]]*\[profiles\.\([A-Za-z0-9_-]*\)[].].*/\1/p' | sort -u
end
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
            kind = _OF_OPTIONS.get(action.dest, _of_metavar)(action)
            if kind is not None:
                described: Any = action  # argparse does not know the attribute
                described.complete = kind
    preamble = {"bash": _BASH_MANIFESTS, "zsh": _PROFILES + _ZSH_MANIFESTS}.get(shell, "")
    text: str = shtab.complete(parser, shell, preamble=preamble)
    added = {"bash": _PROFILES + _BASH_PROFILES, "fish": _FISH_PROFILES + _FISH_MANIFESTS}
    return text.rstrip("\n") + "\n" + added.get(shell, "")


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


def _of_metavar(action: argparse.Action) -> str | None:
    return _KINDS.get(str(action.metavar))


def _profiles(_action: argparse.Action) -> dict[str, object]:
    """Describe to shtab that a value is the name of a profile."""
    return {
        "bash": "_puppet_repl_profile_names",
        "zsh": '{ compadd -- ${(f)"$(_puppet_repl_profiles)"} }',
        "fish": "(_puppet_repl_profiles)",
    }


def _facts(_action: argparse.Action) -> dict[str, object]:
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


# What describes the values of options that no metavar tells.
_OF_OPTIONS: dict[str, Callable[[argparse.Action], object]] = {
    "facts": _facts,
    "profile": _profiles,
}
