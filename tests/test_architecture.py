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
    known_modules,
    loaded_by,
    needless,
    paths,
    tree_of,
    type_imports_of,
)

pytestmark = pytest.mark.xdist_group("sources")  # one process reads all of them

ENGINE = ROOT / "puppet_repl"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ORDER: dict[str, tuple[str, ...]] = {
    "": (
        *("base", "language", "catalog", "environment", "session", "host"),
        *("tools", "frontends", "integrations"),
    ),
    "language": (
        *("syntax", "values", "types", "runtime"),
        *("ruby_library", "data", "functions", "compiler"),
    ),
    "language.types": ("model", "algebra", "text", "making"),
    "environment": (
        *("facts", "reference", "ruby", "puppetdb", "modules", "installation", "hiera"),
    ),
    "session": ("debugging",),
    "tools": (
        *("advice", "hints", "inspection", "completion", "rendering", "graph", "reports"),
        "validation",
        *("formatting", "editing", "renaming"),
    ),
    "frontends": (
        *("tour", "commands", "shared", "api", "doctest", "terminal"),
        *("language_server", "debug_adapter", "cli"),
    ),
    "integrations": ("pytest", "sphinx"),
}
"""The storeys, lowest first, and the rooms of each. The page shows the same order."""

UPWARD = {
    ("session.session", "tools.editing"): "a session completes and inspects",
    ("session.session", "tools.hints.error_range"): "a session locates what an error is about",
    ("session.session", "tools.hints.suggestions"): "a session adds 'did you mean' to its errors",
}
"""Imports of a higher storey when it is needed: at most four."""

NEEDS_WASMTIME = "wasmtime need not be installed"
COMPILES_ONLY = "most requests validate nothing: a catalog takes a tenth less without it"
READS_KEYS = "the first prompt is shown before what reads keys is imported"
KEPT_LATE = {
    (
        "puppet_repl.environment.ruby.questions",
        "puppet_repl.language.runtime.puppet_settings",
    ): "most functions in Ruby ask for no setting, and Puppet has many",
    ("puppet_pygments", "puppet_pygments.lexer"): (
        "importing the package imports no lexer: Pygments asks for them one by one"
    ),
    ("puppet_repl.frontends.cli", "puppet_repl.frontends.cli.command_line"): (
        "interrupts are left to the system before anything is imported"
    ),
    ("puppet_repl.frontends.cli.command_line", "puppet_repl.frontends.cli.program"): (
        "the interpreter is imported after the collection of garbage is switched off"
    ),
    (
        "puppet_repl.frontends.commands.notations",
        "puppet_repl.language.functions.stdlib.yaml_text",
    ): "an interrupt while PyYAML's part in C is imported leaves it half made",
    ("puppet_repl.frontends.terminal.opening", "puppet_repl.frontends.terminal.app"): READS_KEYS,
    (
        "puppet_repl.frontends.terminal.opening",
        "puppet_repl.frontends.terminal.quick_asyncio",
    ): READS_KEYS,
    (
        "puppet_repl.frontends.language_server.server",
        "puppet_repl.frontends.language_server.features",
    ): "the first request is answered before what the others need is imported",
    (
        "puppet_repl.frontends.debug_adapter.adapter",
        "puppet_repl.frontends.debug_adapter.program",
    ): "the first request is answered before what the others need is imported",
    ("puppet_repl.frontends.cli.batch", "puppet_repl.tools.validation.file"): COMPILES_ONLY,
    ("puppet_repl.frontends.cli.batch", "puppet_repl.tools.validation.manifests"): COMPILES_ONLY,
    ("puppet_repl.frontends.cli.fleets", "puppet_repl.frontends.cli.progress_bar"): (
        "prompt_toolkit is imported only where a terminal shows the bar"
    ),
    (
        "puppet_repl.environment.puppetdb.answers",
        "puppet_repl.environment.puppetdb.server",
    ): "most queries are answered from a file, without HTTP",
    ("puppet_repl.integrations.pytest.plugin", "puppet_repl.integrations.pytest.hooks"): (
        "every run of pytest imports the plugin, whatever it tests"
    ),
    (
        "puppet_repl.environment.ruby.engines",
        "puppet_repl.environment.ruby.sandbox.engine",
    ): NEEDS_WASMTIME,
    (
        "puppet_repl.environment.ruby.engines",
        "puppet_repl.environment.ruby.sandbox.startup",
    ): NEEDS_WASMTIME,
    (
        "puppet_repl.environment.ruby.engines",
        "puppet_repl.environment.ruby.system",
    ): "few sessions run a Ruby of this machine, and starting programs imports much",
    (
        "puppet_repl.environment.ruby.sandbox.installation",
        "puppet_repl.environment.ruby.sandbox.compilation",
    ): (NEEDS_WASMTIME),
}
"""Late imports that neither an evaluation nor the opening of the prompt asks for, with reasons."""

CIRCLES = [
    {
        f"puppet_repl.language.types.making.{name}"
        for name in (
            *("ast_types", "builtin_objects", "collections_constructors", "constructor"),
            *("factory", "init", "new", "numbers_constructors", "others_constructors"),
            *("parse", "pcore", "times_constructors"),
        )
    },
    # A PuppetHash gives Python programs lists and dicts.
    {
        f"puppet_repl.language.values.{name}"
        for name in (
            *("compare", "extent", "hash", "iterator", "labels", "python", "semver", "time"),
        )
    },
    # Shell completion describes the parsers of all subcommands, of which it is one.
    {
        "puppet_repl.frontends.cli",
        "puppet_repl.frontends.cli.command_line",
        "puppet_repl.frontends.cli.shell_completion",
    },
]
"""Modules that import each other, late imports included but for UPWARD.

The package ``types.making`` says why those in it do.
"""

MAX_TYPE_IMPORTS_UPWARD = 37
"""How many imports for the type checker lead to a higher storey or room: only to be lowered."""

MAX_SMALL_MODULES = 39
"""How many modules of fewer than 80 lines have just one importer: only to be lowered."""

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


def order_of(source: str, target: str) -> tuple[str, str, str] | None:
    """Return where the ways of two modules part: the directory, and the two names in it.

    None where no order is given: beside each other in one room, or outside of the engine.
    """
    names, others = source.split("."), target.split(".")
    if names[0] != "puppet_repl" or others[0] != "puppet_repl":
        return None
    depth = 1
    while names[depth : depth + 1] == others[depth : depth + 1] != []:
        depth += 1
    directory = ".".join(names[1:depth])
    rooms = ORDER.get(directory, ())
    pair = [*names[depth : depth + 1], *others[depth : depth + 1]]
    if len(pair) < 2 or not set(pair) <= set(rooms):
        return None
    return directory, pair[0], pair[1]


def upward(row: Import) -> bool:
    """Tell whether an import leads to a higher storey, or to a higher room of the same one."""
    order = order_of(row.source, row.target)
    return order is not None and ORDER[order[0]].index(order[1]) < ORDER[order[0]].index(order[2])


def of_engine() -> list[Path]:
    return [path for path in paths() if path.is_relative_to(ENGINE)]


def test_every_directory_has_a_place() -> None:
    for directory, names in ORDER.items():
        below = ENGINE.joinpath(*directory.split(".") if directory else ())
        present = {path.parent.name for path in below.glob("*/__init__.py")}
        assert present == set(names), f"give each directory of {below} a place in ORDER"


def test_imports_point_one_way() -> None:
    found = {
        (row.source.removeprefix("puppet_repl."), row.target.removeprefix("puppet_repl."))
        for row in all_imports()
        if upward(row) and row.late
    }
    at_the_top = [row for row in all_imports() if upward(row) and not row.late]
    assert not at_the_top
    assert found == set(UPWARD)
    assert len(UPWARD) <= 4


def test_imports_for_the_type_checker_point_up_rarely() -> None:
    rows = [row for path in of_engine() for row in type_imports_of(path) if upward(row)]
    assert len(rows) <= MAX_TYPE_IMPORTS_UPWARD, f"{len(rows)} imports, one more than allowed"


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
        for node in ast.walk(tree_of(path)):
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
    assert "puppet_repl.frontends.terminal.app" in prompt - expression
    assert "puppet_repl.environment.hiera.hiera" not in expression | prompt


def test_circles_of_imports_are_named() -> None:
    upper = {(f"puppet_repl.{source}", f"puppet_repl.{target}") for source, target in UPWARD}
    assert [set(circle) for circle in circles("puppet_repl", without=upper)] == CIRCLES


def test_circles_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"))
    monkeypatch.setattr("tests.imports.known_modules", lambda: {f"p.{n}": ROOT for n in "abcde"})
    monkeypatch.setattr(
        "tests.imports.all_imports",
        lambda: [Import(f"p.{source}", f"p.{target}", 1, late=True) for source, target in rows],
    )
    assert circles("p") == [["p.a", "p.b", "p.c"]]


def test_no_module_imports_from_a_package_that_imports_it() -> None:
    """Of two threads that import both at once, one could see half of a module."""
    sources = {
        name: {each.module for each in tree_of(path).body if isinstance(each, ast.ImportFrom)}
        for name, path in known_modules().items()
    }
    packages = {
        name
        for name, imported in sources.items()
        if any(each is not None and each.startswith(f"{name}.") for each in imported)
    }
    assert packages
    assert [
        name for name, imported in sources.items() if name.rpartition(".")[0] in packages & imported
    ] == []


def test_few_small_modules_have_one_importer() -> None:
    importers: dict[str, set[str]] = {}
    for row in all_imports():
        importers.setdefault(row.target, set()).add(row.source)
    small = sorted(
        name
        for name, path in known_modules().items()
        if path.name != "__init__.py"
        and len(importers.get(name, ())) == 1
        and len(path.read_text(encoding="utf-8").splitlines()) < 80
    )
    assert len(small) <= MAX_SMALL_MODULES, f"merge one into the module that imports it: {small}"


def test_the_lexer_stands_alone() -> None:
    for row in all_imports():
        if row.source.startswith("puppet_pygments"):
            assert row.target.startswith("puppet_pygments"), row


def test_the_kernel_uses_the_session_and_higher_storeys() -> None:
    above = ORDER[""][ORDER[""].index("session") :]
    for row in all_imports():
        if row.source.startswith("puppet_kernel") and row.target.startswith("puppet_repl."):
            assert row.target.split(".")[1] in ("base", "environment", *above), row


def test_an_expression_loads_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); from puppet_repl.frontends.cli import main; "
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
    """A row for each storey, in their order, with one for each of its rooms."""
    table = PAGE.partition("## Storeys")[2].partition("\n## ")[0]
    storeys = re.findall(r"^\| \*\*`(\w+)/`\*\*", table, re.MULTILINE)
    assert tuple(storeys) == ORDER[""]
    rooms = re.findall(r"^\| (?:\*\*)?`(\w+)/(\w*)`", table, re.MULTILINE)
    for storey in storeys:
        named = tuple(room for of, room in rooms if of == storey and room)
        assert named == ORDER.get(storey, ()), storey


@pytest.mark.parametrize("room", ["environment/ruby", "environment/ruby/sandbox"])
def test_a_docstring_names_the_parts_of_ruby(room: str) -> None:
    package = ENGINE / room
    text = ast.get_docstring(tree_of(package / "__init__.py")) or ""
    present = {path.stem for path in package.glob("*.py")} - {"__init__"}
    present |= {path.name for path in package.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert set(re.findall(r"``(\w+)``", text)) == present


def test_the_page_fits_on_two_screens() -> None:
    lines = PAGE.splitlines()
    assert len(lines) <= 110
    assert max(map(len, lines)) <= 100


def test_sessions_are_used_through_their_public_methods() -> None:
    for path in paths():
        if path == ENGINE / "session" / "session.py":
            continue
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
                owner = ast.unparse(node.value).rpartition(".")[2]
                assert owner not in ("session", "puppet"), f"{path}: {ast.unparse(node)}"
