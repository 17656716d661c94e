"""Outlines, folds, selections and tokens of texts; a broken text has all but those of its tree."""

from __future__ import annotations

from itertools import pairwise

import pytest

from puppet_repl.tools.editing.documents import Document
from puppet_repl.tools.editing.folding import folds, selections
from puppet_repl.tools.editing.outline import Symbol, outline
from puppet_repl.tools.editing.templates import code_of, code_of_template, scan_of
from puppet_repl.tools.editing.tokens import tokens

CURSOR = "$0"


def named(symbols: list[Symbol]) -> dict[str, object]:
    return {f"{each.kind} {each.name}": named(each.children) for each in symbols}


def outline_of(text: str, path: str = "") -> list[Symbol]:
    tree = Document(path, text).tree()
    assert tree is not None
    return outline(tree.program)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "class a (Integer $x = 1) { $y = 2\n [$p, [$q]] = [1, [2]] }",
            {
                "class a": {
                    "parameter $x": {},
                    "variable $y": {},
                    "variable $p": {},
                    "variable $q": {},
                }
            },
        ),
        (
            "define a::b { file { ['/a', '/b']: ; '/c': mode => '0644' } }",
            {"define a::b": {"resource file[['/a', '/b']]": {}, "resource file[/c]": {}}},
        ),
        (
            "node /^a/, 'b.c' { if $x { @@notify { $x: } } else { class { 'k': } } }",
            {"node /^a/, 'b.c'": {"resource notify[$x]": {}, "resource class[k]": {}}},
        ),
        (
            "function a::f($x) { $x.each |$i| { $j = $i } }\ntype A::B = Integer",
            {"function a::f": {"parameter $x": {}, "variable $j": {}}, "type A::B": {}},
        ),
    ],
)
def test_outline(text: str, expected: dict[str, object]) -> None:
    symbols = outline_of(text)
    assert named(symbols) == expected
    pending = [(each, (0, len(text))) for each in symbols]
    while pending:
        symbol, around = pending.pop()
        assert around[0] <= symbol.start <= symbol.name_start
        assert symbol.name_start < symbol.name_end <= symbol.end <= around[1]
        pending += [(each, (symbol.start, symbol.end)) for each in symbol.children]


def test_the_name_of_a_definition() -> None:
    text = "class class_a::a inherits a { }"
    (symbol,) = outline_of(text)
    assert text[symbol.name_start : symbol.name_end] == "class_a::a"


def test_a_plan_and_a_template() -> None:
    assert named(outline_of("plan a::p($t) { }", "/m/plans/p.pp")) == {
        "plan a::p": {"parameter $t": {}}
    }
    assert named(outline_of("<% $x = 1 %>\n<%= $x %>", "/m/t.epp")) == {"variable $x": {}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class a {\n  $x = 1\n}\n", [("code", 0, 1)]),
        ("class a (\n  $x,\n) {\n  $y = 1\n}\n", [("code", 0, 1), ("code", 2, 3)]),
        ("$a = { b => {\n  c => 1,\n  d => 2,\n} }\n", [("code", 0, 2)]),
        ("# a\n# b\n\n# c\n$x = 1 # d\n# e\n# f\n", [("comment", 0, 1), ("comment", 5, 6)]),
        ("/* a\n b */\n$x = 1\n", [("comment", 0, 1)]),
        ("$x = @(E)\n  a\n  b\n  | E\n$y = 1\n", [("text", 0, 3)]),
        ("$x = 1\n", []),
        # The brackets of a text, and those that are never closed
        ("$x = '{\n}'\n", []),
        ("class a {\n  $x = [\n    1,\n  ]\n", [("code", 1, 2)]),
        ("class a {\n  if $x {\n    f(1\n  }\n}\n", [("code", 0, 3), ("code", 1, 2)]),
    ],
)
def test_folds(text: str, expected: list[tuple[str, int, int]]) -> None:
    document = Document("", text)
    found = folds(document.lines, scan_of(document))
    assert [(each.kind, each.first, each.last) for each in found] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$a = f($b$0, 'x y')", ["$b", "$b, 'x y'", "($b, 'x y')", "f($b, 'x y')"]),
        ("$a = 'x y$0 z'", ["y", "x y z", "'x y z'", "$a = 'x y z'"]),
        ("class a {\n  $x = [$01]", ["1", "class a {\n  $x = [1]"]),
        ("$0", []),
    ],
)
def test_selections(text: str, expected: list[str]) -> None:
    offset = text.index(CURSOR)
    text = text.replace(CURSOR, "")
    document = Document("", text)
    (found,) = selections(document, scan_of(document), [offset])
    texts = [text[each.start : each.stop] for each in found]
    assert [each for each in texts if each in expected] == expected
    assert texts[-1] == text
    for inner, outer in pairwise(found):
        assert outer.start <= inner.start <= inner.stop <= outer.stop
        assert len(outer) > len(inner)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "class a::b ($x) { include c::d }",
            "class:keyword a::b:class/declaration $x:parameter/declaration "
            "include:function/defaultLibrary c::d:class",
        ),
        (
            "if $facts['a'] =~ /b/ and true { f(1.5) }",
            "if:keyword $facts:variable 'a':string /b/:regexp and:keyword true:keyword "
            "f:function 1.5:number",
        ),
        (
            "file { $x: ensure => file }  # c",
            "file:struct $x:variable ensure:property #:comment c:comment",
        ),
        ("$x = Integer[1]", "$x:variable/declaration Integer:type 1:number"),
        ('"a${b}c"', '"a:string b:variable c":string'),
        ("[1].each |$x| { $x }", None),
        # Without a tree names have no meaning, but words have
        ("class { include a", "class:keyword"),
    ],
)
def test_tokens(text: str, expected: str | None) -> None:
    document = Document("", text)
    found = tokens(document, scan_of(document))
    for one, other in pairwise(found):
        assert one.end <= other.start
    if expected is None:
        assert {each.kind for each in found} == {"function", "number", "parameter"}
        return
    shown = [
        f"{word}:{each.kind}" + (f"/{each.modifier}" if each.modifier else "")
        for each in found
        for word in text[each.start : each.end].split()
    ]
    assert " ".join(shown) == expected


def test_tokens_have_one_line() -> None:
    text = "/* a\n b */ $x = 'c\nd'\r\n"
    document = Document("", text)
    for each in tokens(document, scan_of(document)):
        assert "\n" not in text[each.start : each.end]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("it's <%= $a %>.\n", "         $a ;    \n".replace(";    ", ";   ")),
        ("<%- | $x | -%>\n", "    | $x | ;   \n".replace(";   ", ";  ")),
        ("<%# $c %>\n<%% $d %>\n", " " * 9 + "\n" + " " * 9 + "\n"),
        ("a <% if $b {", "     if $b {"),
    ],
)
def test_code_of_a_template(text: str, code: str) -> None:
    found = code_of_template(text)
    assert len(found) == len(text)
    assert found.split() == code.split()
    for index, each in enumerate(found):
        assert each in (text[index], " ", ";")


def test_code_of_a_manifest_is_its_text() -> None:
    assert code_of(Document("a.pp", "<% $x %>")) == "<% $x %>"
