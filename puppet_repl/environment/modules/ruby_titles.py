"""Title patterns of a resource type, read from its Ruby file without running Ruby.

What can be read is an array written out: regular expressions, names of attributes, and lambdas that
return their argument. Whatever else the method does can only be known by running it.
"""

from __future__ import annotations

from puppet_repl.base.patterns import LatePattern
from puppet_repl.catalog.resource_types import TitlePattern
from puppet_repl.language.values.regex import EXTENDED, IGNORECASE, MULTILINE, Regexp

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_METHOD = LatePattern(r"(?ms)^([ \t]*)def[ \t]+self\.title_patterns\b[^\n]*\n(.*?)^\1end\b")
_SAME = (
    r"(?:lambda|proc|Proc\.new|->)\s*(?:\(\s*(?P<a>\w+)\s*\))?\s*(?:\{|do\b)"
    r"\s*(?:\|\s*(?P<b>\w+)\s*\|)?\s*(?P<body>\w+)\s*(?:\}|end\b)"
)
_ASSIGNED = LatePattern(rf"(?m)^\s*(?P<name>\w+)\s*=\s*{_SAME}")
_TOKEN = LatePattern(
    r"""(?s)%r\{(?P<braced>(?:\\.|[^\\{}]|\{[^{}]*\})*)\}(?P<braced_flags>[mix]*)"""
    r"""|/(?P<slashed>(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+)/(?P<slashed_flags>[mix]*)"""
    rf"""|(?P<same>{_SAME})|:(?P<symbol>[a-z_]\w*)|(?P<word>\w+)|(?P<other>[^\s\[\],])"""
)
_FLAGS = {"i": IGNORECASE, "x": EXTENDED, "m": MULTILINE}


def has_title_patterns(text: str) -> bool:
    """Tell whether a Ruby file defines title patterns."""
    return _METHOD.search(text) is not None


def scan_title_patterns(text: str) -> tuple[TitlePattern, ...] | None:
    """Return the patterns in the text of a Ruby file; None where they cannot be read."""
    method = _METHOD.search(text)
    if method is None:
        return None
    body = method[2]
    same = {"return"}
    for assigned in _ASSIGNED.finditer(body):
        if _returns_argument(assigned):
            same.add(assigned["name"])
    patterns: list[tuple[Regexp, list[str]]] = []
    for token in _TOKEN.finditer(_ASSIGNED.sub("", body)):
        if token["braced"] is not None or token["slashed"] is not None:
            regexp = _regexp(token)
            if regexp is None:
                return None
            patterns.append((regexp, []))
        elif token["symbol"] is not None and patterns:
            patterns[-1][1].append(token["symbol"])
        elif token["same"] is not None and _returns_argument(token):
            continue
        elif token["word"] not in same:
            return None
    if not patterns or not all(names for _, names in patterns):
        return None
    return tuple([TitlePattern(regexp, tuple(names)) for regexp, names in patterns])


def _returns_argument(token: re.Match[str]) -> bool:
    return token["body"] in (token["a"], token["b"])


def _regexp(token: re.Match[str]) -> Regexp | None:
    """Return the regular expression of a literal; None where Ruby puts values into it."""
    is_braced = token["braced"] is not None
    source = token["braced"] if is_braced else token["slashed"]
    if "#{" in source:
        return None
    flags = sum(_FLAGS[flag] for flag in token["braced_flags" if is_braced else "slashed_flags"])
    return Regexp(source.replace("\\/", "/"), flags)
