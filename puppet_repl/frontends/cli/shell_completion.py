"""Completion for the shells: ``puppet-repl completion SHELL`` prints a script.

The script is made by shtab from the parsers of the command line and of its subcommands, so that
there is no second list of options. What the value of an option is follows from its metavar. The
script asks ``puppet-repl completion nodes`` and ``keys`` for the names of an environment.
"""

from __future__ import annotations

import argparse
import re
import sys
from importlib import import_module
from typing import Any

from puppet_repl.base.safe_text import visible
from puppet_repl.environment.facts.facts import factset_names
from puppet_repl.frontends.cli.arguments import PROGRAM, SUBCOMMANDS, add_options
from puppet_repl.frontends.cli.arguments import make_parser as make_main_parser
from puppet_repl.frontends.language_server.nodes import named_nodes
from puppet_repl.host.argument_parser import ArgumentParser
from puppet_repl.host.session_options import UsageError, host_of
from puppet_repl.host.session_options import add_options as add_session_option
from puppet_repl.host.surroundings import take_surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHELLS = ("bash", "zsh", "fish")
# What an environment has names of.
NAMES = ("nodes", "keys")
# The names that are offered: bash evaluates its list of words, so no other characters are safe.
_SAFE_NAME = re.compile(r"[\w.:-]+")

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
# The names of the environment that the command line names, or that of the directory.
_BASH_NAMES = r"""
_puppet_repl_names() {
  local at place=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ ${COMP_WORDS[at]} == --environment ]] || continue
    place=(--environment "${COMP_WORDS[at + 1]/#\~/$HOME}")
  done
  puppet-repl completion "$1" "${place[@]}" 2>/dev/null
}
_puppet_repl_nodes() { compgen -W "$(_puppet_repl_names nodes)" -- "$1"; }
_puppet_repl_keys() { compgen -W "$(_puppet_repl_names keys)" -- "$1"; }
_puppet_repl_sides() { _puppet_repl_facts "$1"; _puppet_repl_nodes "$1"; }
"""
_ZSH_NAMES = r"""
_puppet_repl_profile_names() { compadd -- ${(f)"$(_puppet_repl_profiles)"} }
_puppet_repl_names() {
  local -a place
  local at=${words[(I)--environment]}
  (( at )) && place=(--environment "${words[at + 1]/#\~/$HOME}")
  compadd -- ${(f)"$(puppet-repl completion $1 $place 2>/dev/null)"}
}
"""
_FISH_NAMES = r"""
function _puppet_repl_names
  set -l words (commandline -opc)
  set -l place
  if set -l at (contains -i -- --environment $words)
    set place --environment (string replace -r '^~' $HOME -- $words[(math $at + 1)])
  end
  puppet-repl completion $argv[1] $place 2>/dev/null
end
function _puppet_repl_sides
  __fish_complete_path (commandline -ct)
  _puppet_repl_names nodes
end
# Fish shows the help of an option at each value that has no text of its own.
function _puppet_repl_bare
  cat | string replace -r '^[^\t]*$' '$0\t'
end
"""
_BASH_PROFILES = r"""
_puppet_repl_profile_names() { compgen -W "$(_puppet_repl_profiles)" -- "$1"; }
_puppet_repl() {
  # Bash divides words at @ by default.
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" sign=
  [[ $COMP_WORDBREAKS == *@* ]] || sign=@
  # So it does at colons.
  local line="${COMP_LINE:0:COMP_POINT}"
  local key="${line##* }"
  if [[ $key == *:* && $COMP_WORDBREAKS == *:* && " $line" == *" lookup "* ]]; then
    COMPREPLY=($(_puppet_repl_keys "$key"))
    COMPREPLY=("${COMPREPLY[@]#"${key%"${key##*:}"}"}")
  elif [[ $word == @* || $before == @ ]]; then
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
    parser.add_argument(
        "shell",
        choices=SHELLS + NAMES,
        help="the shell to complete in, or names of the environment that a script asks for",
    )
    add_session_option(parser, "environment")
    return parser


def main(argv: list[str]) -> int:
    """Print the script for a shell, or names; return the exit status."""
    given = make_parser().parse_args(argv)
    if given.shell in SHELLS:
        print(script(given.shell), end="")
        return 0
    try:
        for name in names(given.shell, given.environment):
            print(name)
    except UsageError as error:
        print(f"puppet-repl: {visible(str(error))}", file=sys.stderr)
        return 2
    return 0


def names(what: str, environment: str | None) -> list[str]:
    """Return the names of ``NAMES`` that an environment has, by default that of the directory.

    No code is evaluated. Raises UsageError.
    """
    options = make_main_parser().parse_args(
        [] if not environment else ["--environment", environment]
    )
    take_surroundings(options)
    session = host_of(options).session
    found = named_nodes(session) if what == "nodes" else session.data_keys.values()
    return sorted(filter(_SAFE_NAME.fullmatch, found))


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
    zsh = _PROFILES + _ZSH_NAMES + _ZSH_MANIFESTS
    preamble = {"bash": _BASH_MANIFESTS, "zsh": zsh}.get(shell, "")
    text: str = shtab.complete(parser, shell, preamble=preamble)
    if shell == "fish":
        text = _OFFERED.sub(_without_repeated_help, text)
    added = {
        "bash": _PROFILES + _BASH_NAMES + _BASH_PROFILES,
        "fish": _FISH_PROFILES + _FISH_NAMES + _FISH_MANIFESTS,
    }
    return text.rstrip("\n") + "\n" + added.get(shell, "")


# What a line of fish offers: words, and commands in parentheses.
_OFFERED = re.compile(r'(?<=ka ")[^"]*(?=" -d )')


def _without_repeated_help(offered: re.Match[str]) -> str:
    """Return values with an empty text each, in place of the help of their option."""
    commands = [part + " | _puppet_repl_bare)" for part in re.findall(r"\(.*(?=\))", offered[0])]
    words = re.sub(r"\(.*\)", "", offered[0]).split()
    return " ".join([*commands, *(rf"{word}\t" for word in words)])


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
        "zsh": "{ _puppet_repl_profile_names }",
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


def _named(what: str) -> Callable[[argparse.Action], dict[str, object]]:
    """Return what describes to shtab that a value is one of the names of an environment."""
    return lambda _action: {
        "bash": f"_puppet_repl_{what}",
        "zsh": f"{{ _puppet_repl_names {what} }}",
        "fish": f"(_puppet_repl_names {what})",
    }


def _sides(action: argparse.Action) -> dict[str, object]:
    """Describe to shtab that a value is a side of a comparison: a file, a fact set or a node."""
    facts = _facts(action)
    return {
        "bash": "_puppet_repl_sides",
        "zsh": f"{facts['zsh']}".replace("_files", "_puppet_repl_names nodes; _files"),
        "fish": f"(_puppet_repl_sides) {' '.join(factset_names())}",
    }


# What describes the values of options that no metavar tells.
_OF_OPTIONS: dict[str, Callable[[argparse.Action], object]] = {
    "facts": _facts,
    "keys": _named("keys"),
    "new": _sides,
    "node": _named("nodes"),
    "old": _sides,
    "profile": _profiles,
}
