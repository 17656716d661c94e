"""Who imports whom, read from the source: python -m tests.imports prints what ought to move.

Three kinds of imports are told apart: those at the top of a module, late ones (inside of functions,
and what ``import_module`` loads by a table of names), and those for the type checker alone, which
do not count.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Container, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
SOURCES = (
    ROOT / "puppet_repl",
    ROOT / "kernel" / "puppet_kernel",
    ROOT / "lexer_pygments" / "puppet_pygments",
)
PROJECT = ("puppet_repl", "puppet_kernel", "puppet_pygments")
TABLES: Mapping[str, str] = {
    "puppet_kernel.cell_magics": "puppet_repl.host.cell_magics",
    "puppet_repl.frontends.cli.command_line": "puppet_repl.frontends.cli.arguments",
    "puppet_repl.frontends.cli.shell_completion": "puppet_repl.frontends.cli.arguments",
    "puppet_repl.frontends.commands.dispatch": "puppet_repl.host.command_registry",
    "puppet_repl.language.functions.registry": "puppet_repl.language.functions.index",
    "puppet_repl.language.types.making.factory": "puppet_repl.language.types.data_types",
    "puppet_repl.language.types.making.new": "puppet_repl.language.types.data_types",
}
"""Modules that hand names to ``import_module`` which stand in a table of another module."""

LOADER = "puppet_repl.base.modules"
"""The module whose functions import what their callers name."""

UNKNOWN = "?"
"""What a call of ``import_module`` loads whose table is not known."""

PROGRAMS = (
    "[1, 2].map |$x| { $x * 2 }",
    "$x = {a => 1}\n$x.dig('a')",
    "'abc' =~ String",
    "Integer('42')",
    "type(1)",
    "assert_type(Integer, 5)",
    "with(1) |$x| { $x }",
    "'abc'.regsubst('b', 'x')",
    "split('a,b', ',')",
    "sprintf('%d', 3)",
    "if 'a' =~ /b/ { 1 } else { 2 }",
    "lookup('x', undef, undef, 1)",
    "hiera('x', 'default')",
    "function f(Integer $x) { $x + 1 }\nf(1)",
    "notify { 'a': }",
    "class a { notify { 'b': } }\ninclude a",
    "define d($x) { notify { $x: } }\nd { 'a': x => 1 }",
)
"""What people first try: short programs whose start counts."""
ARGUMENTS = "from puppet_repl.frontends.cli import main; main(['--no-color', '-e', 'notice(1)'])"
PROMPT = "import puppet_repl.frontends.terminal.app, puppet_repl.frontends.terminal.screen"


class Import(NamedTuple):
    """One import of a module of the project; ``late`` where it is done by a function."""

    source: str
    target: str
    line: int
    late: bool
    by_name: bool = False


def paths() -> list[Path]:
    """Return every source file of the three packages."""
    return [path for root in SOURCES for path in sorted(root.rglob("*.py"))]


def module_of(path: Path) -> str:
    """Return the dotted name of a source file: its path, without the directory of its package."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    while parts[0] not in PROJECT:
        parts.pop(0)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def known_modules() -> Mapping[str, Path]:
    """Return all modules of the project with their files."""
    return {module_of(path): path for path in paths()}


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the tree of a source file, which no test changes."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports_of(path: Path) -> tuple[Import, ...]:
    """Return the imports of modules of the project that a file has."""
    reader = _Reader(module_of(path))
    reader.visit(tree_of(path))
    return tuple(dict.fromkeys(reader.imports))


@cache
def all_imports() -> tuple[Import, ...]:
    """Return the imports of all files."""
    return tuple(found for path in paths() for found in imports_of(path))


@cache
def type_imports_of(path: Path) -> tuple[Import, ...]:
    """Return the imports of modules of the project that only the type checker reads."""
    reader = _Reader(module_of(path))
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            for statement in node.body:
                reader.visit(statement)
    return tuple(dict.fromkeys(reader.imports))


def _is_type_checking(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


class _Reader(ast.NodeVisitor):
    def __init__(self, module: str) -> None:
        self.module = module
        self.imports: list[Import] = []
        self.depth = 0

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.depth += 1
            self.generic_visit(node)
            self.depth -= 1
        else:
            super().visit(node)

    def visit_If(self, node: ast.If) -> None:
        if _is_type_checking(node.test):
            for statement in node.orelse:
                self.visit(statement)
        else:
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._add(alias.name, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level == 0 and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                self._add(inner if inner in known_modules() else node.module, node.lineno)

    def visit_Call(self, node: ast.Call) -> None:
        if loads_by_name(node) and self.module != LOADER:
            for target in named_modules(self.module, node) or [UNKNOWN]:
                self.imports.append(
                    Import(self.module, target, node.lineno, self.depth > 0, by_name=True)
                )
        self.generic_visit(node)

    def _add(self, target: str, line: int) -> None:
        if target.split(".")[0] in PROJECT and target != self.module:
            self.imports.append(Import(self.module, target, line, self.depth > 0))


def loads_by_name(call: ast.Call) -> bool:
    """Tell whether a call is one of ``import_module`` or ``import_name``."""
    function = call.func
    names = (getattr(function, "id", ""), getattr(function, "attr", ""))
    return "import_module" in names or "import_name" in names


def named_modules(module: str, call: ast.Call) -> list[str]:
    """Return the modules that such a call may load.

    The call says how their names begin; the rest stands as strings in the module or in its table.
    """
    prefix = _prefix(call.args[0], module)
    texts = _strings(known_modules()[module])
    if module in TABLES:
        texts |= _strings(known_modules()[TABLES[module]])
    texts |= {text.rpartition(".")[0] for text in texts}
    # A single word may be anything; it counts where it names a module, and not a whole package.
    return sorted(
        name
        for text in texts
        if (name := prefix + text) in known_modules()
        and name != module
        and ("." in text or known_modules()[name].name != "__init__.py")
    )


def _prefix(argument: ast.expr, module: str) -> str:
    """Return the fixed beginning of the name that is imported."""
    prefix = ""
    if isinstance(argument, ast.Constant):
        return str(argument.value)
    for part in argument.values if isinstance(argument, ast.JoinedStr) else ():
        if isinstance(part, ast.Constant):
            prefix += str(part.value)
        elif isinstance(part, ast.FormattedValue) and ast.unparse(part.value) == "__name__":
            prefix += module
        else:
            break
    return prefix


@cache
def _strings(path: Path) -> set[str]:
    return {
        node.value
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    } | {""}


@cache
def loaded_by(code: str) -> frozenset[str]:
    """Return the modules of the project that a fresh Python has loaded after running some code."""
    program = (
        f"import sys\nsys.stdout, out = sys.stderr, sys.stdout\n{code}\n"
        f"import json\njson.dump([m for m in sys.modules if m.split('.')[0] in {PROJECT!r}], out)"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return frozenset(json.loads(process.stdout))


@cache
def loaded_by_programs() -> tuple[frozenset[str], ...]:
    """Return for each of PROGRAMS the modules of the project that its evaluation has loaded.

    One process evaluates ``1``, whose modules every evaluation loads, and is copied for each.
    """
    if not hasattr(os, "fork"):
        return tuple(loaded_by(evaluation(program)) for program in PROGRAMS)
    lines = (
        "import json, os, sys",
        "sys.stdout, out = sys.stderr, sys.stdout",
        evaluation("1"),
        f"for code in {[evaluation(program) for program in PROGRAMS]!r}:",
        "    child = os.fork()",
        "    if child == 0:",
        "        exec(code)",
        f"        names = [m for m in sys.modules if m.split('.')[0] in {PROJECT!r}]",
        "        print(json.dumps(names), file=out, flush=True)",
        "        os._exit(0)",
        "    os.waitpid(child, 0)",
    )
    process = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    loaded = tuple(frozenset(json.loads(line)) for line in process.stdout.splitlines())
    assert len(loaded) == len(PROGRAMS), process.stderr
    return loaded


def evaluation(program: str) -> str:
    """Return Python code that does what ``puppet-repl -e PROGRAM`` does."""
    return f"from puppet_repl.frontends.cli import main; main(['-e', {program!r}])"


def needless(imports: Iterable[Import]) -> list[Import]:
    """Return the late imports that neither a short program nor the opening of the prompt asks for.

    A late import serves the start where its module is loaded by then and its target is not. What
    is loaded by a table of names is loaded late for the sake of those names that are not needed.
    """
    started = [*loaded_by_programs(), loaded_by(ARGUMENTS), loaded_by(PROMPT)]
    return [
        found
        for found in imports
        if found.late
        and not found.by_name
        and not any(found.source in loaded and found.target not in loaded for loaded in started)
    ]


def circles(package: str, without: Container[tuple[str, str]] = ()) -> list[list[str]]:
    """Return the circles of imports inside of a package, late ones included.

    ``without`` names sources and targets of imports that do not count.
    """
    inside = {name for name in known_modules() if name == package or name.startswith(package + ".")}
    graph: dict[str, set[str]] = {name: set() for name in inside}
    for found in all_imports():
        if found.source in inside and found.target in inside:
            if (found.source, found.target) in without:
                continue
            graph[found.source].add(found.target)
    return sorted(
        (sorted(group) for group in _strongly_connected(graph) if len(group) > 1),
        key=lambda group: (-len(group), group),
    )


def _strongly_connected(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected components of a graph (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def connect(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in index:
                connect(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            groups.append(stack[at:])
            del stack[at:]

    for name in sorted(graph):
        if name not in index:
            connect(name)
    return groups


def main() -> None:
    """Print the late imports that ought to be at the top, and the circles, per package."""
    late = [found for found in all_imports() if found.late]
    left = needless(late)
    print(f"{len(late)} late imports, {len(left)} of them serve no start")
    by_package: dict[str, list[Import]] = {}
    for found in left:
        by_package.setdefault(".".join(found.source.split(".")[:2]), []).append(found)
    for package, rows in sorted(by_package.items()):
        print(f"\n{package}: {len(rows)}")
        for row in rows:
            path = known_modules()[row.source].relative_to(ROOT)
            print(f"  {path}:{row.line}  {row.target}{'  (by name)' if row.by_name else ''}")
    packages = {".".join(name.split(".")[:2]) for name in known_modules()} | set(PROJECT)
    print("\ncircles (late imports included)")
    for package in sorted(packages):
        for group in circles(package):
            print(f"  {package}: {len(group)}  {' '.join(group)}"[:400])


if __name__ == "__main__":
    main()
