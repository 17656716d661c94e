"""The mutator changes one thing at a time, and the run tells which changes nobody notices."""

from __future__ import annotations

import ast
import subprocess
import sys
from textwrap import dedent

import pytest

from tests.mutants import run
from tests.mutants.modules import MODULES
from tests.mutants.mutation import mutants


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
        ("x = f'{a} b'", ["module: ' b' -> 'mutant'"]),
        ("x = (1, 1)", ["module: 1 -> 2", "module: 1 -> 2 (2)"]),
    ],
)
def test_changes(source: str, names: list[str]) -> None:
    assert changes(source) == names


def test_each_mutant_has_one_change_and_the_module_none() -> None:
    source = run.source_of("puppet_repl.catalog.cycles").read_text(encoding="utf-8")
    whole = ast.unparse(ast.parse(source))
    texts = [ast.unparse(mutant.tree()) for mutant in mutants(source)]
    assert whole not in texts
    for text in texts:
        compile(text, "mutant", "exec")
        pairs = zip(text.splitlines(), whole.splitlines(), strict=True)
        assert sum(one != other for one, other in pairs) == 1


def test_what_is_listed_is_there() -> None:
    listed = {name.split()[0] for name in run.equivalent()}
    assert listed <= set(MODULES)
    names = {
        f"{module} {mutant.name}"
        for module in listed
        for mutant in mutants(run.source_of(module).read_text(encoding="utf-8"))
    }
    assert set(run.equivalent()) <= names
    assert all(run.equivalent().values()), "a reason for each"
    for arguments in MODULES.values():
        assert all((run.ROOT / text).exists() for text in arguments if text[:1] != "-")


@pytest.mark.slow
def test_a_child_tells_whether_tests_pass() -> None:
    """In a process of its own: in this one other tests may have loaded the module already."""
    code = """
        import ast
        from tests.mutants import run

        module = "puppet_repl.catalog.cycles"
        source = run.source_of(module).read_text(encoding="utf-8")
        for text in (source, source.replace("return edges", "return {}")):
            print(run.passes(module, ast.parse(text), run.MODULES[module], 60))
    """
    command = [sys.executable, "-c", dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=run.ROOT, timeout=300)
    assert done.stdout == "True\nFalse\n", done.stderr


@pytest.mark.slow
def test_modules_that_import_the_mutant_are_not_preloaded() -> None:
    independent = run.independent_of("puppet_repl.language.values.semver")
    assert "puppet_repl.base.wording" in independent
    assert "puppet_repl.language.values.semver" not in independent
    assert "puppet_repl.language.values.semver_range" not in independent


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.such.module"], "no module of tests/mutants/modules.py ends in 'no.such.module'"),
        (["catalog.cycles", "none"], "no module of tests/mutants/modules.py ends in 'none'"),
        (["catalog.cycles", "--only", "no such"], "no mutant has a name with 'no such'"),
        (["catalog.cycles", "--sample", "0"], "--sample wants a number above 0"),
    ],
)
def test_what_cannot_be_run_is_said(
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def started(*_: object) -> float:
        raise AssertionError("mutants are run")

    monkeypatch.setattr(sys, "argv", ["run", *arguments])
    monkeypatch.setattr(run, "run", started)
    monkeypatch.setattr(run, "each", started)
    monkeypatch.chdir(run.ROOT)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setattr(sys, "dont_write_bytecode", sys.dont_write_bytecode)
    with pytest.raises(SystemExit) as ended:
        run.main()
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
