"""Hints for what people of Python, Ruby, shells and other languages type.

They are tables. A hint is given only for what has failed, below Puppet's own message; for a few
words that are a whole input, and to Puppet just a string, there is a note.
"""

from __future__ import annotations

import re
from itertools import islice

from puppet_repl.base.errors import ILLEGAL_SIGNAL, ValidationErrors
from puppet_repl.tools.hints.habit_rules import (
    BARE,
    BLOCK_WORDS,
    PLACES,
    SHELL,
    SURE_SYMBOLS,
    SYMBOLS,
    TYPES,
    WORDS,
)
from puppet_repl.tools.hints.ipython_names import (
    cell_magic_hint,
    command_hint,
    notebook_magic_hint,
)
from puppet_repl.tools.hints.surroundings import Surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.language.syntax.source import Source

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
_ONLY_WORD = re.compile(r"(!?)\s*([A-Za-z_]+)")
# What follows the word that begins a resource, not a statement; and a variable without $.
_RESOURCE = r"\s*\{\s*(?:'[^']*'|\"[^\"]*\"|\$\w+(?:::\w+)*|\[[^\]]*\])\s*:(?!:)"
_BOUND = r"\s*=(?![=~])"
# The first word of the line, or after a brace or a semicolon: no call, no key, no option, nothing
# that is assigned, no resource.
_FIRST_WORD = re.compile(
    rf"(?:^|[;}}]|(?<!\$)\{{)\s*([a-z_]+)\b(?!\(|\s*:|{_BOUND}|{_RESOURCE})", re.M
)
_WORD = re.compile(rf"[a-z_]+\b(?!::|{_BOUND}|{_RESOURCE})")
# Of several errors only the first ones are looked at.
_MOST = 10
_GROUP = re.compile(r"\{(name|type|title|list)\}")
# A call or a name in a longer word is none.
_MAGIC = re.compile(r"[ \t]*(%%?)([A-Za-z_]\w*)(?![\w(:.])")


def habit_hint(error: PuppetError, own_functions: set[str]) -> str | None:
    """Return what Puppet has for what was written, None if it is not a known habit.

    Words that are among the functions of the user are none.
    """
    subject = error.subject
    if subject is not None:
        if subject.name in own_functions:
            return None
        table = {"function": WORDS, "type": TYPES}.get(subject.kind, {})
        return table.get(subject.name)
    for source, code, place, is_exact in islice(places_of(error), _MOST):
        if code not in _CODES:
            continue
        around = Surroundings(source.text, place)
        found = (
            _magic_hint(around)
            or (_place_hint(around, code) if is_exact else None)
            or _symbol_hint(SURE_SYMBOLS, around, code)
            or _word_hint(around, own_functions)
            or _symbol_hint(SYMBOLS, around, code)
            or (_block_hint(around, own_functions) if is_exact else None)
        )
        if found is not None:
            return found
    return None


def places_of(error: PuppetError) -> Iterator[tuple[Source, str, int, bool]]:
    """Yield source, code and offset of an error, or of each that was found; is the place exact?

    An error at the end of a text is after what is not blank; where a bracket was never closed,
    that is the reason, and no habit.
    """
    if isinstance(error, ValidationErrors):
        for report in error.reports:
            yield report.source, report.code, report.start, True
    elif error.source is not None and error.start is not None:
        yield error.source, error.code, error.start, True
    elif error.source is not None and error.line is not None:
        starts = error.source.line_starts
        if error.line <= len(starts):  # Ruby of a module may name any line
            place = starts[error.line - 1] + (error.column or 1) - 1
            yield error.source, error.code, place, False
    elif error.source is not None and error.code == "SYNTAX_ERROR":
        start, end = error.opening or (0, 0)
        if error.source.text[start:end] in _BRACKETS:
            return
        yield error.source, error.code, len(error.source.text.rstrip()), False


def _magic_hint(around: Surroundings) -> str | None:
    """Return the hint for a line that begins as a command or cell magic of IPython.

    Below code it is a part of that: a percent sign divides.
    """
    found = _MAGIC.match(around.code, around.first, around.last)
    if found is None:
        return None
    sign, name = found.groups()
    if sign == "%":
        return command_hint(name)
    return cell_magic_hint(name) or notebook_magic_hint(name)


def _place_hint(around: Surroundings, code: str) -> str | None:
    """Return the hint for what is at a place, and before it."""
    for codes, pattern_before, pattern_at, hint in PLACES:
        if code not in codes.split():
            continue
        there = re.compile(pattern_at).match(around.code, around.at)
        if there is None:
            continue
        before = re.compile(rf"(?:{pattern_before})\Z")
        ahead = before.search(around.code, around.earliest, around.at)
        if ahead is not None:
            return _filled(hint, around, ahead, there)
    return None


def _filled(hint: str, around: Surroundings, *matches: re.Match[str]) -> str:
    """Return a hint with the texts that the groups of matches have found."""
    groups = {
        name: around.original(found.span(name)) for found in matches for name in found.groupdict()
    }
    return _GROUP.sub(lambda found: groups.get(found[1], ""), hint)


def _word_hint(around: Surroundings, own_functions: set[str]) -> str | None:
    """Return the hint for the word at a place, or for the one that begins its statement."""
    here = _WORD.match(around.code, around.at, around.last)
    words = [] if here is None else [here[0]]
    words += _first_words(around, around.at + 1)
    for word in words[:2]:
        if word in WORDS and word not in own_functions:
            return WORDS[word]
    return None


def _first_words(around: Surroundings, end: int) -> list[str]:
    """Return the words that begin statements in the line before an offset, the last one first."""
    found = _FIRST_WORD.finditer(around.code, around.first, around.last)
    return [each[1] for each in found if each.start(1) < end][::-1]


def _symbol_hint(
    rows: tuple[tuple[str, str, str], ...], around: Surroundings, code: str
) -> str | None:
    is_signal = code == ILLEGAL_SIGNAL  # it has a line only
    for wanted, pattern, hint in rows:
        if wanted not in ("", code):
            continue
        for found in re.compile(pattern, re.M).finditer(around.code, around.first, around.last):
            reaches = found.start() <= around.at <= _next(around, found.end())
            if (is_signal or reaches) and not around.is_cut(found.end()):
                return _filled(hint, around, found)
    return None


def _next(around: Surroundings, offset: int) -> int:
    """Return the offset of what follows in the line: there a parser may see what was wrong."""
    while offset < around.last and around.code[offset] in " \t":
        offset += 1
    return offset


def _block_hint(around: Surroundings, own_functions: set[str]) -> str | None:
    """Return the hint for a word that opens the block that an error is in, or at the end of."""
    depth = 0
    for at in range(around.at - 1, around.earliest - 1, -1):
        depth += {"}": 1, "{": -1}.get(around.code[at], 0)
        if depth < 0:
            there = around.moved(at)
            words = _first_words(there, at)
            if words and words[0] in BLOCK_WORDS and words[0] not in own_functions:
                return _symbol_hint(SURE_SYMBOLS, there, "") or WORDS[words[0]]
            return None
    return None


def is_ipython_question(text: str) -> bool:
    """Tell whether an input is a word with a question mark, as in IPython: ``each?``.

    To Puppet it is the beginning of a selector, which nobody writes so.
    """
    return _QUESTION.fullmatch(text) is not None


def note_on(text: str, own_functions: set[str]) -> str | None:
    """Return what was probably meant by an input of one word, which is a string to Puppet."""
    found = _ONLY_WORD.fullmatch(text.strip())
    if found is None:
        return None
    sign, word = found.groups()
    if sign:
        is_value = word in ("true", "false", "undef", "default") or not word.islower()
        return None if is_value else f"! is 'not' in Puppet, and '{word}' a string; {SHELL}"
    if word in own_functions or word not in BARE:
        return None
    return f"'{word}' is a string in Puppet; {BARE[word]}"
