"""Imports point one way, the parts that must stand alone do, and the start stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ENGINE = ROOT / "puppet_repl"
ORDER = (
    ("errors", "version", "base"),
    ("syntax",),
    ("values",),
    ("types", "types.model"),
    ("types.algebra",),
    ("types.text",),
    ("types.making",),
    ("runtime",),
    ("functions",),
    ("compiler",),
    ("catalog",),
    ("environment",),
    ("session",),
    ("inspection.symbols", "frontend.settings", "frontend.history"),
    ("inspection.suggestions", "frontend.host"),
    ("commands",),
    ("completion", "inspection"),
    ("render",),
    ("frontend",),
    ("doctest",),
    ("sphinx_domain",),
    ("terminal",),
    ("cli",),
    ("__main__",),
)
# What is imported upwards when it is needed: the verbs of a session stand on it, commands show what
# completion and inspection know, and two programs show what others print.
LATE = {
    ("session", "completion"),
    ("session", "inspection"),
    ("session", "inspection.suggestions"),
    ("commands", "completion"),
    ("commands", "inspection"),
}
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}
HEAVY = (
    "argparse",
    "ast",
    "asyncio",
    "dataclasses",
    "datetime",
    "decimal",
    "inspect",
    "json",
    "prompt_toolkit",
    "pygments",
    "regex",
    "typing",
    "yaml",
)


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def imports_of(path: Path, *, only_at_start: bool = False) -> set[str]:
    """Names of the modules that a file imports; those for the type checker do not count."""
    found: set[str] = set()

    def visit(body: list[ast.stmt]) -> None:
        for node in body:
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                found.add(node.module)
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
            elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                visit(node.orelse)
            elif only_at_start and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            else:
                for field in ("body", "orelse", "finalbody", "handlers"):
                    visit([n for n in getattr(node, field, []) if isinstance(n, ast.AST)])

    visit(ast.parse(path.read_text(encoding="utf-8")).body)
    return found


def part_of(module: str) -> str | None:
    """Return the layer of a module of the engine: the longest name in ORDER that it begins with."""
    names = module.split(".")
    if names[0] != "puppet_repl" or len(names) < 2:
        return None
    for length in range(len(names), 1, -1):
        name = ".".join(names[1:length])
        if name in RANK:
            return name
    return names[1]


def layer_of(path: Path) -> str | None:
    return part_of(".".join(path.relative_to(ROOT).with_suffix("").parts))


@pytest.mark.parametrize("path", modules(ENGINE), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_at_start_point_one_way(path: Path) -> None:
    part = layer_of(path)
    if part == "__init__":
        return
    assert part in RANK, f"give {part} a place in the order"
    for module in imports_of(path, only_at_start=True):
        other = part_of(module)
        if other is not None and other in RANK and other != part:
            assert RANK[other] < RANK[part], f"{part} imports {module}"


@pytest.mark.parametrize("path", modules(ENGINE), ids=lambda p: str(p.relative_to(ROOT)))
def test_late_imports_do_not_point_up(path: Path) -> None:
    part = layer_of(path)
    for module in imports_of(path):
        other = part_of(module)
        if other in RANK and part in RANK and (part, other) not in LATE:
            assert RANK[other] <= RANK[part], f"{part} imports {module}"


def test_the_lexer_stands_alone() -> None:
    for path in modules(ROOT / "lexer_pygments"):
        for module in imports_of(path):
            assert not module.startswith(("puppet_repl", "puppet_kernel")), f"{path}: {module}"


def test_the_kernel_uses_the_session_and_what_stands_on_it() -> None:
    allowed = RANK["session"]
    below = ("version", "errors", "base", "environment")
    for path in modules(ROOT / "kernel"):
        for module in imports_of(path):
            part = part_of(module)
            if part is not None:
                assert part in below or RANK[part] >= allowed, f"{path}: {module}"


def test_an_expression_loads_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); from puppet_repl.cli import main; "
        "main(['-e', '[1, 2].map |$x| { $x * 2 }']); "
        f"print(*sorted((set(sys.modules) - before) & set({HEAVY!r})))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[2, 4]", ""]


def test_no_marks_are_left_in_the_code() -> None:
    marks = ("TO" + "DO", "FIX" + "ME")
    for folder in ("puppet_repl", "kernel", "lexer_pygments"):
        for path in modules(ROOT / folder):
            text = path.read_text(encoding="utf-8")
            for mark in marks:
                assert mark not in text, f"{mark} in {path}"
