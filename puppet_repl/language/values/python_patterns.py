"""Regular expressions of Python in Ruby's syntax."""

from __future__ import annotations

import re

from puppet_repl.language.values.regex import Regexp

# Parts that Ruby writes in another way, outside of brackets and in them.
_ANCHORS = {"^": r"\A", "$": r"\Z"}
_SPELLINGS = {r"\Z": r"\z", "(?P<": "(?<"}
_IN_BRACKETS = {"[": r"\[", "&": r"\&"}
_GLOBAL_FLAGS = re.compile(r"\(\?[aiLmsux]+\)")
_GROUP_FLAGS = re.compile(r"\(\?[ix]*(?:-[ix]+)?:")
_TOKEN = re.compile(r"\\x(..)|\\.|\(\?P=(\w+)\)|\(\?P<|\(\?[a-zA-Z-]+:|\(\?\(|\}\+|.", re.DOTALL)
_UNKNOWN = (r"\N", r"\U", "(?(", "}+")
_BRACKETS = re.compile(r"\[(\^?\]?)((?:\\.|[^\]\\])*)\]", re.DOTALL)


def ruby_regexp(pattern: re.Pattern[str]) -> Regexp:
    """Return the Regexp that matches what a pattern of Python matches in ASCII text.

    Raises TypeError for one that Ruby has no words for.
    """
    flags = pattern.flags
    names = pattern.groupindex
    if names and len(names) < pattern.groups:
        raise _untranslatable(pattern, "Ruby does not number groups beside named ones")
    anchors = {} if flags & re.MULTILINE else _ANCHORS
    text = _GLOBAL_FLAGS.sub("", pattern.pattern, 1) if flags != re.UNICODE else pattern.pattern
    parts = []
    position = 0
    while position < len(text):
        found = _BRACKETS.match(text, position) or _TOKEN.match(text, position)
        assert found is not None  # the last alternative is any character
        position = found.end()
        if found.re is _BRACKETS:
            parts.append(_in_brackets(found, pattern))
        else:
            parts.append(_token(found, anchors, pattern))
    letters = "".join(
        letter
        for letter, flag in (("m", re.DOTALL), ("i", re.IGNORECASE), ("x", re.VERBOSE))
        if flags & flag
    )
    source = "".join(parts)
    if "x" in letters:
        source += "\n"  # its last line may be a comment
    made = Regexp(f"(?{letters}:{source})" if letters else source)
    made.check()
    return made


def _token(found: re.Match[str], anchors: dict[str, str], pattern: re.Pattern[str]) -> str:
    token = found[0]
    if token in _UNKNOWN:
        raise _untranslatable(pattern, f"Ruby has no '{token}'")
    if token.startswith("(?") and token.endswith(":") and token != "(?:":
        if not _GROUP_FLAGS.fullmatch(token):
            raise _untranslatable(pattern, f"Ruby has no '{token}'")
    if found[1]:
        return rf"\u00{found[1]}"
    if found[2]:
        return rf"\k<{found[2]}>"
    return anchors.get(token) or _SPELLINGS.get(token) or token


def _in_brackets(found: re.Match[str], pattern: re.Pattern[str]) -> str:
    """Return a set of characters; Ruby's may have other sets in them."""
    begin = found[1].replace("]", r"\]")
    parts = []
    for token in re.finditer(r"\\x(..)|\\.|.", found[2], re.DOTALL):
        if token[0] in _UNKNOWN:
            raise _untranslatable(pattern, f"Ruby has no '{token[0]}'")
        parts.append(rf"\u00{token[1]}" if token[1] else _IN_BRACKETS.get(token[0], token[0]))
    return f"[{begin}{''.join(parts)}]"


def _untranslatable(pattern: re.Pattern[str], reason: str) -> TypeError:
    return TypeError(f"Puppet has no value for {pattern!r}: {reason}")
