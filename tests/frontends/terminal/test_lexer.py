"""Colours while typing: the same as those of the whole text, and quick in long entries."""

from __future__ import annotations

import random
from typing import Any

import pytest
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples, fragment_list_to_text

from puppet_pygments.lexer import PuppetLexer
from puppet_repl.frontends.terminal.lexer import InputLexer, _common
from puppet_repl.frontends.terminal.theme import make_style
from tests import recorded

LINE = "  file { '/tmp/x%d': ensure => file, content => \"a ${x} b\", mode => '0644' }"


def coloured(lexer: InputLexer, text: str) -> list[StyleAndTextTuples]:
    line_at = lexer.lex_document(Document(text))
    return [line_at(number) for number in range(text.count("\n") + 1)]


def test_edits_give_what_a_fresh_lexer_gives() -> None:
    """Whatever was coloured before, a text looks as if it were the first."""
    codes = [case["code"] for case in recorded.suite("parse")]
    chosen = random.Random(7)
    lexer = InputLexer()
    text = "\n".join(chosen.sample(codes, 20))
    for _ in range(60):
        at = chosen.randrange(len(text) + 1)
        piece = chosen.choice(
            ["'", '"', "/*", "*/", "${", "}", "\n", "x", "@(END)\n", "# ", "END\n"]
        )
        text = text[:at] + piece + text[at + chosen.randrange(3) :]
        assert coloured(lexer, text) == coloured(InputLexer(), text)


def test_nothing_is_lost_or_added() -> None:
    for case in recorded.suite("parse")[::5]:
        code = case["code"]
        rows = coloured(InputLexer(), code)
        shown = "\n".join(fragment_list_to_text(row) for row in rows)
        assert shown == code


def test_lines_in_any_order() -> None:
    text = "$a = @(END)\n  text $x\n  | END\n$b = 'x'"
    whole = coloured(InputLexer(), text)
    line_at = InputLexer().lex_document(Document(text))
    assert [line_at(3), line_at(1), line_at(0), line_at(2)] == [
        whole[3],
        whole[1],
        whole[0],
        whole[2],
    ]
    assert line_at(99) == []


def test_an_older_document_may_still_be_asked() -> None:
    lexer = InputLexer()
    old = lexer.lex_document(Document("/* a\nb */ 1"))
    new = lexer.lex_document(Document("'a'\n2"))
    assert old(1)[0][0] == "class:comment"
    assert new(1) == [("class:number", "2")]


def test_the_first_word_of_an_interpolation_is_told_by_the_line_below() -> None:
    lexer = InputLexer()
    for text, style in (
        ('"${foo\n}"', "variable"),
        ('"${foo\n+ 1}"', "string"),
        (':type "${foo\n}"', "variable"),
        (':type "${foo\n+ 1}"', "string"),
        ('"${if\ntrue { 1 }}"', "keyword"),
        ('"${1\n}"', "variable"),
        ('"${1\n+1}"', "number"),
    ):
        assert f"class:{style}" == coloured(lexer, text)[0][-1][0], text
    # The state at the end of a line is known anew when the line below it has changed.
    for text, style in (('"${if\n}', "string"), ('"${if\n/a/', "regex"), ('"${if\n}', "string")):
        assert coloured(lexer, text)[1][-1][0] == f"class:{style}", text


def test_commands_are_coloured_by_what_they_are() -> None:
    assert coloured(InputLexer(), ":type 12") == [
        [("class:function", ":type "), ("class:number", "12")]
    ]
    assert coloured(InputLexer(), ":nope 12") == [[("class:bad", ":nope "), ("", "12")]]


@pytest.mark.parametrize("where", ["end", "top", "middle"])
def test_a_key_in_five_thousand_lines_lexes_one_line(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [LINE % number for number in range(5000)]
    edited = {"end": 4999, "top": 0, "middle": 2500}[where]
    visible = range(max(0, edited - 25), min(5000, edited + 25))
    lexer = InputLexer()
    lexed = []
    lex_line = PuppetLexer.lex_line

    def counted(self: PuppetLexer, line: str, state: Any, below: str) -> Any:
        lexed.append(line)
        return lex_line(self, line, state, below)

    monkeypatch.setattr(PuppetLexer, "lex_line", counted)
    for count in range(12):
        lines[edited] += "a"
        line_at = lexer.lex_document(Document("\n".join(lines)))
        for number in visible:
            line_at(number)
        if count:
            assert lexed == [lines[edited] + "\n"]
        lexed.clear()


def test_common_beginnings() -> None:
    for old, new in ((["a", "b"], ["a", "c"]), ([], ["a"]), (["a"] * 9, ["a"] * 9), (["x"], ["y"])):
        same = _common(old, new)
        assert old[:same] == new[:same]


@pytest.mark.parametrize("theme", ["puppet", "monokai", "default", "no such theme"])
def test_themes(theme: str) -> None:
    style = make_style(theme)
    assert style.get_attrs_for_style_str("class:string").color
