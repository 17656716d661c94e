"""What is warned of, and what is not: values that types of Puppet 8.11 take, facts of Facter 4."""

from __future__ import annotations

import time
from collections.abc import Container, Iterable

import pytest

from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.advice.walk import advise

pytestmark = pytest.mark.untraced


WRONG = [
    # Modes: Puppet's type file refuses Integers, and digits above 7.
    ("file { '/x': mode => 644 }", "unquoted_file_mode", "644"),
    ("File { mode => 0600 }", "unquoted_file_mode", "0600"),
    ("File['/x'] { mode => 0600 }", "unquoted_file_mode", "0600"),
    ("File <| |> { mode => 0600 }", "unquoted_file_mode", "0600"),
    ("file { '/x': mode => $a ? { 1 => 0600, default => '0644' } }", "unquoted_file_mode", "0600"),
    ("file { '/x': mode => '0888' }", "file_mode", "'0888'"),
    ("file { '/x': mode => 'rwxr-xr-x' }", "file_mode", "'rwxr-xr-x'"),
    ("concat { '/x': mode => 0644 }", "octal_number", "0644"),
    # Values
    ("service { 'x': ensure => runing }", "unknown_value", "runing"),
    ("service { 'x': ensure => present }", "unknown_value", "present"),
    ("service { 'x': enable => 'yes' }", "unknown_value", "'yes'"),
    ("user { 'x': ensure => 'Present' }", "unknown_value", "'Present'"),
    ("file { '/x': ensure => directoy }", "unknown_value", "directoy"),
    ("package { 'x': ensure => lastest }", "unknown_value", "lastest"),
    ("package { 'x': ensure => if $a { 'latset' } else { '1.2' } }", "unknown_value", "'latset'"),
    ("file { '/x': mdoe => '0644' }", "unknown_attribute", "mdoe"),
    ("exec { '/bin/x': refresh_only => true }", "unknown_attribute", "refresh_only"),
    # Paths
    ("file { 'x': ensure => file }", "relative_path", "'x'"),
    ("file { ['/a', 'b']: ensure => file }", "relative_path", "'b'"),
    ("file { 'motd': path => 'etc/motd' }", "relative_path", "'etc/motd'"),
    ("file { '/x': source => 'modules/m/x' }", "relative_path", "'modules/m/x'"),
    ("file { '/x': source => ['/a', 'b'] }", "relative_path", "'b'"),
    ("exec { '/bin/x': cwd => 'tmp' }", "relative_path", "'tmp'"),
    ("exec { '/bin/x': creates => \"tmp/${a}\" }", "relative_path", '"tmp/${a}"'),
    (
        "file { '/x': source => 'puppet://modules/m/x' }",
        "puppet_url_without_modules",
        "'puppet://modules/m/x'",
    ),
    (
        "class m::server($a) { file { '/x': source => \"puppet:///m/${a}\" } }",
        "puppet_url_without_modules",
        '"puppet:///m/${a}"',
    ),
    (
        "file { '/x': source => 'puppet:///modules/m/files/x' }",
        "directory_in_source",
        "'puppet:///modules/m/files/x'",
    ),
    ("$x = epp('m/templates/x.epp')", "directory_in_source", "'m/templates/x.epp'"),
    ("$x = file('m/files/x')", "directory_in_source", "'m/files/x'"),
    ("file { '/x': ensure => link }", "link_without_target", "link"),
    (
        "file { '/x': content => template('m/x'), source => \"/a/${b}\" }",
        "conflicting_attributes",
        'source => "/a/${b}"',
    ),
    # Commands
    ("exec { 'x': command => 'ls -l' }", "exec_without_path", "'ls -l'"),
    ("exec { 'x': command => ['ls', '-l'] }", "exec_without_path", "'ls'"),
    ("node default { exec { './x': } }", "exec_without_path", "'./x'"),
    ("cron { 'x': minute => '60' }", "cron_time", "'60'"),
    ("cron { 'x': minute => [0, 61] }", "cron_time", "61"),
    ("cron { 'x': weekday => 'Monday' }", "cron_without_minute", "'Monday'"),
    # Spelling
    (
        "file { '/x': ensure => $a ? { 1 => '/y', default => absent } }",
        "ensure_not_symlink_target",
        "'/y'",
    ),
    ("file { '/x': ensure => \"/y/${a}\" }", "ensure_not_symlink_target", '"/y/${a}"'),
    ("service { 'x': enable => 'true' }", "quoted_booleans", "'true'"),
    ("File { recurse => 'false' }", "quoted_booleans", "'false'"),
    ('class a(String $b) { notify { "${b}": } }', "only_variable_string", '"${b}"'),
    ('define a() { notify { "$title": } }', "only_variable_string", '"$title"'),
    (
        "class a { notify { \"${facts['os']['release']['major']}\": } }",
        "only_variable_string",
        None,
    ),
    ("notice($::processors['count'])", "top_scope_facts", "$::processors"),
    ('notice("${::a::b}")', "topscope_variable", "::a::b"),
    ("contain ::a", "absolute_classname", "::a"),
    ("require('::a', 'b')", "absolute_classname", "'::a'"),
    ("class { '::a': }", "absolute_classname", "'::a'"),
    ("class a inherits ::b { }", "absolute_classname", "::b"),
    ("define aB() { }", "names_containing_uppercase", "aB"),
    ("class aB::c { }", "names_containing_uppercase", "aB::c"),
    ("define a(Optional[Integer] $b) { notice($b) }", "optional_default", "Optional[Integer] $b"),
    # Twice the same: compiling any of these, Puppet answers that the attribute has been set.
    ("file { '/a': mode => '1'; '/b': mode => '1', mode => '2' }", "duplicate_params", "mode"),
    ("file { default: mode => '1', mode => '2'; '/a': }", "duplicate_params", "mode"),
    ("class { 'x': a => 1, a => 1 }", "duplicate_params", "a"),
    ("d { 'x': a => undef, a => 1 }", "duplicate_params", "a"),
    ("@@d { 'x': require => D['y'], require => D['y'] }", "duplicate_params", "require"),
    ("File['/a'] { mode => '1', mode => '2' }", "duplicate_params", "mode"),
    ("File['/a'] { mode +> '1', mode +> '2' }", "duplicate_params", "mode"),
    ("File { mode => '1', mode => '2' }", "duplicate_params", "mode"),
    ("File { mode => '1' } File { owner => 'x', mode => '2' }", "duplicate_params", "mode"),
    ("file { '/a': * => { 'mode' => '1' }, mode => '2' }", "duplicate_params", "mode"),
    ("file { '/a': mode => '2', * => { 'mode' => '1' } }", "duplicate_params", "'mode'"),
    ("File['/a'] { * => { mode => '1' }, mode => '2' }", "duplicate_params", "mode"),
    ("$t = 'file' Resource[$t] { '/a': mode => '1', mode => '2' }", "duplicate_params", "mode"),
    # Puppet answers "Duplicate declaration".
    ("notify { 'a': } notify { 'a': }", "duplicate_resource", "'a'"),
    ("notify { 'a': ; ['b', 'a']: }", "duplicate_resource", "'a'"),
    ("if $facts['x'] { @file { '/a': } @@file { '/a': } }", "duplicate_resource", "'/a'"),
    ("class { 'a': } class { 'A': }", "duplicate_resource", "'A'"),
    # Puppet answers "Cannot reassign variable".
    ("$x = 1 $x = 2 notice($x)", "reassigned_variable", "$x"),
    ("class a($b) { $b = 2 }", "reassigned_variable", "$b"),
    ("define a($b) { if $b { $b = 2 } }", "reassigned_variable", "$b"),
    ("function f($b) { [$c, $b] = [1, 2] $c + $b }", "reassigned_variable", "$b"),
    (
        "class a { $b = 1 case $b { 1: { notice(1) $b = 2 } default: { } } }",
        "reassigned_variable",
        "$b",
    ),
    ("[1].each |$x| { $x = 2 notice($x) }", "reassigned_variable", "$x"),
    # Facts
    ("notice($::ipaddress_eth0)", "legacy_facts", "$::ipaddress_eth0"),
    ("notice($facts['fqdn'])", "legacy_facts", "$facts['fqdn']"),
    ('class a { notice("on ${osfamily}") }', "legacy_facts", "osfamily"),
    ("notice(fact('lsbdistcodename'))", "legacy_facts", "'lsbdistcodename'"),
    ("notice($facts['networking.ip'])", "dotted_fact", "$facts['networking.ip']"),
    ("notice($facts['os']['famly'])", "unknown_fact", "'famly'"),
    ("notice(\"${facts['os']['relase']['major']}\")", "unknown_fact", "'relase'"),
    ("notice($::facts['networking']['hostnam'])", "unknown_fact", "'hostnam'"),
    ("notice(fact('processors.cuont'))", "unknown_fact", "'processors.cuont'"),
    ("case $facts['os']['family'] { 'CentOS': { } default: { } }", "os_family", "'CentOS'"),
    ("$x = $facts['os']['family'] in ['Debian', 'ubuntu']", "os_family", "'ubuntu'"),
    ("Cron { user => 'x' } cron { 'x': hour => 2 }", "cron_without_minute", "2"),
    ("Cron { target => 'x' } file { '/x': ensure => link }", "link_without_target", "link"),
    ("class a { $hostname = 'x' notice($::hostname) }", "legacy_facts", "$::hostname"),
    ("class a { $fqdn = 'x' } class b { notice($fqdn) }", "legacy_facts", "$fqdn"),
    # Strings
    (
        "class a($b) { [1].each |$c| { notice('is ${b}') } }",
        "single_quote_string_with_variables",
        "'is ${b}'",
    ),
    ("class a($b) { notice('${b}') }", "single_quote_string_with_variables", "'${b}'"),
    ("notice('${facts[\"kernel\"]}')", "single_quote_string_with_variables", None),
    ('class a($b) { notice("$b[0]") }', "brackets_without_braces", "$b[0]"),
    ('class a($b) { notice("${b} $${ b }") }', "double_dollar", "$${ b }"),
    ('class a($b) { notice("$${b}") }', "double_dollar", "$${b}"),
    ("notice(service['x'])", "lowercase_reference", "service['x']"),
    ("notice(facts['kernel'])", "lowercase_reference", "facts['kernel']"),
    # Words
    ("$a != null", "bare_word", "null"),
    ("if nil == $a { notice(1) }", "bare_word", "nil"),
    ("class a($b) { if b == 5 { } }", "bare_word", "b"),
    ("class a($b) { if 'on' != b { } }", "bare_word", "b"),
    ("$l.each |$a| { notice(a) }", "bare_word", "a"),
    ("$x = 1 notice('it is', x)", "bare_word", "x"),
    # Conditions
    ("if enabled { notice(1) }", "constant_condition", "enabled"),
    ("unless 0 { notice(1) }", "constant_condition", "0"),
    ("$x = $a == 'b' or 'c'", "constant_condition", "'c'"),
    ("if !'false' { notice(1) }", "constant_condition", "'false'"),
    ("$x = $a and !enabled", "constant_condition", "enabled"),
    ("if ! $a in $b { notice(1) }", "not_before_comparison", "! $a"),
    ("if !$a =~ /b/ { notice(1) }", "not_before_comparison", "!$a"),
    ("$x = $a ? { 'A' => 1, 'a' => 2, default => 3 }", "duplicate_option", "'a'"),
    ("case $a { 'a': { } 'b', 'A': { } }", "duplicate_option", "'A'"),
    ("case $a { 'a', 'b', 'a': { } }", "duplicate_option", "'a'"),
    ("case $a { 'a', 'A': { } /x/, 'a': { } }", "duplicate_option", "'a'"),
    ("$x = $a['b'] and $a['b']", "same_sides", "$a['b'] and $a['b']"),
    ("if $a { fail('x') $b = 1 }", "unreachable_code", "$b = 1"),
    (
        "define a(Enum['b', 'c', 'd'] $e) { notice($e ? { 'b' => 1, 'c' => 2 }) }",
        "selector_without_default",
        "$e",
    ),
    # Types
    (
        "class a(Integer $b) { [1].each |$c| { if $b == 'x' { } } }",
        "different_types",
        "$b == 'x'",
    ),
    ("class a(Boolean $b) { if $b == 'true' { } }", "different_types", "$b == 'true'"),
    ("class a(String $b) { if $b > 1 { } }", "different_types", "$b > 1"),
    ("case $facts['os']['release']['major'] { 7: { } default: { } }", "different_types", "7"),
    ("if $a < '2.4' { notice(1) }", "version_comparison", "$a < '2.4'"),
    (
        "if $facts['processors']['count'] > '4' { notice(1) }",
        "different_types",
        "$facts['processors']['count'] > '4'",
    ),
    ("class a(String $b = undef) { }", "default_of_other_type", "undef"),
    ("class a(Hash $b = []) { }", "default_of_other_type", "[]"),
    ("class a(Boolean $b = 'true') { }", "default_of_other_type", "'true'"),
]

RIGHT = [
    "notice($facts['os']['familiar'], $facts['networking']['interfaces']['eth0']['ipp'])",
    "notice($facts['disks']['sda']['modle'], fact('networking.interfaces.ip'))",
    "class a($facts) { notice($facts['os']['famly']) }",
    "notify { 'a': } notify { 'A': } file { '/a': }",
    "if $facts['x'] { notify { 'a': } } else { notify { 'a': } }",
    "notify { 'a': } if $facts['x'] { notify { 'a': } }",
    "if $facts['x'] { $y = 1 } else { $y = 2 } notice($y)",
    "if $facts['x'] { $y = 1 } elsif $facts['z'] { $y = 2 } notice($y)",
    "if $facts['x'] { $y = 1 } if $facts['z'] { $y = 2 } notice($y)",
    "case $facts['x'] { 1: { $y = 1 } default: { $y = 2 } } notice($y)",
    "class a { $b = 1 [2].each |$b| { notice($b) } [2].each |$c| { $b = $c notice($b) } }",
    "class a { $b = 1 class b { $b = 2 } notice($b) }",
    "if $facts['x'] { $y = 1 } $y = 2 notice($y)",
    "file { '/x': ensure => $a } package { 'x': ensure => '/y' }",
    "file { '/x': content => 'true' } ini_setting { 'x': value => 'true' } user { 'true': }",
    'class a($b, Integer $c, Optional[String] $d = undef) { notice("${b}", "${c}", "${d}") }',
    'class a(String $b) { notice("a${b}", "${b.upcase}", "${b[0]}", "${title[0]}", $b) }',
    'notice("${title}") define a() { [1].each |$name| { notice("${name}") } }',
    'class a(String $b) { notice(@("A"))\n${b}\n|- A\n}',
    "notice($::custom, $a::b, $networking, $facts['networking']) include a notify { '::a': }",
    "class a(Optional[String] $b) { notice($b) } function f(Optional[String] $b) { $b }",
    # Puppet compiles these.
    "File <| |> { mode => '1', mode => '2' }",
    "file { default: mode => '1'; '/a': mode => '2'; '/b': mode => '3' }",
    "file { '/a': * => $b, mode => '1' } File { mode => '1' } File['/a'] { owner => '1' }",
    "class a { File { mode => '1' } } class b { File { mode => '2' } }",
    "File { mode => '1' } Concat { mode => '2' }",
    "class a($present, $ensure) { if $ensure == present { } }",
    "class a($b) { include b notice('b', $b) if c == 'c' { } }",
    "notice(done)",
    "$a == 'null'",
    "file { '/x': mode => '644' }",
    "file { '/x': mode => 'u=rwX,go-w' }",
    "file { '/x': mode => $mode }",
    "file { '/x': ensure => link, source => '/y' }",
    "file { 'C:/x': ensure => file }",
    "file { 'C:\\x': ensure => file }",
    'file { "${dir}/x": ensure => file }',
    "file { 'motd': path => '/etc/motd' }",
    "file { 'motd': * => $attributes }",
    "file { default: path => '/x'; 'motd': ensure => file }",
    "file { '/x': source => 'https://example.com/x' }",
    "file { '/x': source => 'puppet:///data/x' }",
    "class a($b, $c) { file { '/x': content => $b, source => $c } }",
    "package { 'x': ensure => '1.2.3-1' }",
    "package { 'x': ensure => 'held' }",
    "service { 'x': ensure => true, enable => true }",
    "service { 'x': ensure => stdlib::ensure($a, 'service') }",
    "my_type { 'x': ensure => runing, whatever => 1 }",
    "cron { 'x': minute => '*/5', hour => '0-6', weekday => 7 }",
    "cron { 'x': special => 'daily', hour => 1 }",
    "cron { 'x': ensure => absent, hour => 1 }",
    "Exec { path => '/bin' } exec { 'ls': }",
    "class a { exec { 'ls': } }",
    "exec { 'ls': provider => shell }",
    "exec { '\"/opt/a b\" c': }",
    'exec { "${ls} -l": }',
    "$x = 8 + 0x1F + 0",
    "cron { 'x': minute => 05 }",
    "class a($osfamily) { notice($osfamily) }",
    "class a { $fqdn = 'x' notice($fqdn) }",
    "class a inherits b { notice($hostname) }",
    "[1].each |$hostname| { notice($hostname) }",
    "notice($::custom, $a::osfamily, $facts['kernel'])",
    "class a { exec { '/bin/sh -c \"echo ${HOME}\"': environment => 'x' } }",
    "notice('${HOME}')",
    "class a($b) { notice('$b', 'b') }",
    'class a($b) { notice("\\$${b} $b [0] ${b[0]}") }',
    'class a($b) { notice("${b}[0] $$${b} ${$b}") }',
    "notice(Service['x'], $a['b'], 'abc'[1])",
    "if $a == 'b' or $a == 'c' { notice(1) }",
    "if !($a in $b) { notice(1) }",
    "if !$a == $b { notice(1) }",
    "if !$a == true { notice(1) }",
    "$x = $a ? { true => 1, false => 2 }",
    "$x = $a ? { 'b' => 1, 'c' => 2 }",
    "define a(Enum['b', 'c'] $e) { notice($e ? { 'b' => 1, 'c' => 2 }) }",
    "define a(Enum['b', 'c'] $e) { notice($e ? { /b|c/ => 1 }) }",
    "$x = $facts['kernel'] ? { 'Linux' => 1, default => 2 }",
    "case $a { 'b': { } 'c': { } }",
    "if $a { fail('x') } $b = 1",
    "class a($d, Optional[String] $b = undef, Integer $c = $d, Array $e = []) { }",
    "class a(Variant[Boolean, String] $b = 'true') { if $b == 'true' { } }",
    "class a(String $b) { [1].each |$b| { if $b == 1 { } } }",
    "if versioncmp($a, '2.4') < 0 { notice(1) }",
    "if $a < 'm' { notice(1) }",
    "if $facts['os']['release']['major'] == '12' { notice(1) }",
    "if $facts['os']['name'] == 'Ubuntu' { notice(1) }",
    # A definition sees the parameters of no other.
    "function g(Integer $port) { $port } class web inherits base { if $port == '80' { } }",
    "$n = 'b' function z(Enum['a'] $n) { $n } $r = $n ? { 'b' => 1 }",
    "class a { $l = [1] $l.each |Integer $b| { notice($b) } if $::b == 'x' { } }",
    "class a(Integer $b) { define a::c($b) { if $b == 'x' { } } }",
    # Defaults of resources
    "Cron { minute => 0 } cron { 'x': hour => 2 }",
    "Cron { special => 'daily' } cron { 'x': hour => 2 }",
    "Cron { * => $defaults } cron { 'x': hour => 2 }",
    "File { target => '/x' } file { '/y': ensure => link }",
    "file { '/y': ensure => link } File['/y'] { target => '/x' }",
    "Exec { * => $defaults } exec { 'ls': }",
    "$hostname = 'x' class a { notice($::hostname) }",
    # Letters: Puppet compares those of ASCII alone in any case.
    "case $a { 'É': { } 'é': { } }",
    "$x = $a ? { 'É' => 1, 'é' => 2, default => 3 }",
    "if $facts['os']['family'] == 'Roc\u212ay' { }",
    "$x = $facts['kernel'] ? { 'Linux' => 1, /.*/ => 2 }",
    "$x = $facts['kernel'] ? { 'Linux' => 1, /^Free/ => 2 }",
    "$x = $facts['kernel'] ? { 'Linux' => 1, String => 2 }",
    # Code of shells has such variables, too.
    "exec { '/bin/sh -c \"echo ${USER::3}\"': }",
    "class a($name_x) { $c = 'for name_x in *; do echo ${name_x}; done' }",
    "class a($b) { $c = 'echo \"${b}\"' }",
    "class a($b) { $c = 'cd $(dirname ${b})' }",
    "class a { notice('${title}') }",
    "notice('${foo::bar}')",
    "if $l.shuffle == $l.shuffle { notice(1) }",
    "if f($a) == f($a) { notice(1) }",
    "case $a { 'OpenSuSE', 'OpenSUSE': { } default: { } }",
    "file { 'x': ensure => file }\nFile <| title == 'x' |> { path => '/x' }",
    "file { 'x': ensure => file }\nFile['x'] { path => '/x' }",
    # Values that are tried out
    "!'a' == 'b'",
    "notice(!'')",
    "1 == 1.0",
    "'1' == 1",
    "'a' < 1",
    "{} == {}",
    "0 and ''",
    "case 1 { '1': { } default: { } }",
    # The left side of a query is an attribute.
    "class a($ensure) { User <| ensure == 'absent' or ensure != 5 |> notice($ensure) }",
]


def warnings(
    code: str,
    *,
    epp: bool = False,
    variables: Container[str] = (),
    defaults: Iterable[tuple[str, str]] = (),
) -> list[tuple[str, str]]:
    found = advise(parse(Source(code), epp=epp), variables, defaults=defaults)
    return [(each.rule, code[each.start : each.end]) for each in found]


@pytest.mark.parametrize(("code", "rule", "span"), WRONG, ids=[each[0] for each in WRONG])
def test_what_is_warned_of(code: str, rule: str, span: str | None) -> None:
    found = warnings(code)
    assert [name for name, _ in found] == [rule]
    assert span is None or found[0][1] == span


@pytest.mark.parametrize("code", RIGHT)
def test_what_is_not_warned_of(code: str) -> None:
    assert warnings(code) == []


def test_names_that_a_session_binds_are_no_facts() -> None:
    code = "notice($osfamily, $::fqdn)"
    assert [name for name, _ in warnings(code)] == ["legacy_facts", "legacy_facts"]
    assert warnings(code, variables={"osfamily", "fqdn"}) == []


def test_a_default_path_may_be_known_from_elsewhere() -> None:
    assert warnings("exec { 'ls': }", defaults={("exec", "path")}) == []
    assert warnings("file { 'x': }", defaults={("file", "path")}) == []


DUPLICATES = [
    ("case $a { 'a': { } 'A': { } }", "'A' occurs further up: this option is never taken"),
    ("case $a { 'a': { } 'b', 'A': { } }", "'A' occurs further up: it never leads here"),
    ("case $a { 'a', 'b', 'a': { } }", "this option has 'a' twice"),
]


@pytest.mark.parametrize(("code", "message"), DUPLICATES)
def test_what_a_value_that_stands_twice_means_is_told(code: str, message: str) -> None:
    assert [each.message for each in advise(parse(Source(code)))] == [message]


def test_templates_are_looked_at_but_for_names_from_their_caller() -> None:
    assert warnings("<%= $::osfamily %><%= $fqdn %>", epp=True) == [("legacy_facts", "$::osfamily")]
    assert warnings("<% if 'false' { %>x<% } %>", epp=True) == [("constant_condition", "'false'")]


def test_warnings_stand_in_the_order_of_the_text() -> None:
    code = "".join(f"notice(0777)\nfile {{ 'x{n}': mode => 0644 }}\n" for n in range(3))
    found = advise(parse(Source(code)))
    assert [each.start for each in found] == sorted(each.start for each in found)
    assert len(found) == 9


def test_a_message_says_what_to_write() -> None:
    (found,) = advise(parse(Source("file { '/x': mode => 644 }")))
    assert found.message == "a mode is a string, and 644 is a number: write '0644'"
    (found,) = advise(parse(Source("notice($::operatingsystemmajrelease)")))
    assert found.message.endswith("write $facts['os']['release']['major']")


LONG = [
    "$x = $a" + " or $a" * 5_000,
    " or ".join(f"$x{number}" for number in range(5_000)),
    "$x = $a" + " or 'b'" * 5_000,
    "$x = 1" + " or 1" * 5_000,
    "$x = [" + "0644, " * 5_000 + "]",
    'notice("' + "$a$$b${c} " * 5_000 + '")',
    "# lint:ignore:octal_number\n$x = [\n" + "  0644,\n" * 5_000 + "]",
    "[1].each |$a| { " * 100 + "notice($a)" + " }" * 100,
]


@pytest.mark.parametrize("code", LONG, ids=[each[:12] for each in LONG])
def test_long_programs_take_no_longer_than_their_length(code: str) -> None:
    program = parse(Source(code))
    started = time.process_time()
    advise(program)
    assert time.process_time() - started < 2


COMMENTS = [
    ("$x = 0644 # lint:ignore:octal_number because", 0),
    ("$x = 0644 # lint:ignore:other lint:ignore:octal_number", 0),
    ("$x = 0644 # lint:ignore:other", 1),
    ("$x = 0644 # lint:ignore:leading_zero", 0),
    ("$x = 0644 /* lint:ignore:octal_number */", 0),
    ("/* lint:ignore:octal_number */\n$x = 0644\n# lint:endignore\n$y = 0644", 1),
    ("# lint:ignore:other\n# lint:ignore:octal_number\n$x = 0644\n# lint:endignore\n$y = 0644", 1),
    ("# lint:ignore:octal_number lint:ignore:other why\n$x = 0644\n# lint:endignore\n$y = 0644", 1),
    ("# lint:ignore:octal_number\n$x = 0644\n$y = 0644\n# lint:endignore\n$z = 0644", 1),
    ("# lint:ignore:octal_number\n$x = 0644\n$y = 0644", 0),
    ("$w = 0644\n  # lint:ignore:octal_number\n$x = 0644", 1),
    ("$a = '# lint:ignore:octal_number' $x = 0644", 1),
    ("$a = '\n# lint:ignore:octal_number\n' $x = 0644", 1),
    ("$a = '#' $x = 0644 # lint:ignore:octal_number", 0),
    ("notice(\n  1,\n  0644, # lint:ignore:octal_number\n  0755,\n)", 1),
]


@pytest.mark.parametrize(("code", "count"), COMMENTS, ids=[each[0] for each in COMMENTS])
def test_comments_switch_rules_off(code: str, count: int) -> None:
    assert [rule for rule, _ in warnings(code)] == ["octal_number"] * count
