"""The keys of Facter's structured facts, and of Puppet's own, as data.

Facts whose keys are the names of devices, interfaces and the like are not here.
"""

from __future__ import annotations

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
_KEYS = {path: tuple(names.split()) for path, names in _BY_PATH.items()}
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
    return _KEYS.get(path, ())
