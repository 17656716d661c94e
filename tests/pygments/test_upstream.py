"""The plain module that is offered to Pygments has the tokens of the lexers here."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from pygments.lexer import DelegatingLexer, ExtendedRegexLexer

from puppet_pygments import EppLexer, PuppetLexer, _builtins
from tests import recorded
from tests.pygments import goldens, upstream
from tests.pygments.test_properties import texts

BUILTINS = Path("pygments", "lexers", "_puppet_builtins.py")
SUITES = ("catalog", "epp", "evaluate", "functions", "parse", "random", "specification")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("pygments")
    upstream.offer(directory)
    return directory


@pytest.fixture(scope="module")
def module(tree: Path) -> Iterator[ModuleType]:
    """Import the module as Pygments does: its names are those of a module beside it."""
    names = load("pygments.lexers._puppet_builtins", tree / BUILTINS)
    yield load("plain_puppet", tree / "pygments" / "lexers" / "puppet.py")
    del sys.modules[names.__name__], sys.modules["plain_puppet"]


def load(name: str, path: Path) -> ModuleType:
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    made = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def assert_same_tokens(module: ModuleType, text: str, is_template: bool) -> None:
    ours, plain = (EppLexer, module.EppLexer) if is_template else (PuppetLexer, module.PuppetLexer)
    expected = list(ours().get_tokens_unprocessed(text))
    assert list(plain().get_tokens_unprocessed(text)) == expected, text


@pytest.mark.slow
@pytest.mark.parametrize("suite", SUITES)
def test_cases_have_the_same_tokens(module: ModuleType, suite: str) -> None:
    for case in recorded.suite(suite):
        assert_same_tokens(module, case["code"], suite == "epp" or case.get("mode") == "epp")


@pytest.mark.parametrize("path", sorted(upstream.EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_examples_have_the_same_tokens(module: ModuleType, path: Path) -> None:
    assert_same_tokens(module, path.read_text(encoding="utf-8"), path.suffix == ".epp")


def test_any_text_has_the_same_tokens(module: ModuleType) -> None:
    @settings(max_examples=200, deadline=None)
    @given(texts)
    def check(text: str) -> None:
        assert_same_tokens(module, text, is_template=False)
        assert_same_tokens(module, text, is_template=True)

    check()


def test_what_follows_a_heredoc_goes_on_where_its_line_ended(module: ModuleType) -> None:
    for text in ("$x = @(E)\n  a\n  | E\n/ 2 /", "class @(E)\nb\nE\nfoo {}", '"${@(E)\na\nE\nb}"'):
        assert_same_tokens(module, text, is_template=False)


def test_golden_files_go_along(module: ModuleType, tree: Path) -> None:
    written = sorted(tree.glob("tests/snippets/*/*.txt"))
    assert {path.parent.name for path in written} == {"puppet", "epp"}
    lexers = {"puppet": module.PuppetLexer, "epp": module.EppLexer}
    for path in written:
        _, text, tokens = goldens.split(path)
        assert goldens.tokens_of(lexers[path.parent.name](), text) == tokens, path.name
    names = {path.name for path in upstream.EXAMPLES.iterdir()}
    assert {path.name for path in tree.glob("tests/examplefiles/*/*")} == {
        name + suffix for name in names for suffix in ("", ".output")
    }
    for path in tree.glob("tests/examplefiles/*/*.output"):
        text = path.with_suffix("").read_text(encoding="utf-8")
        lexer = lexers[path.parent.name]()
        assert path.read_text(encoding="utf-8") == goldens.tokens_of(lexer, text)


def test_manifests_come_first_and_templates_second(tmp_path: Path) -> None:
    """In a clone, as two commits; an example of the old lexer gets the tokens of this one."""
    old = tmp_path / "tests" / "examplefiles" / "puppet" / "old.pp"
    old.parent.mkdir(parents=True)
    old.write_text("exec { 'x': }\n")
    for command in (
        ["init", "--quiet"],
        ["config", "user.name", "Me"],
        ["config", "user.email", "me@example.com"],
    ):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    upstream.offer(tmp_path)

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout

    assert git("status", "--porcelain") == ""
    first, second = git("log", "--format=%H", "--reverse").split()
    assert "'exec'        Name.Tag\n" in git("show", f"{first}:{old.relative_to(tmp_path)}.output")
    changed = git("diff", "--name-only", first, second).splitlines()
    assert {Path(name).parent.name for name in changed} == {"lexers", "epp"}
    for commit, lexers in ((first, 1), (second, 3)):
        tree = ast.parse(git("show", f"{commit}:pygments/lexers/puppet.py"))
        imported = {
            name.asname or name.name
            for node in tree.body
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for name in node.names
        }
        assert imported <= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
        assert sum(name.endswith("Lexer") for name in classes) == lexers


def test_names_are_written_anew_from_a_puppet(tree: Path, tmp_path: Path) -> None:
    """With PUPPET_LIB, the names that are shipped are compared with those of all Puppet."""
    script = tmp_path / BUILTINS.name
    script.write_text((tree / BUILTINS).read_text("utf-8"), "utf-8")
    puppet = tmp_path / "puppet"
    for name in ("functions/each.rb", "parser/functions/notice.rb"):
        (puppet / name).parent.mkdir(parents=True)
        (puppet / name).touch()
    factory = puppet / "pops" / "model" / "factory.rb"
    factory.parent.mkdir(parents=True)
    factory.write_text("  STATEMENT_CALLS = {\n    'require' => true,\n    'notice' => true\n  }\n")
    subprocess.run([sys.executable, str(script), str(puppet)], check=True)
    names = load("small_builtins", script)
    assert names.FUNCTIONS == ("each", "notice")
    assert names.STATEMENT_FUNCTIONS == ("notice",)
    assert names.STATES == _builtins.STATES
    if library := os.environ.get("PUPPET_LIB"):
        subprocess.run([sys.executable, str(script), str(Path(library, "puppet"))], check=True)
        assert script.read_text("utf-8") == (tree / BUILTINS).read_text("utf-8")


def test_nothing_is_beyond_what_pygments_has(module: ModuleType, tree: Path) -> None:
    assert module.PuppetLexer.__bases__ == (ExtendedRegexLexer,)
    assert type(module.PuppetLexer) is type(ExtendedRegexLexer)
    assert module.HtmlEppLexer.__bases__ == (DelegatingLexer,)
    text = (tree / "pygments" / "lexers" / "puppet.py").read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        assert not isinstance(node, ast.AnnAssign)
        assert not (isinstance(node, ast.arg) and node.annotation)
        assert not (isinstance(node, ast.FunctionDef) and node.returns)
    assert "puppet_pygments" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_guesses_are_the_same(module: ModuleType) -> None:
    for path in upstream.EXAMPLES.iterdir():
        text = path.read_text(encoding="utf-8")
        assert module.PuppetLexer.analyse_text(text) == PuppetLexer.analyse_text(text)
        assert module.EppLexer.analyse_text(text) == EppLexer.analyse_text(text)
