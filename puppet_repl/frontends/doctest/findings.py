"""Findings in blocks of code and in examples, with their locations."""

from __future__ import annotations

from puppet_repl.tools.rendering.diagnostics import error_text

__all__ = ["FAILED", "MISSING", "REFUSED", "Difference", "Failure"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.frontends.doctest.documents import Block
    from puppet_repl.frontends.doctest.examples import Example

    Finding: TypeAlias = "Difference | Failure"

# The kinds of failures: refused by the parser, not compiled, not compiled without a module.
REFUSED, FAILED, MISSING = "refused", "failed", "missing"
_SENTENCES = {REFUSED: "is not Puppet code", FAILED: "does not compile"}


class Difference:
    """An example that does not hold, at a line of its document."""

    __slots__ = ("code", "expected", "got", "line")

    kind = "differs"
    sentence = "the example differs"
    column: int | None = None

    def __init__(self, example: Example, expected: str, got: str) -> None:
        self.line = example.line
        self.code = "\n".join(line.rstrip() for line in example.code.strip("\n").split("\n"))
        self.expected = expected
        self.got = got

    @property
    def message(self) -> str:
        """The code, the expected and the actual result, in several lines."""
        lines = []
        for label, text in (("", self.code), ("expected", self.expected), ("got", self.got)):
            first, *rest = text.split("\n")
            lead = f"{label + ':':10}" if label else ""
            lines += [f"{lead}{first}", *[f"{' ' * len(lead)}{line}" for line in rest]]
        return "\n".join(lines)

    @property
    def details(self) -> str:
        """The lines below the sentence."""
        return self.message

    def text(self, name: str) -> str:
        """Return a report of several lines."""
        return f"{name}:{self.line}:\n{_indented(self.message)}"

    @property
    def summary(self) -> str:
        """The report in one line."""
        code, expected, got = (
            " ".join(text.split()) for text in (self.code, self.expected, self.got)
        )
        return f"example differs: {code}: expected {expected}, got {got}"


class Failure:
    """A block that is refused, or does not compile; ``module`` is the missing module, if any.

    The location is in the document ``name``, even if the error is in the code of a module.
    """

    __slots__ = ("column", "error", "kind", "line", "module")

    def __init__(
        self, block: Block, name: str, error: PuppetError, kind: str, module: str = ""
    ) -> None:
        self.kind = kind
        self.error = error
        self.module = module
        self.line = block.line
        self.column: int | None = None
        found = _position(error, name)
        if found is not None:
            self.line = found[0]
            self.column = None if found[1] is None else found[1] + block.margin

    @property
    def sentence(self) -> str:
        """The failure in a sentence."""
        if self.kind == MISSING:
            return f"the example needs the module {self.module}, which is not on the module path"
        return f"the example {_SENTENCES[self.kind]}"

    @property
    def message(self) -> str:
        """The error with its line of code, its hints and the way to it."""
        return error_text(self.error).rstrip("\n")

    @property
    def details(self) -> str:
        """The lines below the sentence; nothing for a missing module."""
        return "" if self.kind == MISSING else self.message

    def text(self, name: str) -> str:
        """Return a report of several lines, or of one line for a missing module."""
        place = f"{name}:{self.line}" + (f":{self.column}" if self.column is not None else "")
        details = _indented(self.details) if self.details else ""
        return f"{place}: {self.sentence}\n{details}"

    @property
    def summary(self) -> str:
        """The report in one line."""
        reports = self.error.reports
        told = reports[0].message if len(reports) == 1 else self.error.message
        return f"{self.sentence}: {' '.join(told.split())}"


def _position(error: PuppetError, name: str) -> tuple[int, int | None] | None:
    """Return where in a document an error is, or what called the code that it is in."""
    if error.line is not None and error.file == name:
        return error.line, error.column
    for report in error.reports:
        return report.position
    for frame in error.frames:
        if frame.file == name:
            return frame.line, frame.column
    return None


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in text.split("\n"))
