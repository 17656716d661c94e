"""Completion for the shells: ``puppet-repl completion bash|zsh|fish`` prints a script.

source <(puppet-repl completion bash)
puppet-repl completion zsh > ~/.zfunc/_puppet-repl
puppet-repl completion fish > ~/.config/fish/completions/puppet-repl.fish
"""

from __future__ import annotations

import sys

SHELLS = ("bash", "zsh", "fish")

# Option -> (what its value is, explanation); '' where it has none. The value is 'file', 'folder',
# 'facts', or words to choose from.
OPTIONS = {
    "-e": ("code", "evaluate code and print its value"),
    "--modulepath": ("folder", "folders of modules"),
    "--environment": ("folder", "an environment"),
    "--facts": ("facts", "facts from a file, or a set that comes along"),
    "--node": ("name", "the name of the node"),
    "--stubs": ("file", "functions that stand in"),
    "--strict": ("error warning off", "what to do about doubtful code"),
    "--allow-generate": ("", "let generate() run programs"),
    "--max-memory": ("size", "limit for one value"),
    "--plain": ("", "a line mode without a full screen"),
    "--no-color": ("", "no colours"),
    "--version": ("", "the version"),
    "--help": ("", "help"),
}


def main(argv: list[str]) -> int:
    """Print the script for a shell."""
    if len(argv) != 1 or argv[0] not in SHELLS:
        asked = argv and argv[0] in ("-h", "--help")
        print(__doc__, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    print(script(argv[0]), end="")
    return 0


def script(shell: str) -> str:
    """The script for one shell."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]()


def _subcommands() -> dict[str, str]:
    from puppet_repl.cli.command_line import SUBCOMMANDS

    return {name: text for name, (_, text) in SUBCOMMANDS.items()}


def _factsets() -> str:
    from puppet_repl.completion.arguments import factset_names

    return " ".join(factset_names())


def _bash() -> str:
    names = " ".join(_subcommands())
    options = " ".join(OPTIONS)
    return f"""\
_puppet_repl() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
    COMPREPLY=()
    case $previous in
        --strict) COMPREPLY=($(compgen -W "error warning off" -- "$current")); return;;
        --facts) COMPREPLY=($(compgen -W "{_factsets()}" -- "$current")
                            $(compgen -f -- "$current")); return;;
        --modulepath|--environment) COMPREPLY=($(compgen -d -- "$current")); return;;
        --stubs) COMPREPLY=($(compgen -f -- "$current")); return;;
        completion) COMPREPLY=($(compgen -W "{" ".join(SHELLS)}" -- "$current")); return;;
        -e|--node|--max-memory) return;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "{options}" -- "$current"))
        return
    fi
    if (( COMP_CWORD == 1 )); then
        COMPREPLY=($(compgen -W "{names}" -- "$current"))
    fi
    COMPREPLY+=($(compgen -f -X '!*.pp' -- "$current") $(compgen -d -- "$current"))
}}
complete -o filenames -F _puppet_repl puppet-repl
"""


def _zsh() -> str:
    values = {"folder": ":folder:_files -/", "file": ":file:_files", "": ""}
    values |= {"code": ":code:", "name": ":name:", "size": ":size:"}
    lines = []
    for option, (value, text) in OPTIONS.items():
        if value == "facts":
            action = f":facts:{{ compadd {_factsets()}; _files }}"
        elif " " in value:
            action = f":value:({value})"
        else:
            action = values[value]
        lines.append(f"        '{option}[{text}]{action}' \\")
    commands = "\n".join(f"        '{name}:{text}'" for name, text in _subcommands().items())
    options = "\n".join(lines)
    return f"""\
#compdef puppet-repl
_puppet_repl() {{
    local -a commands
    commands=(
{commands}
    )
    _arguments -s \\
{options}
        '1: :{{ _describe command commands; _files -g "*.pp" }}' \\
        '*:manifest:_files -g "*.pp"'
}}
if [[ $funcstack[1] == _puppet_repl ]]; then
    _puppet_repl "$@"
else
    compdef _puppet_repl puppet-repl
fi
"""


def _fish() -> str:
    lines = ["complete -c puppet-repl -f"]
    for name, text in _subcommands().items():
        lines.append(f"complete -c puppet-repl -n __fish_use_subcommand -a {name} -d '{text}'")
    lines.append("complete -c puppet-repl -k -a '(__fish_complete_suffix .pp)'")
    shells = " ".join(SHELLS)
    seen = "'__fish_seen_subcommand_from completion'"
    lines.append(f"complete -c puppet-repl -n {seen} -a '{shells}'")
    for option, (value, text) in OPTIONS.items():
        flag = f"-s {option[1:]}" if not option.startswith("--") else f"-l {option[2:]}"
        wanted = ""
        if value in ("file", "folder"):
            wanted = " -r -F"
        elif value == "facts":
            wanted = f" -r -F -a '{_factsets()}'"
        elif value:
            wanted = f" -x -a '{value}'" if " " in value else " -x"
        lines.append(f"complete -c puppet-repl {flag}{wanted} -d '{text}'")
    return "\n".join(lines) + "\n"
