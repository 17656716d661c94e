"""The rules of the Pygments lexers for the JupyterLab extension; as a module it writes them.

The extension applies them line by line, as `PuppetLexer.lex_line` does, so that cells and
everything that Pygments highlights have the same tokens.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from pygments.token import _TokenType

from puppet_pygments import EppLexer, PuppetLexer
from puppet_pygments._heredoc import Heredoc, body_state
from puppet_pygments._machine import _transition
from puppet_repl.host.command_registry import COMMANDS

FILE = Path(__file__).parents[2] / "kernel" / "labextension" / "static" / "rules.js"
HEADER = """\
// Written by `make labextension` from the Pygments lexers: do not edit.

// Each rule: a regular expression, the token or the action for it, states to pop, states to push.
"""
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


def text() -> str:
    """Return the file."""
    numbers: dict[Rule, int] = {}
    lists = {
        name: [numbers.setdefault(rule, len(numbers)) for rule in rules]
        for name, rules in states().items()
    }
    rules = "".join(f"  {json.dumps(rule)},\n" for rule in numbers)
    listed = "".join(f"  {json.dumps(name)}: {json.dumps(own)},\n" for name, own in lists.items())
    commands = [name for each in COMMANDS for name in (each.name, *each.aliases)]
    return (
        f"{HEADER}export const RULES = [\n{rules}];\n\n"
        f"// The rules of each state, by number, in the order in which they are tried.\n"
        f"export const STATES = {{\n{listed}}};\n\n"
        f"// The commands of the prompt with their other names.\n"
        f"export const COMMANDS = {json.dumps(commands)};\n"
    )


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
