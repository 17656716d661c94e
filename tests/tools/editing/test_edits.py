"""Edits of documents: forms, fixes, comments. Applied, they do what they promise."""

from __future__ import annotations

import pytest

import puppet_repl
from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.advice.fixing import edited
from puppet_repl.tools.advice.rules import RULES, Rule
from puppet_repl.tools.editing.actions import actions, fix_all
from puppet_repl.tools.editing.documents import Document
from puppet_repl.tools.editing.formatting import (
    changes,
    formatted,
    formatted_range,
    formatted_while_typing,
)
from puppet_repl.tools.editing.problems import problems_of_file
from puppet_repl.tools.formatting import format_text
from puppet_repl.tools.validation.file import Choices, File
from puppet_repl.tools.validation.kinds import CODE
from puppet_repl.tools.validation.workspace import Workspace

ROUGH = "class  a {\n$x=1\n\n\n\n  if $x  { f( 1 )\n}\n}\n"


def file_of(text: str) -> File:
    return File(None, CODE, None, Workspace(Choices(advice=True, ruby="off")), Source(text))


def test_a_document_gets_its_form() -> None:
    edits = formatted(Document("", ROUGH))
    assert edited(ROUGH, edits) == format_text(ROUGH)
    assert len(edits) > 1  # what is right already stays, and with it the cursor
    assert formatted(Document("", format_text(ROUGH))) == []
    with pytest.raises(PuppetError):
        formatted(Document("", "class {"))


def test_a_range_gets_its_form() -> None:
    text = "class  a {\n  $x = 1\n$y=2\n}\n"
    start = text.index("$y")
    assert edited(text, formatted_range(Document("", text), start, start)) == text.replace(
        "$y=2", "  $y = 2"
    )


_CHAIN = "class a {\n  a { 'x': b => 1 } ->\n  c { 'y': b => 1 }\n}\n"
_CHAIN_FORMATTED = "class a {\n  a { 'x': b => 1 }\n  -> c { 'y': b => 1 }\n}\n"
_LONG = "class a {\n  a { 'x':\n    b => 1,\n  } ->\n  c { 'y':\n    b => 1,\n  }\n}"
_BLANKS = "class a {\n\n  $b = 1\n  \n  # c\n  notice($b)\n}\n"


@pytest.mark.parametrize(
    ("text", "lines", "expected"),
    [
        (_BLANKS, (2, 3), _BLANKS),
        (_BLANKS, (1, 1), _BLANKS),
        (_BLANKS, (2, 6), _BLANKS.replace("  \n", "\n")),
        (_BLANKS, (0, 0), format_text(_BLANKS)),
        (_CHAIN, (1, 1), _CHAIN_FORMATTED),
        (_CHAIN, (2, 3), _CHAIN_FORMATTED),
        ("$a=1\n# d\n$b=2 # c\n$c=3\n", (1, 1), "$a=1\n# d\n$b = 2 # c\n$c=3\n"),
        ("$a=1\n$b=2 $c=3\n$d=4\n", (1, 1), "$a=1\n$b = 2\n$c = 3\n$d=4\n"),
        ("class a { $a=1\n$b=2\n$c=3 }\n", (1, 1), "class a { $a=1\n  $b = 2\n$c=3 }\n"),
        ("class a { $a=1\n$b=2 }\n", (1, 1), "class a {\n  $a = 1\n  $b = 2\n}\n"),
        ("case  $x {\n1:{f(1)}\n2:{f(2)}\n}\n", (1, 1), "case  $x {\n  1: { f(1) }\n2:{f(2)}\n}\n"),
        ("f( @(X) )\n  a\n  | X\n$b=1", (1, 1), "f(@(X))\n  a\n  | X\n$b=1"),
        ("$a=1\n$b=2", (1, 1), "$a=1\n$b = 2"),
        ("$a=1\r\n$b=2\r\n$c=3\r\n", (1, 1), "$a=1\r\n$b = 2\r\n$c=3\r\n"),
    ],
)
def test_whole_statements_of_a_range(text: str, lines: tuple[int, int], expected: str) -> None:
    document = Document("", text)
    start, end = (document.lines.span(line)[0] for line in lines)
    assert edited(text, formatted_range(document, start, end)) == expected


def test_a_range_of_a_template() -> None:
    text = "<%|$a,$b|%>\n<%=$a%>\n<%=$b%>\n"
    start = text.index("<%=$b")
    edits = formatted_range(Document("a.epp", text), start, start)
    assert edited(text, edits) == "<%|$a,$b|%>\n<%=$a%>\n<%= $b %>\n"


@pytest.mark.parametrize(
    "text", [ROUGH, _CHAIN, "$a = 'x\ny'\nf(@(X))\n  a\n  | X\n# c\n/* d\n*/\n"]
)
def test_the_line_ends_of_a_document_stay(text: str) -> None:
    result = format_text(text)
    with_ends = result.replace("\n", "\r\n")
    assert formatted(Document("", with_ends)) == []
    document = Document("", text.replace("\n", "\r\n"))
    assert edited(document.text, formatted(document)) == with_ends


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$a=1\r\n$b = 2\n$c=3\r\n", "$a = 1\r\n$b = 2\n$c = 3\r\n"),
        ("$a=1\n$b = 2\r\n$c=3\n", "$a = 1\n$b = 2\r\n$c = 3\n"),
        ("$a = 'x\ny'\r\n$b=1\r\n", "$a = 'x\ny'\r\n$b = 1\r\n"),
        ("$a='x\ny'\r\n$b=1\r\n", "$a = 'x\ny'\n$b = 1\n"),
        ("$b = 1\r\n$c = 2", "$b = 1\r\n$c = 2\r\n"),
    ],
)
def test_line_ends_of_both_kinds(text: str, expected: str) -> None:
    document = Document("", text)
    assert edited(text, formatted(document)) == expected
    assert formatted(Document("", expected)) == []


@pytest.mark.parametrize(
    ("text", "typed", "expected"),
    [
        (f"{_LONG}$0", "}", _LONG.replace(" ->\n  c", "\n  -> c")),
        ("a { 'x':\n  b=>{c=>1}$0,\n}\n", "}", "a { 'x':\n  b => { c => 1 },\n}\n"),
        ("a { 'x':\n  b=>1,\n$0\n}\n", "\n", "a { 'x':\n  b=>1,\n\n}\n"),
        ("$z  =  1\nif $x  {\n$y=1\n}$0\n", "}", "$z  =  1\nif $x {\n  $y = 1\n}\n"),
        ("$z  =  1\n$0\n$x=1\n", "\n", "$z = 1\n\n$x=1\n"),
        ("$0$x=1\n", "\n", "$x=1\n"),
        ("if $x {\n$y=1\n$0\n", "\n", "if $x {\n$y=1\n\n"),  # it cannot be parsed
        ("$x = '}$0'\n$y=1\n", "}", "$x = '}'\n$y=1\n"),
    ],
)
def test_typing_gives_a_form(text: str, typed: str, expected: str) -> None:
    cursor = text.index("$0")
    text = text.replace("$0", "")
    edits = formatted_while_typing(Document("", text), cursor, typed)
    assert edited(text, edits) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "a\n"),
        ("a\n", ""),
        ("a\nb\nc\n", "a\nx\nc\n"),
        ("a\r\nb", "a\nb"),
        ("a\x0cb\n", "b\n"),
        ("a\n" * 6000, "b\n" * 6000),
    ],
)
def test_changes_make_the_other_text(before: str, after: str) -> None:
    assert edited(before, changes(before, after)) == after


@pytest.mark.parametrize("rule", [each for each in RULES if each.warns], ids=lambda rule: rule.name)
def test_actions_about_the_examples_of_rules(rule: Rule) -> None:
    """Each fix removes its warning and adds none; a comment removes its rule alone."""
    text = f"{rule.example}\n"
    document = Document("", text)
    problems = problems_of_file(file_of(text))
    mine = [each for each in problems if each.code == rule.name]
    assert mine
    found = list(actions(document, mine))
    for action in found:
        after = edited(text, action.edits)
        left = [each.code for each in problems_of_file(file_of(after))]
        wanted = [each.code for each in problems]
        wanted.remove(rule.name)
        if action.kind == "fix":
            assert len(left) <= len(wanted)
            assert set(left) <= {*wanted}
        else:
            assert rule.name not in left
    assert bool(rule.fix) <= any(each.kind == "fix" for each in found)
    assert any(each.kind == "silence" for each in found)


def test_all_fixes_are_those_of_the_command() -> None:
    text = "file { '/a': mode => 644 }\nnotice(\"a\")\nif $x == true { }\n"
    action = fix_all(file_of(text))
    assert action is not None
    assert edited(text, action.edits) == puppet_repl.fix_text(text)
    assert fix_all(file_of("notice('a')\n")) is None
    assert fix_all(file_of("class {\n")) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("file { '/a': mode => 644 } # why\n", " # why lint:ignore:unquoted_file_mode\n"),
        ("file { '/a':\n  mode => 644,\n}\n", "644, # lint:ignore:unquoted_file_mode\n}\n"),
        ("file { '/a': mode => 644, content => @(E) }\n  a\n  | E\n", "(E) } # lint:ignore"),
        ("file { '/a': mode => 644 } /* a */\n", None),
    ],
)
def test_the_place_of_a_comment(text: str, expected: str | None) -> None:
    problem = next(
        each for each in problems_of_file(file_of(text)) if each.code == "unquoted_file_mode"
    )
    found = [each for each in actions(Document("", text), [problem]) if each.kind == "silence"]
    if expected is None:
        assert found == []
        return
    after = edited(text, found[0].edits)
    assert expected in after
    assert "unquoted_file_mode" not in [each.code for each in problems_of_file(file_of(after))]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("$x = [1, 2\n", "2"),
        ("notice(", "("),
        ("$x = = 1\n", "="),
        ("class a { }\n  class a { }\n", "class a { }"),
        ("file { '/a': mode => 644 }\n", "644"),
    ],
)
def test_the_range_of_a_problem(text: str, marked: str) -> None:
    problem = problems_of_file(file_of(text))[0]
    assert text[problem.start : problem.end] == marked


@pytest.mark.parametrize(
    ("text", "related"),
    [
        ("$x = [1, 2\n", [("[", "the [ is never closed")]),
        ("$x = [1, (2]\n", [("(", "the ( is not closed")]),
        ("$x = 'a", [("'", "the ' is never closed")]),
        ("$x =\n", []),
        ("$x = = 1\n", []),
    ],
)
def test_the_ranges_that_explain_a_problem(text: str, related: list[tuple[str, str]]) -> None:
    problem = problems_of_file(file_of(text))[0]
    assert [(text[start:end], said) for start, end, said in problem.related] == related
