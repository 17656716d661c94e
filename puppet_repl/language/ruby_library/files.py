"""``Dir.glob`` of Ruby."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from itertools import pairwise

from puppet_repl.base.errors import RuntimeFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    # Raises an error for a path that may not be looked at.
    Check: TypeAlias = Callable[[str], None]

MAX_PATTERNS = 10_000
"""How many patterns braces may stand for: {a,b} 40 times would be any number."""

_MAGIC = re.compile(r"[*?\[]")
_ANY_DEPTH = "**"
_DIRECTORY = "/"  # the end of a pattern that only directories match


def glob_files(pattern: str, check: Check | None = None) -> list[str]:
    """Return the existing paths that a pattern names, in order; braces give alternatives.

    ``check`` is called with each path before it is looked at, and may raise an error.

    ``*`` and ``?`` match no slash and, at its beginning, no dot of a name; ``**/`` matches any
    directories, those of symbolic links and hidden ones not. A NUL is an error of the caller.
    Raises RuntimeFailure for braces that stand for more than MAX_PATTERNS, and for a directory that
    cannot be listed, unless it is missing or forbidden.
    """
    found: list[str] = []
    for number, alternative in enumerate(_alternatives(pattern)):
        if number == MAX_PATTERNS:
            raise RuntimeFailure(f"{pattern} stands for more than {MAX_PATTERNS:,} patterns")
        if alternative:
            found += _matches(alternative, check or _allow)
    return found


def _allow(path: str) -> None:
    pass


def _alternatives(pattern: str) -> Iterator[str]:
    """Yield the patterns that one with braces stands for."""
    opening = depth = -1
    parts: list[int] = []
    index = 0
    while index < len(pattern):
        character = pattern[index]
        if character == "\\":
            index += 1
        elif character == "{":
            if opening < 0:
                opening, depth, parts = index, 0, [index]
            else:
                depth += 1
        elif character == "," and opening >= 0 and depth == 0:
            parts.append(index)
        elif character == "}" and opening >= 0:
            if depth == 0:
                parts.append(index)
                for start, end in pairwise(parts):
                    inner = pattern[start + 1 : end]
                    yield from _alternatives(pattern[:opening] + inner + pattern[index + 1 :])
                return
            depth -= 1
        index += 1
    yield pattern


def _matches(pattern: str, check: Check) -> Iterator[str]:
    root = "/" if pattern.startswith("/") else ""
    segments = _segments(pattern)
    if segments == [_DIRECTORY]:
        check(root)
        yield root
    elif segments:
        yield from _walk(root, "", [segments], check)


def _segments(pattern: str) -> list[str]:
    """Return the names of a pattern, with names that match only themselves joined."""
    plain = pattern.strip("/")
    ends_with_slash = pattern.endswith("/")
    segments: list[str] = []
    names = re.split("(/+)", plain) if plain else []
    for index in range(0, len(names), 2):
        name = names[index]
        if name == _ANY_DEPTH and (ends_with_slash or index + 1 < len(names)):
            if segments[-1:] != [_ANY_DEPTH]:
                segments.append(name)
        elif segments and not (_is_magic(name) or _is_magic(segments[-1])):
            segments[-1] += names[index - 1] + name
        else:
            # At the end of a pattern two stars mean what one does.
            segments.append("*" if name == _ANY_DEPTH else name)
    return [*segments, _DIRECTORY] if ends_with_slash else segments


def _is_magic(segment: str) -> bool:
    return _MAGIC.search(segment) is not None


def _walk(directory: str, path: str, patterns: list[list[str]], check: Check) -> Iterator[str]:
    """Yield ``path`` if a pattern ends there, then what the patterns match below ``directory``."""
    reduced = [each[1:] if each[:1] == [_ANY_DEPTH] else each for each in patterns]
    if path and ([] in reduced or [_DIRECTORY] in reduced):
        check(path)
        if [] in reduced and os.path.lexists(path):
            yield path
        if [_DIRECTORY] in reduced and os.path.isdir(path):
            yield path + "/"
    rest = [each for each in patterns if each and each != [_DIRECTORY]]
    is_recursive = any(each[0] == _ANY_DEPTH for each in rest)
    if is_recursive or any(_is_magic(each[0]) for each in rest):
        check(directory or ".")
        for name in _names(directory):
            inner = _patterns_of(directory + name, name, rest)
            if inner and not (name == "." and is_recursive):
                yield from _walk(directory + name + "/", directory + name, inner, check)
        return
    for name in dict.fromkeys([each[0] for each in rest]):
        inner = [each[1:] for each in rest if each[0] == name]
        plain = re.sub(r"\\(.)", r"\1", name)
        yield from _walk(directory + plain + "/", directory + plain, inner, check)


def _patterns_of(path: str, name: str, patterns: list[list[str]]) -> list[list[str]]:
    """Return the rests of the patterns whose first segment matches one entry of a directory."""
    left: list[list[str]] = []
    for pattern in patterns:
        if pattern[0] == _ANY_DEPTH:
            if not name.startswith(".") and os.path.isdir(path) and not os.path.islink(path):
                left.append(pattern)
            pattern = pattern[1:]
            if pattern in ([], [_DIRECTORY]):
                continue
        segment = pattern[0]
        shows_hidden = segment.startswith((".", "\\."))
        if (shows_hidden or not name.startswith(".")) and _expression(segment).fullmatch(name):
            left.append(pattern[1:])
    return left


def _names(directory: str) -> list[str]:
    try:
        return [".", *sorted(os.listdir(directory or "."))]
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []
    except OSError as error:  # such as a round of links
        raise RuntimeFailure(f"{error.strerror} - {directory.rstrip('/')}") from None


@lru_cache(maxsize=256)
def _expression(segment: str) -> re.Pattern[str]:
    """Return the regular expression of one segment of a pattern.

    The text between two stars is searched once, and its first place is kept: trying further places
    is not necessary, and would take exponential time.
    """
    parts: list[str] = []
    index = 0
    last_star = None
    while index < len(segment):
        character = segment[index]
        index += 1
        if character == "*":
            if last_star is not None:
                parts[last_star] = "(?>.*?"
                parts.append(")")
            last_star = len(parts)
            parts.append(".*")
        elif character == "?":
            parts.append(".")
        elif character == "\\" and index < len(segment):
            parts.append(re.escape(segment[index]))
            index += 1
        elif character == "[" and (end := _end_of_set(segment, index)) > 0:
            parts.append(_set(segment[index:end]))
            index = end + 1
        else:
            parts.append(re.escape(character))
    return re.compile("".join(parts), re.DOTALL)


def _end_of_set(segment: str, start: int) -> int:
    index = start + 1 if segment[start : start + 1] in ("!", "^") else start
    while index < len(segment):
        if segment[index] == "\\":
            index += 1
        elif segment[index] == "]" and index > start:
            return index
        index += 1
    return -1


def _set(inner: str) -> str:
    negated = inner[:1] in ("!", "^")
    body = inner[1:] if negated else inner
    # A backslash takes the meaning of the next character; a hyphen keeps that of a range.
    parts = [re.escape(found[-1]) if found != "-" else "-" for found in re.findall(r"\\?.", body)]
    try:
        re.compile(f"[{''.join(parts)}]")
    except re.error:  # a range without any character in it
        return "(?!)"
    return f"[{'^' if negated else ''}{''.join(parts)}]"
