"""The rules: name, subject, an example with a warning, and the code to write instead."""

from __future__ import annotations

SURE = "sure"
ASKED = "asked"


class Rule:
    """One rule; ``text`` completes "warns of".

    ``also`` has names of puppet-lint's checks, separated by spaces: in a comment they mean this
    rule. ``in_inputs`` is False for a rule that makes no sense in inputs and cells, because a later
    one may read the variables of an earlier one. ``fix`` is SURE for a rule of ``--fix``, ASKED for
    one of ``--fix-all``: a catalog may have another value then. ``warns`` is False for style, which
    is only changed.
    """

    __slots__ = ("also", "example", "fix", "in_inputs", "instead", "name", "text", "warns")

    def __init__(
        self,
        name: str,
        text: str,
        example: str,
        instead: str,
        *,
        also: str = "",
        in_inputs: bool = True,
        fix: str = "",
        warns: bool = True,
    ) -> None:
        self.name = name
        self.text = text
        self.example = example
        self.instead = instead
        self.also = also.split()
        self.in_inputs = in_inputs
        self.fix = fix
        self.warns = warns


RULES = (
    Rule(
        "absolute_classname",
        "colons before the name of a class, which have no effect",
        "include ::apache",
        "include apache",
        also="relative_classname_inclusion relative_classname_reference",
        in_inputs=False,
        fix=SURE,
    ),
    Rule(
        "bare_word",
        "a word without quotes that was meant as a variable, or as undef",
        "$size = 5 if size == 5 { notice('small') }",
        "$size = 5 if $size == 5 { notice('small') }",
    ),
    Rule(
        "brackets_without_braces",
        "a key after a variable in a string, without braces around both",
        "notice(\"This is $facts['kernel']\")",
        "notice(\"This is ${facts['kernel']}\")",
    ),
    Rule(
        "conflicting_attributes",
        "a file with two of content, source and target",
        "file { '/etc/motd': content => 'Hello', source => 'puppet:///modules/motd/motd' }",
        "file { '/etc/motd': source => 'puppet:///modules/motd/motd' }",
    ),
    Rule(
        "constant_condition",
        "a condition that is a string or a number, which are always true",
        "if 'false' { notice('on') }",
        "if false { notice('on') }",
    ),
    Rule(
        "cron_time",
        "a time of a cron job that does not exist",
        "cron { 'backup': command => '/bin/backup', hour => 24, minute => 0 }",
        "cron { 'backup': command => '/bin/backup', hour => 0, minute => 0 }",
    ),
    Rule(
        "cron_without_minute",
        "a cron job that runs each minute of its hours",
        "cron { 'backup': command => '/bin/backup', hour => 2 }",
        "cron { 'backup': command => '/bin/backup', hour => 2, minute => 0 }",
    ),
    Rule(
        "default_of_other_type",
        "a parameter whose default its type does not allow",
        "class web(Integer $port = '80') { notice($port) }",
        "class web(Integer $port = 80) { notice($port) }",
    ),
    Rule(
        "different_types",
        "a comparison of a String with a number, or the like",
        "if $facts['os']['release']['major'] >= 12 { notice('new') }",
        "if Integer($facts['os']['release']['major']) >= 12 { notice('new') }",
    ),
    Rule(
        "directory_in_source",
        "the directory files or templates in the name of a file of a module",
        "file { '/etc/motd': content => template('motd/templates/motd.erb') }",
        "file { '/etc/motd': content => template('motd/motd.erb') }",
    ),
    Rule(
        "dotted_fact",
        "a key with dots that no fact has",
        "notice($facts['os.family'])",
        "notice($facts['os']['family'])",
    ),
    Rule(
        "double_dollar",
        "two dollar signs before a variable in a string",
        '$size = 5 notice("It is $$size")',
        '$size = 5 notice("It is ${size}")',
    ),
    Rule(
        "duplicate_option",
        "a value of case or of a selector that occurs further up",
        "case $facts['kernel'] { 'Linux': { notice(1) } 'linux': { notice(2) } default: { } }",
        "case $facts['kernel'] { 'Linux': { notice(1) } default: { } }",
    ),
    Rule(
        "duplicate_params",
        "an attribute that is set twice, which Puppet refuses",
        "file { '/etc/motd': mode => '0644', owner => 'root', mode => '0600' }",
        "file { '/etc/motd': mode => '0600', owner => 'root' }",
    ),
    Rule(
        "duplicate_resource",
        "a resource that code declares twice, which Puppet refuses",
        "package { 'vim': } package { ['vim', 'git']: }",
        "package { 'vim': } package { ['git']: }",
    ),
    Rule(
        "ensure_first_param",
        "`ensure` after other attributes",
        "file { '/etc/motd': mode => '0644', ensure => file }",
        "file { '/etc/motd': ensure => file, mode => '0644' }",
        in_inputs=False,
        fix=SURE,
        warns=False,
    ),
    Rule(
        "ensure_not_symlink_target",
        "a path as the value of `ensure`",
        "file { '/opt/app': ensure => '/opt/app-2.1' }",
        "file { '/opt/app': ensure => link, target => '/opt/app-2.1' }",
        in_inputs=False,
        fix=ASKED,
    ),
    Rule(
        "exec_without_path",
        "a command whose directory is not known",
        "exec { 'apt-get update': }",
        "exec { 'apt-get update': path => ['/usr/bin', '/bin'] }",
    ),
    Rule(
        "file_mode",
        "a string that is not a file mode",
        "file { '/etc/motd': mode => '0689' }",
        "file { '/etc/motd': mode => '0644' }",
    ),
    Rule(
        "legacy_facts",
        "a fact that Puppet 8 leaves out",
        "notice($::osfamily)",
        "notice($facts['os']['family'])",
        fix=SURE,
    ),
    Rule(
        "link_without_target",
        "a link that leads nowhere",
        "file { '/etc/localtime': ensure => link }",
        "file { '/etc/localtime': ensure => link, target => '/usr/share/zoneinfo/UTC' }",
    ),
    Rule(
        "lowercase_reference",
        "a reference in small letters, or a variable without its dollar sign",
        "notify { 'done': require => service['nginx'] }",
        "notify { 'done': require => Service['nginx'] }",
    ),
    Rule(
        "names_containing_uppercase",
        "capitals in the name of a class or a defined type",
        "class webServer { notice('up') }",
        "class web_server { notice('up') }",
        in_inputs=False,
    ),
    Rule(
        "not_before_comparison",
        "`!` before a comparison, which applies to its left side alone",
        "if !$facts['kernel'] == 'Linux' { notice('another') }",
        "if $facts['kernel'] != 'Linux' { notice('another') }",
    ),
    Rule(
        "octal_number",
        "a number with a leading zero, which is octal",
        "notice(0644)",
        "notice('0644')",
        also="leading_zero",
    ),
    Rule(
        "only_variable_string",
        "a string that is nothing but a variable whose value is a String",
        'define motd(String $text) { notify { "${text}": } }',
        "define motd(String $text) { notify { $text: } }",
        in_inputs=False,
        fix=ASKED,
    ),
    Rule(
        "optional_default",
        "a parameter of a defined type that may be undef and has no default",
        "define site(Optional[String] $alias) { notify { $alias: } }",
        "define site(Optional[String] $alias = undef) { notify { $alias: } }",
        in_inputs=False,
    ),
    Rule(
        "os_family",
        "a comparison of the family of a system with the name of a system",
        "if $facts['os']['family'] == 'Ubuntu' { notice('apt') }",
        "if $facts['os']['family'] == 'Debian' { notice('apt') }",
    ),
    Rule(
        "puppet_url_without_modules",
        "a URL of a file in a module that lacks `modules`",
        "class motd { file { '/etc/motd': source => 'puppet:///motd/motd' } }",
        "class motd { file { '/etc/motd': source => 'puppet:///modules/motd/motd' } }",
        fix=SURE,
    ),
    Rule(
        "quoted_booleans",
        "`'true'` or `'false'` for an attribute of a type of Puppet",
        "service { 'nginx': enable => 'true' }",
        "service { 'nginx': enable => true }",
        in_inputs=False,
        fix=ASKED,
    ),
    Rule(
        "reassigned_variable",
        "a variable that has a value already, which Puppet does not change",
        "class web($port) { $port = 80 notice($port) }",
        "class web($port) { $of_web = 80 notice($port, $of_web) }",
    ),
    Rule(
        "relative_path",
        "a relative path in place of a full one",
        "file { 'etc/motd': content => 'Hello' }",
        "file { '/etc/motd': content => 'Hello' }",
    ),
    Rule(
        "same_sides",
        "an operator with the same expression on either side",
        "if $facts['kernel'] == 'Linux' or $facts['kernel'] == 'Linux' { notice(1) }",
        "if $facts['kernel'] in ['Linux', 'FreeBSD'] { notice(1) }",
    ),
    Rule(
        "selector_without_default",
        "a selector that fails for a value that it does not name",
        "$group = $facts['kernel'] ? { 'Linux' => 'root', 'FreeBSD' => 'wheel' }",
        "$group = $facts['kernel'] ? { 'FreeBSD' => 'wheel', default => 'root' }",
    ),
    Rule(
        "single_quote_string_with_variables",
        "a variable of the program in single quotes",
        "$name_of = 'world' notice('Hello ${name_of}')",
        "$name_of = 'world' notice(\"Hello ${name_of}\")",
        fix=ASKED,
    ),
    Rule(
        "top_scope_facts",
        "a fact as a variable of the top scope",
        "notice($::networking['ip'])",
        "notice($facts['networking']['ip'])",
        in_inputs=False,
        fix=SURE,
    ),
    Rule(
        "topscope_variable",
        "colons before a variable of a class, which have no effect",
        "notice($::apache::port)",
        "notice($apache::port)",
        in_inputs=False,
        fix=SURE,
    ),
    Rule(
        "unknown_attribute",
        "an attribute that a type of Puppet lacks",
        "file { '/etc/motd': contents => 'Hello' }",
        "file { '/etc/motd': content => 'Hello' }",
    ),
    Rule(
        "unknown_fact",
        "a part of a fact of Facter that does not exist and is like one that does",
        "notice($facts['os']['famly'])",
        "notice($facts['os']['family'])",
        in_inputs=False,
    ),
    Rule(
        "unknown_value",
        "a value that a type of Puppet lacks, or a word that is misspelt",
        "package { 'vim': ensure => instaled }",
        "package { 'vim': ensure => installed }",
    ),
    Rule(
        "unknown_variable",
        "a variable that neither its definition nor Puppet sets",
        "class shop($acount) { notice($account) }",
        "class shop($account) { notice($account) }",
        also="variable_scope",
        in_inputs=False,
    ),
    Rule(
        "unquoted_file_mode",
        "a mode that is a number",
        "file { '/etc/motd': mode => 0644 }",
        "file { '/etc/motd': mode => '0644' }",
        fix=SURE,
    ),
    Rule(
        "unquoted_resource_title",
        "the title of a resource without quotes",
        "package { vim: ensure => installed }",
        "package { 'vim': ensure => installed }",
        in_inputs=False,
        fix=SURE,
        warns=False,
    ),
    Rule(
        "unquoted_string",
        "a word without quotes as a value of case or of a selector",
        "$group = $facts['kernel'] ? { windows => 'Users', default => 'root' }",
        "$group = $facts['kernel'] ? { 'windows' => 'Users', default => 'root' }",
        also="unquoted_string_in_case unquoted_string_in_selector",
        in_inputs=False,
        fix=SURE,
        warns=False,
    ),
    Rule(
        "unreachable_code",
        "code after a call that does not return",
        "function f() { fail('no') notice('never') }",
        "function f() { notice('first') fail('no') }",
    ),
    Rule(
        "unused_parameter",
        "a parameter of a function, a defined type or a template that its code does not read. "
        "Parameters of a class may be read elsewhere, and names that begin with `_` are left out",
        "function area(Integer $width, Integer $height) { $width * 2 }",
        "function area(Integer $width, Integer $height) { $width * $height }",
        in_inputs=False,
    ),
    Rule(
        "unused_variable",
        "a variable of a function, a defined type or a lambda that its code does not read. "
        "Variables of a class may be read elsewhere, and names that begin with `_` are left out",
        "function area($side) { $result = $side * $side notice('done') $side }",
        "function area($side) { $result = $side * $side notice('done') $result }",
        in_inputs=False,
    ),
    Rule(
        "version_comparison",
        "versions that are compared as strings",
        "if $facts['os']['release']['major'] >= '9' { notice('new') }",
        "if versioncmp($facts['os']['release']['major'], '9') >= 0 { notice('new') }",
    ),
)
"""All rules by name. Names of puppet-lint and its plugins are used where they mean the same."""

RULE_OF = {name: rule for rule in RULES for name in (rule.name, *rule.also)}
"""The rule that a comment means, by its name or that of puppet-lint's check."""
