"""The mutator changes one thing at a time, and the run tells which changes nobody notices."""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
from collections.abc import Sequence
from textwrap import dedent
from typing import Any

import pytest

from tests.imports import known_modules
from tests.mutants import reach, run
from tests.mutants.mutation import mutants
from tests.mutants.startup import environment, write_codes

CYCLES = "puppet_repl.catalog.cycles"


def changes(source: str) -> list[str]:
    return [mutant.name for mutant in mutants(source)]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("x = a < b", ["module: a < b -> a <= b"]),
        ("x = a is None", ["module: a is None -> a is not None"]),
        ("x = a and b", ["module: a and b -> a or b"]),
        ("x = not a", ["module: not a -> a"]),
        ("x = a + 1", ["module: a + 1 -> a - 1", "module: 1 -> 2"]),
        ("x = True", ["module: True -> False"]),
        ("x = 'a'", ["module: 'a' -> 'mutant'"]),
        ("x: 'T' = y", []),
        ("__all__ = ['x']", []),
        ("'''Text.'''", []),
        ("assert x == 1", []),
        ("if TYPE_CHECKING:\n    x = 1", []),
        ("if x:\n    f()", ["module: if x: f() -> if not x: f()", "module: f() -> pass"]),
        ("for x in y:\n    break", ["module: break -> continue"]),
        ("class C:\n  def f(self):\n    return x", ["C.f: return x -> return None"]),
        ("def f():\n  return None", []),
        ("def f():\n  return False", ["f: False -> True"]),
        ("x = f'{a} b'", ["module: ' b' -> 'mutant'"]),
        ("x = (1, 1)", ["module: 1 -> 2", "module: 1 -> 2 (2)"]),
        ("T = TypeVar('T', bound='U')", ["module: 'U' -> 'mutant'"]),
        ("T = namedtuple('T', 'a')", ["module: 'a' -> 'mutant'"]),
        ("T = typing.NamedTuple('T', [('a', int)])", ["module: 'a' -> 'mutant'"]),
        ("x = Thread(f, name='a', daemon=True)", ["module: True -> False"]),
        (
            "x = threads.ThreadPoolExecutor(2, 'a', thread_name_prefix='b')",
            ["module: 2 -> 3", "module: 'a' -> 'mutant'"],
        ),
        ("x = f(name='a')", ["module: 'a' -> 'mutant'"]),
    ],
)
def test_changes(source: str, names: list[str]) -> None:
    assert changes(source) == names


def test_each_mutant_has_one_change_and_the_module_none() -> None:
    source = known_modules()[CYCLES].read_text(encoding="utf-8")
    whole = ast.unparse(ast.parse(source))
    texts = [ast.unparse(mutant.tree()) for mutant in mutants(source)]
    assert whole not in texts
    for text in texts:
        compile(text, "mutant", "exec")
        pairs = zip(text.splitlines(), whole.splitlines(), strict=True)
        assert sum(one != other for one, other in pairs) == 1


def test_the_statement_of_a_mutant_is_where_a_test_reaches_it() -> None:
    source = """\
x = 1
def f(a=2):
    'Text.'
    if a:
        return [
            3
        ]
    elif a == 4:
        pass
"""
    found = {mutant.name: mutant.statement for mutant in mutants(source)}
    assert found["module: 1 -> 2"] == found["f: 2 -> 3"] == 0
    assert found["f: 3 -> 4"] == 5
    assert found["f: a == 4 -> a != 4"] == 8
    lines: set[int] = set()
    names: dict[str, Any] = {"__reached__": lines.add}
    exec(compile(reach.with_probes(source), "probed", "exec"), names)
    assert lines == set()
    assert names["f"]() == [3]
    assert lines == {4, 5}
    names["f"](0)
    assert lines == {4, 5, 8}
    assert names["f"].__doc__ == "Text."


def test_what_is_listed_is_there() -> None:
    listed = {name.split()[0] for name in run.equivalent()}
    names = {
        f"{module} {mutant.name}"
        for module in listed
        for mutant in mutants(known_modules()[module].read_text(encoding="utf-8"))
    }
    assert set(run.equivalent()) <= names
    assert all(run.equivalent().values()), "a reason for each"


def test_a_seed_draws_the_same_modules() -> None:
    below = ["puppet_kernel"]
    names = run.drawn(5, 1, below)
    assert names == run.drawn(5, 1, below)
    assert names != run.drawn(5, 2, below)
    assert len(names) == 5
    assert all(name.startswith(tuple(below)) for name in names)


def test_tests_of_the_package_come_first() -> None:
    found = reach.files_of("puppet_repl.language.values.semver")
    assert found[0] == "tests/language/values/test_semver.py"
    assert "tests/language/values/limits.jsonl" in found
    assert "tests/language/values/versions.jsonl" not in found, "test_semver.py reads it"
    assert "tests/conformance/functions.jsonl" in found
    assert len(found) == len(set(found))


def test_the_quickest_tests_that_reach_a_statement_are_run() -> None:
    rows = [("a::slow", 20.0, {1}), ("a::x", 1.0, {1, 2}), ("b::x", 15.0, {1}), ("c::x", 0.0, {2})]
    tests = [run.Test(name, seconds, frozenset(lines), True) for name, seconds, lines in rows]
    assert [test.name for test in run.within_budget(tests, 1)] == ["a::x", "b::x"]
    assert [test.name for test in run.within_budget(tests, 2)] == ["a::x", "c::x"]
    assert [test.name for test in run.within_budget(tests, 0)] == ["a::x", "b::x", "c::x"]
    assert [test.name for test in run.within_budget(tests[:1], 1)] == ["a::slow"]


@pytest.mark.parametrize(
    ("source", "is_killed"),
    [
        ({"x": {("a", "b"): "a"}, "": {}}, True),
        ({"x": {("a", "b"): "a"}, "": {("a",): "a"}}, False),
        ({"x": {("a", "b"): "a", ("b",): "b"}, "": {("a",): "a"}}, True),
        ({"x": {("a", "b"): ""}, "": {}}, True),
        ({"x": {("a", "b"): ""}, "": {("a", "b"): ""}}, False),
        ({"x": {("a", "b"): "", ("b",): ""}, "": {("a", "b"): "a"}}, True),
        ({"x": {("a", "b"): "", ("b",): ""}, "": {("a", "b"): "a", ("b",): ""}}, False),
        ({"x": {("a", "b"): "a"}, "": {("a",): ""}}, False),
    ],
)
def test_only_what_goes_wrong_without_the_mutant_does_not_kill_it(
    source: dict[str, dict[tuple[str, ...], str]],
    is_killed: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rows say how a run of some tests ends with the mutant, and without it."""
    mutant = next(iter(mutants("x = True")))
    measurement = run.Measurement(CYCLES, [run.Test(n, 0, frozenset(), True) for n in "ab"])

    def failed(_: str, tree: ast.Module, tests: Sequence[run.Test]) -> str | None:
        key = "x" if ast.unparse(tree) == "x = False" else ""
        return source[key].get(tuple(test.name for test in tests))

    monkeypatch.setattr(run, "failed", failed)
    assert measurement.killer(mutant) is (True if is_killed else None)


def test_mutants_that_do_not_compile_are_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = "match x:\n    case {'a': 1, 'mutant': 2}:\n        f()"  # a key may be there once
    every = list(mutants(twice))
    good = [mutant for mutant in every if run.compiles(mutant)]
    assert [mutant.name for mutant in every if mutant not in good] == ["module: 'a' -> 'mutant'"]
    monkeypatch.setattr(run, "mutants_of", lambda *_: list(every))
    for sample in (None, len(good), 1):
        options = argparse.Namespace(modules=[CYCLES], only=[""], sample=sample, seed=1)
        chosen = run.chosen(options)[CYCLES]
        assert set(chosen) <= set(good)
        assert len(chosen) == (sample or len(good))


@pytest.mark.slow
def test_a_child_tells_which_test_fails() -> None:
    """In a process of its own: in this one other tests may have loaded the module already."""
    code = """
        import ast
        from tests.imports import known_modules
        from tests.mutants import reach, run

        module = "puppet_repl.catalog.cycles"
        source = known_modules()[module].read_text(encoding="utf-8")
        name = "tests/catalog/test_cycles.py::test_wide_rows_between_beginnings_and_ends"
        tests = [run.Test(name, 1.0, frozenset(), True)]
        for wrong in ("yield found", "raise KeyError", "signal.raise_signal(9)"):
            text = "import signal\\n" + source.replace("from __future__ import annotations", "")
            print(repr(run.failed(module, ast.parse(text.replace("yield found", wrong)), tests)))
    """
    command = [sys.executable, "-c", dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=run.ROOT, timeout=300)
    name = "tests/catalog/test_cycles.py::test_wide_rows_between_beginnings_and_ends"
    assert done.stdout == f"None\n'{name}'\n''\n", done.stderr


@pytest.mark.slow
def test_a_program_that_a_test_starts_has_the_change() -> None:
    path = known_modules()["puppet_repl.base.version"]
    code = compile('__version__ = "changed"', str(path), "exec")
    written = write_codes({"puppet_repl.base.version": code})
    program = "from puppet_repl.base import version as v; print(v.__version__, v.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment(written)},
        capture_output=True,
        text=True,
        cwd=run.ROOT,
    )
    os.unlink(written)
    assert done.stdout == f"changed {path}\n", done.stderr


@pytest.mark.slow
def test_modules_that_import_the_mutant_are_not_preloaded() -> None:
    independent = run.independent_of("puppet_repl.language.values.semver")
    assert "puppet_repl.base.wording" in independent
    assert "puppet_repl.language.values.semver" not in independent
    assert "puppet_repl.language.values.semver_range" not in independent


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.such.module"], "no module's name ends in 'no.such.module'"),
        (["catalog.cycles", "none"], "no module's name ends in 'none'"),
        (["catalog.cycles", "--only", "no such"], "there is no such mutant"),
        (["catalog.cycles", "--sample", "0"], "--draw and --sample want numbers above 0"),
    ],
)
def test_what_cannot_be_run_is_said(
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["run", *arguments])
    monkeypatch.setattr(run, "reached", None)
    with pytest.raises(SystemExit) as ended:
        run.main()
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
