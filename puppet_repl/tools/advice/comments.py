"""The comments that switch rules off."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.rules import RULE_OF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.language.syntax.source import Source

IGNORED = re.compile(r"lint:(?:ignore:(?P<rule>\w+)|(?P<end>endignore))")
"""The words of comments that switch rules off, and on again."""
_BEGINNING = re.compile(r"#|/\*")
_TEXTS = (
    ast.LiteralString,
    ast.ConcatenatedString,
    ast.LiteralRegularExpression,
    ast.RenderStringExpression,
    ast.HeredocExpression,
)


class Silenced:
    """The rules that comments switch off, by line: ``# lint:ignore:RULE``, as in puppet-lint.

    After code such a comment counts for its line; on a line of its own, for the lines down to
    ``# lint:endignore``, or to the end of the text. A name of puppet-lint's means its rule here.
    """

    __slots__ = ("_lines", "_ranges")

    def __init__(self, source: Source, comments: Iterable[tuple[int, bool, str]]) -> None:
        self._lines: set[tuple[str, int]] = set()
        self._ranges: list[tuple[str, int, int]] = []
        if "lint:ignore:" in source.text:
            self._read(len(source.line_starts), comments)

    def covers(self, rule: str, first: int, last: int) -> bool:
        """Tell whether a rule is off on one of these lines, which are counted from 1."""
        return any((rule, line) in self._lines for line in range(first, last + 1)) or any(
            rule == name and start <= first <= end for name, start, end in self._ranges
        )

    def _read(self, count: int, comments: Iterable[tuple[int, bool, str]]) -> None:
        open_rules: list[tuple[list[str], int]] = []
        for line, alone, text in comments:
            rules = []
            for found in IGNORED.finditer(text):
                if found["rule"]:
                    rule = RULE_OF.get(found["rule"])
                    rules.append(rule.name if rule is not None else found["rule"])
                elif open_rules:
                    names, start = open_rules.pop()
                    self._ranges += [(name, start, line) for name in names]
            if rules and alone:
                open_rules.append((rules, line))
            else:
                self._lines.update((rule, line) for rule in rules)
        for names, start in open_rules:
            self._ranges += [(name, start, count) for name in names]


def silenced_in(program: ast.Program) -> Silenced:
    """Return the rules that the comments of a program switch off."""
    return Silenced(program.source, comments_of(program))


def comments_of(program: ast.Program) -> Iterator[tuple[int, bool, str]]:
    """Yield line, whether nothing is before it, and text of the comments with such words."""
    texts = [
        range(node.start, node.end) for node in program.body.walk() if isinstance(node, _TEXTS)
    ]
    return comments_in(program.source, texts, _BEGINNING)


def comments_in(
    source: Source, texts: list[range], beginning: re.Pattern[str]
) -> Iterator[tuple[int, bool, str]]:
    """Yield line, whether nothing is before it, and text of the comments with such words.

    In ``texts`` no comment begins.
    """
    for number in range(1, len(source.line_starts) + 1):
        text = source.line(number)
        if "lint:" not in text:
            continue
        start = source.line_starts[number - 1]
        for found in beginning.finditer(text):
            at = start + found.start()
            if not any(at in each for each in texts):
                comment = text[found.start() :]
                yield number, not text[: found.start()].strip(), comment
                break
