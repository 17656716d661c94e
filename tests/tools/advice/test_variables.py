"""Variables that nothing sets: Puppet compiles no program of WRONG, and each of RIGHT."""

from __future__ import annotations

import pytest

from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import Session
from puppet_repl.tools.advice.walk import advise

RULE = "unknown_variable"
WRONG = [
    ("class x($acount) { notify { $account: } } class { 'x': acount => 'al' }", "$account"),
    ('class x { notice("a ${nope}") } include x', "nope"),
    ("class x { notice(\"a ${nope['a']}\") } include x", "nope"),
    ('class x { notice(@("A"))\n  a ${nope}\n  | A\n} include x', None),
    ("class x($a = $nope) { } include x", "$nope"),
    ("class x($a = $b, $b = 1) { } include x", "$b"),
    ("class x($a = $a) { } include x", "$a"),
    ("class x($a = $b) { $b = 1 } include x", "$b"),
    ("class x { [1].each |$a| { notice($a) } notice($a) } include x", "$a"),
    ("class x { [1].each |$a| { $b = $a notice($b) } notice($b) } include x", "$b"),
    ("class x { $a = [$b] $b = 1 notice($a) } include x", "$b"),
    ("class x { with(1) |$a, $b = $c| { notice($a, $b) } } include x", "$c"),
    ("class x { notice(pick($nope, 1)) } include x", "$nope"),
    ("class x { $a = $nope ? { undef => 1, default => 2 } notice($a) } include x", "$nope"),
    ("class x { File <| mode == $nope |> } include x", "$nope"),
    ("class x { $a = 1 class y { notice($a) } } include x include x::y", "$a"),
    ("define d() { notice($nope) } d { 'x': }", "$nope"),
    ("define d($a = $b, $b = 1) { notice($a) } d { 'x': }", "$b"),
    ("function f() { $nope } notice(f())", "$nope"),
    ("function f($a = $b, $b = 1) { $a } notice(f())", "$b"),
    ("class x { $ok = 1 } include x notice($x::nope)", "$x::nope"),
    ("class x { } class y { notice($::x::nope) } include x include y", "$::x::nope"),
    ("class y { [1].each |$a| { $b = $a notice($b) } } include y notice($y::b)", "$y::b"),
]
RIGHT = [
    "class x($a) { notice($a) } class { 'x': a => 1 }",
    "class x($a, $b = $a) { notice($b) } class { 'x': a => 1 }",
    "class x($a = $title, $b = $name) { notice($module_name, $caller_module_name) } include x",
    "class x { notice($facts, $trusted, $server_facts, $environment, $kernel, $1) } include x",
    "class x { if true { $a = 1 } else { $a = 2 } notice($a) } include x",
    "class x { case 1 { 1: { $a = 1 } default: { } } notice($a) } include x",
    "class x { [$a, [$b]] = [1, [2]] notice($a, $b) } include x",
    "class x { $a = [1, $b = 2] notice($a, $b) } include x",
    "class x { if defined('$nope') { notice($nope) } } include x",
    "class x { $a = 1 $b = [1].map |$c| { $a + $c } notice($b) } include x",
    "class x { $a = 1 notice(inline_epp('<%= $a %>')) } include x",
    "class x { $a = 1 } class y inherits x { notice($a, $y::a) } include y",
    "class x { $a = 1 } include x notice($x::a, $x::title)",
    "class x { notice($noop, $tag) } class { 'x': noop => true, tag => 'a' }",
    "define d() { notice($noop, $loglevel) } d { 'x': noop => true, loglevel => 'notice' }",
    "define d() { notice($title, $name) } d { 'x': }",
    "function f() { notice($title, $facts) } f()",
    "$a = 1 class x { notice($a) } include x",
    "$a = 1 function f() { $a } notice(f())",
    "class x { notice($a) } node default { $a = 1 include x }",
    "class x { inline_template('<% scope.setvar(\"a\", 1) %>') notice($a) } include x",
    "$a = 1 class x { $a = $a notice($a) } include x",
]
# Code that needs other files, or runs elsewhere.
UNSURE = [
    "notice($nope)",
    "node default { notice($nope) }",
    "class x inherits y { notice($nope) }",
    "class x { notice($y::nope, $::nope, $::y::nope) }",
    "class x { $os = $os notice($processorcount) }",
    "class x { $custom = $custom }",
    "class x { notice($serverversion, $servername) }",
    "class x { set_it('nope') notice($nope) }",
]
TEMPLATES = [
    ("<%- | $a | -%><%= $a %><%= $nope %>", ["$nope"]),
    ("<%- | $a = $b, $b = 1 | -%><%= $a %>", ["$b"]),
    ("<%- | | -%><% $a = 1 %><%= $a %><%= $facts %><%= $b %>", ["$b"]),
    ("<%= $nope %>", []),
]


def found_in(code: str, *, epp: bool = False) -> list[str]:
    found = advise(parse(Source(code), epp=epp))
    return [code[each.start : each.end] for each in found if each.rule == RULE]


def error_of(code: str) -> str:
    outcome = Session().execute(code)
    return "" if outcome.error is None else outcome.error.message


@pytest.mark.parametrize(("code", "span"), WRONG, ids=[each[0] for each in WRONG])
def test_a_variable_without_a_value_is_found(code: str, span: str | None) -> None:
    error = error_of(code)
    assert "Unknown variable" in error or "not yet evaluated" in error
    (found,) = found_in(code)
    assert span is None or found == span


@pytest.mark.parametrize("code", RIGHT)
def test_a_variable_with_a_value_is_not_found(code: str) -> None:
    assert error_of(code) == ""
    assert found_in(code) == []


@pytest.mark.parametrize("code", UNSURE)
def test_nothing_is_said_of_what_is_not_sure(code: str) -> None:
    assert found_in(code) == []


@pytest.mark.parametrize(("code", "found"), TEMPLATES, ids=[each[0] for each in TEMPLATES])
def test_templates_with_parameters_have_no_other_variables(code: str, found: list[str]) -> None:
    assert found_in(code, epp=True) == found


MESSAGES = [
    ("class x($acount) { notice($account) }", "nothing sets $account: did you mean $acount?"),
    (
        "class x { notice($gpgkey) }",
        "nothing sets $gpgkey: write $facts['gpgkey'] for a fact, $::gpgkey for a variable of the "
        "top scope",
    ),
    ("class x { notice($true) }", "nothing sets $true: write true"),
    ("class x { notice($a) $a = 1 }", "$a has no value here yet: it is set afterwards"),
    ("class x($a = $a) { }", "the default of $a is its own value, which is not known yet"),
    (
        "class x { $port = 1 } notice($x::prot)",
        "the class x sets no $prot: did you mean $x::port?",
    ),
]


@pytest.mark.parametrize(("code", "message"), MESSAGES, ids=[each[0] for each in MESSAGES])
def test_a_message_says_what_was_probably_meant(code: str, message: str) -> None:
    assert [each.message for each in advise(parse(Source(code)))] == [message]
