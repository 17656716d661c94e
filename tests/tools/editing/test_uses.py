"""Uses of names and variables, marked in texts: a definition and its uses belong together."""

from __future__ import annotations

import pytest

from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.scopes import Variables, why_name_stays, why_not_renamed
from puppet_repl.tools.editing.uses import Target, includes_in, may_use, use_at, uses_in


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


CODE = """class a::b inherits a { include c, '::d'
 contain([e])
 class { 'f': fp => 1 }
 Class['g'] { gp => 1 } -> A::H['x']
 a::i { 'x': ip => 1, require => File['/r'] } classroom { ['y', 'z']: }
 A::I <| title == 'q' and iq == 1 |> { io => 2 }
 A::I { id => 1 }
 package { 'p': provider => 'gem', * => { source => 's' } }
 create_resources('a::j', { 't' => { jp => 1 } }, { jd => 1 })
 ensure_resource('user', ['u', 'v'], { 'uid' => 1 })
 ensure_packages(['w'])
 j(1).k |$l| { $l }
 ['o', '::p'].contain 'q'.include
 file { '/f': content => epp('a/t.epp', { 'tp' => 1 }), source => 'puppet:///modules/a/s' }
 notice($a::b::va, $::vt, "${vu}")
 $vf = "$vu:a${vu}é$vué" file { $vf: }
}
type A::L = Integer
function m($p) { $p }
define a::n ($np) { }
"""


def test_uses_in_a_program() -> None:
    uses = uses_in(parse(Source(CODE)))
    found = {(use.target.kind, use.target.name) for use in uses}
    names = {kind: {name for each, name in found if each == kind} for kind, _ in found}
    assert names["class"] == {"a", "a::b", "c", "d", "e", "f", "g", "o", "p", "q"}
    assert names["type"] == {
        *("a::h", "a::i", "a::j", "a::l", "a::n", "class", "classroom", "file", "integer"),
        *("package", "user"),
    }
    assert names["function"] == {
        *("contain", "create_resources", "ensure_packages", "ensure_resource", "epp", "include"),
        *("j", "k", "m", "notice"),
    }
    assert {
        (use.target.scope, use.target.name) for use in uses if use.target.kind == "resource"
    } == {
        *(("a::h", "x"), ("a::i", "x"), ("a::i", "q"), ("a::j", "t"), ("file", "/f")),
        *(("file", "/r"), ("classroom", "y"), ("classroom", "z"), ("package", "p")),
        *(("package", "w"), ("user", "u"), ("user", "v")),
    }
    assert ("provider", "gem") in found
    assert ("file", "a/t.epp") in found
    variables = {use.target[1:] for use in uses if use.target.kind == "variable"}
    assert {each for each in variables if not each[1].startswith("@")} == {
        *(("fp", "class f"), ("gp", "class g"), ("ip", "type a::i"), ("iq", "type a::i")),
        *(("io", "type a::i"), ("id", "type a::i"), ("provider", "type package")),
        *(("source", "type package"), ("jp", "type a::j"), ("jd", "type a::j")),
        *(("uid", "type user"), ("content", "type file"), ("source", "type file")),
        *(("tp", "template a/t.epp"), ("va", "class a::b"), ("vt", ""), ("vu", "")),
        ("vf", "class a::b"),
        ("np", "type a::n"),
    }
    for use in uses:
        written = CODE[use.start : use.end].removeprefix("puppet:///modules/")
        if use.target.kind == "variable":
            written = written.rpartition("::")[2]
        elif use.target.kind in ("class", "function", "type"):
            written = written.removeprefix("::").lower()
        assert written == use.target.name or use.target.name == "a/s"
        at = use_at(parse(Source(CODE)), use.end)
        assert at is not None
        assert at.target == use.target


def test_definitions_in_a_program() -> None:
    uses = [use.target for use in uses_in(parse(Source(CODE))) if use.is_definition]
    defined = {use.name for use in uses if use.kind in ("class", "function", "type")}
    assert defined == {"a::b", "a::l", "m", "a::n"}
    declared = {use.name for use in uses if use.kind == "resource"}
    assert declared == {"x", "y", "z", "p", "t", "u", "v", "w", "/f"}
    assert {use.name for use in uses if use.kind == "variable"} == {"l", "p", "np", "vf"}


def test_variables_of_templates_are_those_that_epp_gives() -> None:
    text = "<%- | $x | -%>\n<%= $x %> <%= $y %> <% [1].each |$z| { %><%= $z %><% } %>"
    source = Source(text, "/m/a/templates/b/t.epp")
    found = {use.target[1:] for use in uses_in(parse(source, epp=True))}
    assert {("x", "template a/b/t.epp"), ("y", "template a/b/t.epp")} <= found
    assert [name for name, scope in found if scope.startswith("@")] == ["z"]


def test_what_code_declares_is_known_by_its_scope() -> None:
    text = """
    include a, $b
    class c inherits d { class { 'e': } f::g { 'x': } file { '/x': } notice(Class['z'], F::H) }
    define f::g { [1].each |$x| { contain 'i' } create_resources('f::k', {}) }
    node 'X.example.com', 'y' { ['l', 'm'].include }
    node /z/, default { include n }
    """
    assert includes_in(parse(Source(text))) == {
        "": ["class a"],
        "class c": ["class d", "class e", "type f::g"],
        "type f::g": ["class i", "type f::k"],
        "node x.example.com": ["class l", "class m"],
        "node y": ["class l", "class m"],
    }


@pytest.mark.parametrize(
    ("text", "is_used"),
    [
        ("include a::b", True),
        ("class a { class b { } }", True),
        ("class a { class\n\t b { } }", True),
        ("define b() { }", True),
        ("class b_c { }", True),  # it may: the tree tells more
        ("subclass_of b, b", False),
        ("b", False),
        ("class c { notice('b') }", False),
    ],
)
def test_a_text_without_the_whole_name_may_define_it(text: str, *, is_used: bool) -> None:
    assert may_use(text, Target("class", "a::b")) == is_used
