"""Imports point one way, late ones have a reason, and the architecture page says what is there."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.imports import (
    PROGRAMS,
    PROMPT,
    ROOT,
    SOURCES,
    UNKNOWN,
    Import,
    all_imports,
    circles,
    evaluation,
    imports_of,
    known_modules,
    loaded_by,
    needless,
    paths,
)

ENGINE = ROOT / "puppet_repl"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ORDER = (
    ("errors", "version"),
    ("base",),
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
    ("reference",),
    ("ruby",),
    ("environment",),
    ("outcome",),
    ("transaction",),
    ("execution",),
    ("site", "going_back", "lookups", "templating", "describing", "evaluating", "known_names"),
    ("session",),
    ("debugging",),
    ("rendering.fragments", "rendering.width"),
    ("graph",),
    ("rendering.opened",),
    ("rendering.values", "rendering.logs"),
    ("rendering.notebook_text",),
    ("inspection.habit_rules",),
    ("inspection.ipython_names", "inspection.surroundings"),
    (
        *("inspection.symbols", "inspection.habits", "inspection.working_directory"),
        *("frontend.settings", "frontend.history"),
    ),
    ("inspection.key_hints",),
    ("inspection.suggestions", "frontend.host", "frontend.machines", "frontend.source_files"),
    ("frontend.known_nodes",),
    ("frontend.machine_words", "frontend.catalogs"),
    ("commands.model",),
    ("commands.registry", "commands.syntax", "commands.results"),
    ("inspection",),
    ("advice",),
    ("completion",),
    ("tour",),
    ("commands",),
    ("rendering",),
    ("frontend",),
    ("api",),
    ("doctest", "testing"),
    ("sphinx_domain", "pytest_plugin"),
    ("terminal",),
    ("cli",),
    ("__main__",),
)
"""The layers, lowest first. The page shows the same order."""

UPWARD = {
    ("session", "completion"): "a session completes, and completion looks at sessions",
    ("session", "inspection"): "a session inspects, and inspection looks at sessions",
    ("session", "inspection.suggestions"): "a session adds 'did you mean' to its errors",
}
"""Layers that import a higher one when it is needed."""

NEEDS_WASMTIME = "wasmtime need not be installed"
READS_KEYS = "the first prompt is shown before what reads keys is imported"
KEPT_LATE = {
    ("puppet_pygments", "puppet_pygments.lexer"): (
        "importing the package imports no lexer: Pygments asks for them one by one"
    ),
    ("puppet_repl.cli", "puppet_repl.cli.command_line"): (
        "interrupts are left to the system before anything is imported"
    ),
    ("puppet_repl.cli.command_line", "puppet_repl.cli.program"): (
        "the interpreter is imported after the collection of garbage is switched off"
    ),
    ("puppet_repl.commands.notations", "puppet_repl.functions.stdlib.yaml_text"): (
        "an interrupt while PyYAML's part in C is imported leaves it half made"
    ),
    ("puppet_repl.terminal.opening", "puppet_repl.terminal.app"): READS_KEYS,
    ("puppet_repl.terminal.opening", "puppet_repl.terminal.quick_asyncio"): READS_KEYS,
    ("puppet_repl.cli.fleets", "puppet_repl.cli.progress_bar"): (
        "prompt_toolkit is imported only where a terminal shows the bar"
    ),
    ("puppet_repl.pytest_plugin", "puppet_repl.testing.hooks"): (
        "every run of pytest imports the plugin, whatever it tests"
    ),
    ("puppet_repl.ruby.engines", "puppet_repl.ruby.sandbox.engine"): NEEDS_WASMTIME,
    ("puppet_repl.ruby.engines", "puppet_repl.ruby.sandbox.making"): NEEDS_WASMTIME,
    ("puppet_repl.ruby.sandbox.installation", "puppet_repl.ruby.sandbox.compilation"): (
        NEEDS_WASMTIME
    ),
}
"""Late imports that neither an evaluation nor the opening of the prompt asks for, with reasons."""

CIRCLES: dict[str, list[set[str]]] = {
    "advice": [],
    "catalog": [],
    "commands": [],
    "compiler": [],
    "completion": [],
    "inspection": [],
    "syntax": [],
    "types": [
        {
            "making.ast_types",
            "making.builtin_objects",
            "making.collections_constructors",
            "making.constructor",
            "making.factory",
            "making.init",
            "making.new",
            "making.numbers_constructors",
            "making.others_constructors",
            "making.parse",
            "making.pcore",
            "making.times_constructors",
        }
    ],
}
"""Modules of a package that import each other, late imports included. The page gives the reason."""

RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}
HEAVY = (
    "argparse",
    "ast",
    "asyncio",
    "collections",
    "contextlib",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "functools",
    "inspect",
    "json",
    "prompt_toolkit",
    "pygments",
    "regex",
    "typing",
    "yaml",
)


def layer_of(module: str) -> str | None:
    """Return the layer of a module of the engine: the longest name in ORDER that it begins with."""
    names = module.split(".")
    if names[0] != "puppet_repl" or len(names) < 2:
        return None
    for length in range(len(names), 1, -1):
        name = ".".join(names[1:length])
        if name in RANK:
            return name
    return names[1]


def engine_imports(path: Path) -> list[tuple[str, str, Import]]:
    """Return the imports between different layers that a file of the engine has."""
    rows = []
    for row in imports_of(path):
        source, target = layer_of(row.source), layer_of(row.target)
        if source in RANK and target in RANK and source != target:
            rows.append((source, target, row))
    return rows


def of_engine() -> list[Path]:
    return [path for path in paths() if path.is_relative_to(ENGINE)]


def test_every_module_has_a_layer() -> None:
    missing = {layer_of(name) for name in known_modules()} - RANK.keys() - {None}
    assert not missing, f"give {missing} a place in ORDER"


@pytest.mark.parametrize("path", of_engine(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    for source, target, row in engine_imports(path):
        if not (row.late and (source, target) in UPWARD):
            assert RANK[target] < RANK[source] + row.late, (
                f"line {row.line}: {source} imports {row.target}"
            )


def test_the_exceptions_are_needed() -> None:
    upward = {
        (source, target)
        for path in of_engine()
        for source, target, _ in engine_imports(path)
        if RANK[target] > RANK[source]
    }
    assert upward == set(UPWARD), "take from UPWARD what no module does any more"


def test_what_import_module_loads_is_known() -> None:
    for row in all_imports():
        assert row.target != UNKNOWN, (
            f"line {row.line} of {row.source} imports modules by name: say in TABLES of "
            "tests/imports.py in which module the table of names stands"
        )


def test_what_imports_name_is_there() -> None:
    packages = {name.partition(".")[0] for name in known_modules()}
    for row in all_imports():
        if row.target.partition(".")[0] in packages:
            assert row.target in known_modules(), (
                f"line {row.line} of {row.source} imports {row.target}, which is not there"
            )
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.module if isinstance(node, ast.ImportFrom) else None
            if name is not None and name.partition(".")[0] in packages:
                assert name in known_modules(), f"{path} imports {name}, which is not there"


def test_late_imports_serve_the_start() -> None:
    pairs = {(row.source, row.target): row for row in needless(all_imports())}
    offending = [
        f"{known_modules()[row.source].relative_to(ROOT)}:{row.line} imports {row.target}"
        for pair, row in pairs.items()
        if pair not in KEPT_LATE
    ]
    assert not offending, (
        "these imports stand in functions, though no start gets faster by it; move them to the top "
        "of their modules (or into KEPT_LATE, with the reason):\n" + "\n".join(offending)
    )
    stale = KEPT_LATE.keys() - pairs.keys()
    assert not stale, f"take these from KEPT_LATE, they are not late or serve the start: {stale}"


def test_what_is_loaded_is_measured() -> None:
    expression, prompt = loaded_by(evaluation(PROGRAMS[0])), loaded_by(PROMPT)
    assert "puppet_repl.session" in expression
    assert "puppet_repl.terminal.app" in prompt - expression
    assert "puppet_repl.environment.hiera" not in expression | prompt


@pytest.mark.parametrize("package", CIRCLES)
def test_circles_of_imports_are_named(package: str) -> None:
    names = [
        {module.removeprefix(f"puppet_repl.{package}.") for module in circle}
        for circle in circles(f"puppet_repl.{package}")
    ]
    assert names == CIRCLES[package]
    for circle in names:
        for module in circle:
            assert f"`{package}.{module}`" in PAGE, f"the page has to say why of {circle}"


def test_circles_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"))
    monkeypatch.setattr("tests.imports.known_modules", lambda: {f"p.{n}": ROOT for n in "abcde"})
    monkeypatch.setattr(
        "tests.imports.all_imports",
        lambda: [Import(f"p.{source}", f"p.{target}", 1, late=True) for source, target in rows],
    )
    assert circles("p") == [["p.a", "p.b", "p.c"]]


def test_the_lexer_stands_alone() -> None:
    for row in all_imports():
        if row.source.startswith("puppet_pygments"):
            assert row.target.startswith("puppet_pygments"), row


def test_the_kernel_uses_the_session_and_what_stands_on_it() -> None:
    below = ("version", "errors", "base", "environment")
    for row in all_imports():
        layer = layer_of(row.target)
        if row.source.startswith("puppet_kernel") and layer is not None:
            assert layer in below or RANK[layer] >= RANK["session"], row


def test_an_expression_loads_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); from puppet_repl.cli import main; "
        "main(['-e', '[1, 2].map |$x| { $x * 2 }']); "
        f"print(*sorted((set(sys.modules) - before) & set({HEAVY!r})))"
    )
    process = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, cwd=ROOT
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines() == ["[2, 4]", ""]


def test_no_marks_are_left_in_the_code() -> None:
    marks = ("TO" + "DO", "FIX" + "ME")
    for root in SOURCES:
        for path in root.rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for mark in marks:
                assert mark not in text, f"{mark} in {path}"


def test_the_page_shows_the_order() -> None:
    fence = re.search(r"^( +errors.*?)\n\n", PAGE, re.MULTILINE | re.DOTALL)
    assert fence is not None
    shown = [tuple(re.split(r",\s*", part.strip())) for part in fence[1].split("<")]
    # version and __main__ and the root of a layered package stand beside others of their rank
    wanted = [
        tuple(name for name in names if name not in ("version", "types", "__main__"))
        for names in ORDER
    ]
    assert shown == [names for names in wanted if names]


def test_the_page_names_what_is_there() -> None:
    """Every module and package at the top level, and every layer; and nothing else."""
    table = PAGE.partition("## Packages")[2].partition("\n## ")[0]
    named = set(re.findall(r"`((?:puppet_repl|puppet_kernel|puppet_pygments)[\w.]*)`", table))
    present = {
        name
        for name in known_modules()
        if name.count(".") == (1 if name.startswith("puppet_repl.") else 0)
    }
    layers = {f"puppet_repl.{name}" for name in RANK}
    assert named == present - {"puppet_repl"} | layers


def test_the_page_names_the_parts_of_ruby() -> None:
    section = PAGE.partition("## Ruby of modules")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(\w+)`", section))
    present = {path.stem for path in (ENGINE / "ruby").rglob("*.py")} - {"__init__"}
    assert named == present | {"ruby", "sandbox", "shim"}


def test_sessions_are_used_through_their_public_methods() -> None:
    for path in paths():
        if path == ENGINE / "session.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
                owner = ast.unparse(node.value).rpartition(".")[2]
                assert owner not in ("session", "puppet"), f"{path}: {ast.unparse(node)}"
