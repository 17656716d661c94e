r"""Escapes, interpolation and heredocs: the parts of the lexer that work inside strings.

The functions take the lexer that is at the string and put tokens into it: a string without
interpolation is one STRING, otherwise DQPRE, the tokens of an expression, DQMID, ..., DQPOST.
"""

from __future__ import annotations

from _bisect import bisect_right  # bisect itself is one more module at every start

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.patterns import LatePattern
from puppet_repl.language.syntax import issues
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.tokens import BLANKS, KEYWORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from puppet_repl.language.syntax.lexer import Lexer
    from puppet_repl.language.syntax.tokens import TokenKind

DOUBLE_QUOTED_ESCAPES = frozenset(("\\", "$", "'", '"', "r", "n", "t", "s", "u", "\r\n", "\n"))
_PLAIN = {"r": "\r", "n": "\n", "t": "\t", "s": " ", "\n": "", "\r\n": ""}
_UNICODE_ESCAPE = LatePattern(
    r"(?m)((?:[^\\]|^)(?:\\\\)*)\\u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})"
)
_ESCAPE = LatePattern(r"\\([^\r\n]|\r?\n)")
_SINGLE_QUOTED_ESCAPE = LatePattern(r"\\([\\'])")
_SHOWN = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})


def followed_by(text: str, at: int, end: int) -> str:
    """Return how a message shows the text at an offset: five characters, or ``<eof>``."""
    if at >= end:
        return "<eof>"
    return (text[at : min(at + 5, end)] + "...").translate(_SHOWN)


def _character(digits: str, source: Source) -> str:
    number = int(digits, 16)
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        raise issues.no_character(source)
    return chr(number)


def _replace_unicode(raw: str, source: Source) -> str:
    def replace(match: re.Match[str]) -> str:
        return match[1] + _character(match[2] or match[3], source)

    while True:  # neighbouring escapes share a character, so they need another round
        raw, count = _UNICODE_ESCAPE.subn(replace, raw)
        if not count:
            return raw


def unescape(raw: str, style: Style, lexer: Lexer, begin: int, at: int) -> str:
    r"""Return the string that ``raw``, the text from ``begin`` on, stands for.

    Unknown escapes are warned of, at the offset ``at``, unless the style is silent.
    ``\u`` comes first and by itself, as in Puppet: a backslash made by it may begin an escape.
    """
    if "\\" not in raw:
        return raw
    escapes = style.escapes
    end = begin + len(raw)
    is_moved = False
    if "u" in escapes and "\\u" in raw:
        raw = _replace_unicode(raw, lexer.source)
        is_moved = begin + len(raw) != end

    def warn(message: str, code: str, match: re.Match[str]) -> None:
        span = (begin, end) if is_moved else (begin + match.start(), begin + match.end())
        lexer.warn(message, code, at, span)

    def replace(match: re.Match[str]) -> str:
        character = match[1]
        if character in escapes:
            if character == "u":
                warn(issues.illegal_unicode_escape_text(), "ILLEGAL_UNICODE_ESCAPE", match)
                return "\\u"
            return _PLAIN.get(character, character)
        if not style.silent:
            warn(issues.unrecognized_escape_text(character), "UNRECOGNIZED_ESCAPE", match)
        return match[0]

    return _ESCAPE.sub(replace, raw)


def unescape_single(raw: str) -> str:
    r"""Return the text of a single quoted string: only ``\\`` and ``\'`` mean something else."""
    if "\\" not in raw:
        return raw
    return _SINGLE_QUOTED_ESCAPE.sub(r"\1", raw)


class Style:
    """What ends a piece of text, and which escapes count in it."""

    __slots__ = ("chunk", "closing", "escapes", "silent")

    def __init__(self, chunk: str, closing: str, escapes: frozenset[str], silent: bool) -> None:
        self.chunk = LatePattern(chunk)
        self.closing = closing
        self.escapes = escapes
        self.silent = silent


# Puppet wants a character before a quote or dollar that counts, and takes the first one for it:
# a quote right after an interpolation is text if another quote or a dollar follows it.
_DOUBLE_QUOTED = Style(
    r'(?:["$](?=(?:\\\\)*["$]))?[^"\\$]*+(?:\\[\s\S][^"\\$]*+)*+',
    '"',
    DOUBLE_QUOTED_ESCAPES,
    silent=False,
)


def double_quoted(lexer: Lexer) -> None:
    """Lex the string that begins at the lexer's position."""
    start = lexer.pos
    lexer.pos = start + 1
    try:
        _interpolate(lexer, start, _DOUBLE_QUOTED)
    except PuppetError as error:
        if error.code == "UNCLOSED_QUOTE" and error.opening is None:
            never_closed(error, '"', start, start + 1)
        raise


def never_closed(error: PuppetError, what: str, start: int, end: int) -> PuppetError:
    """Return an error with the hint that what begins at an offset of its source has no end."""
    from puppet_repl.language.syntax.unclosed import never_closed

    return never_closed(error, what, start, end)


def _interpolate(lexer: Lexer, start: int, style: Style) -> None:
    """Put the tokens of a text into the lexer, which is at its first character."""
    text = lexer.text
    limit = lexer.limit
    closing = style.closing
    chunk = style.chunk.match
    kind: TokenKind = "DQPRE"
    matched = '"'
    while True:
        pieces = ""
        while True:
            begin = lexer.pos
            match = chunk(text, begin, limit)
            assert match is not None  # every pattern of a Style matches the empty text
            at = match.end()
            if at >= limit:
                if closing:
                    raise _unclosed(lexer, begin, matched)
                lexer.pos = limit
                pieces += unescape(match[0], style, lexer, begin, limit)
                return _finish(lexer, kind, pieces, start)
            if text[at] == "\\":  # a lone backslash at the end of the text
                raise _unclosed(lexer, begin, matched)
            behind = at + 2 if text.startswith("${", at) else at + 1
            pieces += unescape(match[0], style, lexer, begin, behind)
            lexer.pos = behind
            if text[at] == closing:
                return _finish(lexer, kind, pieces, start)
            if behind == at + 2:
                lexer.put(kind, pieces, start, behind)
                matched = _name(lexer, behind) or _expression(lexer)
                break
            variable = lexer.match_variable(at)
            if variable > at:
                lexer.put(kind, pieces, start, at)
                lexer.put("VARIABLE", text[at:variable], at, variable)
                lexer.pos = variable
                matched = text[at + 1 : variable]
                break
            pieces += "$"
            matched = ""
        kind = "DQMID"
        start = lexer.pos


def _finish(lexer: Lexer, kind: TokenKind, value: str, start: int) -> None:
    lexer.put("STRING" if kind == "DQPRE" else "DQPOST", value, start, lexer.pos)


def _unclosed(lexer: Lexer, at: int, matched: str) -> PuppetError:
    """Return the error of an unclosed string; it shows what Puppet's scanner matched before."""
    after = '"\'"' if matched == "'" else f"'{matched}'"
    return issues.unclosed_quote(after, followed_by(lexer.text, at, lexer.limit), lexer.source, at)


_BECOMES_VARIABLE: frozenset[TokenKind] = frozenset(("NUMBER", "NAME", "WORD", *KEYWORDS))


# Nearly all interpolations hold only a name.
_NAME = LatePattern(r"(?a)((?:::)?[a-z_]\w*(?:::[a-z_]\w*)*)\}")


def _name(lexer: Lexer, start: int) -> str:
    """Lex a name and its ``}``, which is a variable; return it, empty for any other code."""
    match = _NAME.match(lexer.text, start)
    if match is None or lexer.kind_of(match[1]) not in _BECOMES_VARIABLE:
        return ""
    lexer.put("VARIABLE", match[1], start, match.end(1))
    lexer.pos = match.end()
    return match[1]


def _expression(lexer: Lexer) -> str:
    """Lex the code between ``${`` and its ``}``; return the last match of Puppet's scanner there.

    A single name, number or keyword is a variable; also the first token before ``.``, ``[``.
    """
    kinds = lexer.kinds
    first = len(kinds)
    limit = lexer.limit
    start = lexer.pos
    braces = 1
    while lexer.pos < limit:
        size = len(kinds)
        lexer.step()
        if len(kinds) != size + 1:
            continue
        kind = kinds[-1]
        if kind == "{":
            braces += 1
        elif kind == "}":
            braces -= 1
            if not braces:
                lexer.drop_last()
                break
    count = len(kinds) - first
    if not braces and count and kinds[first] in _BECOMES_VARIABLE:
        following = kinds[first + 1] if count > 1 else "."
        if following == "." or (following == "[" and not lexer.preceded_by_blank(first + 1)):
            kinds[first] = "VARIABLE"
    return _last_matched(lexer, first, start, lexer.pos if braces else lexer.pos - 1)


_QUOTED: frozenset[TokenKind] = frozenset(("SQ", "DQ", "STRING", "DQPOST"))


def _last_matched(lexer: Lexer, first: int, start: int, end: int) -> str:
    """Return the last match of Puppet's scanner in an expression: a token with a text, or blanks.

    Punctuation is taken without a match. After blanks Puppet searches more blanks without success;
    after a line break or comment, the blanks that it finds are the last match.
    """
    text = lexer.text
    stop = end
    for index in range(len(lexer.kinds) - 1, first - 1, -1):
        tail = text[lexer.ends[index] : stop]
        if tail:
            tag = lexer.kinds[index].startswith("RENDER") and not tail.strip(BLANKS)
            return tail if tag else _blanks_matched(tail)
        kind = lexer.kinds[index]
        stop = lexer.starts[index]
        if kind == "OTHER" or lexer.texts[index] == "$":
            return ""
        if kind in _QUOTED:
            inside = text[stop : lexer.ends[index] - 1].rstrip("\\")
            quote = 0 if kind == "DQPOST" else 1
            return text[max(len(inside) - 1, quote) + stop : lexer.ends[index]]
        if kind.isalpha():
            return text[stop : lexer.ends[index]]
    before = text[start:stop]
    return before if before.strip(BLANKS + "\r") == "" else _blanks_matched(before)


def _blanks_matched(between: str) -> str:
    rest = between.rstrip(BLANKS + "\r")
    return between[len(rest) :] if rest.endswith(("\n", "*/")) else ""


_HEADER = LatePattern(
    r"(?a)@\(([^:/\r\n)]+)(?::[{b}]*([a-z][a-zA-Z0-9_+]+)[{b}]*)?(?:/((?:\w|[$])*)[{b}]*)?\)".replace(
        "{b}", BLANKS
    )
)
_QUOTED_TAG = LatePattern(r'"(.*)"$')
_LAST_BREAK = LatePattern(r"\r?\n\Z")
_FLAGS = {"L": ("\n", "\r\n")}


def heredoc(lexer: Lexer) -> None:
    """Lex ``@(TAG)`` and the text that belongs to it, which follows the current line."""
    text = lexer.text
    source = lexer.source
    start = lexer.pos
    end = text.find(")", start, lexer.limit) + 1
    if not end:
        shown = followed_by(text, start, lexer.limit)
        raise issues.heredoc_unclosed_parenthesis(shown, source, start)
    header = _HEADER.search(text[start:end])
    if header is None:
        raise issues.heredoc("HEREDOC_INVALID_SYNTAX", source, end)
    tag = header[1].strip(" \t\v\f\0")
    quoted = _QUOTED_TAG.match(tag)
    if quoted:
        tag = quoted[1].strip(" \t\v\f\0")
    if not tag:
        raise issues.heredoc("HEREDOC_EMPTY_ENDTAG", source, end)
    escapes = _escapes(header[3], source, end)
    lexer.put("HEREDOC", header[2] or "", start, end)
    begin = lexer.jump
    if begin is None:
        begin = text.find("\n", end, lexer.limit) + 1
        if not begin:
            error = issues.heredoc("HEREDOC_WITHOUT_TEXT", source, end)
            raise _never_ended(error, text[start:end], tag, start)
    try:
        lines, margin, after = _lines(lexer, begin, tag)
    except PuppetError as error:
        raise _never_ended(error, text[start:end], tag, start) from None
    last = text.rfind("\n", begin, after - 1) + 1 or begin
    lexer.heredocs.append((start, begin, last, after))
    lexer.jump = after
    _lex_text(lexer, lines, margin, begin, escapes, quoted is not None)
    lexer.pos = end


def _never_ended(error: PuppetError, header: str, tag: str, start: int) -> PuppetError:
    never_closed(error, f"heredoc {header}", start, start + len(header))
    error.notes = (*error.notes[:-1], f"{error.notes[-1]}: a line with {tag} has to end it")
    return error


def _escapes(flags: str | None, source: Source, at: int) -> frozenset[str]:
    if flags is None:
        return frozenset()
    flags = flags or "trnsuL$"
    if len(set(flags)) != len(flags):
        raise issues.heredoc_multiple_escapes(flags, source, at)
    escapes = ["\\"]
    for flag in flags:
        if flag not in "trnsuL$":
            raise issues.heredoc_invalid_escape(flag, source, at)
        escapes.extend(_FLAGS.get(flag, (flag,)))
    return frozenset(escapes)


def _lines(lexer: Lexer, begin: int, tag: str) -> tuple[list[str], list[int], int]:
    """Return the lines of a heredoc without their margin, the margins, and the offset after it.

    The tag may follow any text on its line (which is lost), as in Puppet.
    """
    text = lexer.text
    limit = lexer.limit
    import re

    pattern = re.compile(f"{re.escape(tag)}[{BLANKS}]*\r?(?:\n|\\Z)")
    match = pattern.search(text, begin, limit)
    if match is None or begin >= limit:
        raise issues.heredoc("HEREDOC_WITHOUT_END_TAGGED_LINE", lexer.source, begin)
    line_start = text.rfind("\n", begin, match.start()) + 1 or begin
    before = text[line_start : match.start()].rstrip(BLANKS)
    trimmed = before.endswith("-")
    if trimmed:
        before = before[:-1].rstrip(BLANKS)
    lines = _split(text, begin, line_start)
    margins = [0] * len(lines)
    if before.endswith("|"):
        before = before[:-1]
        leading = before[len(before.rstrip(BLANKS)) :]
        if leading:
            for number, line in enumerate(lines):
                if line.startswith(leading):
                    lines[number] = line[len(leading) :]
                    margins[number] = len(leading)
    if trimmed and lines:
        lines[-1] = _LAST_BREAK.sub("", lines[-1])
    return lines, margins, match.end()


def _split(text: str, begin: int, end: int) -> list[str]:
    """Return the lines of a span of text, which ends with a line break."""
    return [line + "\n" for line in text[begin:end].split("\n")[:-1]]


def _lex_text(
    lexer: Lexer,
    lines: list[str],
    margins: list[int],
    begin: int,
    escapes: frozenset[str],
    interpolated: bool,
) -> None:
    """Lex the text of a heredoc and move its tokens to their positions in the whole text."""
    if not interpolated:
        chunk = r"[\s\S]*"
    elif "$" in escapes:
        chunk = r"[^\\$]*+(?:\\[\s\S][^\\$]*+)*+\\?"
    else:
        chunk = r"[^$]*"
    style = Style(chunk, "", escapes, silent=True)
    text = "".join(lines)
    starts = []
    line_ends = []
    local = shift = 0
    for line, margin in zip(lines, margins, strict=True):
        local += len(line)
        shift += margin
        line_ends.append(local)
        starts.append(shift)

    def outer(offset: int) -> int:
        if offset == 0 or not starts:
            return begin + offset
        number = bisect_right(line_ends, offset)
        return begin + offset + starts[min(number, len(starts) - 1)]

    inner = lexer.sublexer(text)
    inner.enter(0)
    try:
        _interpolate(inner, 0, style)
    except PuppetError as error:
        # Their lines would count from the first one of the heredoc.
        error.notes = error.related = ()
        start, end = _span_in(error, inner)
        start = outer(start)
        error.outer = lexer.source, start, max(start, outer(end))
        raise
    for index, kind in enumerate(inner.kinds):
        start = outer(inner.starts[index])
        lexer.put(kind, inner.texts[index], start, max(start, outer(inner.ends[index])))


def _span_in(error: PuppetError, lexer: Lexer) -> tuple[int, int]:
    """Return the span of an error in the text of a lexer: the narrowest that is known."""
    if error.outer is not None and error.outer[0] is lexer.source:  # of a heredoc in a heredoc
        return error.outer[1:]
    if error.opening is not None:
        return error.opening
    if error.start is None:
        return 0, lexer.limit
    return error.start, error.start + 1 if error.end is None else error.end
