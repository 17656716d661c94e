"""ERB templates and Ruby code of modules: their syntax, as Ruby's own parser sees it."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_bytes
from puppet_repl.environment.ruby.engine import EngineFailure
from puppet_repl.environment.ruby.engines import missing, new_sandbox
from puppet_repl.environment.ruby.system import SystemEngine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.environment.ruby.engine import Engine
    from puppet_repl.tools.validation.diagnostic import Diagnostic
    from puppet_repl.tools.validation.file import File

# What ends text and what ends code in a template. A percent sign is written twice to mean itself.
_OPEN = re.compile(r"<%%|<%")
_CLOSE = re.compile(r"%%>|%>")


class Problem(NamedTuple):
    """An error of Ruby's parser; lines and columns count from 1, None for an unknown column."""

    line: int
    message: str
    column: int | None


class SyntaxChecker:
    """A Ruby that is started with the first question, for the option ``ruby``.

    ``reason`` tells why there is none, once that is known.
    """

    def __init__(self, choice: str = "auto") -> None:
        self._choice = choice
        self._engine: Engine | None = None
        self.reason: str | None = "--ruby off" if choice == "off" else None

    def problems(self, text: str, *, erb: bool) -> list[Problem] | None:
        """Return the errors in Ruby code, or in a template; None without a Ruby."""
        if self._engine is None and self.reason is None:
            self._start()
        if self._engine is None:
            return None
        request = json.dumps({"do": "syntax", "begin": True, "text": text, "erb": erb})
        try:
            reply = json.loads(self._engine.converse(request, lambda question: question))
        except EngineFailure as error:
            self._engine, self.reason = None, error.message
            return None
        return [Problem(*found) for found in reply["r"]]

    def close(self) -> None:
        """End Ruby."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _start(self) -> None:
        try:
            if self._choice not in ("auto", "sandbox"):
                self._engine = SystemEngine("ruby" if self._choice == "system" else self._choice)
                return
            self.reason = missing()
            if self.reason is None:
                self._engine = new_sandbox()
        except EngineFailure as error:
            self.reason = error.message


def check_template(file: File) -> Iterator[Diagnostic]:
    """Yield what Ruby's parser and ERB do not accept in a template."""
    text = _text(file)
    if "<%" not in text:
        return
    opened = _unclosed(text)
    if opened is not None:
        message = "the <% is never closed, so the rest is text"
        yield from file.advice("erb_tag", message, *opened)
    yield from syntax_errors(file, text, "erb_syntax")


def check_code(file: File) -> Iterator[Diagnostic]:
    """Yield what Ruby's parser does not accept in a file of Ruby."""
    yield from syntax_errors(file, _text(file), "ruby_syntax")


def _text(file: File) -> str:
    """Return the text; Ruby reads a file that is not UTF-8, too."""
    try:
        return file.text
    except PuppetError:
        data = read_bytes(file.path or "-").removeprefix(b"\xef\xbb\xbf")
        return data.decode("utf-8", "replace")


def syntax_errors(file: File, text: str, code: str) -> Iterator[Diagnostic]:
    """Yield the first error of Ruby's parser in a text; ``code`` says what the text is."""
    problems: list[Problem] | None = file.workspace.ruby.problems(text, erb=code == "erb_syntax")
    if problems is None:
        file.workspace.unread.add(file)
        return
    for problem in problems[:1]:  # later errors often follow from the first
        lines = text.count("\n") + (not text.endswith("\n"))
        line = max(1, min(problem.line, lines))  # the end of the code is after the last line
        yield file.error(code, problem.message, line, problem.column)


def _unclosed(text: str) -> tuple[int, int] | None:
    """Return the line and column of a tag that is never closed."""
    at = 0
    while (opened := _OPEN.search(text, at)) is not None:
        at = opened.end()
        if opened[0] == "<%%":
            continue
        closed = next((each for each in _CLOSE.finditer(text, at) if each[0] == "%>"), None)
        if closed is None:
            before = text[: opened.start()]
            return before.count("\n") + 1, len(before) - before.rfind("\n")
        at = closed.end()
    return None
