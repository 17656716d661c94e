"""Types with odd parameters, alone and in pairs, and calls of types with odd arguments."""

from __future__ import annotations

import random
from collections.abc import Iterator

from puppet_repl.language.types.data_types import DATA_TYPES
from tests.recorded import Case

PARAMETERS = (
    *("undef", "default", "true", "''", "'a'", "'0'", "'1.5'", "'Integer'", "'2020-01-02'"),
    *("'a/b'", "'1.2.3'", "'>=1.0.0'", "'[0'", "'ruby'", "'File'", "'é'", "0", "1", "-1"),
    *("3", "4294967296", "1.5", "-0.0", "1.0e300", "[]", "[1]", "['a', 'b']"),
    *("[Integer, 'a']", "[undef]", "[[1, 2]]", "{}", "{'a' => 1}", "{'a' => Integer}"),
    *("{Optional['a'] => String}", "{1 => 2}", "/a/", "/[/", "{hours => 1, days => 'x'}"),
    *("{hours => []}", "{attributes => {a => Integer}}", "{types => {}}"),
    *("{name => 'N', parent => 'P'}", "{path => '/a b', host => 'é'}", "String"),
    *("Integer[0, 3]", "Type[Integer]", "Array[String, 1]", "File['/a']", "Class['a']"),
    *("Sensitive(1)", "Any", "SemVer('1.2.3')", "SemVerRange('1.x')", "Timespan(1)"),
    *("Timestamp(0)", "Binary('YQ==')", "Callable[Integer]", "Struct[{a => String}]"),
    *("Variant[Integer, Undef]", "Nope", "URI('a:b')"),
)
ARGUMENTS = (
    *PARAMETERS,
    *("'0x1f', 16", "'101', 2", "1, '%x'", "'1', 10, true", "[1, 2], 'tree'", ""),
)
VALUES = ("1", "'a'", "undef", "[1]", "{'a' => 1}", "1.5", "/a/", "Integer", "File['/a']")


def names() -> list[str]:
    """Return the names of the types of the language, and two of resources."""
    return [*sorted(record.name for record in DATA_TYPES.values()), "File", "Notify"]


def programs(count: int, seed: int) -> Iterator[Case]:
    """Yield requests: each type with each parameter, then ``count`` pairs, calls and matches."""
    number = 0
    for name in names():
        for parameter in PARAMETERS:
            number += 1
            yield {"id": f"types-{number}", "code": f"{name}[{parameter}]"}
    chooser = random.Random(seed)
    seen: set[str] = set()
    every = names()
    while len(seen) < count:
        code = odd_use(every[len(seen) % len(every)], chooser)
        if code not in seen:
            seen.add(code)
            yield {"id": f"types-{seed}-{number + len(seen)}", "code": code}


def odd_use(name: str, chooser: random.Random) -> str:
    """Return a type with several parameters, a call of one, or a value that is matched with one."""
    parameters = ", ".join(chooser.choice(PARAMETERS) for _ in range(chooser.choice((1, 2, 2, 3))))
    kind = chooser.randrange(6)
    if kind < 2:
        return f"{name}[{parameters}]"
    if kind == 2:
        return f"{name}({chooser.choice(ARGUMENTS)})"
    if kind == 3:
        return f"{name}[{parameters}].new({chooser.choice(ARGUMENTS)})"
    if kind == 4:
        return f"{chooser.choice(VALUES)} =~ {name}[{parameters}]"
    other = f"{name}[{chooser.choice(PARAMETERS)}]"
    return f"[{name}[{parameters}] <= {other}, {name}[{parameters}] == {other}]"
