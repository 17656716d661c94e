"""Predicates that are worth generating code for.

A Struct in a filter over 20,000 hashes spends its time in calls from one predicate to the next.
Its test is therefore written out as one Python function, in which the tests of strings, numbers
and arrays of them stand in line, and only other types are called.
"""

from __future__ import annotations

from puppet_repl.types.base import ANY, PuppetType
from puppet_repl.types.scalar import INFINITY, IntegerType, StringType
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.types.base import Predicate
    from puppet_repl.types.collection import StructType

_MISSING = object()


def _bounds(subject: str, low: float, high: float) -> str:
    """An expression that is true where ``subject`` is within the bounds; '' for all."""
    if low == -INFINITY:
        return "" if high == INFINITY else f"{subject} <= {high}"
    if high == INFINITY:
        return f"{low} <= {subject}"
    return f"{low} <= {subject} <= {high}"


class _Code:
    """Tests as Python source, with the objects that they name."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"PuppetHash": PuppetHash, "_MISSING": _MISSING}

    def test(self, kind: PuppetType, subject: str) -> str:
        """An expression that is true where the local ``subject`` is an instance of ``kind``."""
        if kind == ANY:
            return "True"
        if type(kind) is StringType:
            return self._string(kind, subject)
        if type(kind) is IntegerType:
            bounds = _bounds(subject, kind.low, kind.high)
            test = f"type({subject}) is int"
            return f"({test} and {bounds})" if bounds else test
        name = f"p{len(self.names)}"
        self.names[name] = kind.predicate()
        return f"{name}({subject})"

    def _string(self, kind: StringType, subject: str) -> str:
        test = f"type({subject}) is str"
        if kind.value is not None:
            return f"({test} and {subject} == {kind.value!r})"
        if kind.size is None or (kind.size.low == 0 and kind.size.high == INFINITY):
            return test
        if kind.size.low == 1 and kind.size.high == INFINITY:
            return f"({test} and {subject} != '')"
        return f"({test} and {_bounds(f'len({subject})', kind.size.low, kind.size.high)})"


def struct_predicate(struct: StructType) -> Predicate:
    """The test of a Struct: its keys by name, and no others."""
    if not struct.elements:
        return lambda value: type(value) is PuppetHash and len(value) == 0
    checks = [(one.name, one.optional, one.value.predicate()) for one in struct.elements]
    run = _Run()

    def check(value: Any) -> bool:
        if type(value) is not PuppetHash:
            return False
        if run.compiled is not None:
            return run.compiled(value)
        run.count += 1
        if run.count > 20:
            run.compiled = _generated(struct)
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

    return check


class _Run:
    """How often a predicate ran, and its generated form once that was often enough."""

    __slots__ = ("compiled", "count")

    def __init__(self) -> None:
        self.count = 0
        self.compiled: Predicate | None = None


def _generated(struct: StructType) -> Predicate:
    code = _Code()
    lines = ["def check(value):", " items = value._values"]
    required = sum(not one.optional for one in struct.elements)
    if required == len(struct.elements):
        lines.append(f" if len(items) != {required}: return False")
    else:
        lines.append(f" seen = {required}")
    lines.append(" get = items.get")
    for one in struct.elements:
        lines.append(f" x = get({one.name!r}, _MISSING)")
        test = code.test(one.value, "x")
        if one.optional:
            lines += [" if x is not _MISSING:", f"  if not {test}: return False", "  seen += 1"]
        else:
            lines.append(f" if x is _MISSING or not {test}: return False")
    all_required = required == len(struct.elements)
    lines.append(" return True" if all_required else " return seen == len(items)")
    exec("\n".join(lines), code.names)
    made: Predicate = code.names["check"]
    return made
