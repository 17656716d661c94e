"""Tells which tests need modules that only POSIX has: elsewhere they cannot even be imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
ONLY_POSIX = frozenset(("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"))


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the modules that a module of the tests imports when it is imported itself."""
    names: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            names.update(each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.add(node.module)
            names.update(f"{node.module}.{each.name}" for each in node.names)
    return frozenset(names)


def reached(path: Path, seen: set[Path]) -> Iterator[str]:
    """Yield what a module of the tests and all those that it imports import."""
    seen.add(path)
    for name in sorted(imported(path)):
        yield name
        helper = TESTS.parent.joinpath(*name.split(".")).with_suffix(".py")
        if name.startswith("tests.") and helper.is_file() and helper not in seen:
            yield from reached(helper, seen)


def needing_posix() -> list[str]:
    """Return the modules with tests that need POSIX, as paths below the directory of the tests."""
    return sorted(
        path.relative_to(TESTS).as_posix()
        for path in TESTS.rglob("test_*.py")
        if not ONLY_POSIX.isdisjoint(reached(path, set()))
    )
