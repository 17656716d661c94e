"""The values that attributes of resources usually take, and what they mean."""

from __future__ import annotations

_THERE = {"present": "It is there.", "absent": "It is not there."}
_SWITCH = {"true": "Yes.", "false": "No."}
_MEMBERSHIP = {
    "minimum": "What is not given is left as it is.",
    "inclusive": "What is not given is removed.",
}
_LEVELS = {
    "debug": "Shown with --debug only.",
    "info": "Shown with --verbose only.",
    "notice": "Shown always; the usual level of changes.",
    "warning": "As a warning.",
    "err": "As an error.",
    "alert": "As something that has to be seen to at once.",
    "emerg": "As a failure of the whole system.",
    "crit": "As a critical error.",
    "verbose": "Shown with --verbose only, as info.",
}

OF_TYPE: dict[tuple[str, str], dict[str, str]] = {
    ("cron", "special"): {
        "absent": "The times count.",
        "reboot": "At each start of the system.",
        "yearly": "Once a year, on the first of January.",
        "monthly": "On the first day of each month.",
        "weekly": "Each Sunday at midnight.",
        "daily": "Each day at midnight.",
        "hourly": "At the beginning of each hour.",
    },
    ("exec", "logoutput"): {
        "true": "The output is always logged.",
        "false": "The output is never logged.",
        "on_failure": "The output is logged only if the command fails.",
    },
    ("exec", "provider"): {
        "posix": "The command is run directly: no pipes, no variables of a shell.",
        "shell": "The command is run by /bin/sh.",
        "windows": "The command is run directly, on Windows.",
    },
    ("file", "ensure"): {
        "file": "A plain file is there; what else is there is replaced.",
        "present": "Something is there; if nothing is, a plain file is made.",
        "absent": "Nothing is there; a directory needs force for that.",
        "directory": "A directory is there; attributes such as recurse apply to it.",
        "link": "A symbolic link is there; target says what it leads to.",
    },
    ("file", "links"): {
        "manage": "A link itself is managed.",
        "follow": "The file is managed that the link leads to.",
    },
    ("file", "recurse"): {
        "true": "What is below the directory is managed, too.",
        "false": "Only the directory itself is managed.",
        "remote": "What the source has is managed, and nothing else.",
    },
    ("file", "source_permissions"): {
        "ignore": "Owner, group and mode do not come from the source.",
        "use": "Owner, group and mode are always those of the source.",
        "use_when_creating": "Owner, group and mode come from the source for new files.",
    },
    ("file", "sourceselect"): {
        "first": "The first source that exists is taken.",
        "all": "Directories of all sources are put together.",
    },
    ("mount", "ensure"): {
        "mounted": "It is in the table, and mounted.",
        "unmounted": "It is in the table, and not mounted.",
        "defined": "It is in the table; whether it is mounted does not matter.",
        "present": "It is in the table; whether it is mounted does not matter.",
        "absent": "It is not in the table, and not mounted.",
    },
    ("package", "ensure"): {
        "installed": "Some version is installed; it is not upgraded.",
        "present": "Some version is installed; it is not upgraded.",
        "absent": "It is not installed.",
        "latest": "The newest version that the provider knows is installed, at each run.",
        "purged": "It is not installed, and its configuration files are gone.",
        "held": "It is kept from upgrades; the attribute mark does this now.",
        "disabled": "The module of dnf is disabled.",
    },
    ("package", "mark"): {
        "hold": "The package is kept from upgrades.",
        "none": "The package may be upgraded.",
    },
    ("schedule", "period"): {
        "never": "Never.",
        "hourly": "Once an hour.",
        "daily": "Once a day.",
        "weekly": "Once a week.",
        "monthly": "Once a month.",
    },
    ("schedule", "periodmatch"): {
        "distance": "A period counts from the last time.",
        "number": "A period is that of the clock or the calendar.",
    },
    ("selboolean", "value"): {"on": "The boolean is on.", "off": "The boolean is off."},
    ("service", "enable"): {
        "true": "It starts when the system does.",
        "false": "It does not start when the system does.",
        "manual": "It starts when it is asked for, on Windows.",
        "mask": "Nothing can start it, under systemd.",
        "delayed": "It starts a while after the system, on Windows.",
    },
    ("service", "ensure"): {
        "running": "It runs; it is started if it does not.",
        "stopped": "It does not run; it is stopped if it does.",
    },
    ("tidy", "type"): {
        "atime": "The time of the last access.",
        "mtime": "The time of the last change of the content.",
        "ctime": "The time of the last change of the inode.",
    },
    ("user", "ensure"): {**_THERE, "role": "It is there as a role, on Solaris."},
    ("zone", "ensure"): {
        "running": "It runs.",
        "installed": "It is installed, and does not run.",
        "configured": "It is configured, and not installed.",
        "absent": "It does not exist.",
    },
    **{
        ("user", name): _MEMBERSHIP
        for name in (
            "attribute_membership",
            "auth_membership",
            "key_membership",
            "membership",
            "profile_membership",
            "role_membership",
        )
    },
    ("group", "attribute_membership"): _MEMBERSHIP,
}
"""The values of an attribute of one type, with what they mean."""

OF_ANY_TYPE = {
    "ensure": _THERE,
    "loglevel": _LEVELS,
    **dict.fromkeys(
        (
            "allowdupe",
            "enable",
            "enabled",
            "force",
            "hasrestart",
            "hasstatus",
            "managehome",
            "noop",
            "purge",
            "recurse",
            "refreshonly",
            "replace",
            "show_diff",
            "system",
            "withpath",
        ),
        _SWITCH,
    ),
}
"""The values of attributes that mean the same for all types."""


def usual_values(type_name: str, attribute: str) -> dict[str, str]:
    """Return the values that an attribute usually takes, in order, with what they mean."""
    return OF_TYPE.get((type_name, attribute)) or OF_ANY_TYPE.get(attribute) or {}
