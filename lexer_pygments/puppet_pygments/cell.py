"""Lexer for the cells of Puppet notebooks: code between commands, and cell magics."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pygments.lexer import Lexer
from pygments.token import Keyword, Text, Whitespace, _TokenType

from puppet_pygments._names import COMMANDS, MAGICS
from puppet_pygments.epp import EppLexer
from puppet_pygments.lexer import PuppetLexer

__all__ = ["PuppetCellLexer"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Token = tuple[int, _TokenType, str]

_magic = re.compile(r"(\s*)(%%\w*)([ \t]*)([^\n]*\n?)").match
_command = re.compile(r"(\s*)([:%])([A-Za-z]\w*(?:!(?!\S))?|\?)(?![\w:])[ \t]*").match
_word = re.compile(r"\S*").match
# Names that are also cell magics of IPython: they say nothing about the language of a cell.
_OF_IPYTHON = ("capture", "file", "time")


class PuppetCellLexer(Lexer):
    r"""Lexer for a cell of a notebook, of which nbconvert and other exporters make pages.

    .. code-block:: puppet-cell

        %%time
        $ports = [80, 443]
        :type $ports

    A line that begins with ``:name`` or ``%name`` is a command. ``%%name`` on the first line says
    what the cell is: a template below ``%%epp``, data below ``%%facts``, a file below ``%%file``,
    else Puppet code.
    """

    name = "Puppet notebook cell"
    url = PuppetLexer.url
    aliases = ["puppet-cell"]
    mimetypes = ["text/x-puppet-cell"]
    version_added = "2.22"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._program = PuppetLexer(**options)
        self._template = EppLexer(**options)

    def get_tokens_unprocessed(self, text: str) -> Iterator[Token]:
        """Split a cell into (position, token type, value)."""
        pos = 0
        while (magic := _magic(text, pos)) is not None:
            _, name, _, argument = magic.groups()
            for group, kind in ((1, Whitespace), (2, Keyword), (3, Whitespace)):
                if magic[group]:
                    yield magic.start(group), kind, magic[group]
            pos = magic.start(4)
            body = MAGICS.get(name[2:])
            if body == "captured" and (word := _word(argument)):
                yield from _shifted(self._program, word[0], pos)
                pos += word.end()
            if body in ("cell", "captured"):
                continue
            # The parameters of a template are a hash, or YAML.
            if body == "template" and "=>" in argument:
                yield from _shifted(self._program, argument, pos)
            elif argument:
                yield pos, Text, argument
            yield from self._body(body, argument.rstrip(), text, magic.end())
            return
        yield from self._code(text, pos, _command(text, pos))

    def _body(self, kind: str | None, argument: str, text: str, pos: int) -> Iterator[Token]:
        """Split the lines below a magic."""
        if kind == "template" or (kind == "file" and argument.endswith(".epp")):
            yield from _shifted(self._template, text[pos:], pos)
        elif kind == "text" or (kind == "file" and not argument.endswith(".pp")):
            if pos < len(text):
                yield pos, Text, text[pos:]
        else:
            yield from self._code(text, pos, None)

    def _code(self, text: str, pos: int, command: re.Match[str] | None) -> Iterator[Token]:
        """Split code between commands; it may begin with one."""
        while pos < len(text):
            if command is not None:
                if command[1]:
                    yield pos, Whitespace, command[1]
                yield command.start(2), Keyword, command[2] + command[3]
                pos = command.end(3)
            for at, kind, value in self._program.lex_until(text, pos, _command_below):
                yield at, kind, value
                pos = at + len(value)
            command = _command(text, pos)

    @staticmethod
    def analyse_text(text: str) -> float:
        """Rate a text by a cell magic that nothing else has on its first line."""
        names = "|".join(sorted(MAGICS.keys() - {*_OF_IPYTHON}))
        return 0.3 if re.match(rf"\s*%%(?:capture \$|{names})\b", text) else 0.0


def _shifted(lexer: PuppetLexer, text: str, pos: int) -> Iterator[Token]:
    """Split a text that begins at a position of another one."""
    for at, kind, value in lexer.get_tokens_unprocessed(text):
        yield pos + at, kind, value


def _command_below(text: str, pos: int) -> bool:
    """Tell whether a line below code is a command; a percent sign may divide there."""
    if text[pos] not in ":%":
        return False
    command = _command(text, pos)
    if command is None:
        return False
    divides = command[2] == "%" and (
        text[command.end() : command.end() + 1] == "(" or command[3] not in COMMANDS
    )
    return not divides
