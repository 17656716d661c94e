"""The names that every node may have at its top scope without custom facts, as data."""

from __future__ import annotations

CORE_FACTS = frozenset(
    (
        "aio_agent_version",
        "augeas",
        "az_metadata",
        "cloud",
        "disks",
        "dmi",
        "ec2_metadata",
        "ec2_userdata",
        "env_windows_installdir",
        "facterversion",
        "filesystems",
        "fips_enabled",
        "gce",
        "hypervisors",
        "identity",
        "is_virtual",
        "kernel",
        "kernelmajversion",
        "kernelrelease",
        "kernelversion",
        "ldom",
        "load_averages",
        "memory",
        "mountpoints",
        "networking",
        "nim_type",
        "os",
        "partitions",
        "path",
        "processors",
        "ruby",
        "solaris_zones",
        "ssh",
        "system_profiler",
        "system_uptime",
        "timezone",
        "virtual",
        "xen",
    )
)
"""Facts of Facter 4, without those that Puppet 8 leaves out."""
_OF_MEMORY = "available available_bytes capacity encrypted total total_bytes used used_bytes"
CORE_FACT_KEYS: dict[tuple[str, ...], frozenset[str]] = {
    tuple(path.split(".")): frozenset(keys.split())
    for path, keys in {
        "dmi": "bios board chassis manufacturer product",
        "dmi.bios": "release_date vendor version",
        "dmi.board": "asset_tag manufacturer product serial_number",
        "dmi.chassis": "asset_tag type",
        "dmi.product": "family name serial_number sku_number uuid version",
        "identity": "gid group privileged uid user",
        "memory": "swap system",
        "memory.swap": _OF_MEMORY,
        "memory.system": _OF_MEMORY,
        "networking": "dhcp dhcp6 domain fqdn hostname interfaces ip ip6 mac mtu netmask netmask6 "
        "network network6 primary scope6",
        "os": "architecture distro family hardware lsb macosx name release selinux windows",
        "os.distro": "codename description id release specification",
        "os.distro.release": "full major minor",
        "os.macosx": "build product version",
        "os.macosx.version": "extra full major minor patch",
        "os.release": "branch full major minor patchlevel update",
        "os.selinux": "config_mode config_policy current_mode enabled enforced policy_version",
        "os.windows": "display_version edition_id installation_type product_name release_id "
        "system32",
        "processors": "cores count extensions isa models physicalcount speed threads",
        "ruby": "platform sitedir version",
        "system_uptime": "days hours seconds uptime",
    }.items()
}
"""The keys that facts of Facter 4 may have on some machine, by the path to the fact."""
AGENT_FACTS = frozenset(
    (
        "agent_specified_environment",
        "clientcert",
        "clientnoop",
        "clientversion",
        "implementation",
        "puppetversion",
    )
)
"""Facts that an agent adds."""
MODULE_FACTS = frozenset(
    (
        "is_pe",
        "package_provider",
        "pe_build",
        "pe_server_version",
        "pe_version",
        "platform_tag",
        "puppet_environmentpath",
        "puppet_server",
        "puppet_vardir",
        "root_home",
        "service_provider",
        "systemd",
        "systemd_internal_services",
        "systemd_version",
    )
)
"""Facts of the modules stdlib and systemd and of Puppet Enterprise."""
GIVEN_VARIABLES = frozenset(
    (
        "environment",
        "facts",
        "server_facts",
        "serverimplementation",
        "serverip",
        "servername",
        "serverversion",
        "trusted",
    )
)
"""Variables that Puppet sets at top scope."""
