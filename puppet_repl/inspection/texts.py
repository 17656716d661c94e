"""One-line documentation of keywords and resource types."""

from __future__ import annotations

# Keyword -> (how it is written, text).
KEYWORDS: dict[str, tuple[str, str]] = {
    "and": (
        "LEFT and RIGHT",
        "Logical and; short-circuits: the right operand is evaluated only if the left one is true.",
    ),
    "case": (
        "case VALUE { OPTION, OPTION: { ... } default: { ... } }",
        "Runs the block of the first option that matches; its value is that of the block.",
    ),
    "class": ("class NAME(PARAMETERS) inherits CLASS { ... }", "Defines a class."),
    "default": (
        "default",
        "The option of a case or selector that matches when no other does; also a value.",
    ),
    "define": (
        "define NAME(PARAMETERS) { ... }",
        "Defines a resource type in Puppet code (a defined type).",
    ),
    "else": ("if TEST { ... } else { ... }", "Runs its block if no condition before it is true."),
    "elsif": (
        "if TEST { ... } elsif TEST { ... }",
        "Tests a further condition if those before it are false.",
    ),
    "false": ("false", "The Boolean value false."),
    "function": ("function NAME(PARAMETERS) >> TYPE { ... }", "Defines a function."),
    "if": (
        "if TEST { ... } elsif TEST { ... } else { ... }",
        "Runs the block of the first condition that is true; its value is that of the block.",
    ),
    "in": (
        "KEY in COLLECTION",
        "Tells whether a Hash has a key, an Array an element, or a String a substring.",
    ),
    "inherits": (
        "class NAME inherits CLASS",
        "Names the parent of a class, which is evaluated first.",
    ),
    "node": ("node NAME, /REGEXP/, default { ... }", "Code for the nodes whose names match."),
    "or": (
        "LEFT or RIGHT",
        "Logical or; short-circuits: the right operand is evaluated only if the left one is false.",
    ),
    "true": ("true", "The Boolean value true."),
    "type": ("type NAME = TYPE", "Defines a type alias."),
    "undef": ("undef", "The value undef: no value."),
    "unless": ("unless TEST { ... } else { ... }", "Runs its block if the condition is false."),
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
    "service": "A service: whether it runs, and whether it starts at boot.",
    "ssh_authorized_key": "A public key in an authorized_keys file.",
    "sshkey": "The SSH host key of a node.",
    "stage": "A run stage, to which classes can be assigned.",
    "tidy": "Removes files by age, size or name.",
    "user": "A user account.",
    "yumrepo": "A yum repository.",
    "zfs": "A ZFS file system.",
    "zone": "A Solaris zone.",
    "zpool": "A ZFS pool.",
}
