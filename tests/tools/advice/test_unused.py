"""Variables and parameters that nothing reads.

Those of READ_BY_NAME print 1 in Puppet: its functions read the variable of their caller.
"""

from __future__ import annotations

import pytest

from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import Session
from puppet_repl.tools.advice.walk import advise

RULES = ("unused_parameter", "unused_variable")
UNUSED = [
    ("function f($a) { $b = $a $a }", ["$b"]),
    ("function f($a, $b) { $a }", ["$b"]),
    ("function f($a, Integer $b = 1) { $a }", ["Integer $b = 1"]),
    ("define d($a, $b = 1) { notify { $a: } }", ["$b = 1"]),
    ("define d() { $a = 1 }", ["$a"]),
    ("define d($c) { if $c { notice(1) $a = 1 } else { notice(2) $a = 2 } }", ["$a"]),
    ("class x { [1].each |$a| { $b = $a notice($a) } }", ["$b"]),
    ("function f($a) { $b = 1 $a.each |$b| { notice($b) } }", []),
    ("function f($a) { $b = 1 $c = [2].map |$d| { $d } notice($c) $a }", ["$b"]),
    ("function f($a, $b) { notice(epp('m/t.epp', {'a' => $a})) }", ["$b"]),
    ("function f($a, $b) { m::other($a) }", ["$b"]),
]
USED = [
    "class x($a) { $b = 1 }",
    "node default { $b = 1 }",
    "$b = 1",
    "plan m::p($a) { $b = 1 notice(1) }",
    'function f($a, $b = $a) { "${b}" }',
    "function f($a) { $b = $a }",
    "function f($a) { if $a { $b = $a } else { $b = 2 } }",
    "function f($a, $_b) { $_c = $a $a }",
    "function f($a, *$b) { $a }",
    "function f(Hash $options, Puppet::LookupContext $context) { notice($options) [] }",
    "function f($a) { {} }",
    "function f($a) { }",
    "define d($a) { }",
    "function f($a) { [$b, $c] = $a $b }",
    "class x { {'a' => 1}.each |$a, $b| { notice($a) } }",
    "function f($a) { defined('$a') }",
    # Functions of a module that are Ruby, of the kind that has its caller's variables.
    "function f($a) { $b = 1 read_it() notice($a) }",
]
READ_BY_NAME = [
    "function f() { $a = 1 inline_template('<%= @a %>') } notice(f())",
    "function f() { $a = 1 inline_epp('<%= $a %>') } notice(f())",
    "function f() { $a = 1 getvar('a') } notice(f())",
    "function f() { $a = 1 [1].map |$b| { notice($b) getvar('a') } } notice(f())",
    "define d($a) { notice(inline_epp('<%= $a %>'), $title) } d { 'x': a => 1 }",
]
TEMPLATES = [
    ("<%- | $a, $b | -%><%= $a %>", ["$b"]),
    ("<%- | $a | -%><% $b = $a %><%= $a %>", ["$b"]),
    ("<%- | $a, $b | -%><%= $a %><%= $b %>", []),
]


def found_in(code: str, *, epp: bool = False) -> list[str]:
    program = parse(Source(code), epp=epp, tasks=True)
    return [code[each.start : each.end] for each in advise(program) if each.rule in RULES]


@pytest.mark.parametrize(("code", "found"), UNUSED, ids=[each[0] for each in UNUSED])
def test_what_nothing_reads_is_found(code: str, found: list[str]) -> None:
    assert found_in(code) == found


@pytest.mark.parametrize("code", USED)
def test_what_may_be_read_is_not_found(code: str) -> None:
    assert found_in(code) == []


@pytest.mark.parametrize("code", READ_BY_NAME)
def test_functions_that_read_a_name_are_known(code: str) -> None:
    assert Session().execute(code).error is None
    assert found_in(code) == []


@pytest.mark.parametrize(("code", "found"), TEMPLATES, ids=[each[0] for each in TEMPLATES])
def test_a_template_reads_its_parameters(code: str, found: list[str]) -> None:
    assert found_in(code, epp=True) == found
