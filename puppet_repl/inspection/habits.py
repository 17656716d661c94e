"""Hints for what people of Python, Ruby, shells and other languages type.

They are tables. A hint is given only for what has failed, below Puppet's own message; for a few
words that are a whole input, and to Puppet just a string, there is a note.
"""

from __future__ import annotations

import re

from puppet_repl.errors import ValidationErrors
from puppet_repl.inspection.habit_rules import (
    BARE,
    BLOCK_WORDS,
    PLACES,
    SHELL,
    SURE_SYMBOLS,
    SYMBOLS,
    TYPES,
    WORDS,
)
from puppet_repl.inspection.ipython_names import (
    cell_magic_hint,
    command_hint,
    notebook_magic_hint,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.errors import PuppetError
    from puppet_repl.syntax.source import Source

# Errors of these kinds may come from a habit. Others are about code that is Puppet's.
_CODES = frozenset(
    (
        "APPENDS_DELETES_NO_LONGER_SUPPORTED",
        "BAD_STRING_SLICE_KEY_TYPE",
        "DISCONTINUED_IMPORT",
        "IDEM_EXPRESSION_NOT_LAST",
        "ILLEGAL_ASSIGNMENT",
        "ILLEGAL_CLASS_REFERENCE",
        "ILLEGAL_DEFINITION_NAME",
        "ILLEGAL_INDEXED_ASSIGNMENT",
        "ILLEGAL_REASSIGNMENT",
        "ILLEGAL_SIGNAL",
        "ILLEGAL_VAR_NAME",
        "NOT_NUMERIC",
        "PARSE_ERROR",
        "RESOURCE_WITHOUT_TITLE",
        "SYNTAX_ERROR",
        "UNMATCHED_SELECTOR",
    )
)
_BRACKETS = ("(", "[", "{", "<|", "<<|")
_QUESTION = re.compile(r"\s*[A-Za-z_][\w:]*\?+\s*")
_ONLY_WORD = re.compile(r"\s*(!?)\s*([A-Za-z_]+)\s*")
# The first word of the line, or behind a brace or a semicolon: no call, no key, no option, nothing
# that is assigned.
_FIRST_WORD = re.compile(r"(?:^|[;}]|(?<!\$)\{)\s*([a-z_]+)\b(?!\(|\s*:|\s*=(?![=~]))")
_WORD = re.compile(r"[a-z_]+\b(?!\s*=(?![=~]))")
# How much of the text before an error is looked at.
_BEFORE = 1000
_GROUP = re.compile(r"\{(name|type|title|list)\}")
# A call or a name in a longer word is none.
_MAGIC = re.compile(r"\s*(%%?)([A-Za-z_]\w*)(?![\w(:.])")


def habit_hint(error: PuppetError, own_functions: set[str]) -> str | None:
    """Return what Puppet has for what was written, None where it is no known habit.

    Words that are among the functions of the user are none.
    """
    subject = error.subject
    if subject is not None:
        if subject.name in own_functions:
            return None
        table = {"function": WORDS, "type": TYPES}.get(subject.kind, {})
        return table.get(subject.name)
    for source, code, start, line, column in _places(error):
        if code not in _CODES:
            continue
        text = source.line(line)
        at = len(text.rstrip()) if column is None and start is None else (column or 1) - 1
        found = (
            _magic_hint(text)
            or _place_hint(source.text, start, code)
            or _symbol_hint(SURE_SYMBOLS, text, at, code)
            or _word_hint(text, at, own_functions)
            or _symbol_hint(SYMBOLS, text, at, code)
            or _block_hint(source, start, own_functions)
        )
        if found is not None:
            return found
    return None


def _places(error: PuppetError) -> Iterator[tuple[Source, str, int | None, int, int | None]]:
    """Yield source, code, offset, line and column of an error, or of each that was found.

    An error at the end of a text is on the last line that is not empty; where a bracket was never
    closed, that is the reason, and no habit.
    """
    if isinstance(error, ValidationErrors):
        for report in error.reports:
            yield report.source, report.code, report.start, *report.position
    elif error.source is not None and error.line is not None:
        yield error.source, error.code, error.start or 0, error.line, error.column
    elif error.source is not None and error.code == "SYNTAX_ERROR":
        start, end = error.opening or (0, 0)
        if error.source.text[start:end] in _BRACKETS:
            return
        end = len(error.source.text.rstrip())
        yield error.source, error.code, None, error.source.position(max(end - 1, 0))[0], None


def _magic_hint(text: str) -> str | None:
    """Return the hint for a line that begins as a command or cell magic of IPython.

    Below code it is a part of that: a percent sign divides.
    """
    found = _MAGIC.match(text)
    if found is None:
        return None
    sign, name = found.groups()
    if sign == "%":
        return command_hint(name)
    return cell_magic_hint(name) or notebook_magic_hint(name)


def _place_hint(text: str, start: int | None, code: str) -> str | None:
    """Return the hint for what stands at an offset, and before it."""
    if start is None:
        return None
    before = text[max(start - _BEFORE, 0) : start]
    for codes, pattern_before, pattern_at, hint in PLACES:
        if code not in codes.split():
            continue
        there = re.compile(pattern_at).match(text, start)
        ahead = None if there is None else re.search(rf"(?:{pattern_before})\Z", before)
        if there is not None and ahead is not None:
            return _filled(hint, {**ahead.groupdict(), **there.groupdict()})
    return None


def _filled(hint: str, groups: dict[str, str | None]) -> str:
    return _GROUP.sub(lambda found: groups.get(found[1]) or "", hint)


def _word_hint(text: str, at: int, own_functions: set[str]) -> str | None:
    """Return the hint for the word at a column, or for the one that begins its statement."""
    here = _WORD.match(text, at)
    words = [] if here is None else [here[0]]
    words += [found[1] for found in _FIRST_WORD.finditer(text) if found.start(1) <= at][::-1]
    for word in words[:2]:
        if word in WORDS and word not in own_functions:
            return WORDS[word]
    return None


def _symbol_hint(
    rows: tuple[tuple[str, str, str], ...], text: str, at: int, code: str
) -> str | None:
    is_signal = code == "ILLEGAL_SIGNAL"  # it has a line only
    for wanted, pattern, hint in rows:
        if wanted not in ("", code):
            continue
        for found in re.finditer(pattern, text):
            if is_signal or found.start() <= at <= found.end():
                return _filled(hint, found.groupdict())
    return None


def _block_hint(source: Source, start: int | None, own_functions: set[str]) -> str | None:
    """Return the hint for a word that opens the block that an error is in, or at the end of."""
    if start is None:
        return None
    depth = 0
    for at in range(start - 1, max(start - _BEFORE, 0) - 1, -1):
        depth += {"}": 1, "{": -1}.get(source.text[at], 0)
        if depth < 0:
            line, column = source.position(at)
            text = source.line(line)
            words = [found[1] for found in _FIRST_WORD.finditer(text[: column - 1])]
            if words and words[-1] in BLOCK_WORDS and words[-1] not in own_functions:
                return _symbol_hint(SURE_SYMBOLS, text, column - 1, "") or WORDS[words[-1]]
            return None
    return None


def is_ipython_question(text: str) -> bool:
    """Tell whether an input is a word with a question mark, as in IPython: ``each?``.

    To Puppet it is the beginning of a selector, which nobody writes so.
    """
    return _QUESTION.fullmatch(text) is not None


def note_on(text: str, own_functions: set[str]) -> str | None:
    """Return what was probably meant by an input of one word, which is a string to Puppet."""
    found = _ONLY_WORD.fullmatch(text)
    if found is None:
        return None
    sign, word = found.groups()
    if sign:
        is_value = word in ("true", "false", "undef", "default") or not word.islower()
        return None if is_value else f"! is 'not' in Puppet, and '{word}' a string; {SHELL}"
    if word in own_functions or word not in BARE:
        return None
    return f"'{word}' is a string in Puppet; {BARE[word]}"
