"""Tokens: kinds, spans, and that the fast run and single steps agree."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from puppet_repl.language.syntax import lexer as lexer_module
from puppet_repl.language.syntax import tokens as tokens_module
from puppet_repl.language.syntax.epp import run as run_template
from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.source import Source
from tests import recorded


def lex(text: str) -> Lexer:
    lexer = Lexer(Source(text))
    lexer.run()
    return lexer


def codes(name: str) -> list[str]:
    return [case["code"] for case in recorded.suite(name)]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("$x = 1", "VARIABLE = NUMBER"),
        ("a::b a-b a- _x Foo::Bar ::foo", "NAME WORD NAME - WORD CLASSREF NAME"),
        ("if true { undef }", "if BOOLEAN { undef }"),
        ("a<-1 $x=~/r/ b=>-1", "NAME <- NUMBER VARIABLE =~ REGEX NAME => - NUMBER"),
        ("1 / 2 /x/", "NUMBER / NUMBER / NAME /"),
        ("{ /x/ }", "{ REGEX }"),
        ("in /a\\/b/", "in REGEX"),
        ('\'a\' "b" "c\\n"', "SQ DQ STRING"),
        ('"a${b}c$d"', "DQPRE VARIABLE DQMID VARIABLE DQPOST"),
        ('"${a + 1}"', "DQPRE NAME + NUMBER DQPOST"),
        ('"${a.b} ${c[1]}"', "DQPRE VARIABLE . NAME DQMID VARIABLE [ NUMBER ] DQPOST"),
        ('"${ "x${y}" }"', "DQPRE DQPRE VARIABLE DQPOST DQPOST"),
        ("@(E)\n a\n | E\n$x", "HEREDOC STRING VARIABLE"),
        (
            'f(@("A"), @(B)) # c\n $x\nA\nb\nB\n2',
            "NAME ( HEREDOC DQPRE VARIABLE DQPOST , HEREDOC STRING ) NUMBER",
        ),
        ("<<| |>> <| |> << >> ~> @@ @ é", "<<| |>> <| |> << >> ~> @@ @ OTHER"),
        ("a # b\n/* c\n */ d", "NAME NAME"),
        ("\u00a0a\u3000b", "NAME NAME"),
    ],
)
def test_kinds(text: str, kinds: str) -> None:
    assert lex(text).kinds == [*kinds.split(), "END"]


@pytest.mark.parametrize("name", ["parse", "specification"])
def test_tokens_follow_each_other(name: str) -> None:
    for code in codes(name):
        lexer = lex(code)
        for start, end in zip(lexer.starts, lexer.ends, strict=True):
            assert 0 <= start <= end <= len(code), code


def tokens(text: str) -> list[tuple[str, str, int, int]]:
    """Kind, text and span of all tokens; a plain string has one kind."""
    lexer = lex(text)
    listed = list(zip(lexer.kinds, lexer.texts, lexer.starts, lexer.ends, strict=True))
    return [
        ("STRING", value[1:-1], start, end) if kind == "DQ" else (kind, value, start, end)
        for kind, value, start, end in listed
    ]


def test_a_cut_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fast run looks at a window of the text; where the window ends makes no difference."""
    texts = codes("parse") + codes("catalog")
    whole = [tokens(text) for text in texts]
    for size in (7, 16, 33):
        monkeypatch.setattr(lexer_module, "_LONG_WINDOW", size)
        monkeypatch.setattr(lexer_module, "_SHORT_WINDOW", size)
        for text, expected in zip(texts, whole, strict=True):
            assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("Foo::", "Illegal class reference", 5),
        ("foo::", "Illegal fully qualified name", 6),
        ("08", "Not a valid octal number 08", 1),
        ("1a", "Illegal number '1a'", 1),
        ("1.5e+3", "Not a valid decimal number 1.5e", 1),
        ("'abc", "Unclosed quote after \"'\" followed by 'abc...'", 2),
        ('"a $b', "Unclosed quote after 'b' followed by '<eof>'", 6),
        ("/* x", "Unclosed multiline comment", 1),
        ("@(A) x", "Heredoc without any following lines of text", 5),
        ("@(A/q)\n", "Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got 'q'", 7),
    ],
)
def test_errors(text: str, message: str, column: int) -> None:
    error = lex(text).error
    assert error is not None
    assert (error.message, error.line, error.column) == (message, 1, column)


def test_positions_count_characters() -> None:
    error = lex("\t'漢字 😀' é 08").error
    assert error is not None
    assert error.column == 11


def declared_kinds() -> set[str]:
    """Return the strings of the alias TokenKind and of those that it is made of."""
    source = Path(tokens_module.__file__).read_text(encoding="utf-8")
    return {
        node.value
        for alias in ast.walk(ast.parse(source))
        if isinstance(alias, ast.AnnAssign)
        for node in ast.walk(alias)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    } - {""}


def test_kinds_of_tokens_are_those_that_are_declared() -> None:
    made: set[str] = {*lexer_module.KEYWORDS}
    for text in [*codes("parse"), *codes("evaluate"), "plan a() { apply(1) { } }", "~ \\ @", "@@a"]:
        lexer = Lexer(Source(text), tasks=text.startswith("plan"))
        lexer.run()
        made.update(lexer.kinds)
    for text in codes("epp"):
        lexer = Lexer(Source(text))
        run_template(lexer)
        made.update(lexer.kinds)
    assert made == declared_kinds()
