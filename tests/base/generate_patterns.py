"""Write puppet_repl/base/pattern_codes.py: python -m tests.base.generate_patterns (make patterns).

Each version of Python that makes the same code as those before it is added to them.
"""

from __future__ import annotations

import _sre
import re
import textwrap
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from puppet_repl.base import pattern_codes
from puppet_repl.base.patterns import LatePattern
from puppet_repl.language.syntax.strings import Style

Compiled = tuple[int, int, tuple[int, ...]]
MODULES = (
    "language.compiler.unit",
    "environment.modules.offered_names",
    "environment.modules.modules",
    "frontends.shared.result_hints",
    "language.functions.patterns",
    "language.syntax.brackets",
    "language.syntax.checks",
    "language.syntax.definition_checks",
    "language.syntax.lexer",
    "language.syntax.number_literals",
    "language.syntax.strings",
    "language.types.model.resource",
    "language.values.convert",
    "language.values.regex",
)
HEAD = '''"""What ``re`` makes of patterns: flags, groups and code. Written by ``make patterns``."""

# ruff: noqa: E501
# fmt: off

MAGICS = frozenset((%s))
"""The versions of the engine of ``re`` that take this code."""

CODES: dict[str, tuple[int, int, tuple[int, ...]]] = {
'''


def texts() -> list[str]:
    """Return the text of every late pattern."""
    found = set()
    for module in MODULES:
        for value in vars(import_module(f"puppet_repl.{module}")).values():
            if isinstance(value, Style):
                value = value.chunk
            if isinstance(value, LatePattern):
                found.add(value.text)
    return sorted(found)


def compiled(text: str) -> Compiled:
    """Return the flags, the number of groups and the code that ``re`` makes of a pattern."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    pattern = re.compile(text)
    code = _compiler._code(_parser.parse(text), 0)
    return pattern.flags, pattern.groups, tuple([int(number) for number in code])


def written(magics: Iterable[int], codes: dict[str, Compiled]) -> str:
    """Return the module that holds codes."""
    parts = [HEAD % "".join([f"{magic}, " for magic in sorted(magics)]).strip()]
    for text, (flags, groups, code) in sorted(codes.items()):
        numbers = textwrap.fill("".join([f"{number}, " for number in code]), 92)
        lines = textwrap.indent(numbers, " " * 8)
        parts.append(f"    {text!r}: ({flags}, {groups}, (\n{lines}\n    )),\n")
    return "".join([*parts, "}\n"])


def main() -> None:
    """Write the codes of this version of Python, and which versions have the same."""
    codes = {text: compiled(text) for text in texts()}
    others = pattern_codes.MAGICS if codes == pattern_codes.CODES else frozenset()
    text = written({*others, _sre.MAGIC}, codes)
    Path(pattern_codes.__file__).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
