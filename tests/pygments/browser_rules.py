"""What is written from the lexers and the tables of commands and cell magics; run it to write.

The rules of the Pygments lexers are for the JupyterLab extension, which applies them line by line,
as `PuppetLexer.lex_line` does, so that cells and everything that Pygments highlights have the same
tokens. The names of commands and cell magics are for the extension, and for the lexer of cells,
which must not import the engine.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

from pygments.token import _TokenType

from puppet_pygments import EppLexer, PuppetLexer
from puppet_pygments._heredoc import Heredoc, body_state
from puppet_pygments._machine import _transition
from puppet_repl.host.cell_magics import CELL_MAGICS
from puppet_repl.host.command_registry import COMMANDS

ROOT = Path(__file__).parents[2]
HEADER = """\
// Written by `make labextension` from the Pygments lexers: do not edit.

// Each rule: a regular expression, the token or the action for it, states to pop, states to push.
"""
NAMES = '''\
"""Names of commands and cell magics of puppet-repl, for cells of notebooks.

Written by `make labextension` from the tables of the engine: do not edit.
"""

from __future__ import annotations

COMMANDS = frozenset(
    (
{commands}
    )
)
"""Commands with their other names: a line of code may begin with a percent sign that divides."""

MAGICS = {{
{magics}
}}
"""What the lines below each cell magic are."""
'''
# What the start of a template is called; the start of a program is "root".
TEMPLATE = "template"

_BLANKS = "".join(
    rf"\u{ord(char):04x}" for char in map(chr, range(sys.maxunicode + 1)) if re.match(r"\s", char)
)
# The parts of a regular expression that JavaScript reads in another way than Python.
_PART = re.compile(
    r"(?P<any>\[\\s\\S\])|(?P<end>\\Z)|(?P<blank>\\s)|(?P<escaped>\\.)"
    r"|(?P<open>\[\^?)|(?P<close>\])|(?P<dot>\.)|(?P<flagged>\(\?[aiLmsux]|\(\?P)"
)

Rule = tuple[str, str, int, tuple[str, ...]]


def in_javascript(pattern: str) -> str:
    """Return a regular expression of Python as JavaScript writes it, without flags."""
    is_set = False

    def part(match: re.Match[str]) -> str:
        nonlocal is_set
        kind, text = match.lastgroup, match.group()
        if kind == "flagged":
            raise ValueError(f"{text} in {pattern!r} means nothing in JavaScript")
        if kind == "open" or kind == "close":
            is_set = kind == "open"
        elif kind == "any":
            return "[^]"
        elif kind == "end":
            return "(?![^])"
        elif kind == "blank":
            return _BLANKS if is_set else f"[{_BLANKS}]"
        elif kind == "dot" and not is_set:
            return r"[^\n]"
        return text

    return _PART.sub(part, pattern)


def _rule(given: tuple[Any, Any, Any], state: str) -> Rule:
    pattern, action, new_state = given
    name = (
        ""
        if action is None
        else str(action).removeprefix("Token.")
        if isinstance(action, _TokenType)
        else action.__name__
    )
    source = in_javascript(pattern) if isinstance(pattern, str) else ""
    return (source, name, *_transition(new_state, state))


def states() -> dict[str, list[Rule]]:
    """Return the rules by state, of the states that programs and templates get into."""
    PuppetLexer(), EppLexer()  # the first instance makes the tables
    tables = {**EppLexer._tokens, **PuppetLexer._tokens, TEMPLATE: EppLexer._tokens["root"]}
    texts = [
        body_state(Heredoc("", interpolated, escapes))
        for interpolated in (False, True)
        for escapes in ("", "t")
    ]
    found: dict[str, list[Rule]] = {}
    pending = ["root", TEMPLATE, *texts]
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = [_rule(given, name) for given in tables[name]]
            pending += [state for rule in found[name] for state in rule[3]]
    return dict(sorted(found.items()))


def command_names() -> list[str]:
    """Return the names of the commands, and their other names."""
    return [name for each in COMMANDS for name in (each.name, *each.aliases)]


def names() -> str:
    """Return the module of names for the lexer of cells."""
    quoted = [json.dumps(name) for name in sorted(command_names())]
    lines = textwrap.wrap(", ".join(quoted), 85)
    return NAMES.format(
        commands="\n".join(f"        *({line.rstrip(',')})," for line in lines),
        magics="\n".join(f'    "{each.name}": "{each.body}",' for each in CELL_MAGICS.values()),
    )


def rules() -> str:
    """Return the file of rules and names for the extension."""
    numbers: dict[Rule, int] = {}
    lists = {
        name: [numbers.setdefault(rule, len(numbers)) for rule in rules]
        for name, rules in states().items()
    }
    written = "".join(f"  {json.dumps(rule)},\n" for rule in numbers)
    listed = "".join(f"  {json.dumps(name)}: {json.dumps(own)},\n" for name, own in lists.items())
    magics = "".join(f"  '%%{each.name}': '{each.body}',\n" for each in CELL_MAGICS.values())
    return (
        f"{HEADER}export const RULES = [\n{written}];\n\n"
        f"// The rules of each state, by number, in the order in which they are tried.\n"
        f"export const STATES = {{\n{listed}}};\n\n"
        f"// The commands of the prompt with their other names.\n"
        f"export const COMMANDS = {json.dumps(command_names())};\n\n"
        f"// The cell magics, and what the lines below each of them are.\n"
        f"export const MAGICS = {{\n{magics}}};\n"
    )


FILES = {
    ROOT / "kernel" / "labextension" / "static" / "rules.js": rules,
    ROOT / "lexer_pygments" / "puppet_pygments" / "_names.py": names,
}


if __name__ == "__main__":
    for path, text in FILES.items():
        path.write_text(text(), encoding="utf-8")
