"""The TextMate grammars are those of today's lexers, and agree with them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests import recorded
from tests.pygments import textmate
from tests.pygments.test_constructs import constructs
from tests.pygments.textmate_score import all_scopes_of, differences, install, scopes_of, score

HERE = Path(__file__).parent
PROGRAMS = ("parse", "specification", "evaluate", "catalog", "functions", "stdlib")

# The text of one has a quote that would begin a string.
HEREDOCS = (
    "f(@(A), @(B))\nit's\nA\n\nit's\n\n  | B\n$c\n",
    "@(A) + @(B)\nit's\nA\nit's\nB\n$c\n",
    'f(@("A"), @("B"/))\nit\'s ${a}\nA\n"${\nb\n}"\\n $b\n  |- B\n$c\n',
    "f(@(A)) # not @(B)\nit's\nA\n$c\n",
    "f(@(A), 'not @(B)')\nit's\nA\n$c\n",
    "f(@(A), @(A))\nit's\nA\nit's\nA\n$c\n",
)
# Of github-linguist, tools/grammars: proto/grammar.pb.go and compiler/data.go.
LINGUIST_TABLES = {"beginCaptures", "captures", "endCaptures", "injections", "repository"}
LINGUIST_TABLES |= {"whileCaptures"}
LINGUIST_EXPRESSIONS = {"begin", "end", "match", "while"}
LINGUIST_KEYS = LINGUIST_TABLES | LINGUIST_EXPRESSIONS
LINGUIST_KEYS |= {"applyEndPatternLast", "comment", "contentName", "fileTypes", "include", "name"}
LINGUIST_KEYS |= {"patterns", "scopeName"}
# What a grammar that is applied line by line cannot tell, by the text that gets another scope.
CANNOT = {
    "a third heredoc on the line": ("f(@(A), @(B), @(C))\na\nA\nb\nB\nc d\nC\n", "c d\n"),
    "a heredoc in an interpolation": ('"${f(@(A))} b"\na\nA\n', '} b"'),
    "a heredoc, and the tag of EPP closed on its line": ("<%= @(A) %>\na\nA\nb\n", " %>"),
    "several flags of a heredoc": ("$a = @(A/tn)\n\\s\nA\n", "\\s"),
    "a slash that divides at the start of a line": ("$a\n/ 2 + 4 / $b\n", "/ 2 + 4 /"),
    "the first word of an interpolation over lines": ('"${1\n+ 1}"', "1"),
    "a comment before that word": ('"${ # b\na}"', "a"),
}


@pytest.mark.parametrize("path", textmate.FILES, ids=lambda path: path.name)
def test_the_grammars_are_those_of_today(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    assert written == textmate.written(textmate.FILES[path]()), "make grammars writes it"


def test_each_include_is_there() -> None:
    grammar = textmate.puppet()

    def included(value: object) -> set[str]:
        if isinstance(value, dict):
            own = {str(value["include"])} if "include" in value else set()
            return own.union(*map(included, value.values()))
        return set().union(*map(included, value)) if isinstance(value, list) else set()

    names = {name[1:] for name in included(grammar) if name.startswith("#")}
    assert names == set(grammar["repository"])


@pytest.mark.parametrize("path", textmate.FILES, ids=lambda path: path.name)
def test_github_linguist_would_take_it(path: Path) -> None:
    """Its compiler of grammars rejects longer expressions, and warns of other keys."""

    def check(rule: object, is_table: bool = False) -> None:
        if isinstance(rule, list):
            for each in rule:
                check(each)
        elif isinstance(rule, dict):
            assert is_table or set(rule) <= LINGUIST_KEYS
            for key, value in rule.items():
                check(value, is_table=not is_table and key in LINGUIST_TABLES)
                assert key not in LINGUIST_EXPRESSIONS or len(value.encode()) <= 32 * 1024

    check(json.loads(path.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def engine() -> None:
    if shutil.which("npm") is None:
        pytest.skip("there is no npm")
    install()


@pytest.mark.slow
@pytest.mark.usefixtures("engine")
@pytest.mark.xdist_group("textmate")
class TestScore:
    """By vscode-textmate, the engine of VS Code and Shiki."""

    def test_of_recorded_programs(self) -> None:
        texts = [(code, "source.puppet") for _, code, _ in constructs()]
        for suite in (*PROGRAMS, "epp"):
            scope = "text.epp" if suite == "epp" else "source.puppet"
            cases = (case for case in recorded.suite(suite) if "error" not in case)
            texts += [(case["code"].replace("\0", "").replace("\r", ""), scope) for case in cases]
        tokens = wrong = 0
        for (text, scope), scopes in zip(texts, scopes_of(texts), strict=True):
            count, found = differences(text, scope == "text.epp", scopes)
            tokens += count
            wrong += len(found)
        assert tokens > 100_000
        assert 1 - wrong / tokens > 0.9998

    def test_of_files(self) -> None:
        files = [*HERE.parent.rglob("*.pp"), *HERE.parent.rglob("*.epp")]
        counts = [(count, len(found)) for _, _, count, found in score(files)]
        tokens, wrong = map(sum, zip(*counts, strict=True))
        assert 1 - wrong / tokens > 0.999

    @pytest.mark.parametrize("text", HEREDOCS)
    def test_of_heredocs(self, text: str) -> None:
        (scopes,) = scopes_of([(text, "source.puppet")])
        assert differences(text, False, scopes)[1] == []

    @pytest.mark.parametrize("name", CANNOT)
    def test_what_it_cannot(self, name: str) -> None:
        text, part = CANNOT[name]
        is_template = text.startswith("<%")
        (scopes,) = scopes_of([(text, "text.epp" if is_template else "source.puppet")])
        _, found = differences(text, is_template, scopes)
        assert text.index(part.strip()) in [at for _, _, at in found]

    def test_code_of_a_template_is_in_the_language_puppet(self) -> None:
        text = "a <% if true {\n$b\n-%>\nc <%= $d %><%# e %>\n"
        (scopes,) = all_scopes_of([(text, "text.epp")])
        inside = "".join(
            char for char, each in zip(text, scopes, strict=False) if textmate.TAG_OF_EPP in each
        )
        assert inside == " if true {$b $d "
        package = json.loads((textmate.SYNTAXES.parent / "package.json").read_text("utf-8"))
        for grammar in package["contributes"]["grammars"]:
            assert grammar["embeddedLanguages"][textmate.TAG_OF_EPP] == "puppet"

    def test_a_language_in_a_heredoc(self) -> None:
        """Interpolations are found in the strings of that language."""
        text = '$a = @("A":json)\n{"a": "${b}"}\nA\n$c'
        (scopes,) = scopes_of([(text, "source.puppet")])
        assert scopes[text.index("b}")] == "variable.other.puppet"
        assert scopes[text.index("$c")] == "variable.other.puppet"
