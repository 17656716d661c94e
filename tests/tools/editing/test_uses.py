"""Uses of names and variables, marked in texts: a definition and its uses belong together."""

from __future__ import annotations

import pytest

from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.uses import (
    Variables,
    name_at,
    uses_of_names,
    why_name_stays,
    why_not_renamed,
)


def unmarked(marked: str) -> tuple[str, list[int], int | None]:
    """Return a text without its marks ``^``, their offsets, and that of the cursor ``$0``."""
    text, marks, cursor = "", [], None
    position = 0
    while position < len(marked):
        if marked.startswith("$0", position):
            cursor = len(text)
            position += 2
        elif marked[position] == "^":
            marks.append(len(text))
            position += 1
        else:
            text += marked[position]
            position += 1
    return text, marks, cursor


@pytest.mark.parametrize(
    "marked",
    [
        "function f($^x) { $y = $^x + 1; $z = [1].map |$x| { $x } ; $0$^x }",
        "function f($x) { [1].map |$^x| { [2].each |$y| { $0$^x + $y } } }",
        'function f($x) { [1].each |$y| { $^q = $y; f("${^q}, $^q ${$^q$0[0]}") } $q }',
        'class a ($^x) { file { "/a${^x}": mode => $0$^x } }\nclass b { notice($x) }',
        "$^x = 1\nclass a { notice($^x$0) }\ndefine b ($x) { notice($x) }",
        "[$^a, [$^b0]] = [1, [2]]\nnotice($^a)".replace("$^b0", "$b").replace("($^a)", "($^a$0)"),
        "plan a::b($^x) { apply('t') { notice($^x$0) [1].each |$y| { notice($^x) } } }",
        "plan a::b($x) { apply('t') { $^x = 1 notice($^x$0) } }",
        "function f(Integer[0] $^x, Pattern[/$x/] $y) { $0$^x }",
        "notice($^facts$0['a'])\nclass a { notice($^facts) }",
    ],
)
def test_uses_of_a_variable(marked: str) -> None:
    text, marks, cursor = unmarked(marked)
    assert cursor is not None
    variable = Variables(parse(Source(text), tasks="plan" in text)).at(cursor)
    assert variable is not None
    assert sorted(each.start for each in variable.uses) == marks
    assert all(text[each.start : each.end] == variable.name for each in variable.uses)


@pytest.mark.parametrize(
    ("marked", "new", "reason"),
    [
        ("function f($x$0) { $x }", "y", None),
        ("[1].each |$x$0| { $x }", "y", None),
        ("define a { $x$0 = 1 notice($x) }", "y", None),
        (
            "define a { $x$0 = 1 file { '/a': content => epp('a/b.epp') } }",
            "y",
            "a template may use $x",
        ),
        ("function f($x$0) { inline_epp('<%= $x %>') }", "y", "a template may use $x"),
        ("[1].each |$x$0| { 'a'.inline_template }", "y", "a template may use $x"),
        (
            "plan a::b() { $x$0 = 1 apply('t') { $x } }",
            "y",
            "code that an apply block compiles may use $x",
        ),
        ("function f($x$0) { }", "title", "Puppet itself sets $title"),
        ("[1].each |$x$0| { }", "server_facts", "Puppet itself sets $server_facts"),
        ("define a ($x$0) { }", "y", "$x is not local: other files may use it"),
        ("class a { $x$0 = 1 }", "y", "$x is not local: other files may use it"),
        ("$x$0 = 1", "y", "$x is not local: other files may use it"),
        ("function f($x$0, $y) { }", "y", "there is a variable $y already"),
        ("function f($x$0) { $facts }", "facts", "Puppet itself sets $facts"),
        ("function f($x$0) { }", "Y", "'Y' is not the name of a variable"),
        ("function f($x$0) { }", "a::b", "'a::b' is not the name of a variable"),
    ],
)
def test_which_variables_get_a_name(marked: str, new: str, reason: str | None) -> None:
    text, _, cursor = unmarked(marked)
    assert cursor is not None
    variables = Variables(parse(Source(text), tasks="plan" in text))
    variable = variables.at(cursor)
    assert variable is not None
    assert why_not_renamed(variables, variable, new) == reason
    if why_name_stays(variable) is not None:
        assert why_name_stays(variable) == reason


def test_uses_of_names() -> None:
    text = (
        "class a::b inherits a { include c, '::d'\n contain([e])\n class { 'f': }\n"
        " Class['g'] -> A::H['x']\n a::i { 'x': } classroom { 'z': }\n A::I <| |>\n"
        " j(1).k |$x| { }\n}\n"
        "type A::L = Integer\nfunction m() { }\ndefine a::n { }\n"
    )
    found = {(each.kind, each.name): each for each in uses_of_names(parse(Source(text)))}
    classes = {name for kind, name in found if kind == "class"}
    assert classes == {"a", "a::b", "c", "d", "e", "f", "g"}
    functions = {name for kind, name in found if kind == "function"}
    assert functions == {"include", "contain", "j", "k", "m"}
    types = {name for kind, name in found if kind == "type"}
    assert {"a::h", "a::i", "a::l", "a::n", "classroom", "integer"} <= types
    defined = {each.name for each in found.values() if each.is_definition}
    assert defined == {"a::b", "a::l", "m", "a::n"}
    for use in found.values():
        assert text[use.start : use.end].removeprefix("::").lower() == use.name
        assert name_at(parse(Source(text)), use.start) == use
