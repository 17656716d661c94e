"""The bench programs as somebody would write them in plain Python, for comparison."""

from __future__ import annotations

import re
from typing import Any


def fib() -> int:
    def number(n: int) -> int:
        return n if n < 2 else number(n - 1) + number(n - 2)

    return number(22)


def hashes() -> int:
    table: dict[str, int] = {}
    for i in range(1, 3001):
        table[f"k{i}"] = i
    pairs = [[value, key] for key, value in table.items()]
    kept = {}
    for key, value in table.items():
        found = re.search(r"k(\d+)", key)
        if value % 3 == 0 and found and int(found[1]) == value:
            kept[key] = value
    return len(pairs) + len(kept)


def loop() -> int:
    total = 0
    for x in range(1, 200001):
        total = total + x * 2 % 7
    return total


def match() -> int:
    def kind(i: int) -> str:
        rest = i % 15
        if rest == 0:
            return "fizzbuzz"
        if rest in (3, 6, 9, 12):
            return "fizz"
        if rest in (5, 10):
            return "buzz"
        return "small" if 0 <= i <= 100 else "big"

    return len([kind(i) for i in range(1, 30001)])


def strings() -> int:
    return len([f"item-{i}: {i * 2} {'odd' if i % 2 else 'even'}" for i in range(1, 50001)])


def types() -> int:
    tag = re.compile(r"\A[a-z]+\Z")
    data: list[dict[str, Any]] = [
        {"name": f"n{i}", "port": i, "tags": ["abc", "def"]} for i in range(1, 20001)
    ]

    def is_entry(entry: dict[str, Any]) -> bool:
        return (
            isinstance(entry["name"], str)
            and len(entry["name"]) >= 1
            and isinstance(entry["port"], int)
            and 1 <= entry["port"] <= 65535
            and all(isinstance(t, str) and tag.search(t) for t in entry.get("tags", ()))
        )

    good = [entry for entry in data if is_entry(entry)]
    bad = [e for e in data if isinstance(e["name"], int) and 1 <= e["port"] <= 65535]
    return len(good) + len(bad)


PROGRAMS = {
    "fib": fib,
    "hashes": hashes,
    "loop": loop,
    "match": match,
    "strings": strings,
    "types": types,
}
