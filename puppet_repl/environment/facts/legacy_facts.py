"""Facts that Puppet 8 leaves out, and the keys of the structured facts, as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_KEYS = {
    "architecture": "os architecture",
    "augeasversion": "augeas version",
    "bios_release_date": "dmi bios release_date",
    "bios_vendor": "dmi bios vendor",
    "bios_version": "dmi bios version",
    "boardassettag": "dmi board asset_tag",
    "boardmanufacturer": "dmi board manufacturer",
    "boardproductname": "dmi board product",
    "boardserialnumber": "dmi board serial_number",
    "chassisassettag": "dmi chassis asset_tag",
    "chassistype": "dmi chassis type",
    "domain": "networking domain",
    "fqdn": "networking fqdn",
    "gid": "identity group",
    "hardwareisa": "processors isa",
    "hardwaremodel": "os hardware",
    "hostname": "networking hostname",
    "id": "identity user",
    "ipaddress": "networking ip",
    "ipaddress6": "networking ip6",
    "lsbdistcodename": "os distro codename",
    "lsbdistdescription": "os distro description",
    "lsbdistid": "os distro id",
    "lsbdistrelease": "os distro release full",
    "lsbmajdistrelease": "os distro release major",
    "lsbminordistrelease": "os distro release minor",
    "lsbrelease": "os distro specification",
    "macaddress": "networking mac",
    "macosx_buildversion": "os macosx build",
    "macosx_productname": "os macosx product",
    "macosx_productversion": "os macosx version full",
    "macosx_productversion_major": "os macosx version major",
    "macosx_productversion_minor": "os macosx version minor",
    "manufacturer": "dmi manufacturer",
    "memoryfree": "memory system available",
    "memorysize": "memory system total",
    "netmask": "networking netmask",
    "netmask6": "networking netmask6",
    "network": "networking network",
    "network6": "networking network6",
    "operatingsystem": "os name",
    "operatingsystemmajrelease": "os release major",
    "operatingsystemrelease": "os release full",
    "osfamily": "os family",
    "physicalprocessorcount": "processors physicalcount",
    "processorcount": "processors count",
    "productname": "dmi product name",
    "rubyplatform": "ruby platform",
    "rubysitedir": "ruby sitedir",
    "rubyversion": "ruby version",
    "selinux": "os selinux enabled",
    "selinux_config_mode": "os selinux config_mode",
    "selinux_config_policy": "os selinux config_policy",
    "selinux_current_mode": "os selinux current_mode",
    "selinux_enforced": "os selinux enforced",
    "selinux_policyversion": "os selinux policy_version",
    "serialnumber": "dmi product serial_number",
    "sshdsakey": "ssh dsa key",
    "sshecdsakey": "ssh ecdsa key",
    "sshed25519key": "ssh ed25519 key",
    "sshrsakey": "ssh rsa key",
    "swapencrypted": "memory swap encrypted",
    "swapfree": "memory swap available",
    "swapsize": "memory swap total",
    "system32": "os windows system32",
    "uptime": "system_uptime uptime",
    "uptime_days": "system_uptime days",
    "uptime_hours": "system_uptime hours",
    "uptime_seconds": "system_uptime seconds",
    "uuid": "dmi product uuid",
    "xendomains": "xen domains",
    "zonename": "solaris_zones current",
    "blockdevices": "disks",
    "interfaces": "networking interfaces",
}
# As numbers of mebibytes.
_MEBIBYTES = {
    "memoryfree_mb": "memory system available_bytes",
    "memorysize_mb": "memory system total_bytes",
    "swapfree_mb": "memory swap available_bytes",
    "swapsize_mb": "memory swap total_bytes",
}
# Their names have a digit, but for the one of the machine itself.
_INTERFACE = r"(lo|[a-z]\w*\d\w*)"
_PATTERNS = (
    (r"ipaddress_" + _INTERFACE, "networking interfaces {} ip"),
    (r"ipaddress6_" + _INTERFACE, "networking interfaces {} ip6"),
    (r"macaddress_" + _INTERFACE, "networking interfaces {} mac"),
    (r"mtu_" + _INTERFACE, "networking interfaces {} mtu"),
    (r"netmask_" + _INTERFACE, "networking interfaces {} netmask"),
    (r"netmask6_" + _INTERFACE, "networking interfaces {} netmask6"),
    (r"network_" + _INTERFACE, "networking interfaces {} network"),
    (r"network6_" + _INTERFACE, "networking interfaces {} network6"),
    (r"blockdevice_(\w+)_model", "disks {} model"),
    (r"blockdevice_(\w+)_size", "disks {} size_bytes"),
    (r"blockdevice_(\w+)_vendor", "disks {} vendor"),
    (r"sshfp_(dsa|ecdsa|ed25519|rsa)", "ssh {} fingerprints"),
    (r"processor(\d+)", "processors models"),
)
LEGACY = tuple(_KEYS)
"""Their names, but for those with the name of an interface or a device in them."""

_GROUP = re.compile(r"\(.*?\)+")
_OTHER_SIGN = re.compile(r"[^A-Za-z0-9_]")
_compiled = tuple((re.compile(pattern), path) for pattern, path in _PATTERNS)

AMBIGUOUS = frozenset(
    ("id", "gid", "network", "uptime", "uuid", "selinux", "interfaces", "domain", "manufacturer")
)
"""Names that are common for other variables: they are facts only with ``::``."""

_OF_OTHER_KIND = ("blockdevices", "interfaces", "xendomains")
REPLACED = {
    name: path.replace(" ", ".") for name, path in _KEYS.items() if name not in _OF_OTHER_KIND
}
"""The dotted names of the facts with the same value. The others were lists in a text."""


def structured(name: str) -> str | None:
    """Return the expression that has replaced a legacy fact; None for any other name."""
    path = _KEYS.get(name) or _MEBIBYTES.get(name)
    if path is None:
        for pattern, form in _compiled:
            found = pattern.fullmatch(name)
            if found is not None:
                path = form.format(*found.groups())
                break
        else:
            return None
    divided = " / 1048576.0" if name in _MEBIBYTES else ""
    return "$facts" + "".join(f"['{key}']" for key in path.split()) + divided


def legacy_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the legacy facts that Facter has beside structured ones."""
    found = {name: _dug(facts, path) for name, path in _KEYS.items()}
    for name, path in _MEBIBYTES.items():
        size = _dug(facts, path)
        found[name] = size / 1048576.0 if isinstance(size, (int, float)) else None
    for name in _OF_OTHER_KIND:
        names = found[name]
        if isinstance(names, dict):
            names = sorted(map(_plain, names))
        found[name] = ",".join(map(str, names)) or None if isinstance(names, list) else None
    for pattern, form in _PATTERNS:
        above, _, rest = form.partition(" {}")
        group = _dug(facts, above)
        if isinstance(group, list):
            group = {str(index): each for index, each in enumerate(group)}
        for key, each in group.items() if isinstance(group, dict) else ():
            found[_GROUP.sub(_plain(key), pattern)] = _dug(each, rest)
    for name, value in found.items():
        if isinstance(value, dict):  # the fingerprints of a key
            found[name] = "\n".join(map(str, value.values()))
    return {name: value for name, value in found.items() if value is not None}


def _dug(value: Any, path: str) -> Any:
    """Return the value at a path in a fact, None for a missing key."""
    for key in path.split():
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _plain(key: str) -> str:
    """Return the name of an interface or device as it is in the names of facts."""
    return _OTHER_SIGN.sub("_", key)


# Structured facts; those whose keys are the names of devices, interfaces and the like are left out.
_BY_PATH = {
    "augeas": "version",
    "dmi": "bios board chassis manufacturer product",
    "dmi.bios": "release_date vendor version",
    "dmi.board": "asset_tag manufacturer product serial_number",
    "dmi.chassis": "asset_tag type",
    "dmi.product": "name serial_number uuid version family",
    "identity": "gid group privileged uid user",
    "memory": "swap system",
    "memory.swap": "available available_bytes capacity encrypted total total_bytes used used_bytes",
    "memory.system": "available available_bytes capacity total total_bytes used used_bytes",
    "networking": "dhcp domain fqdn hostname interfaces ip ip6 mac mtu netmask netmask6 network "
    "network6 primary scope6",
    "os": "architecture distro family hardware macosx name release selinux windows",
    "os.distro": "codename description id release specification",
    "os.distro.release": "full major minor",
    "os.macosx": "build product version",
    "os.macosx.version": "extra full major minor patch",
    "os.release": "branch full major minor patchlevel",
    "os.selinux": "config_mode config_policy current_mode enabled enforced policy_version",
    "os.windows": "display_version edition_id installation_type product_name release_id system32",
    "processors": "cores count extensions isa models physicalcount speed threads",
    "ruby": "platform sitedir version",
    "system_uptime": "days hours seconds uptime",
}
_STRUCTURED_KEYS = {path: tuple(names.split()) for path, names in _BY_PATH.items()}
TRUSTED = ("authenticated", "certname", "domain", "extensions", "external", "hostname")
"""The keys of ``$trusted``."""
SERVER_FACTS = (
    "environment",
    "serverimplementation",
    "serverip",
    "serverip6",
    "servername",
    "serverversion",
)
"""The keys of ``$server_facts``."""


def keys_of(path: str) -> tuple[str, ...]:
    """Return the keys of the structured fact at a dotted path; () where they are not known."""
    return _STRUCTURED_KEYS.get(path, ())
