"""What holds for every text: nothing is lost, lines give what the whole gives, time is linear."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.lexer import Lexer

from puppet_pygments import (
    EppLexer,
    HtmlEppLexer,
    PuppetCellLexer,
    PuppetConsoleLexer,
    PuppetLexer,
    UnixConfEppLexer,
)
from tests import recorded

HERE = Path(__file__).parent
# Of the lexers for templates in other languages one of each kind: the others differ by their host.
LEXERS = [
    lexer(stripnl=False, ensurenl=False)
    for lexer in (
        PuppetLexer,
        EppLexer,
        HtmlEppLexer,
        UnixConfEppLexer,
        PuppetCellLexer,
        PuppetConsoleLexer,
    )
]
FRAGMENTS = (
    "@(A)", '@("B":json/tn$)', "A\n", "| B\n", "  - A", "${", "}", "{", '"', "'", "\\", "\n", "/",
    "/*", "*/", "#", "$x", "$", "$::a::b", "a::b", "A::B", "foo-bar", " ", "\t", "(", ")", "[",
    "]", "|", "|>", "<<|", "=>", "+>", "=~", "->", "1.5e-3", "0x1F", "1a", "class ", "type ",
    "node ", "function ", "include ", "case ", "unless ", "default", "undef", "true", ".", ",",
    ";", ":", "::", "@", "@@", "<%", "<%=", "<%-", "<%#", "%>", "-%>", "<%%", "%%>", ">> ", ".. ",
    "%%epp ", "%%time ", "%%on ", "%%facts\n", ":vars ", "%facts",
    "Error: ", "é", "\u00a0", "\r\n", "\r", "\u2028", "\0", "\\u{41}", "@summary", "/(?x) ", "*",
)  # fmt: skip
soups = st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join)
texts = st.one_of(soups, st.text(max_size=40))


def kinds_by_character(tokens: list[tuple[object, str]]) -> list[object]:
    return [kind for kind, value in tokens for _ in value]


@settings(max_examples=300, deadline=None)
@given(texts)
def test_nothing_is_lost(text: str) -> None:
    for lexer in LEXERS:
        pos = 0
        for start, _, value in lexer.get_tokens_unprocessed(text):
            assert (start, bool(value)) == (pos, True)
            pos += len(value)
            assert text[start:pos] == value
        assert pos == len(text)


def lines_of(text: str) -> list[str]:
    return [line + "\n" for line in text.split("\n")]


def assert_lines_give_the_whole(lexer: PuppetLexer, text: str) -> None:
    whole = kinds_by_character([(k, v) for _, k, v in lexer.get_tokens_unprocessed(text + "\n")])
    state = None
    by_line: list[object] = []
    end = 0
    for line in lines_of(text):
        end += len(line)
        below = f"{text}\n"[end:]
        tokens, after = lexer.lex_line(line, state, below)
        bare, after_bare = lexer.lex_line(line[:-1], state, below)
        assert "".join(value for _, value in tokens) == line
        assert "".join(value for _, value in bare) == line[:-1]
        assert after == after_bare
        hash(after)
        state = after
        by_line += kinds_by_character(tokens)
    assert by_line == whole


def test_lines_give_the_whole() -> None:
    epp, puppet = EppLexer(), PuppetLexer()
    for path in (HERE / "examples").iterdir():
        lexer = epp if path.suffix == ".epp" else puppet
        assert_lines_give_the_whole(lexer, path.read_text(encoding="utf-8"))
    for suite in ("parse", "epp", "specification"):
        for case in recorded.suite(suite):
            code = case["code"].replace("\0", "")
            if "error" not in case:
                assert_lines_give_the_whole(epp if suite == "epp" else puppet, code)


FIRST_WORDS = [
    ("foo", "}", "Name.Variable"),
    ("foo", " .bar }", "Name.Variable"),
    ("foo # }", "# +\n\n }", "Name.Variable"),
    ("foo", "# }\n + 1 }", "Literal.String.Symbol"),
    ("foo", "== 1}", "Literal.String.Symbol"),
    ("foo", "[1]}", "Literal.String.Symbol"),
    ("foo", "", "Name.Variable"),
    ("1", "+\n1}", "Literal.Number.Integer"),
    ("1", "}", "Name.Variable.Magic"),
    ("facts", "}", "Name.Variable.Magic"),
    ("facts", "+ 1}", "Literal.String.Symbol"),
    ("if", "true { 1 }}", "Keyword"),
    ("if", "}", "Name.Variable"),
    ("case", "", "Keyword"),
    ("undef", "}", "Name.Variable"),
    ("true", "}", "Keyword.Constant"),
]


@pytest.mark.parametrize(("word", "below", "kind"), FIRST_WORDS)
def test_the_line_below_tells_what_the_first_word_of_an_interpolation_is(
    word: str, below: str, kind: str
) -> None:
    """The kinds are those of Puppet's lexer, which makes a variable of a word that stands alone."""
    lexer = PuppetLexer()
    name = word.split(" ", maxsplit=1)[0]
    for start in ('"', '@("E")\n'):
        state = None
        for line in lines_of(f"{start}${{{word}"):
            tokens, state = lexer.lex_line(line, state, below)
        assert (f"Token.{kind}", name) in [(str(found), value) for found, value in tokens]
        whole = lexer.get_tokens_unprocessed(f"{start}${{{word}\n{below}")
        assert (f"Token.{kind}", name) in [(str(found), value) for _, found, value in whole]


def test_the_text_of_a_heredoc_is_not_below_an_interpolation() -> None:
    text = '[@(E), "${foo\n+ text\nE\n}"]'
    found = [(str(kind), value) for _, kind, value in PuppetLexer().get_tokens_unprocessed(text)]
    assert ("Token.Name.Variable", "foo") in found


@settings(max_examples=300, deadline=None)
@given(texts)
def test_lines_of_any_text(text: str) -> None:
    for lexer in (PuppetLexer(), EppLexer()):
        state = None
        for line in lines_of(text):
            tokens, state = lexer.lex_line(line, state)
            assert "".join(value for _, value in tokens) == line
            hash(state)


SIZE = 20_000
STARTS = ("", '"${', '@("E"/)\n${ ', "<% ")
REPEATED = (
    "@(", '@("A")\n', '${@("A")\n', "@(A)", '@("a"/)\n${', "@(a:", "@(a/", "/a\\", "a\\/", "\\/",
    "/", "/*/", "*/", '"', '"${', "${", "$a::", "::", "a::b", "a-", "a-b::", "A::", "{", "(", "|",
    "<<|", "0", "0x", "1.", "1e", "a.", ".", '"\\', "'\\", "#\n", "# @", "<%", "<%#", "<%%", "%>",
    "-%>", "%", "\n", " ", "\t", "a ", "include a,", "node a.", "function ", "@", "\0", "/(?x",
    "a{", "a (", "${a", "${a.", "@(A)\n-", "| ", ">> $a\n", ".. a\n", "<p %>",
)  # fmt: skip


def seconds(lexer: Lexer, text: str) -> float:
    """Return the processor time that a lexer takes for a text."""
    begun = time.process_time()
    for _ in lexer.get_tokens_unprocessed(text):
        pass
    return time.process_time() - begun


@pytest.mark.slow
@pytest.mark.parametrize("lexer", LEXERS, ids=lambda lexer: lexer.name)
def test_time_is_linear(lexer: Lexer) -> None:
    # No more than 16 times for a text 8 times as long: squares would take 64 times. What takes
    # hardly any time is not compared, and a busy machine gets a second chance.
    slow = []
    for start in STARTS:
        for fragment in REPEATED:
            text = (start + fragment * (SIZE // len(fragment)))[:SIZE]
            whole = seconds(lexer, text)
            if whole > 0.5:
                part = seconds(lexer, text[: SIZE // 8])
                ratio = min(whole, seconds(lexer, text)) / part
                if ratio > 16:
                    slow.append((start, fragment, ratio))
    assert not slow
