"""Which tests reach which lines of a module: one run of the tests with a probe at each statement.

``python -m tests.mutants.reach MODULE...`` prints them as JSON. What a run has found is kept in
build/mutants for test files and modules that have not changed. pytest loads this as a plugin in
that run.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
import marshal
import os
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Generator, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests import imports, quick, recordings
from tests.mutants.startup import NO_PLUGINS, environment, sitecustomize, write_codes

ROOT = imports.ROOT
KEPT = ROOT / "build" / "mutants" / "reached.json"
ELSEWHERE = (*quick.ELSEWHERE, "tests/mutants/")
MAX_SECONDS = 1200
RESULT = "MUTANTS_RESULT"
"""The variable with the path where the run writes what it has found."""
OWN = "MUTANTS_OWN"
"""The variable with the directories whose slow tests are run as well."""


def with_probes(source: str) -> ast.Module:
    """Return the tree of a source that calls its probe before each statement of a function."""
    tree = _Prober().visit(ast.parse(source))
    assert isinstance(tree, ast.Module)
    return ast.fix_missing_locations(tree)


class _Prober(ast.NodeTransformer):
    def __init__(self) -> None:
        self._depth = 0

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Add probes to the statements of a node, if it is a function or in one."""
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        self._depth += is_function
        super().generic_visit(node)
        for name, field in ast.iter_fields(node):
            if self._depth and isinstance(field, list) and field and isinstance(field[0], ast.stmt):
                setattr(node, name, [one for statement in field for one in _probed(statement)])
        self._depth -= is_function
        return node


def _probed(statement: ast.stmt) -> Iterable[ast.stmt]:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return (statement,)  # a docstring has to come first
    call = ast.parse(f"{sitecustomize.REACHED}({statement.lineno})").body[0]
    return ast.copy_location(call, statement), statement


def own_directory(module: str) -> str | None:
    """Return the directory with the tests of a module's package."""
    return quick.directory_of(str(imports.known_modules()[module].relative_to(ROOT)))


def files_of(module: str) -> list[str]:
    """Return the files with tests of a module's package, that of its name first, and all others."""
    own = quick.own_tests(str(imports.known_modules()[module].relative_to(ROOT)))
    directories = [ROOT / (own_directory(module) or "tests"), ROOT / "tests"]
    paths = [path for directory in directories for path in sorted(directory.rglob("*"))]
    found = dict.fromkeys([*own, *(str(path.relative_to(ROOT)) for path in paths)])
    return [name for name in found if _has_tests(name) and not name.startswith(ELSEWHERE)]


def _has_tests(name: str) -> bool:
    path = Path(name)
    if path.suffix == ".jsonl":
        return name.removeprefix("tests/") not in recordings.READ_BY_TESTS
    return path.name.startswith("test_") and path.suffix == ".py"


def reached(modules: Sequence[str]) -> dict[str, list[Any]]:
    """Return for each module the tests that may notice a mutant, those of its package first.

    Each has its name, its seconds of the processor, the lines that it reaches and whether it is of
    the package.
    """
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    wanted = {module: files_of(module) for module in modules}
    digests = {name: _digest(ROOT / name) for names in wanted.values() for name in names}
    stale: dict[str, set[str]] = {}
    for module in modules:
        found = kept.setdefault(module, {"digest": "", "files": {}})
        digest = _digest(imports.known_modules()[module])
        if found["digest"] != digest:
            found.update(digest=digest, files={})
        for name in wanted[module]:
            if found["files"].get(name, {}).get("digest") != digests[name]:
                stale.setdefault(name, set()).add(module)
    if stale:
        print(f"{len(stale)} files of tests are run with probes", file=sys.stderr, flush=True)
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        # Sandboxes and kernels add up in a process that runs the tests of all directories.
        for _, group in groupby(sorted(stale), os.path.dirname):
            names = list(group)
            rows = run_with_probes(modules, names)
            for name in names:
                for module in stale[name]:
                    tests = rows[name][module] if name in rows else []
                    kept[module]["files"][name] = {"digest": digests[name], "tests": tests}
            KEPT.write_text(json.dumps(kept), encoding="utf-8")
    return {
        module: [
            [test, seconds, lines, _is_own(module, name)]
            for name in wanted[module]
            for test, seconds, lines in kept[module]["files"][name]["tests"]
            if lines or _is_own(module, name)
        ]
        for module in modules
    }


def _is_own(module: str, name: str) -> bool:
    return name.startswith(f"{own_directory(module)}/")


def _digest(path: Path) -> str:
    found = hashlib.sha256(path.read_bytes())
    if path.is_relative_to(ROOT / "tests"):
        beside = sorted(path.parent.glob("*.jsonl"))
        found.update(repr([(each.name, each.stat().st_size) for each in beside]).encode())
    return found.hexdigest()


def run_with_probes(modules: Sequence[str], files: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Run tests with probes in modules; return for each file and module its rows of tests."""
    codes = {}
    for module in modules:
        path = imports.known_modules()[module]
        tree = with_probes(path.read_text(encoding="utf-8"))
        codes[module] = compile(tree, str(path), "exec")
    code = write_codes(codes)
    with tempfile.TemporaryDirectory() as directory:
        result, log = Path(directory, "result"), Path(directory, "log")
        log.touch()
        own = os.pathsep.join(sorted({own_directory(module) or "" for module in modules} - {""}))
        variables = {sitecustomize.LOG: str(log), RESULT: str(result), OWN: own}
        command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider"]
        command.append("--continue-on-collection-errors")
        try:
            subprocess.run(
                [*command, "-p", "tests.mutants.reach", *files],
                cwd=ROOT,
                env={**os.environ, **environment(code), **variables},
                stdout=subprocess.DEVNULL,
                timeout=MAX_SECONDS,
            )
        except subprocess.TimeoutExpired:
            print(f"no end of {os.path.dirname(files[0])}", file=sys.stderr, flush=True)
            return {}
        finally:
            os.unlink(code)
        rows: dict[str, dict[str, Any]] = json.loads(result.read_text(encoding="utf-8"))
    return rows


class Recorder:
    """Writes down which lines each test reaches; what its programs reach counts for its file."""

    def __init__(self) -> None:
        started: Any = importlib.import_module("sitecustomize")  # as it was when Python started
        # What a shell starts in the background ignores it, and tests that interrupt would not end.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        started.log = None
        os.register_at_fork(after_in_child=started.write_log)
        self._probes = started.probes
        with open(os.environ[sitecustomize.CODE], "rb") as stream:
            self._modules = list(marshal.load(stream))
        self._log = Path(os.environ[sitecustomize.LOG]).open(encoding="ascii")  # noqa: SIM115
        self._tests: list[tuple[str, float, dict[str, set[int]]]] = []
        self._by_file: dict[str, dict[str, set[int]]] = {}
        self._failed: set[str] = set()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out slow tests that are not of a module's package."""
        own = tuple(f"{name}/" for name in os.environ[OWN].split(os.pathsep) if name)
        items[:] = [
            item
            for item in items
            if item.get_closest_marker("slow") is None or item.nodeid.startswith(own)
        ]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Run a test, and note what it has reached."""
        for probe in self._probes.values():
            probe.lines.clear()
        started = sum(os.times()[:4])
        result = yield
        seconds = round(sum(os.times()[:4]) - started, 2)
        found = {name: set(probe.lines) for name, probe in self._probes.items() if probe.lines}
        self._tests.append((item.nodeid, seconds, found))
        by_file = self._by_file.setdefault(_file(item.nodeid), {})
        for line in self._log.read().splitlines():
            module, _, number = line.partition(" ")
            by_file.setdefault(module, set()).add(int(number))
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note which tests do not pass."""
        if not report.passed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write what was found."""
        self._log.close()
        rows: defaultdict[str, defaultdict[str, list[Any]]]
        rows = defaultdict(lambda: defaultdict(list))
        for name, seconds, found in self._tests:
            by_file = self._by_file[_file(name)]
            if name not in self._failed:
                for module in self._modules:
                    lines = found.get(module, set()) | by_file.get(module, set())
                    rows[_file(name)][module].append([name, seconds, sorted(lines)])
        Path(os.environ[RESULT]).write_text(json.dumps(rows), encoding="utf-8")


def _file(name: str) -> str:
    return name.partition("::")[0]


def main() -> None:
    """Print what reaches the modules that the arguments name."""
    os.chdir(ROOT)
    print(json.dumps(reached(sys.argv[1:])))


def pytest_configure(config: pytest.Config) -> None:
    """Record what the tests reach."""
    os.environ.pop(NO_PLUGINS, None)  # the runs of pytest that tests start have them
    config.pluginmanager.register(Recorder())


if __name__ == "__main__":
    main()
