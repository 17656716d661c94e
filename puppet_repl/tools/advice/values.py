"""Which values attributes of resource types take, as data."""

from __future__ import annotations

_BOOLEAN = ("true", "false")
# Where Puppet takes yes and no, too.
_YES_NO = ("true", "false", "yes", "no")
_THERE = ("present", "absent")
_MEMBERSHIP = ("minimum", "inclusive")
_PERIODS = ("hourly", "daily", "weekly", "monthly", "never")

ALL_VALUES: dict[tuple[str, str], tuple[str, ...]] = {
    ("cron", "ensure"): _THERE,
    ("exec", "logoutput"): (*_BOOLEAN, "on_failure"),
    ("exec", "refreshonly"): _BOOLEAN,
    ("file", "checksum"): (
        *("sha256", "sha256lite", "md5", "md5lite", "sha1", "sha1lite"),
        *("sha512", "sha384", "sha224", "mtime", "ctime", "none"),
    ),
    ("file", "force"): _YES_NO,
    ("file", "links"): ("follow", "manage"),
    ("file", "purge"): _YES_NO,
    ("file", "recurse"): (*_BOOLEAN, "remote"),
    ("file", "replace"): _YES_NO,
    ("file", "selinux_ignore_defaults"): _YES_NO,
    ("file", "show_diff"): _YES_NO,
    ("file", "source_permissions"): ("use", "use_when_creating", "ignore"),
    ("file", "sourceselect"): ("first", "all"),
    ("group", "allowdupe"): _YES_NO,
    ("group", "attribute_membership"): _MEMBERSHIP,
    ("group", "auth_membership"): _YES_NO,
    ("group", "ensure"): _THERE,
    ("group", "forcelocal"): _YES_NO,
    ("group", "system"): _YES_NO,
    ("host", "ensure"): _THERE,
    ("mount", "ensure"): ("defined", "present", "unmounted", "absent", "mounted"),
    ("notify", "withpath"): _BOOLEAN,
    ("package", "allow_virtual"): _YES_NO,
    ("package", "allowcdrom"): _BOOLEAN,
    ("package", "configfiles"): ("keep", "replace"),
    ("package", "mark"): ("hold", "none"),
    ("package", "reinstall_on_refresh"): _BOOLEAN,
    ("resources", "purge"): _YES_NO,
    ("schedule", "period"): _PERIODS,
    ("schedule", "periodmatch"): ("number", "distance"),
    ("selboolean", "value"): ("on", "off"),
    ("service", "enable"): (*_BOOLEAN, "manual", "mask", "delayed"),
    ("service", "ensure"): ("stopped", "running", "false", "true"),
    ("service", "hasrestart"): _BOOLEAN,
    ("service", "hasstatus"): _BOOLEAN,
    ("ssh_authorized_key", "ensure"): _THERE,
    ("sshkey", "ensure"): _THERE,
    ("tidy", "rmdirs"): _YES_NO,
    ("tidy", "type"): ("atime", "mtime", "ctime"),
    ("user", "allowdupe"): _YES_NO,
    ("user", "attribute_membership"): _MEMBERSHIP,
    ("user", "auth_membership"): _MEMBERSHIP,
    ("user", "ensure"): (*_THERE, "role"),
    ("user", "forcelocal"): _YES_NO,
    ("user", "key_membership"): _MEMBERSHIP,
    ("user", "managehome"): _YES_NO,
    ("user", "membership"): _MEMBERSHIP,
    ("user", "profile_membership"): _MEMBERSHIP,
    ("user", "role_membership"): _MEMBERSHIP,
    ("user", "system"): _YES_NO,
    ("yumrepo", "ensure"): _THERE,
}
"""All values that an attribute takes, by type and attribute; the type refuses any other."""

WORDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("file", "ensure"): ("present", "absent", "file", "directory", "link"),
    ("package", "ensure"): ("present", "absent", "purged", "disabled", "installed", "latest"),
}
"""The words among the values of an attribute that takes others, too: versions, targets of links."""

ABSOLUTE_PATHS = frozenset(
    (
        ("exec", "creates"),
        ("exec", "cwd"),
        ("file", "path"),
    )
)
"""Attributes that take fully qualified paths only, by type."""

CRON_RANGES = {
    "minute": (0, 59),
    "hour": (0, 23),
    "monthday": (1, 31),
    "month": (1, 12),
    "weekday": (0, 7),
}
"""The least and greatest number of the times of a cron job."""

FAMILIES = {
    "AlmaLinux": "RedHat",
    "Amazon": "RedHat",
    "CentOS": "RedHat",
    "Fedora": "RedHat",
    "Kali": "Debian",
    "LinuxMint": "Debian",
    "OpenSuSE": "Suse",
    "OracleLinux": "RedHat",
    "Raspbian": "Debian",
    "Rocky": "RedHat",
    "SLED": "Suse",
    "SLES": "Suse",
    "Scientific": "RedHat",
    "Ubuntu": "Debian",
}
"""Values of the fact os.name that are no value of os.family, and the family of each."""
