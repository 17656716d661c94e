"""Whether Ruby takes a regular expression: a literal that it refuses is an error of the lexer.

Only what Ruby's own parser says about brackets, groups, repeats and escapes is repeated here;
the translation to what Python can run is made where an expression is used.
"""

from __future__ import annotations

import re

from puppet_repl.syntax import issues

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.syntax.source import Source

_SAFE = re.compile(r"[\w\s:;,.\-/^$=<>@%&~!\"'#`]*", re.A)
_REPEAT = re.compile(r"[*+?]|\{\d+(?:,\d*)?\}|\{,\d+\}")
_GROUP = re.compile(
    r"\((?:\?(?::|=|!|>|~|<=|<!|<[A-Za-z_]\w*>|'[A-Za-z_]\w*'|#[^)]*(?=\))|[mixadu-]+[:)]|\())?"
)


def check_regexp(pattern: str, source: Source) -> None:
    """Refuse a pattern that Ruby cannot compile."""
    if _SAFE.fullmatch(pattern):
        return
    problem = problem_of(pattern)
    if problem:
        shown = pattern.replace("/", "\\/") if "/" in pattern else pattern
        raise issues.invalid_regexp(f"{problem}: /{shown}/", source)


def problem_of(pattern: str) -> str:
    """What Ruby says is wrong with a pattern; '' if nothing is."""
    at = 0
    end = len(pattern)
    depth = 0
    target = False  # whether something stands here that a repeat can apply to
    while at < end:
        character = pattern[at]
        if character == "\\":
            if at + 1 >= end:
                return "too short escape sequence"
            at += 2
            target = True
        elif character == "[":
            at, problem = _skip_class(pattern, at)
            if problem:
                return problem
            target = True
        elif character == "(":
            group = _GROUP.match(pattern, at)
            assert group is not None
            text = group[0]
            if text == "(" and pattern.startswith("(?", at):
                if at + 2 >= end:
                    return "end pattern in group"
                return "undefined group option"
            at += len(text)
            if not text.endswith(")") or text == "(":
                depth += 1
            target = False
        elif character == ")":
            if not depth:
                return "unmatched close parenthesis"
            depth -= 1
            at += 1
            target = True
        elif character == "|":
            at += 1
            target = False
        else:
            repeat = _REPEAT.match(pattern, at)
            if repeat is None:
                target = True
                at += 1
            elif not target:
                if character == "{":
                    target = True
                    at += 1
                else:
                    return "target of repeat operator is not specified"
            else:
                lower, comma, upper = repeat[0].strip("{}").partition(",")
                if comma and lower and upper and int(upper[:9]) < int(lower[:9]):
                    return "upper is smaller than lower in repeat range"
                at = repeat.end()
    return "end pattern with unmatched parenthesis" if depth else ""


def _skip_class(pattern: str, at: int) -> tuple[int, str]:
    """The offset behind a bracketed set, which may hold others."""
    end = len(pattern)
    depth = 0
    before = ""  # the character that a range may begin with
    while at < end:
        character = pattern[at]
        if character == "\\":
            before = pattern[at + 1 : at + 2] if not pattern[at + 1 : at + 2].isalnum() else ""
            at += 2
            continue
        if character == "-" and before:
            upper = pattern[at + 1 : at + 2]
            if upper not in "][\\" and upper < before:
                return at, "empty range in char class"
            before = ""
            at += 1 if upper in "][\\" else 2
            continue
        before = "" if character in "[]-" else character
        if character == "[":
            posix = re.compile(r"\[:\^?[a-z]+:\]").match(pattern, at) if depth else None
            if posix is not None:
                at = posix.end()
                continue
            depth += 1
            at += 1
            if pattern.startswith("^", at):
                at += 1
            if pattern.startswith("]", at):  # a bracket right behind the opening one is plain
                if pattern.find("]", at + 1) < 0:
                    return at, "empty char-class"
                at += 1
            continue
        if character == "]":
            depth -= 1
            at += 1
            if not depth:
                return at, ""
            continue
        at += 1
    return at, "premature end of char-class"
