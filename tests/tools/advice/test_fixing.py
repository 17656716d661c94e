"""Edits: what they make of each rule's example, of whole resources, and where there is none."""

from __future__ import annotations

import pytest

from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate
from puppet_repl.tools.advice.fixing import fixed
from puppet_repl.tools.advice.model import Advice
from puppet_repl.tools.advice.rules import ASKED, RULES, Rule
from puppet_repl.tools.advice.walk import advise


def found(text: str) -> list[Advice]:
    program = parse(Source(text))
    assert validate(program) == []
    return advise(program, with_style=True)


def result(text: str, *, asked: bool = False) -> str:
    return fixed(text, found, asked=asked)[0]


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.fix], ids=lambda rule: rule.name)
def test_the_example_of_a_rule_becomes_what_to_write_instead(rule: Rule) -> None:
    assert result(rule.example, asked=True) == rule.instead
    assert result(rule.example) == (rule.example if rule.fix == ASKED else rule.instead)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_has_edits_exactly_if_its_table_says_so(rule: Rule) -> None:
    of_rule = [each for each in found(rule.example) if each.rule == rule.name]
    assert [bool(each.edits) for each in of_rule] == [bool(rule.fix)]


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.fix], ids=lambda rule: rule.name)
def test_a_comment_keeps_the_code_as_it_is(rule: Rule) -> None:
    text = f"{rule.example} # lint:ignore:{rule.name}"
    assert result(text, asked=True) == text


CHANGED = [
    # Comments above and beside an attribute go along, and the texts of its heredocs.
    (
        """file { '/x':
  # the mode
  mode    => '0644', # why
  content => @(END),
    Hello
    | END
  # the state
  ensure  => file # there
}
""",
        """file { '/x':
  # the state
  ensure  => file, # there
  # the mode
  mode    => '0644', # why
  content => @(END),
    Hello
    | END
}
""",
    ),
    (
        "file { '/x':\n  mode => '0644',\n  ensure => $a ? {\n    @(X) => file,\n      a\n"
        "      | X\n"
        "    default => absent,\n  },\n  owner => 'a',\n}\n",
        "file { '/x':\n  ensure => $a ? {\n    @(X) => file,\n      a\n      | X\n"
        "    default => absent,\n  },\n  mode => '0644',\n  owner => 'a',\n}\n",
    ),
    (
        "user { 'al': uid => 1, ensure => present; 'bo':\n  uid => 2,\n  ensure => absent;\n}\n",
        "user { 'al': ensure => present, uid => 1; 'bo':\n  ensure => absent,\n  uid => 2;\n}\n",
    ),
    ("class { ::shop: }", "class { 'shop': }"),
    ("package { [vim, 'git']: }", "package { ['vim', 'git']: }"),
    ("include ::a, ::b::c", "include a, b::c"),
    ("include '::a'", "include 'a'"),
    ("class a inherits ::a::params { }", "class a inherits a::params { }"),
    ("case $x { a, b: { } default: { } }", "case $x { 'a', 'b': { } default: { } }"),
    # Variables in strings, with braces and without; the texts of heredocs.
    (
        'notice("$osfamily ${::fqdn} ${operatingsystem[0]} ${hostname.upcase}")',
        "notice(\"${facts['os']['family']} ${facts['networking']['fqdn']} "
        "${facts['os']['name'][0]} ${facts['networking']['hostname'].upcase}\")",
    ),
    ('notice("${::a::b} ${::kernel}")', "notice(\"${a::b} ${facts['kernel']}\")"),
    (
        'notice(@("X"))\n  ${::osfamily} $::kernel\n  | X\n',
        "notice(@(\"X\"))\n  ${facts['os']['family']} ${facts['kernel']}\n  | X\n",
    ),
    # A variable that begins the text of a heredoc, with a margin.
    (
        'notice(@("X"))\n    $::osfamily $::kernel\n  $osfamily\n  | X\n',
        "notice(@(\"X\"))\n    ${facts['os']['family']} ${facts['kernel']}\n"
        "  ${facts['os']['family']}\n  | X\n",
    ),
    # A parameter whose default has the name of the parent, too.
    (
        "class b($x = '::a', $inherits = '::a') inherits ::a { notice($x, $inherits) }",
        "class b($x = '::a', $inherits = '::a') inherits a { notice($x, $inherits) }",
    ),
    ("$x = fact('memorysize')", "$x = fact('memory.system.total')"),
    ("$x = $facts['hostname']", "$x = $facts['networking']['hostname']"),
    ("File { mode => 644 }", "File { mode => '0644' }"),
    ("File { mode => 01777 }", "File { mode => '1777' }"),
    (
        "class m { file { '/x': source => 'puppet://modules/m/x' } }",
        "class m { file { '/x': source => 'puppet:///modules/m/x' } }",
    ),
    (
        "class m { file { '/x': source => \"puppet:///m/${title}\" } }",
        "class m { file { '/x': source => \"puppet:///modules/m/${title}\" } }",
    ),
    (
        "file { '/a':\n  ensure => '/b',\n  owner => 'c',\n}\n",
        "file { '/a':\n  ensure => link,\n  target => '/b',\n  owner => 'c',\n}\n",
    ),
]


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_new_lines_end_as_those_of_the_file(before: str, after: str) -> None:
    crlf = before.replace("\n", "\r\n")
    assert result(crlf, asked=True) == after.replace("\n", "\r\n")


def test_a_warning_begins_where_its_variable_is_written() -> None:
    """Puppet's own errors begin at the line of a heredoc, before its margin."""
    text = 'notice(@("X"))\n    $::osfamily[0] $$::kernel\n    | X\n'
    places = {each.rule: (each.position, text[each.start : each.end]) for each in found(text)}
    assert places == {
        "legacy_facts": ((2, 5), "$::osfamily"),
        "brackets_without_braces": ((2, 5), "$::osfamily[0]"),
        "top_scope_facts": ((2, 21), "$::kernel"),
        "double_dollar": ((2, 20), "$$::kernel"),
    }


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_what_edits_make_of_code(before: str, after: str) -> None:
    assert result(before, asked=True) == after
    assert result(after, asked=True) == after


UNCHANGED = [
    "File { mode => 689 }",
    "File { mode => 0x1a4 }",
    "File { mode => 7 }",
    # Of another type, or of a key that may be missing on a node.
    # Without colons this is no name.
    "include ::default",
    # Another variable hides the facts.
    "define d($facts) { notice($::osfamily, $::kernel, $facts) }",
    "notice($::interfaces)",
    "notice($::memorysize_mb)",
    "notice($::ipaddress_eth0)",
    "notice($facts['lsbdistcodename'])",
    "notice($facts['productname'])",
    # A comment says something about its place.
    "file { '/x':\n  # lint:ignore:file_mode\n  mode => '0999',\n  # lint:endignore\n"
    "  ensure => file,\n}\n",
    "file { '/x': mode => '0644', /* why */ ensure => file }",
    "file { '/x': content => @(X), ensure => file }\n  a\n  | X\n",
    # A capital makes it a type, and a target is there already.
    "case $x { Debian: { } default: { } }",
    "file { '/a': ensure => '/b', target => '/c' }",
    "$a = 'x' notice('${a} and ${b}')",
]


@pytest.mark.parametrize("text", UNCHANGED)
def test_when_in_doubt_nothing_is_changed(text: str) -> None:
    assert result(text, asked=True) == text


def test_an_edit_that_makes_the_code_wrong_is_left_out() -> None:
    def wrong_without_colons(text: str) -> list[Advice]:
        return found(text if "::b" in text else "{")

    text = "include ::a\ninclude ::b\ninclude ::c\n"
    assert fixed(text, wrong_without_colons)[0] == "include a\ninclude ::b\ninclude c\n"


def test_an_edit_that_adds_a_finding_is_left_out() -> None:
    def more_without_colons(text: str) -> list[Advice]:
        report = Advice("unused_variable", "", Source(text), 0, 1)
        return found(text) + [report] * (2 - text.count("::a"))

    text = "include ::a\ninclude ::b\n"
    assert fixed(text, more_without_colons)[0] == "include ::a\ninclude b\n"


def test_the_fixed_findings_are_counted_by_rule() -> None:
    _, counts = fixed("class { ::shop: }\ninclude ::a", found)
    assert counts == {"absolute_classname": 2, "unquoted_resource_title": 1}
