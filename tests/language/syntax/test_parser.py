"""Spans and places of nodes, nesting, and what several tokens of context decide."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.lexer import MAX_NESTING
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.pn import to_pn
from puppet_repl.language.syntax.source import Source
from tests import recorded


def nodes(text: str, kind: type[ast.Node]) -> Iterator[ast.Node]:
    return (node for node in parse(Source(text)).body.walk() if type(node) is kind)


@pytest.mark.parametrize(
    ("text", "kind", "span", "place"),
    [
        ("1 + $x * 2", ast.ArithmeticExpression, "1 + $x * 2", 2),
        ("notice 1, [2]", ast.CallNamedFunctionExpression, "notice 1, [2]", 0),
        ("$x[1, 2].foo", ast.AccessExpression, "$x[1, 2]", 0),
        ("$x.foo(1) |$y| { $y } ", ast.CallMethodExpression, "$x.foo(1) |$y| { $y }", 6),
        ("$x.foo |$y| { $y }", ast.CallMethodExpression, "$x.foo |$y| { $y }", 2),
        ("$x.foo |$y| { $y }", ast.LambdaExpression, "|$y| { $y }", 7),
        ("f(a => 1, b => 2)", ast.LiteralHash, "a => 1, b => 2", 4),
        ("@file { 'a': mode => 1 }", ast.ResourceExpression, "@file { 'a': mode => 1 }", 0),
        ("file { 'a': mode => 1, }", ast.ResourceBody, "'a': mode => 1,", 0),
        ("file { 'a': mode => 1, }", ast.AttributeOperation, "mode => 1", 12),
        ("File <| a == 1 |> { b => 2 }", ast.CollectExpression, "File <| a == 1 |> { b => 2 }", 0),
        ("if a { 1 } else { 2 }", ast.IfExpression, "if a { 1 } else { 2 }", 0),
        ("case a { 1, 2: { 3 } }", ast.CaseOption, "1, 2: { 3 }", 13),
        ("$a ? { 1 => 2 }", ast.SelectorExpression, "$a ? { 1 => 2 }", 0),
        ("$a ? { 1 => 2 }", ast.SelectorEntry, "1 => 2", 9),
        ("class a(Integer $x = 1) { }", ast.Parameter, "Integer $x = 1", 16),
        ("type A = B[1]", ast.TypeAlias, "type A = B[1]", 5),
        ('"a${b}"', ast.VariableExpression, "b", 4),
        ("'x' ", ast.LiteralString, "'x'", 0),
        ("(1) ", ast.ParenthesizedExpression, "(1)", 0),
    ],
)
def test_span_and_place(text: str, kind: type[ast.Node], span: str, place: int) -> None:
    node = next(iter(nodes(text, kind)))
    assert text[node.start : node.end] == span
    assert node.at == place


def test_every_node_lies_in_its_text() -> None:
    texts = [case["code"] for case in recorded.suite("parse") if "pn" in case]
    for text in texts:
        for node in parse(Source(text)).body.walk():
            assert 0 <= node.start <= node.end <= len(text), (text, node)
            assert 0 <= node.at <= len(text), (text, node)


@pytest.mark.parametrize(
    ("opening", "inner", "closing"),
    [
        ("(", "1", ")"),
        ("[", "", "]"),
        ("{ a => ", "1", " }"),
        ("if x { ", "", " }"),
        ("f(", "", ")"),
        ("$x[", "1", "]"),
        ('"${', "1", '}"'),
        ("!(", "1", ")"),
        ("a ? { b => ", "1", " }"),
        ("f() |$x| { ", "", " }"),
    ],
)
def test_nesting(opening: str, inner: str, closing: str) -> None:
    parse(Source(opening * 70 + inner + closing * 70))
    too_deep = MAX_NESTING + 1
    with pytest.raises(PuppetError, match="nested too deeply"):
        parse(Source(opening * too_deep + inner + closing * too_deep))


@pytest.mark.parametrize("text", ["'%s'", "# %s", "/* %s */", "@(X)\n%s\n|X", "/%s/"])
def test_brackets_in_strings_and_comments_do_not_nest(text: str) -> None:
    parse(Source(text % ("\\[" * (2 * MAX_NESTING))))


def test_brackets_beside_each_other_do_not_nest() -> None:
    parse(Source("[1]\n" * (2 * MAX_NESTING)))


@pytest.mark.parametrize("text", ["!" * 5000 + "1", "$a = " * 5000 + "1", "@" * 5000, "- " * 5000])
def test_deep_without_brackets(text: str) -> None:
    with pytest.raises(PuppetError):
        parse(Source(text))


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("$x [1]", '(block (var "x") (array 1))'),
        ("$x[1]", '(access (var "x") 1)'),
        ("f\n(1)", '(block (qn "f") (paren 1))'),
        ("f (1)", '(invoke {:functor (qn "f") :args [1]})'),
        ("1\n-1", "(- 1 1)"),
        (
            "notice include a",
            '(block (invoke {:functor (qn "notice") :args [(qn "include")]}) (qn "a"))',
        ),
        ("'a''b'", '(block "a" "b")'),
        ('"a"$b', '(block "a" (var "b"))'),
        ("class a { class b { } }", '(class {:name "a" :body [(class {:name "a::b"})]})'),
    ],
)
def test_context(text: str, tree: str) -> None:
    assert to_pn(parse(Source(text))) == tree


def test_definitions_are_listed_inner_first() -> None:
    program = parse(Source("class a { class b { } define c() { } }\nfunction d() { }"))
    names = [getattr(node, "name", None) for node in program.definitions]
    assert names == ["a::b", "a::c", "a", "d"]


def test_only_warnings_before_the_error_count() -> None:
    with pytest.raises(PuppetError) as caught:
        parse(Source('notice("\\q") ) "\\z"'))
    assert [report.message for report in caught.value.reports] == [
        "Unrecognized escape sequence '\\q'"
    ]
