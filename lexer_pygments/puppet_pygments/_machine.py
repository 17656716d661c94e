"""Rules of a `RegexLexer` compiled into one pattern a state, for speed.

Trying one alternation is about twice as fast as trying the patterns of a state one by one. The
rules stay as Pygments wants them written; only how they are applied differs. Rules that would mean
something else in an alternation, as those of a subclass may, are tried one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pygments.lexer import RegexLexerMeta

__all__ = ["CombiningMeta", "Machine"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_may_capture = re.compile(r"(?<!\\)\((?!\?)").search
# What refers to groups by name or number, and flags that hold for the whole of a pattern.
_stands_alone = re.compile(r"\\[1-9]|\(\?(?:P[<=]|\(|[aiLmsux]+\))").search


class CombiningMeta(RegexLexerMeta):
    """Keep the sources of the rules: `Machine` compiles all those of a state into one pattern."""

    def _process_regex(self, regex: Any, rflags: int, state: str) -> str:
        source = regex if isinstance(regex, str) else str(regex.get())
        if _stands_alone(source):
            re.compile(source, rflags)  # an invalid regex is reported with the rule
        return source


class Machine(dict[str, "tuple[Any, list[Any]]"]):
    """The states of a lexer, each as a function that finds a match, with a table of its rules.

    The table has a row at the number of the last group that a match may have.
    """

    def __init__(self, states: dict[str, list[tuple[Any, Any, Any]]], flags: int) -> None:
        super().__init__()
        self.states = states
        self.flags = flags

    def __missing__(self, name: str) -> tuple[Any, list[Any]]:
        rules = [
            (regex if isinstance(regex, str) else "", action, _transition(new_state, name))
            for regex, action, new_state in self.states[name]
        ]
        sources = [source for source, _, _ in rules]
        alone = self.flags & re.VERBOSE or any(map(_stands_alone, sources))
        self[name] = state = self._one_by_one(rules) if alone else self._combined(rules)
        return state

    def _combined(self, rules: list[Any]) -> tuple[Any, list[Any]]:
        """Return one pattern for all rules."""
        table: list[Any] = [None]
        for source, action, transition in rules:
            pattern = re.compile(source, self.flags) if _may_capture(source) else None
            groups = pattern.groups if pattern else 0
            own = pattern.match if pattern and groups else None
            table.append((_with_context(action), *transition, own))
            table.extend([None] * groups)
        return re.compile("|".join(f"({rule[0]})" for rule in rules), self.flags).match, table

    def _one_by_one(self, rules: list[Any]) -> tuple[Any, list[Any]]:
        """Return a function that tries the patterns of the rules in turn."""
        matches = [re.compile(source, self.flags).match for source, _, _ in rules]
        table = [None] + [
            (_with_context(action), *transition, own)
            for (_, action, transition), own in zip(rules, matches, strict=True)
        ]

        def match(text: str, pos: int, end: int) -> _Found | None:
            for number, own in enumerate(matches, 1):
                found = own(text, pos, end)
                if found is not None:
                    return _Found(number, found)
            return None

        return match, table


class _Found:
    """A match of one of several patterns, with the number of the pattern."""

    __slots__ = ("end", "group", "lastindex")

    def __init__(self, number: int, match: re.Match[str]) -> None:
        self.lastindex = number
        self.group = match.group
        self.end = match.end


def _with_context(action: Any) -> Any:
    """Wrap the action of a rule so that it takes a context."""
    code = getattr(action, "__code__", None)
    if code is None or code.co_argcount != 2:
        return action
    plain: Callable[[Any, Any], Iterator[Any]] = action

    def with_context(lexer: Any, match: Any, ctx: Any) -> Iterator[Any]:
        yield from plain(lexer, match)
        ctx.pos = match.end()

    return with_context


def _transition(new_state: Any, current: str) -> tuple[int, tuple[str, ...]]:
    """Turn what Pygments makes of a new state into (states to pop, states to push)."""
    if new_state is None:
        return 0, ()
    if isinstance(new_state, int):
        return -new_state, ()
    pops = 0
    pushes: list[str] = []
    for name in (new_state,) if isinstance(new_state, str) else new_state:
        if name != "#pop":
            pushes.append(name if name != "#push" else [current, *pushes][-1])
        elif pushes:
            pushes.pop()
        else:
            pops += 1
    return pops, tuple(pushes)
