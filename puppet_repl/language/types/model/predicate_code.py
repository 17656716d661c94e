"""Predicates that are worth generating code for.

A Struct in a filter over 20,000 hashes spends its time in calls from one predicate to the next.
A container that is tested often gets its test written out as one Python function, in which the
tests of strings, numbers, patterns and containers are inline, and only other types are called.
Every type writes its own part (``PuppetType.write_test``).
"""

from __future__ import annotations

from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.types.model.base import Predicate, PuppetType

MISSING = object()
_ENOUGH = 20
_MAX_DEPTH = 3
_MAX_LINES = 300


class PredicateCode:
    """The lines of one function, and the objects that they name.

    Every piece of code tests a local variable and returns False where it is not an instance.
    """

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"PuppetHash": PuppetHash, "_MISSING": MISSING}
        self.lines: list[str] = []
        self.depth = 1
        self.locals = 0

    def add(self, line: str) -> None:
        """Add a line at the depth of the block."""
        self.lines.append(" " * self.depth + line)

    def require(self, test: str) -> None:
        """Add a line that goes on only where an expression is true."""
        self.add(f"if not {test}: return False")

    def fresh(self) -> str:
        """Return the name of a new local variable."""
        self.locals += 1
        return f"x{self.locals}"

    def named(self, value: object) -> str:
        """Return a name for an object."""
        name = f"o{len(self.names)}"
        self.names[name] = value
        return name

    def test_part(self, kind: PuppetType, subject: str) -> None:
        """Write the test of a part; one deep inside is called, since parts may be shared."""
        if self.depth > _MAX_DEPTH or len(self.lines) > _MAX_LINES:
            self.require(kind.inline_test(self, subject))
        else:
            kind.write_test(self, subject)

    def function(self) -> Predicate:
        """Compile the lines."""
        text = "\n".join(["def check(value):", *self.lines, " return True"])
        exec(compile(text, "<predicate>", "exec"), self.names)
        check: Predicate = self.names["check"]
        return check


class _Runs:
    """How often a predicate ran, and its generated form once that was often enough."""

    __slots__ = ("compiled", "count")

    def __init__(self) -> None:
        self.count = 0
        self.compiled: Predicate | None = None


def adaptive(kind: PuppetType, plain: Predicate) -> Predicate:
    """Return a predicate that runs ``plain`` until generating code for it pays."""
    runs = _Runs()

    def check(value: object) -> bool:
        compiled = runs.compiled
        if compiled is not None:
            return compiled(value)
        runs.count += 1
        if runs.count > _ENOUGH:
            code = PredicateCode()
            kind.write_test(code, "value")
            runs.compiled = code.function()
        return plain(value)

    return check
