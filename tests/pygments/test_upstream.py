"""The plain module that is offered to Pygments has the tokens of the lexers here."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from pygments.lexer import DelegatingLexer, ExtendedRegexLexer

from puppet_pygments import EppLexer, PuppetLexer
from tests import recorded
from tests.pygments import goldens, upstream
from tests.pygments.test_properties import texts

SUITES = ("catalog", "epp", "evaluate", "functions", "parse", "random", "specification")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("pygments")
    upstream.write(directory)
    return directory


@pytest.fixture(scope="module")
def module(tree: Path) -> Iterator[ModuleType]:
    spec = spec_from_file_location("plain_puppet", tree / "pygments" / "lexers" / "puppet.py")
    assert spec is not None and spec.loader is not None
    made = module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    yield made
    del sys.modules[spec.name]


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
    assert {path.name for path in tree.glob("tests/examplefiles/*/*")} == {
        path.name for path in upstream.EXAMPLES.iterdir()
    }


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
