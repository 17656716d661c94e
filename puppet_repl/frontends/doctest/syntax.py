"""Check whether a block is Puppet code: whole, with gaps (``...``), or a part of a construct.

Documents leave out irrelevant code, and show only the attribute that they describe. Neither is a
fault. The parser finds the gaps: if it stops at dots, they are replaced by nothing or by a value. A
part is code that parses within one of FRAMES.
"""

from __future__ import annotations

import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.base.yaml_data import YamlError, read_yaml
from puppet_repl.frontends.doctest.documents import TEMPLATE
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.inspection.findings import warnings_of

__all__ = ["Parsed", "parse_block"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import Report
    from puppet_repl.frontends.doctest.documents import Block
    from puppet_repl.language.syntax.ast import Program

# The constructs of which code may be a part: a name, and the text before and after the part.
FRAMES = (
    ("entries of a hash", "$_ = {", "\n}"),
    ("attributes of a resource", "notify { '_':", "\n}"),
    ("parameters", "class a::b(", "\n) { }"),
    ("items of an array", "$_ = [", "\n]"),
    ("options of a case expression", "case 0 {", "\n}"),
    ("resources of one type", "notify {", "\n}"),
)
_DOTS = re.compile(r"\.{3}|…")
# In place of dots: nothing, or a value of the same length, so that locations stay.
_NOTHING = {"...": "   ", "…": " "}
_VALUE = {"...": "'.'", "…": "0"}
# Who leaves out more writes no example.
_MAX_DOTS = 100
_plan = re.compile(r"^\s*plan\s+\w", re.MULTILINE).search
_data = re.compile(r"^(---|[\w:'\"-]+:(\s|$))", re.MULTILINE).search


class Parsed:
    """A parsed block: ``program`` is its tree, None for a part or a faulty block.

    ``has_gaps`` is whether code is left out, ``part`` the construct of which the block is a part,
    or ''. ``error`` has the lines of the document; the reason may be that the block ``is_data``.
    """

    __slots__ = ("error", "has_gaps", "is_data", "part", "program", "source", "warnings")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.program: Program | None = None
        self.has_gaps = False
        self.part = ""
        self.is_data = False
        self.error: PuppetError | None = None
        self.warnings: list[Report] = []


def source_of(block: Block, name: str) -> Source:
    """Return the code of a block as a text with the lines of its document."""
    return Source("\n" * (block.line - 1) + "\n".join(block.lines) + "\n", name)


def parse_block(
    block: Block, name: str, *, language: str = DEFAULT_LANGUAGE, strict: str = "error"
) -> Parsed:
    """Parse and validate a block of the document of that name; nothing is raised for its code."""
    parsed = Parsed(source_of(block, name))
    reader = _Reader(block, language, strict)
    text = parsed.source.text
    error = reader.error_in(text)
    if error is not None and _dots_at(text, error) is not None:
        text, error = reader.filled(text, error)
        parsed.has_gaps = error is None
    if error is None:
        parsed.program = reader.program
        parsed.warnings = reader.warnings
        return parsed
    parsed.part, within = reader.part(parsed.source.text, block.line)
    if not parsed.part:
        parsed.is_data = _is_data("\n".join(block.lines))
        if parsed.is_data:
            error.notes = (*error.notes, "this is YAML: call the block yaml")
        elif within is not None and (within.line or 0) > (error.line or block.line):
            error = within
        parsed.error = _located(error, parsed.source)
    return parsed


class _Reader:
    """Parses one block in several ways; ``program`` is the tree of the last attempt."""

    def __init__(self, block: Block, language: str, strict: str) -> None:
        self._language = language
        self._strict = strict
        self._is_template = block.language == TEMPLATE
        self._is_plan = _plan("\n".join(block.lines)) is not None
        self.program: Program | None = None
        self.warnings: list[Report] = []

    def error_in(self, text: str) -> PuppetError | None:
        """Return the error of a text, None for Puppet code."""
        try:
            self.program = parse(Source(text), epp=self._is_template, tasks=self._is_plan)
            self.warnings = warnings_of(
                self.program, language=self._language, strict=self._strict, tasks=self._is_plan
            )
        except PuppetError as error:
            return error
        return None

    def filled(self, text: str, error: PuppetError) -> tuple[str, PuppetError | None]:
        """Return a text with its dots replaced, and the error that is left."""
        found: PuppetError | None = error
        for _ in range(_MAX_DOTS):
            span = None if found is None else _dots_at(text, found)
            if span is None:
                break
            dots = text[slice(*span)]
            ways = [text[: span[0]] + table[dots] + text[span[1] :] for table in (_NOTHING, _VALUE)]
            errors = [self.error_in(way) for way in ways]
            # Take the way that gets further, else replace the dots by nothing.
            best = 1 if _progress(errors[1], text) > _progress(errors[0], text) else 0
            text, found = ways[best], errors[best]
        if found is None:
            self.error_in(text)  # the tree is of the way that was taken
        return text, found

    def part(self, text: str, line: int) -> tuple[str, PuppetError | None]:
        """Return the construct of which a text is a part, or '' for none.

        The error is then the one from the frame in which the parser gets furthest.
        """
        furthest: PuppetError | None = None
        if self._is_template:
            return "", None
        start = line - 1
        for name, before, behind in FRAMES:
            framed = text[:start] + before + text[start:]
            error = self.error_in(framed + behind)
            if error is not None and _dots_at(framed, error) is not None:
                error = self.filled(framed + behind, error)[1]
            if error is None:
                return name, None
            # The text after the part is not the author's.
            if error.start is not None and start + len(before) <= error.start < len(framed):
                error.start -= len(before)
                error.end = None if error.end is None else error.end - len(before)
                if furthest is None or error.start > (furthest.start or 0):
                    furthest = error
        return "", furthest


def _dots_at(text: str, error: PuppetError) -> tuple[int, int] | None:
    """Return the span of the dots that the parser stops at; None if it stops elsewhere."""
    if error.start is None:
        return None
    for found in _DOTS.finditer(text, max(error.start - 2, 0), error.start + 3):
        if found.start() <= error.start < found.end():
            return found.span()
    return None


def _progress(error: PuppetError | None, text: str) -> int:
    """Return how far the parser gets in a text."""
    if error is None:
        return len(text) + 1
    return len(text) if error.start is None else error.start


def _located(error: PuppetError, source: Source) -> PuppetError:
    """Move an error into the document, whose text still has its dots."""
    error.source = source
    if error.start is not None:
        error.line, error.column = source.position(error.start)
    for report in error.reports:
        report.source = source
    return error


def _is_data(text: str) -> bool:
    """Tell whether a text is a mapping in YAML, as the data of Hiera are."""
    try:
        return _data(text) is not None and isinstance(read_yaml(text), dict)
    except YamlError:
        return False
