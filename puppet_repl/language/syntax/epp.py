"""Templates: text with ``<% code %>`` in it.

A template is lexed into EPP_START, the tokens of its tags, RENDER_STRING for text, and RENDER_EXPR
for values.
"""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax import ast, issues
from puppet_repl.language.syntax.calls import parameters
from puppet_repl.language.syntax.unclosed import never_closed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.lexer import Lexer
    from puppet_repl.language.syntax.parser import Parser


def run(lexer: Lexer) -> None:
    """Lex a whole template."""
    lexer.put("EPP_START", "", 0, 0)
    try:
        _text(lexer, trim=False)
    except PuppetError as error:
        lexer.fail(error)
        return
    lexer.run(unbalanced_tag)


def unbalanced_tag(lexer: Lexer) -> PuppetError | None:
    """Return the error of a template that ends inside a tag."""
    if not lexer.epp:
        return None
    error = issues.epp("EPP_UNBALANCED_TAG", lexer.source, lexer.limit)
    start, end = lexer.tag
    return never_closed(error, lexer.text[start:end], start, end)


def end_tag(lexer: Lexer, pos: int, length: int) -> None:
    """Take ``%>`` or ``-%>`` and the text after it."""
    if lexer.epp == "expr":
        lexer.put("EPP_END", lexer.text[pos : pos + length], pos, pos + length)
    lexer.pos = pos + length
    _text(lexer, trim=length == 3)


def _text(lexer: Lexer, trim: bool) -> None:
    """Take text up to the next tag of code, or to the end."""
    text = lexer.text
    limit = lexer.limit
    start = pos = lexer.pos
    pieces: list[str] = []
    while pos < limit:
        found = text.find("<%", pos, limit)
        part = text[pos : found if found >= 0 else limit]
        if trim:
            # Puppet trims before it looks for the tag, so that the tag may end the line.
            part = re.sub(r"^[ \t]*\r?\n?", "", part, count=1)
            trim = False
        pieces.append(part.replace("%%>", "%>"))
        if found < 0:
            pos = limit
            break
        pos = found + 2
        if pos >= limit:
            lexer.pos = pos
            raise issues.epp("EPP_UNBALANCED_EXPRESSION", lexer.source, pos)
        mark = text[pos]
        if mark == "%":
            pieces.append("<%")
            pos += 1
        elif mark == "#":
            comment = re.compile(r"[^%]%>").search(text, pos, limit)
            if comment is None:
                raise issues.epp("EPP_UNBALANCED_COMMENT", lexer.source, pos)
            if text[pos + 1] == "-":
                pieces = ["".join(pieces).rstrip(" \t")]
            pos = comment.end()
            trim = text[pos - 3] == "-"
        else:
            if mark == "-":
                pieces = ["".join(pieces).rstrip(" \t")]
            if mark in "-=":
                pos += 1
            lexer.tag = found, pos
            _code(lexer, "".join(pieces), start, pos, "expr" if mark == "=" else "epp")
            return
    else:
        pieces = []  # Puppet loses the text before a comment, or <%%, that ends the template
    lexer.pos = pos
    lexer.epp = ""
    if pieces:
        lexer.put("RENDER_STRING", "".join(pieces), start, limit)


def _code(lexer: Lexer, rendered: str, start: int, pos: int, mode: str) -> None:
    lexer.pos = pos
    if rendered:
        lexer.put("RENDER_STRING", rendered, start, pos)
    if mode == "expr":
        lexer.put("RENDER_EXPR", "", start, pos)
    lexer.epp = mode


def program(parser: Parser) -> ast.Node:
    """Parse the lambda that a template is."""
    kinds = parser.kinds
    if kinds[0] != "EPP_START":
        raise parser.unexpected(0)
    parser.i = 1
    listed: tuple[ast.Parameter, ...] = ()
    specified = kinds[1] == "|"
    if specified:
        parser.i = 2
        if kinds[2] == "|":
            parser.i = 3
        else:
            listed = parameters(parser, "|")
    body: ast.Node
    end = parser.lexer.limit
    if kinds[parser.i] == "END":
        body = ast.Nop(end, end)
    else:
        statements = parser.statements()
        if kinds[parser.i] != "END":
            raise parser.unexpected(parser.i)
        body = ast.BlockExpression(statements, statements[0].start, end, 0)
    return ast.LambdaExpression(listed, ast.EppExpression(specified, body, 0, end), None, 0, end)


def render_string(parser: Parser) -> ast.Node:
    """Text to show."""
    i = parser.i
    parser.i = i + 1
    return ast.RenderStringExpression(parser.texts[i], parser.starts[i], parser.ends[i])


def render_expression(parser: Parser) -> ast.Node:
    """Parse ``<%= expr %>`` or ``<%= { statements } %>``."""
    kinds = parser.kinds
    i = parser.i
    start = parser.starts[i]
    parser.i = i + 1
    if kinds[i + 1] != "{" or kinds[i + 2] == "}":
        expr = parser.expression(0)
    else:
        expr = _braced(parser, i + 1)
    end = parser.expect("EPP_END")
    return ast.RenderExpression(expr, start, parser.ends[end])


def _braced(parser: Parser, opening: int) -> ast.Node:
    """Parse statements in braces or an expression that begins with a hash."""
    parser.i = opening + 1
    if _is_hash(parser):
        parser.i = opening
        return parser.expression(0)
    parser.i = opening
    block = parser.block()
    assert block is not None
    return block


def _is_hash(parser: Parser) -> bool:
    kinds = parser.kinds
    if kinds[parser.i] in ("type", "function") and kinds[parser.i + 1] == "=>":
        return True
    before = len(parser.definitions)
    parser.assignment()
    del parser.definitions[before:]
    return kinds[parser.i] == "=>"
