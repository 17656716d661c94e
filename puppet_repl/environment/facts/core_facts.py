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
