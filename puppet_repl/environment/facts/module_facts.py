"""The facts that the modules stdlib and systemd add on every node they are installed for.

Public modules rely on them, `service_provider` above all. They follow from the kind of operating
system, as the defaults of Puppet's providers do. What only a running node can tell, such as the
version of systemd, is left out.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.facts.local_facts import Facts

# By os.family: the providers of services and of packages.
_PROVIDERS = {
    "AIX": ("src", "aix"),
    "Archlinux": ("systemd", "pacman"),
    "Darwin": ("launchd", "pkgdmg"),
    "Debian": ("systemd", "apt"),
    "DragonFly": ("freebsd", "pkgng"),
    "FreeBSD": ("freebsd", "pkgng"),
    "Gentoo": ("openrc", "portage"),
    "NetBSD": ("rcng", "pkgin"),
    "OpenBSD": ("openbsd", "openbsd"),
    "RedHat": ("systemd", "dnf"),
    "Solaris": ("smf", "pkg"),
    "Suse": ("systemd", "zypper"),
    "windows": ("windows", "windows"),
}
# Releases of the family RedHat, those of Amazon among them, whose packages are those of yum.
_YUM_RELEASES = frozenset(("2", "2017", "2018", "4", "5", "6", "7"))


def with_module_facts(facts: Facts) -> Facts:
    """Return facts with those of modules added; facts that are there already stay as they are."""
    return dict(sorted({**_module_facts(facts), **facts}.items()))


def _module_facts(facts: Facts) -> Facts:
    system = facts.get("os", {})
    family = system.get("family")
    is_windows = family == "windows"
    code = "C:/ProgramData/PuppetLabs/code" if is_windows else "/etc/puppetlabs/code"
    data = "C:/ProgramData/PuppetLabs" if is_windows else "/opt/puppetlabs"
    found: Facts = {
        "is_pe": False,
        "puppet_environmentpath": f"{code}/environments",
        "puppet_server": "puppet",
        "puppet_vardir": f"{data}/puppet/cache",
    }
    if not is_windows:
        found["root_home"] = "/var/root" if family == "Darwin" else "/root"
    if family in _PROVIDERS:
        services, packages = _PROVIDERS[family]
        if family == "RedHat" and system.get("release", {}).get("major") in _YUM_RELEASES:
            packages = "yum"
        found["service_provider"] = services
        found["package_provider"] = packages
        if facts.get("kernel") == "Linux":
            found["systemd"] = services == "systemd"
    return found
