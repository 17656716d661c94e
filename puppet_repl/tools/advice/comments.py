"""The comments that switch rules off."""

from __future__ import annotations

import re

from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.rules import RULE_OF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = re.compile(r"lint:(?:ignore:(?P<rule>\w+)|(?P<end>endignore))")
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

    def __init__(self, program: ast.Program) -> None:
        self._lines: set[tuple[str, int]] = set()
        self._ranges: list[tuple[str, int, int]] = []
        if "lint:ignore:" in program.source.text:
            self._read(program)

    def covers(self, rule: str, first: int, last: int) -> bool:
        """Tell whether a rule is off on one of these lines, which are counted from 1."""
        return any((rule, line) in self._lines for line in range(first, last + 1)) or any(
            rule == name and start <= first <= end for name, start, end in self._ranges
        )

    def _read(self, program: ast.Program) -> None:
        open_rules: list[tuple[list[str], int]] = []
        count = len(program.source.line_starts)
        for line, alone, text in _comments(program):
            rules = []
            for found in _WORD.finditer(text):
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


def _comments(program: ast.Program) -> Iterator[tuple[int, bool, str]]:
    """Yield line, whether nothing is before it, and text of the comments with such words."""
    source = program.source
    taken = [
        range(node.start, node.end) for node in program.body.walk() if isinstance(node, _TEXTS)
    ]
    for number in range(1, len(source.line_starts) + 1):
        text = source.line(number)
        if "lint:" not in text:
            continue
        start = source.line_starts[number - 1]
        for found in _BEGINNING.finditer(text):
            at = start + found.start()
            if not any(at in each for each in taken):
                comment = text[found.start() :]
                yield number, not text[: found.start()].strip(), comment
                break
