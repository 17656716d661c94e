"""Pasted text without decorations: prompts, fences, quotation marks, line numbers and others."""

from __future__ import annotations

import html
import re
import shlex
from itertools import pairwise

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.completeness import Complete, Invalid, check
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate

# Prompts of this program, of puppet-debugger and of IPython, at the beginning of a line.
_PROMPT = re.compile(r"(?:puppet \[\d+\]> ?|\d+:(?:BM)?>> ?|In \[\d+\]: ?|>> )")
_CONTINUATION = re.compile(r" *(?:\.\.\.:?|\d+:(?:BM)?\*) ?")
_FENCE = re.compile(r"\s*(?P<marks>`{3,}|~{3,})(?P<info>[^`]*)$")
_PUPPET_FENCE = re.compile(r"^[^\S\n]*(?:`{3,}|~{3,}) *(?:puppet|pp)\b", re.MULTILINE)
_QUOTE = re.compile(r"\s*>(?: ?>)*(?: |$)")
_NESTED_QUOTE = re.compile(r"\s*>> ?> ")
_CHANGED = re.compile(r"[-+ ]|$")
_HEADER = re.compile(
    r"@@ -|diff --git |index [0-9a-f]+\.\.|--- |\+\+\+ |\\ No newline"
    r"|(?:new|deleted) file mode |(?:old|new) mode |(?:rename|copy) (?:from|to) |similarity index "
)
_NUMBER = re.compile(r"\s*(\d{1,9})(?:[:|│] ?| |\t|$)")
_COMMAND = re.compile(
    r"\s*(?:(?:\[?\S+@[^$%#\n]*)?[$%#] )?(?:sudo )?(?:\S*/)?(?:puppet apply|puppet-repl) "
)
# Longer texts are inserted as they are: to parse them would take a noticeable time.
MAX_CHARACTERS = 50_000
_ENTITY = re.compile(r"&(?:quot|gt|lt|amp|apos|#\d+|#x[0-9a-fA-F]+);")


def clean_paste(text: str, *, alone: bool = True) -> str:
    """Return pasted text without prompts, and without the outputs between them.

    No prompt is removed unless the first line that is not blank begins with one: what looks like
    one inside of a string stays. Other decorations are removed if the text has an error with them
    and none without. A text that is not ``alone`` goes on with other code: it keeps them.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    first = next((line for line in text.split("\n") if line.strip()), "")
    if _PROMPT.match(first) and not _NESTED_QUOTE.match(first):
        return _without_prompts(text)
    if not alone or len(text) > MAX_CHARACTERS:
        return text
    clean = text
    for remove in (_unquoted, _of_diff, _in_fences, _unnumbered, _of_command, _without_entities):
        clean = remove(clean)
    # Parsing takes longest: most texts have no decorations, and are not parsed.
    if clean == text or not clean.strip() or not _is_wrong(text):
        return text
    return text if _is_wrong(clean) else clean


def _is_wrong(text: str) -> bool:
    """Tell whether a text is neither code nor its beginning."""
    found = check(text)
    if isinstance(found, Complete):
        try:
            validate(parse(Source(text)), language="puppet-8", strict="error")
        except PuppetError:
            return True
    return isinstance(found, Invalid)


def _without_prompts(text: str) -> str:
    kept: list[str] = []
    in_input = False
    for line in text.split("\n"):
        prompt = _PROMPT.match(line)
        if prompt is not None:
            in_input = True
            kept.append(line[prompt.end() :])
            continue
        continuation = _CONTINUATION.match(line) if in_input else None
        if continuation is not None:
            kept.append(line[continuation.end() :])
        else:
            in_input = False
    return "\n".join(kept).rstrip("\n")


def _unquoted(text: str) -> str:
    """Return the text of a quotation in a mail or an issue, without the words before it."""
    start = re.search(r"^[^\S\n]*>", text, re.MULTILINE)
    return text if start is None else _without_beginnings(text[start.start() :], _QUOTE)


def _of_diff(text: str) -> str:
    """Return the new lines of a difference, if each line is one of a difference."""
    lines = [line for line in text.split("\n") if not _HEADER.match(line)]
    if not any(line.startswith("+") for line in lines) or not all(map(_CHANGED.match, lines)):
        return text
    return "\n".join(line[1:] for line in lines if not line.startswith("-"))


def _in_fences(text: str) -> str:
    """Return what the fences of a Markdown page hold; the last one may be missing.

    After prose the first fence has to say that it holds Puppet: a heredoc may hold fences, too.
    """
    kept: list[str] = []
    opening = ""
    page = text.strip("\n")
    if not _FENCE.match(page.partition("\n")[0]):
        start = _PUPPET_FENCE.search(page)
        if start is None:
            return text
        page = page[start.start() :].lstrip("\n")
    for line in page.split("\n"):
        fence = _FENCE.match(line)
        if not opening and fence:
            opening = fence["marks"]
        elif fence and fence["marks"].startswith(opening) and not fence["info"].strip():
            opening = ""
        elif opening:
            kept.append(line)
    return "\n".join(kept)


def _unnumbered(text: str) -> str:
    """Return the text without the numbers of its lines, which count up."""
    lines = text.strip("\n").split("\n")
    numbers = [int(found[1]) for found in map(_NUMBER.match, lines) if found]
    if len(lines) < 2 or not numbers or numbers != list(range(numbers[0], numbers[0] + len(lines))):
        return text
    return _without_beginnings("\n".join(lines), _NUMBER)


def _of_command(text: str) -> str:
    """Return the code that a command line runs by ``-e``."""
    if not _COMMAND.match(text):
        return text
    try:
        words = shlex.split(text)
    except ValueError:
        return text
    flags = ("-e", "--execute")
    return next((code for flag, code in pairwise(words) if flag in flags), text)


def _without_entities(text: str) -> str:
    """Return the text of a page's source."""
    return html.unescape(text) if _ENTITY.search(text) else text


def _without_beginnings(text: str, beginning: re.Pattern[str]) -> str:
    """Return the text without the beginnings of its lines, if each line has one or is blank."""
    kept = []
    for line in text.split("\n"):
        found = beginning.match(line)
        if found is None and line.strip():
            return text
        kept.append(line[found.end() :] if found else "")
    return "\n".join(kept)
