"""One-line documentation of keywords and resource types."""

from __future__ import annotations

# Keyword -> (how it is written, text, an example).
KEYWORDS: dict[str, tuple[str, str, str]] = {
    "and": (
        "LEFT and RIGHT",
        "Logical and; short-circuits: the right operand is evaluated only if the left one is true.",
        "true and 1 > 2  # => false",
    ),
    "case": (
        "case VALUE { OPTION, OPTION: { ... } default: { ... } }",
        "Runs the block of the first option that matches; its value is that of the block.",
        "case 7 { 1, 2: { 'few' } Integer: { 'many' } default: { 'none' } }  # => 'many'",
    ),
    "class": (
        "class NAME(PARAMETERS) inherits CLASS { ... }",
        "Defines a class, which include and class { 'NAME': } declare, once for a node.",
        "class ntp(Array[String] $servers = []) { package { 'ntp': ensure => installed } }",
    ),
    "default": (
        "default",
        "The option of a case or selector that matches when no other does; also a value.",
        "'x' ? { 'a' => 1, default => 2 }  # => 2",
    ),
    "define": (
        "define NAME(PARAMETERS) { ... }",
        "Defines a resource type in Puppet code (a defined type).",
        'define vhost(Integer $port = 80) { file { "/etc/web/${title}": ensure => file } }',
    ),
    "else": (
        "if TEST { ... } else { ... }",
        "Runs its block if no condition before it is true.",
        "if 1 > 2 { 'yes' } else { 'no' }  # => 'no'",
    ),
    "elsif": (
        "if TEST { ... } elsif TEST { ... }",
        "Tests a further condition if those before it are false.",
        "if 1 > 2 { 'a' } elsif 2 > 1 { 'b' } else { 'c' }  # => 'b'",
    ),
    "false": (
        "false",
        "The Boolean value false.",
        "!true  # => false",
    ),
    "function": (
        "function NAME(PARAMETERS) >> TYPE { ... }",
        "Defines a function.",
        "function double(Integer $n) >> Integer { $n * 2 }",
    ),
    "if": (
        "if TEST { ... } elsif TEST { ... } else { ... }",
        "Runs the block of the first condition that is true; its value is that of the block.",
        "if 'web01' =~ /^web/ { 'a web server' }  # => 'a web server'",
    ),
    "in": (
        "KEY in COLLECTION",
        "Tells whether a Hash has a key, an Array an element, or a String a substring.",
        "'b' in ['a', 'b']  # => true",
    ),
    "inherits": (
        "class NAME inherits CLASS",
        "Names the parent of a class, which is evaluated first.",
        "class ntp($server = $ntp::params::server) inherits ntp::params { }",
    ),
    "node": (
        "node NAME, /REGEXP/, default { ... }",
        "Code for the nodes whose names match.",
        "node 'web01.example.com', /^db\\d+/ { include base }",
    ),
    "or": (
        "LEFT or RIGHT",
        "Logical or; short-circuits: the right operand is evaluated only if the left one is false.",
        "false or 'x'  # => true",
    ),
    "true": (
        "true",
        "The Boolean value true.",
        "1 == 1.0  # => true",
    ),
    "type": (
        "type NAME = TYPE",
        "Defines a type alias.",
        "type Port = Integer[1, 65535]",
    ),
    "undef": (
        "undef",
        "The value undef: no value.",
        "[1, 2][5] == undef  # => true",
    ),
    "unless": (
        "unless TEST { ... } else { ... }",
        "Runs its block if the condition is false.",
        "unless 1 > 2 { 'not greater' }  # => 'not greater'",
    ),
}

RESOURCE_TYPES: dict[str, str] = {
    "augeas": "Changes configuration files with Augeas.",
    "cron": "Runs a command on a schedule.",
    "exec": "Runs a command, under conditions such as creates, onlyif and unless.",
    "file": "A file, a directory or a link, with its content, owner and mode.",
    "filebucket": "Stores backups of files.",
    "group": "A group of users.",
    "host": "An entry in the hosts file.",
    "mount": "A mounted file system, and its entry in the file system table.",
    "notify": "Logs a message on the agent.",
    "package": "A software package.",
    "resources": "Purges resources of a type that Puppet does not manage.",
    "schedule": "Times at which resources may be applied.",
    "scheduled_task": "A task that Windows runs at certain times.",
    "selboolean": "An SELinux boolean.",
    "selmodule": "A module of SELinux policy.",
    "service": "A service: whether it runs, and whether it starts at boot.",
    "ssh_authorized_key": "A public key in an authorized_keys file.",
    "sshkey": "The SSH host key of a node.",
    "stage": "A run stage, to which classes can be assigned.",
    "tidy": "Removes files by age, size or name.",
    "user": "A user account.",
    "whit": "A marker that Puppet itself puts around containers.",
    "yumrepo": "A yum repository.",
    "zfs": "A ZFS file system.",
    "zone": "A Solaris zone.",
    "zpool": "A ZFS pool.",
}
