"""Facts of an operating system that has no fact set: those of the nearest set, changed.

The nearest set is one of the same system or of one like it, and of them the one of the nearest
release. Changed are the facts that modules decide by: name, family, release and kernel of the
system, and the providers of services and packages. The other facts stay as they are in the set.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from puppet_repl.environment.facts.facts import STANDING_IN, factset_names, load_factset
from puppet_repl.environment.facts.module_facts import with_module_facts
from puppet_repl.environment.facts.sample_facts import SampleFacts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from puppet_repl.environment.facts.local_facts import Facts


class _Kind(NamedTuple):
    """What Facter says of a system, and the words that sets like it begin with."""

    name: str
    family: str
    like: tuple[str, ...]
    kernel: str = "Linux"
    release: str = ""  # of a system that is named without one, where no set says it


_CLONES = ("rocky", "redhat", "almalinux", "oraclelinux", "centos", "scientific")
_KINDS = (
    *(
        _Kind(name, "RedHat", (name.lower(), *_CLONES))
        for name in ("AlmaLinux", "CentOS", "CloudLinux", "OEL", "OracleLinux", "OVS", "PSBM")
    ),
    *(
        _Kind(name, "RedHat", (name.lower(), *_CLONES))
        for name in ("RedHat", "Rocky", "Scientific", "VirtuozzoLinux", "XenServer", "XCP-ng")
    ),
    _Kind("Amazon", "RedHat", ("amazon",), release="2023"),
    _Kind("Fedora", "RedHat", ("fedora",)),
    _Kind("Debian", "Debian", ("debian",)),
    _Kind("Devuan", "Debian", ("debian",)),
    _Kind("LinuxMint", "Debian", ("ubuntu",)),
    _Kind("Raspbian", "Debian", ("debian",)),
    _Kind("Ubuntu", "Debian", ("ubuntu",)),
    _Kind("SLES", "Suse", ("sles", "opensuse"), release="15"),
    _Kind("SLED", "Suse", ("sles", "opensuse"), release="15"),
    _Kind("openSUSE", "Suse", ("opensuse", "sles"), release="15"),
    _Kind("Alpine", "Alpine", ("alpine",), release="3"),
    _Kind("Archlinux", "Archlinux", ("archlinux",)),
    _Kind("Gentoo", "Gentoo", ("gentoo",), release="2"),
    _Kind("windows", "windows", ("windows",), "windows"),
    _Kind("Darwin", "Darwin", ("darwin", "macos"), "Darwin"),
    _Kind("FreeBSD", "FreeBSD", ("freebsd",), "FreeBSD", "14"),
    _Kind("DragonFly", "DragonFly", ("freebsd",), "DragonFly", "6"),
    _Kind("OpenBSD", "OpenBSD", ("openbsd",), "OpenBSD", "7"),
    _Kind("NetBSD", "NetBSD", ("netbsd",), "NetBSD", "10"),
    *(
        _Kind(name, "Solaris", ("solaris",), "SunOS", "11")
        for name in ("Solaris", "OmniOS", "SmartOS")
    ),
    _Kind("AIX", "AIX", ("aix",), "AIX", "7.2"),
)
_OTHER_NAMES = {
    "amazonlinux": "Amazon",
    "mac os x": "Darwin",
    "macos": "Darwin",
    "osx": "Darwin",
    "suse": "SLES",
}
_BY_WORD = {kind.name.lower(): kind for kind in _KINDS}
# The sets of those without one of their family.
_SETS = {"RedHat": "rocky-9"}
_CODENAMES = {
    ("Debian", "10"): "buster",
    ("Debian", "11"): "bullseye",
    ("Debian", "12"): "bookworm",
    ("Debian", "13"): "trixie",
    ("Ubuntu", "18.04"): "bionic",
    ("Ubuntu", "20.04"): "focal",
    ("Ubuntu", "22.04"): "jammy",
    ("Ubuntu", "24.04"): "noble",
}
# The minor releases of those whose sets are of another one; '' for those that have none.
_MINOR = {
    ("Amazon", "2"): "",
    ("CentOS", "9"): "",
    ("CentOS", "10"): "",
    ("CentOS", "7"): "9",
    ("CentOS", "8"): "5",
    ("Debian", "10"): "13",
    ("Debian", "11"): "11",
    ("SLES", "12"): "5",
    ("SLES", "15"): "7",
    ("Solaris", "11"): "4",
    **{(name, "7"): "9" for name in ("OracleLinux", "RedHat", "Scientific")},
    **{(name, "8"): "10" for name in ("AlmaLinux", "OracleLinux", "RedHat", "Rocky")},
}
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_OLD_MACOS = re.compile(r"10\.(\d+)")
# How metadata write releases of Windows and service packs: Server 2012 R2, 2012R2, 12 SP3.
_WINDOWS = re.compile(r"(?:server[ -])?(\d[\d.]*)[ -]?(r2)?(?:[ -]core)?", re.IGNORECASE)
_SERVICE_PACK = re.compile(r"(\d+)[ -]sp(\d+)", re.IGNORECASE)
# Those whose major release has a point in it.
_DOTTED = ("LinuxMint", "Ubuntu", "windows")
# Facts of Linux only.
_OF_LINUX = ("distro", "selinux")


def name_of(word: str) -> str:
    """Return Facter's name of a system that a word names in any case; the same for another word."""
    word = word.strip()
    kind = _BY_WORD.get(_OTHER_NAMES.get(word.lower(), word).lower())
    return word if kind is None else kind.name


def release_of(word: str, release: str) -> str:
    """Return the release, as Facter writes it, that metadata have for a system."""
    name = name_of(word)
    if name == "windows" and (found := _WINDOWS.fullmatch(release)):
        return found[1] + (" R2" if found[2] else "")
    if name == "Darwin" and word.strip().lower() != "darwin":
        # macOS 10.15, 11 and 14 have the releases 19, 20 and 23 of Darwin.
        if found := _OLD_MACOS.match(release):
            return str(int(found[1]) + 4)
        number = _number(release)
        return release if number is None or number < 11 else str(int(number) + 9)
    return _SERVICE_PACK.sub(r"\1.\2", release)


def nearest_set(os_name: str, release: str) -> str:
    """Return the name of the fact set that is nearest to a system, '' for an unknown system."""
    kind = _BY_WORD.get(os_name.lower())
    if kind is None:
        return ""
    found = [
        (not is_of(set_name, os_name, release), _distance(number, release), order, set_name)
        for order, word in enumerate(kind.like)
        for set_name, number in _sets_of(word)
    ]
    return min(found)[-1] if found else _SETS.get(kind.family, STANDING_IN)


def _sets_of(word: str) -> Iterator[tuple[str, str]]:
    """Yield names of sets of a system, each with its release."""
    for name in factset_names():
        system, _, release = name.partition("-")
        if system == word:
            yield name, release


def _distance(release: str, wanted: str) -> float:
    """Return how far a release is from the wanted one: without one, the newest is nearest.

    A set without a release is the nearest one then, and the farthest one otherwise.
    """
    number, target = _number(release), _number(wanted)
    if number is None:
        return float("-inf" if target is None else "inf")
    return -number if target is None else abs(number - target)


def _number(release: str) -> float | None:
    found = _NUMBER.match(release)
    return None if found is None else float(found[0])


def is_of(set_name: str, os_name: str, release: str) -> bool:
    """Tell whether a set is of that very system, in any release where none is named."""
    system, _, number = set_name.partition("-")
    kind = _BY_WORD[os_name.lower()]
    own = (os_name.lower(), "macos") if kind.name == "Darwin" else (os_name.lower(),)
    return system in own and release.lower().replace(" ", "-") in ("", number)


def nearest_facts(os_name: str, release: str) -> Facts:
    """Return the facts of a system of one of the names that ``name_of`` returns."""
    set_name = nearest_set(os_name, release)
    facts = load_factset(set_name)
    if is_of(set_name, os_name, release):
        return SampleFacts(with_module_facts(facts))
    return SampleFacts(with_module_facts(_adapted(facts, _BY_WORD[os_name.lower()], release)))


def _adapted(facts: Mapping[str, Any], kind: _Kind, release: str) -> Facts:
    """Return facts as a system of another kind or release has them."""
    system = dict(facts["os"])
    old = system["name"], str(system["release"]["major"])
    if not release:
        release = kind.release if kind.name != old[0] and kind.release else old[1]
    numbers = _numbers(facts, kind, release)
    if "BSD" in kind.name:
        system["hardware"] = "amd64"
    if kind.family not in ("Debian", system["family"]):
        system["architecture"] = system["hardware"]
    system.update(name=kind.name, family=kind.family, release=numbers)
    if "distro" in system:
        code = _CODENAMES.get((kind.name, release))
        system["distro"] = {
            "id": kind.name,
            "release": numbers,
            "description": f"{kind.name} {numbers['full']}",
            **({} if code is None else {"codename": code}),
        }
    if "windows" in system:
        product = str(system["windows"]["product_name"]).replace(old[1], release)
        system["windows"] = {**system["windows"], "product_name": product}
    return {**facts, **_kernel_facts(kind, system), "os": system}


def _kernel_facts(kind: _Kind, system: dict[str, Any]) -> Facts:
    """Return the facts of a kernel that has the number of its system, and drop those of Linux."""
    if kind.kernel in ("Linux", "windows"):
        return {}
    for name in _OF_LINUX:
        system.pop(name, None)
    full, major = system["release"]["full"], system["release"]["major"]
    number = full.partition("-")[0]
    return {
        "kernel": kind.kernel,
        "kernelrelease": f"5.{major}" if kind.kernel == "SunOS" else full,
        "kernelversion": number,
        "kernelmajversion": number if kind.kernel == "Darwin" else major,
    }


def _numbers(facts: Mapping[str, Any], kind: _Kind, release: str) -> dict[str, str]:
    """Return the numbers of a release; one that metadata shorten has a minor release, too."""
    own = facts["os"]["release"]
    if kind.name == "Archlinux":  # has none but that of its kernel
        full = str(facts["kernelrelease"])
        major, minor = full.split(".")[:2]
        return {"full": full, "major": major, "minor": minor}
    if kind.name == "AIX":  # what people call 7.2
        level = release.partition("-")[0].replace(".", "").ljust(4, "0")
        return {"full": release if "-" in release else level, "major": level}
    major, dot, minor = release.partition(".")
    if kind.name in _DOTTED:
        return {"full": release, "major": release}
    if not dot:
        is_own = major == own["major"] and kind.family == facts["os"]["family"]
        minor = own.get("minor", "") if is_own or "minor" not in own else "0"
        minor = _MINOR.get((kind.name, major), minor)
    if not minor:
        return {"full": major, "major": major}
    numbers = {"full": f"{major}.{minor}", "major": major, "minor": minor}
    if kind.like[0] == "freebsd":
        numbers.update(full=f"{major}.{minor}-RELEASE", branch="RELEASE")
    return numbers
