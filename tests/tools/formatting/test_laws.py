"""Formatted code is the same program with the same comments, and stays as it is."""

from __future__ import annotations

import random

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.formatting import FormatError, format_text, formatter
from tests.recorded import suite
from tests.tools.formatting.laws import broken_laws, unlawful
from tests.tools.formatting.noise import KINDS, with_noise


def programs() -> list[str]:
    """Return recorded programs of several lines that can be parsed."""
    found = []
    for case in suite("parse"):
        code = case["code"]
        try:
            parse(Source(code))
        except (PuppetError, UnicodeError):
            continue
        found.append(code)
    return found


PROGRAMS = programs()


def test_recorded_programs() -> None:
    assert len(PROGRAMS) > 1000
    broken = {code: laws for code in PROGRAMS if (laws := broken_laws(code))}
    assert broken == {}


@pytest.mark.parametrize("width", [20, 80])
def test_widths(width: int) -> None:
    longest = sorted(PROGRAMS, key=len)[-150:]
    broken = {code: laws for code in longest if (laws := broken_laws(code, width=width))}
    assert broken == {}


@pytest.mark.parametrize("kind", KINDS)
def test_noise(kind: str) -> None:
    chance = random.Random(kind)
    longest = sorted(PROGRAMS, key=len)[-400:]
    tried = 0
    for code in longest:
        noisy = with_noise(code, kind, chance, share=0.1)
        if noisy is None or noisy == code:
            continue
        tried += 1
        width = chance.randint(20, 200)
        assert broken_laws(noisy, width=width) == [], noisy
        if kind == "blanks":
            assert format_text(noisy, width=width) == format_text(code, width=width), noisy
    assert tried > 100


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("file { '/a': , }", "file { '/a': }\n"),
        ("file { '/a': ; }", "file { '/a': }\n"),
        ("notice('a  \nb')", "notice('a  \nb')\n"),
        ('notice("a  \n b",  1)', 'notice("a  \n b", 1)\n'),
        ('realize(X/* z */["a"])', "realize(X['a']) /* z */\n"),
        ("$a = [] # c\n", "$a = [] # c\n"),
        ("node a.b, c-d, 1, default, /x/ {}", "node 'a.b', 'c-d', '1', default, /x/ {}\n"),
        ("node a . /* 1 */ b {}", "node 'a.b' {} /* 1 */\n"),
        (
            "if $x.any |$y| { $y } {\n f()\n} else { g() }",
            "if $x.any |$y| { $y } {\n  f()\n} else {\n  g()\n}\n",
        ),
        (
            "if $x.any |$y| >> Array[String] { $y } {\n f()\n}",
            "if $x.any |$y| >> Array[String] { $y } {\n  f()\n}\n",
        ),
        ("type # 1\n A = Enum['a\nb', c]", "type A = Enum['a\nb', c] # 1\n"),
        ("plan a() { apply ($x) { f() } }", "plan a () {\n  apply($x) { f() }\n}\n"),
        ("class a # 1\n( # 2\n $x) { # 3\n}", "class a ( # 1\n  # 2\n  $x,\n) { # 3\n}\n"),
        ("class a inherits b # 1\n{ # 2\n f()\n}", "class a inherits b { # 1\n  # 2\n  f()\n}\n"),
        ("class a { /* 1 */ # lint:x\n}", "class a { # lint:x\n  /* 1 */\n}\n"),
        ("define a() # 1\n{ # 2\n # 3\n}", "define a () { # 1\n  # 2\n  # 3\n}\n"),
        ("file { # 1\n 'x': # 2\n a => 1 }", "file { 'x': # 1\n  # 2\n  a => 1,\n}\n"),
        ("file { 'x'\n # 1\n # 2\n: # lint:x\n}", "file { 'x': # lint:x\n  # 1\n  # 2\n}\n"),
        ("file {\n # 1\n # 2\n 'x':\n a => 1 }", "# 1\n# 2\nfile { 'x':\n  a => 1,\n}\n"),
        ("if $x # 1\n{ # 2\n f()\n}", "if $x { # 1\n  # 2\n  f()\n}\n"),
    ],
)
def test_odd_programs(code: str, wanted: str) -> None:
    tasks = code.startswith("plan")
    assert format_text(code, tasks=tasks) == wanted
    assert broken_laws(code, tasks=tasks) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<%-||-%>x", "<%- | | -%>x"),
        ("<%|$a='b  c'|%>", "<% | $a = 'b  c' | %>"),
        ("<%| $a = @(X)\n b\n | X\n|%>\n", "<% |\n  $a = @(X),\n  b\n  | X\n| %>\n"),
    ],
)
def test_odd_templates(text: str, wanted: str) -> None:
    assert format_text(text, is_template=True) == wanted
    assert format_text(wanted, is_template=True) == wanted


def test_empty_brackets_do_not_hug() -> None:
    assert format_text("f($x['y'], {})", width=13) == "f(\n  $x['y'],\n  {},\n)\n"


_HEREDOC = "f(@(X))\n  a\n    b\n  | X\n"
_CONTROLS = "f(1) # lint:ignore:a\ng(2)\n"


@pytest.mark.parametrize(
    ("code", "result", "law"),
    [
        ("f(1)", "f(2)\n", "the trees differ"),
        ("f(1) # a", "f(1)\n", "the comments are others"),
        ("f(1)", "f(1)", "not one line break at the end"),
        ("f(1)", "\nf(1)\n", "an empty line at an end"),
        (_HEREDOC, _HEREDOC.replace("  a", " a"), "a heredoc is moved in part"),
        (
            _CONTROLS,
            "f(1)\ng(2) # lint:ignore:a\n",
            "a comment for puppet-lint is at another token",
        ),
        ("f(1)\ng(1)", "f(1) \ng(1)\n", "a blank at the end of 'f(1) '"),
        ("if $x { f(1) }", "if $x {\n\tf(1)\n}\n", "a tab begins '\\tf(1)'"),
        ("f([1, 2])", "f([1,\n  2])\n", "a bracket of line 1 is broken in part"),
        ("f(1, 2)", "f(1,\n  2,\n)\n", "a bracket of line 1 is broken in part"),
        (
            "$x = { a => 1, bc => 2 }",
            "$x = {\n  a => 1,\n  bc => 2,\n}\n",
            "an arrow of line 3 is out of its column",
        ),
        (
            "file { 'a': a => 1, bc => 2 }",
            "file { 'a':\n  a => 1,\n  bc => 2,\n}\n",
            "an arrow of line 3 is out of its column",
        ),
        (
            "f('a long string')",
            "f('a long string')\n",
            "a bracket on the long line 1 could break",
        ),
    ],
)
def test_each_law_can_be_broken(code: str, result: str, law: str) -> None:
    assert law in unlawful(code, result, width=15)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["f(2) # a"], "is another program"),
        (["f(1"], "has an error"),
        (["f(1)"], "has other comments"),
        (["f(1) # a", "# a"], "has other comments"),
        (["f( 1) # a"], "would change again"),
    ],
)
def test_a_wrong_result_is_refused(
    lines: list[str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = iter([lines, ["f(1) # a"]])
    monkeypatch.setattr(formatter, "lines_of", lambda doc, width: next(results))
    with pytest.raises(FormatError, match=reason):
        format_text("f(1)# a")
