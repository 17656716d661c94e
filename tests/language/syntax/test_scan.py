"""What precedes the cursor: tokens and open brackets of the innermost code, and where it ends."""

from __future__ import annotations

import time

import pytest

from puppet_repl.language.syntax.scan import Scan, Token

# The text; in what it ends, from which offset on, and in how many levels of code; its tokens with
# their offsets; the open brackets with the indices of their tokens.
CASES = [
    ("", "code", "", ""),
    ("$x = 1", "code", "variable:$x@0 operator:=@3 number:1@5", ""),
    ("# c", "comment", "", ""),
    ("# c\n1", "code", "number:1@4", ""),
    ("/* a", "comment", "", ""),
    ("/* a */ 1", "code", "number:1@8", ""),
    ("'abc", "single 1", "", ""),
    ("'a\\'b' 1", "code", "string:a\\'b@0 number:1@7", ""),
    ("'it''s'", "code", "string:it@0 string:s@4", ""),
    ('"abc', "double 1", "", ""),
    ('"a$b" c', "code", "string:a$b@0 name:c@6", ""),
    ('"a ${x', "code in 2", "name:x@5", ""),
    ('"a ${[1', "code in 2", "operator:[@5 number:1@6", "[0"),
    ('"a ${x} b', "double 7", "text:@0", ""),
    ('"a ${x} b" + 1', "code", "text:@0 operator:+@11 number:1@13", ""),
    ('"a ${f("b") } c" d', "code", "text:@0 name:d@17", ""),
    ('"${x}${y', "code in 2", "name:y@7", ""),
    (
        '"${ {a => 1}',
        "code in 2",
        "operator:{@4 name:a@5 operator:=>@7 number:1@10 operator:}@11",
        "",
    ),
    ('"\\"', "double 1", "", ""),
    ('"$', "double 1", "", ""),
    ('"a\\${x"', "code", "string:a\\${x@0", ""),
    ("1 / 2", "code", "number:1@0 operator:/@2 number:2@4", ""),
    ("$a /b/", "code", "variable:$a@0 operator:/@3 name:b@4 operator:/@5", ""),
    ("f /b/", "code", "name:f@0 operator:/@2 name:b@3 operator:/@4", ""),
    ("if /b/", "code", "name:if@0 regex:/b/@3", ""),
    ("node /a\\/b/", "code", "name:node@0 regex:/a\\/b/@5", ""),
    ("(1) / 2", "code", "operator:(@0 number:1@1 operator:)@2 operator:/@4 number:2@6", ""),
    (
        "[1] /2/",
        "code",
        "operator:[@0 number:1@1 operator:]@2 operator:/@4 number:2@5 operator:/@6",
        "",
    ),
    ("{} /2/", "code", "operator:{@0 operator:}@1 operator:/@3 number:2@4 operator:/@5", ""),
    ("= /a", "code", "operator:=@0 operator:/@2 name:a@3", ""),
    ("/a", "code", "operator:/@0 name:a@1", ""),
    ("/a\n/", "code", "operator:/@0 name:a@1 operator:/@3", ""),
    ("x /", "code", "name:x@0 operator:/@2", ""),
    ("$a::b", "code", "variable:$a::b@0", ""),
    ("$::a", "code", "variable:$::a@0", ""),
    ("A::B[", "code", "type:A::B@0 operator:[@4", "[1"),
    ("::a::b", "code", "name:::a::b@0", ""),
    ("a-b", "code", "name:a-b@0", ""),
    ("1.5e3", "code", "number:1.5e3@0", ""),
    ("0x1F", "code", "number:0x1F@0", ""),
    ("Foo::", "code", "type:Foo::@0", ""),
    ("a <<| |>>", "code", "name:a@0 operator:<<|@2 operator:|>>@6", ""),
    (
        "a => 1, b +> 2",
        "code",
        "name:a@0 operator:=>@2 number:1@5 operator:,@6 name:b@8 operator:+>@10 number:2@13",
        "",
    ),
    ("@(END)", "code", "text:@0", ""),
    ("@(END)\n text", "plain heredoc 7", "text:@0", ""),
    ("@(END)\n text\n| END\n1", "code", "text:@0 number:1@19", ""),
    ('@("E")\n ${x', "code in 2", "name:x@10", ""),
    ('@("E")\n ${x}', "heredoc 7", "text:@0", ""),
    ("@(E)\n ${x", "plain heredoc 5", "text:@0", ""),
    ("@(A) @(B)\na\nA\nb\nB\n2", "code", "text:@0 text:@5 number:2@18", ""),
    ('@( "E":json/tL ) 1', "code", "text:@0 number:1@17", ""),
    ("@(E)\n x\n |- E\n$z", "code", "text:@0 variable:$z@14", ""),
    ("f([{", "code", "name:f@0 operator:(@1 operator:[@2 operator:{@3", "(1 [2 {3"),
    ("f([{)", "code", "name:f@0 operator:(@1 operator:[@2 operator:{@3 operator:)@4", ""),
    ("f(])", "code", "name:f@0 operator:(@1 operator:]@2 operator:)@3", ""),
    ("f((a)", "code", "name:f@0 operator:(@1 operator:(@2 name:a@3 operator:)@4", "(1"),
    ("}", "code", "operator:}@0", ""),
    (
        "a ? { b => 1",
        "code",
        "name:a@0 operator:?@2 operator:{@4 name:b@6 operator:=>@8 number:1@11",
        "{2",
    ),
    ("@notify", "code", "operator:@@0 name:notify@1", ""),
    ("@@x", "code", "operator:@@@0 name:x@2", ""),
    ("~> a -> b", "code", "operator:~>@0 name:a@3 operator:->@5 name:b@8", ""),
    ("$", "code", "variable:$@0", ""),
    (
        "$a.b(|$c|",
        "code",
        "variable:$a@0 operator:.@2 name:b@3 operator:(@4 operator:|@5 variable:$c@6 operator:|@8",
        "(3",
    ),
    ("$x == 'y' and", "code", "variable:$x@0 operator:==@3 string:y@6 name:and@10", ""),
    ('@("E")\n a ${x}\nE\n1', "code", "text:@0 number:1@17", ""),
    ("%x", "code", "operator:%@0 name:x@1", ""),
    ("é", "code", "operator:é@0", ""),
    ("type", "code", "name:type@0", ""),
    ("Regexp[/a/]", "code", "type:Regexp@0 operator:[@6 regex:/a/@7 operator:]@10", ""),
    ("case /a/", "code", "name:case@0 regex:/a/@5", ""),
    ("in /x/", "code", "name:in@0 regex:/x/@3", ""),
    ("and /x/", "code", "name:and@0 regex:/x/@4", ""),
    ("or /x/", "code", "name:or@0 regex:/x/@3", ""),
    ("unless /x/", "code", "name:unless@0 regex:/x/@7", ""),
    ("elsif /x/", "code", "name:elsif@0 regex:/x/@6", ""),
    ("'a' / 2", "code", "string:a@0 operator:/@4 number:2@6", ""),
    ('"${a}" / 2', "code", "text:@0 operator:/@7 number:2@9", ""),
    ("/a/ / 2", "code", "regex:/a/@0 operator:/@4 number:2@6", ""),
    ("@(E)\nE", "plain heredoc 5", "text:@0", ""),
    ("@(E)\nE\n", "code", "text:@0", ""),
    ("/* a */ /* b", "comment", "", ""),
    ("$a # c", "comment", "variable:$a@0", ""),
    ("$a # c\n", "code", "variable:$a@0", ""),
    ("'a' 'b", "single 5", "string:a@0", ""),
    ('"a" "b', "double 5", "string:a@0", ""),
    ("\"a ${'x", "single 6 in 2", "", ""),
    ('"a ${"b', "double 6 in 2", "", ""),
    ('"a ${b /c', "code in 2", "name:b@5 operator:/@7 name:c@8", ""),
    ("@(E)\n a\n  | E", "plain heredoc 5", "text:@0", ""),
    ("@(E)\n a\n  - E\n+ 1", "code", "text:@0 operator:+@14 number:1@16", ""),
    (
        "f ( /a/, /b/ )",
        "code",
        "name:f@0 operator:(@2 regex:/a/@4 operator:,@7 regex:/b/@9 operator:)@13",
        "",
    ),
    ("a, /b/", "code", "name:a@0 operator:,@1 regex:/b/@3", ""),
    ("2 / 3 / 4", "code", "number:2@0 operator:/@2 number:3@4 operator:/@6 number:4@8", ""),
    ('@(A) @("B")\na\nA\nb ${c', "code in 2", "name:c@20", ""),
    ('@("A") @(B)\na ${x} y\nA\nb', "plain heredoc 23", "text:@0 text:@7", ""),
    ("<| a |> -> b", "code", "operator:<|@0 name:a@3 operator:|>@5 operator:->@8 name:b@11", ""),
    (
        "1 <= 2 >= 3 != 4",
        "code",
        "number:1@0 operator:<=@2 number:2@5 operator:>=@7 number:3@10 operator:!=@12 number:4@15",
        "",
    ),
    ("$a += [1]", "code", "variable:$a@0 operator:+=@3 operator:[@6 number:1@7 operator:]@8", ""),
    ("$a -= 1", "code", "variable:$a@0 operator:-=@3 number:1@6", ""),
    ("a << b >> c", "code", "name:a@0 operator:<<@2 name:b@5 operator:>>@7 name:c@10", ""),
    ("<- <~", "code", "operator:<-@0 operator:<~@3", ""),
    ('"${a', "code in 2", "name:a@3", ""),
    ('"${[}', "code in 2", "operator:[@3 operator:}@4", ""),
    ('"${f(1) } x', "double 9", "text:@0", ""),
    ('x }\n"${a}', "double 9", "name:x@0 operator:}@2 text:@4", ""),
    ("@(E)\r\n a\r\nE\r\n1", "code", "text:@0 number:1@13", ""),
    ("@(a b/)\n x\na b\n1", "code", "text:@0 number:1@15", ""),
]


@pytest.mark.parametrize(("text", "where", "tokens", "brackets"), CASES)
def test_scan(text: str, where: str, tokens: str, brackets: str) -> None:
    scan = Scan(text)
    found = str(scan.where)
    if scan.where not in ("code", "comment"):
        found += f" {scan.string_start}"
    if scan.interpolating:
        found += f" in {len(scan._frames)}"
    assert found == where
    assert " ".join(f"{each.kind}:{each.text}@{each.start}" for each in scan.tokens) == tokens
    assert " ".join(f"{bracket}{index}" for bracket, index in scan.brackets) == brackets
    assert scan.interpolating == (" in " in where)


def test_tokens_of_all_levels() -> None:
    scan = Scan('f("a ${g("b ${$c')
    assert list(map(repr, scan.all_tokens)) == [
        *("name:f", "operator:(", "text:", "name:g", "operator:(", "text:", "variable:$c")
    ]
    assert list(map(repr, scan.tokens)) == ["variable:$c"]
    assert scan.brackets == []
    assert scan.text == 'f("a ${g("b ${$c'


def test_the_text_of_an_operator() -> None:
    assert Token("operator", "=>", 0).operator == "=>"
    assert Token("string", "=>", 0).operator == ""


# What is no code is marked below: s for what strings say, c for comments.
PARTS = [
    ("f('a', \"b\") # c", "   s    s   ccc"),
    ("1 /* a */ 2 # b\n3", "  ccccccc   ccc  "),
    ("/* a", "cccc"),
    ("'it", " ss"),
    ('"a ${f("b")} c" d', " ss     s   ss   "),
    ('"a ${b} c', " ss    ss"),
    ("= /a b/ 1", "   sss   "),
    ("@(E) + 'a'\n it's\n | E\n'b'", "        s  sssssssssss s "),
    ("@(E)\n it's", "     sssss"),
    ('@("E")\n a ${b', "       sss   "),
]


@pytest.mark.parametrize(("text", "marks"), PARTS)
def test_strings_and_comments_are_told_from_code(text: str, marks: str) -> None:
    scan = Scan(text)
    found = [" "] * len(text)
    for mark, spans in (("s", scan.literals), ("c", scan.comments)):
        for start, end in spans:
            found[start:end] = mark * (end - start)
    assert "".join(found) == marks


LONG = [
    "@(" + " " * 60_000,
    "@(a" + " " * 60_000,
    "@(a:" + " " * 60_000,
    "@(" * 30_000,
    "@(a/" * 20_000,
    "@(A) " * 10_000 + "\n" + "x\n" * 10_000,
    "=/" + "\\/" * 30_000,
    "=/a" * 20_001,
    '"${' * 20_000,
    '"$' * 30_000,
    "('" * 30_000,
    "/*" * 30_000,
    "(" * 30_000 + "]" * 30_000,
]


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_long_lines_take_no_longer_than_their_length(text: str) -> None:
    started = time.process_time()
    Scan(text)
    assert time.process_time() - started < 2
