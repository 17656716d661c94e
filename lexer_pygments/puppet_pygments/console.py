"""Lexer for transcripts of interactive Puppet sessions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pygments.lexer import Lexer
from pygments.token import Generic, Keyword, _TokenType

from puppet_pygments.lexer import PuppetLexer

__all__ = ["PuppetConsoleLexer"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_pygments.lexer import LineState

_prompt = re.compile(
    r"(?:(?:puppet|pp)(?: ?\[\d+\])?>|(?:\[\d+\]|\d+:)?>>)(?: |$)", re.MULTILINE
).match
_continuation = re.compile(r"[ ]*\.{2,3}(?:[ ]|$)").match
_command = re.compile(r"[ ]*[:%][a-z]\w*(?!\w|::)(?:!(?!\S))?").match
_failure = re.compile(r"Error(?: \[\w+\])?:|error:").match
_message = re.compile(r"(?:Alert|Crit|Critical|Debug|Emerg|Err|Info|Notice|Warning): ").match


class PuppetConsoleLexer(Lexer):
    r"""Lexer for transcripts of a Puppet REPL.

    .. code-block:: puppet-console

        >> $x = [1, 2, 3].map |$n| {
        ..   $n * 10
        .. }
        [10, 20, 30]
        >> $y
        Error: Evaluation Error: Unknown variable: 'y'. (line: 1, column: 1)

    A prompt is ``puppet [3]>``, ``puppet>`` or ``>>``, also with a number before it; a line that
    goes on with the input above it starts with ``..`` or ``...``.
    """

    name = "Puppet console session"
    url = PuppetLexer.url
    aliases = ["puppet-console", "pp-console"]
    mimetypes = ["text/x-puppet-console"]
    version_added = "2.22"

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Split a transcript into (position, token type, value)."""
        code = PuppetLexer(**self.options)
        state: LineState | None = None
        within_input = within_failure = False
        pos = 0
        lines = re.findall(r"[^\n]*\n|[^\n]+", text)
        for number, line in enumerate(lines):
            prompt = _prompt(line)
            if prompt:
                state = None
            elif within_input:
                prompt = _continuation(line)
            within_input = prompt is not None
            if prompt is None:
                within_failure = bool(_failure(line)) or (within_failure and line[:1] in " \t")
                yield pos, _output_type(line, within_failure), line
                pos += len(line)
                continue
            within_failure = False
            yield pos, Generic.Prompt, prompt.group()
            start = prompt.end()
            command = _command(line, start) if state is None else None
            if command:
                yield pos + start, Keyword, command.group()
                start = command.end()
            below = _code_of(lines[number + 1]) if number + 1 < len(lines) else ""
            tokens, state = code.lex_line(line[start:], state, below)
            for kind, value in tokens:
                yield pos + start, kind, value
                start += len(value)
            pos += len(line)

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text by a prompt with a Puppet variable after it."""
        return 0.2 if re.match(r"(?:puppet \[\d+\]>|>>) .*\$[a-z_]\w*\b", text) else 0.0


def _code_of(line: str) -> str:
    """Return the code of a line that goes on with the input above it, '' for any other line."""
    found = _continuation(line)
    return line[found.end() :] if found else ""


def _output_type(line: str, failed: bool) -> _TokenType:
    if failed:
        return Generic.Error
    return Generic.Emph if _message(line) else Generic.Output
