"""Predicates that are worth generating code for.

A Struct in a filter over 20,000 hashes spends its time in calls from one predicate to the next.
A container that is tested often gets its test written out as one Python function, in which the
tests of strings, numbers, patterns and containers stand in line, and only other types are called.
"""

from __future__ import annotations

from puppet_repl.types.model.base import ANY, PuppetType
from puppet_repl.types.model.collection import ArrayType, HashType, StructType
from puppet_repl.types.model.scalar import (
    INFINITY,
    EnumType,
    IntegerType,
    PatternType,
    RegexpType,
    StringType,
)
from puppet_repl.types.model.wrapper import OptionalType
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.types.model.base import Predicate

_MISSING = object()
_ENOUGH = 20


def _bounds(subject: str, low: float, high: float) -> str:
    """An expression that is true where ``subject`` is within the bounds; '' for all."""
    if low == -INFINITY:
        return "" if high == INFINITY else f"{subject} <= {high}"
    if high == INFINITY:
        return f"{low} <= {subject}"
    return f"{low} <= {subject} <= {high}"


class _Code:
    """The lines of one function, and the objects that they name.

    Every piece of code tests a local variable and returns False where it is no instance.
    """

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"PuppetHash": PuppetHash, "_MISSING": _MISSING}
        self.lines: list[str] = []
        self.depth = 1
        self.locals = 0

    def add(self, line: str) -> None:
        """One line at the depth of the block."""
        self.lines.append(" " * self.depth + line)

    def fresh(self) -> str:
        """The name of a new local variable."""
        self.locals += 1
        return f"x{self.locals}"

    def named(self, value: Any) -> str:
        """A name for an object."""
        name = f"o{len(self.names)}"
        self.names[name] = value
        return name

    def require(self, kind: PuppetType, subject: str) -> None:
        """Code that goes on only where ``subject`` is an instance of ``kind``."""
        if kind == ANY:
            return
        if type(kind) is ArrayType:
            self._array(kind, subject)
        elif type(kind) is HashType:
            self._hash(kind, subject)
        elif type(kind) is StructType and kind.elements:
            self._struct(kind, subject)
        elif type(kind) is OptionalType and kind.type is not None:
            self.add(f"if {subject} is not None:")
            self.depth += 1
            self.require(kind.type, subject)
            self.add("pass")
            self.depth -= 1
        else:
            self.add(f"if not {self._test(kind, subject)}: return False")

    def _test(self, kind: PuppetType, subject: str) -> str:
        if type(kind) is StringType:
            return self._string(kind, subject)
        if type(kind) is IntegerType:
            bounds = _bounds(subject, kind.low, kind.high)
            test = f"type({subject}) is int"
            return f"({test} and {bounds})" if bounds else f"({test})"
        if type(kind) is PatternType and len(kind.patterns) == 1:
            return f"(type({subject}) is str and {self._match(kind.patterns[0], subject)})"
        if type(kind) is EnumType and not kind.ignores_case:
            values = self.named(frozenset(kind.values))
            return f"(type({subject}) is str and {subject} in {values})"
        return f"{self.named(kind.predicate())}({subject})"

    def _match(self, kind: RegexpType, subject: str) -> str:
        matches = f"{self.named(kind.regexp.matches)}({subject})"
        shortcut = kind.regexp.shortcut()
        if shortcut is None:
            return matches
        search, limit, any_text = shortcut
        fits = f"len({subject}) <= {limit}" + ("" if any_text else f" and {subject}.isascii()")
        return f"({self.named(search)}({subject}) is not None if {fits} else {matches})"

    def _string(self, kind: StringType, subject: str) -> str:
        test = f"type({subject}) is str"
        if kind.value is not None:
            return f"({test} and {subject} == {kind.value!r})"
        if kind.size is None or (kind.size.low == 0 and kind.size.high == INFINITY):
            return f"({test})"
        if kind.size.low == 1 and kind.size.high == INFINITY:
            return f"({test} and {subject} != '')"
        return f"({test} and {_bounds(f'len({subject})', kind.size.low, kind.size.high)})"

    def _size(self, size: IntegerType | None, subject: str) -> None:
        if size is not None:
            bounds = _bounds(f"len({subject})", size.low, size.high)
            self.add(f"if not ({bounds}): return False")

    def _array(self, kind: ArrayType, subject: str) -> None:
        self.add(f"if type({subject}) is not tuple: return False")
        self._size(kind.size, subject)
        self._each(kind.element, subject)

    def _each(self, kind: PuppetType, source: str) -> None:
        if kind == ANY:
            return
        item = self.fresh()
        self.add(f"for {item} in {source}:")
        self.depth += 1
        self.require(kind, item)
        self.depth -= 1

    def _hash(self, kind: HashType, subject: str) -> None:
        self.add(f"if type({subject}) is not PuppetHash: return False")
        self._size(kind.size, subject)
        self._each(kind.key, f"{subject}.keys()")
        self._each(kind.value, f"{subject}._values.values()")

    def _struct(self, kind: StructType, subject: str) -> None:
        items, get, seen = self.fresh(), self.fresh(), self.fresh()
        required = sum(not one.optional for one in kind.elements)
        all_required = required == len(kind.elements)
        self.add(f"if type({subject}) is not PuppetHash: return False")
        self.add(f"{items} = {subject}._values")
        if all_required:
            self.add(f"if len({items}) != {required}: return False")
        else:
            self.add(f"{seen} = {required}")
        self.add(f"{get} = {items}.get")
        for one in kind.elements:
            item = self.fresh()
            self.add(f"{item} = {get}({one.name!r}, _MISSING)")
            if one.optional:
                self.add(f"if {item} is not _MISSING:")
                self.depth += 1
                self.require(one.value, item)
                self.add(f"{seen} += 1")
                self.depth -= 1
            else:
                self.add(f"if {item} is _MISSING: return False")
                self.require(one.value, item)
        if not all_required:
            self.add(f"if {seen} != len({items}): return False")


class _Runs:
    """How often a predicate ran, and its generated form once that was often enough."""

    __slots__ = ("compiled", "count")

    def __init__(self) -> None:
        self.count = 0
        self.compiled: Predicate | None = None


def adaptive(kind: PuppetType, plain: Predicate) -> Predicate:
    """A predicate that runs ``plain`` until generating code for it pays."""
    runs = _Runs()

    def check(value: object) -> bool:
        compiled = runs.compiled
        if compiled is not None:
            return compiled(value)
        runs.count += 1
        if runs.count > _ENOUGH:
            runs.compiled = _generated(kind)
        return plain(value)

    return check


def struct_predicate(struct: StructType) -> Predicate:
    """The test of a Struct: its keys by name, and no others."""
    if not struct.elements:
        return lambda value: type(value) is PuppetHash and len(value) == 0
    checks = [(one.name, one.optional, one.value.predicate()) for one in struct.elements]

    def check(value: Any) -> bool:
        if type(value) is not PuppetHash:
            return False
        matched = 0
        get = value.get
        for name, optional, is_value in checks:
            item = get(name, _MISSING)
            if item is _MISSING:
                if not optional:
                    return False
            elif is_value(item):
                matched += 1
            else:
                return False
        return matched == len(value)

    return adaptive(struct, check)


def _generated(kind: PuppetType) -> Predicate:
    code = _Code()
    code.require(kind, "value")
    text = "\n".join(["def check(value):", *code.lines, " return True"])
    exec(compile(text, "<predicate>", "exec"), code.names)
    made: Predicate = code.names["check"]
    return made
