"""The resource types of Puppet 8 itself and of the modules that its agent brings along.

Two tables have their attributes: names, values, and descriptions. The modules are augeas_core,
cron_core, host_core, mount_core, scheduled_task, selinux_core, sshkeys_core, yumrepo_core, zfs_core
and zone_core.
"""

from __future__ import annotations

from puppet_repl.base.profiles import DEFAULT_LANGUAGE, PROFILES
from puppet_repl.catalog.agent_types import AGENT_TYPES
from puppet_repl.catalog.puppet_types import PUPPET_TYPES
from puppet_repl.catalog.resource_types import NativeType, no_pattern_matched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.profiles import Profile
    from puppet_repl.catalog.resource_types import TitleValues

# Types of Puppet itself, in whose resources the name need not be unique.
_REPEATABLE = frozenset({"exec", "tidy"})
_TEXTS = {**PUPPET_TYPES, **AGENT_TYPES}
NAMES = tuple(_TEXTS)

PROVIDERS = {
    "exec": "posix shell windows",
    "file": "posix windows",
    "group": "aix directoryservice groupadd ldap pw windows_adsi",
    "package": (
        "aix appdmg apple apt aptitude aptrpm blastwave dnf dnfmodule dpkg fink freebsd gem hpux"
        " macports nim openbsd opkg pacman pip pip2 pip3 pkg pkgdmg pkgin pkgng pkgutil portage"
        " ports portupgrade puppet_gem puppetserver_gem rpm rug sun sunfreeware tdnf up2date"
        " urpmi windows xbps yum zypper"
    ),
    "service": (
        "base bsd daemontools debian freebsd gentoo init launchd openbsd openrc openwrt rcng"
        " redhat runit service smf src systemd upstart windows"
    ),
    "user": "aix directoryservice hpuxuseradd ldap openbsd pw user_role_add useradd windows_adsi",
}
"""The providers of types, separated by blanks: those of Puppet 8.11 itself."""


class CoreAttribute:
    """An attribute of a core type, and one line about it.

    ``mark`` is ``!`` if it names the resource, ``*`` if it is a property. ``values`` are those that
    it takes, or if ``has_others`` the words among them; ``meanings`` are the usual ones.
    """

    __slots__ = ("has_others", "mark", "meanings", "text", "values")

    def __init__(self, mark: str, text: str) -> None:
        self.mark = mark
        self.text = text
        self.values: tuple[str, ...] = ()
        self.has_others = False
        self.meanings: dict[str, str] = {}

    def take(self, words: str) -> None:
        """Take the values in the notation of the tables."""
        values = words.split("|")
        self.has_others = values[-1] == "..."
        self.values = tuple(values[:-1] if self.has_others else values)


_read: dict[str, dict[str, CoreAttribute]] = {}


def attributes_of(name: str) -> dict[str, CoreAttribute]:
    """Return the attributes of a core type; an empty dict for other types.

    A line of a table is ``NAME MARK VALUES: TEXT``. Below it are values with their meanings, or all
    the values if the line would be too long. ``only`` means that there are no other values.
    """
    found = _read.get(name)
    if found is None:
        found = {}
        lists_all = False
        attribute = CoreAttribute("", "")
        for line in _TEXTS.get(name, "").strip().splitlines():
            head, _, text = line.partition(": ")
            if not line.startswith(" "):
                key, *words = head.split()
                mark = words.pop(0) if words and words[0] in "!*" else ""
                attribute = found[key] = CoreAttribute(mark, text)
                lists_all = words == ["only"]
                if words and not lists_all:
                    attribute.take(words[0])
            elif text:
                attribute.meanings[head.strip()] = text
                if lists_all:
                    attribute.values = tuple(attribute.meanings)
            else:
                attribute.take(head.strip())
        _read[name] = found
    return found


def gives_way(native: NativeType) -> bool:
    """Tell whether a define of the same name is meant rather than this type.

    Puppet itself has not known these types since they moved into modules of their own.
    """
    return native.file is None and native.name in AGENT_TYPES


def find(name: str, profile: Profile = PROFILES[DEFAULT_LANGUAGE]) -> NativeType | None:
    """Return a new object for the type called ``name`` (lower case), None if there is none."""
    if name not in _TEXTS or name in profile.without_types:
        return None
    attributes = attributes_of(name)
    namevars = tuple([key for key, each in attributes.items() if each.mark == "!"])
    return NativeType(
        name,
        tuple([key for key, each in attributes.items() if each.mark == "*"]),
        tuple([key for key, each in attributes.items() if each.mark != "*"]),
        namevars,
        name not in _REPEATABLE,
        parse_title=_TITLES.get(name),
    )


def _title_of_file(title: str) -> TitleValues:
    """Return the path: the title without slashes at its end; ``/`` itself stays."""
    if not title:
        raise no_pattern_matched(title)
    stripped = title.rstrip("/")
    if stripped and not (stripped.endswith(":") and stripped != title):
        return {"path": stripped}
    if not stripped:
        return {"path": "/"}
    return {"path": stripped + "/"}


def _title_of_package(title: str) -> TitleValues:
    return {"name": title}


def _title_of_sshkey(title: str) -> TitleValues:
    name, separator, kind = title.partition("@")
    return {"name": name, "type": kind} if separator else {"name": title}


_TITLES = {"file": _title_of_file, "package": _title_of_package, "sshkey": _title_of_sshkey}
