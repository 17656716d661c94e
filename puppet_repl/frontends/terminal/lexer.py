"""Colours while typing: the project's lexer, a line at a time, remembering what it did.

The tokens of a line are cached by its text, the state at its start, and the character below it if
it matters. After an edit the states of all lines before it still hold; so a key costs only the
lines on the screen, however long the entry is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer

from puppet_repl.frontends.commands import parse_command
from puppet_repl.host.command_registry import find_command
from puppet_repl.tools.rendering.highlight import role_of

# Lines that are remembered; then everything is forgotten at once, which costs one screen.
MAX_LINES = 20_000

Coloured = tuple[StyleAndTextTuples, Any]


class InputLexer(Lexer):
    """Colours Puppet code and commands."""

    def __init__(self) -> None:
        self._lexer: Any = None
        self._known: dict[tuple[str, Any, str], Coloured] = {}
        self._roles: dict[Any, str] = {}
        self._lines: list[str] = []
        # The state before each line; one more than lines that were looked at.
        self._states: list[Any] = [None]

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """Return a function from the number of a line to its coloured text."""
        if not document.text:
            # The lexer is created at the first key, when the prompt is on the screen already.
            return lambda number: []
        if self._lexer is None:
            from puppet_pygments.lexer import PuppetLexer

            self._lexer = PuppetLexer()
        lines = document.lines
        command = parse_command(document.text) if lines[0].lstrip()[:1] in (":", "%") else None
        if command is not None:
            return self._command_lines(document.text, command[0], command[2])
        return self._code_lines(lines)

    def _code_lines(self, lines: list[str]) -> Callable[[int], StyleAndTextTuples]:
        same = _common(self._lines, lines)
        del self._states[max(same, 1) :]  # a line may depend on the line below it
        self._lines = lines
        states = self._states

        def line_at(number: int) -> StyleAndTextTuples:
            if number >= len(lines):
                return []
            own = states is self._states and lines is self._lines
            known = states if own else [None]
            while len(known) <= number:
                known.append(self._coloured(lines, len(known) - 1, known[-1])[1])
            return self._coloured(lines, number, known[number])[0]

        return line_at

    def _coloured(self, lines: list[str], number: int, state: object) -> Coloured:
        line = lines[number]
        # The first character decides what a word after `${` is.
        below = "".join(lines[number + 1 : number + 2]).lstrip()[:1] if "${" in line else ""
        key = (line, state, below)
        found = self._known.get(key)
        if found is None:
            if len(self._known) > MAX_LINES:
                self._known.clear()
            tokens, after = self._lexer.lex_line(line + "\n", state, below)
            fragments: StyleAndTextTuples = []
            for token, text in tokens:
                text = text.rstrip("\n")
                if text:
                    fragments.append((self._style(token), text))
            found = self._known[key] = (fragments, after)
        return found

    def _style(self, token: Any) -> str:
        style = self._roles.get(token)
        if style is None:
            role = role_of(token)
            style = self._roles[token] = f"class:{role}" if role else ""
        return style

    def _command_lines(
        self, text: str, name: str, start: int
    ) -> Callable[[int], StyleAndTextTuples]:
        command = find_command(name)
        head = text[:start]
        style = "class:function" if command is not None else "class:bad"
        rest = text[start:]
        fragments: StyleAndTextTuples = [(style, head)]
        state: Any = None
        result: list[StyleAndTextTuples] = []
        lines = rest.split("\n")
        for number, line in enumerate(lines):
            if command is not None and command.takes_code:
                coloured, state = self._coloured(lines, number, state)
                fragments = [*fragments, *coloured]
            else:
                fragments = [*fragments, ("", line)]
            result.append(fragments)
            fragments = []

        def line_at(number: int) -> StyleAndTextTuples:
            return result[number] if number < len(result) else []

        return line_at


def _common(old: list[str], new: list[str]) -> int:
    """How many lines at the beginning are the same."""
    count = min(len(old), len(new))
    if old[:count] == new[:count]:
        return count
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle
    return low
