"""The resource types of Puppet 8 itself and of the modules that its agent brings along, as data.

One line a type: name, naming attributes, properties, parameters. The attributes are those of
Puppet 8.11 and of augeas_core, cron_core, host_core, mount_core, scheduled_task, selinux_core,
sshkeys_core, yumrepo_core, zfs_core and zone_core.
"""

from __future__ import annotations

from puppet_repl.base.profiles import DEFAULT_LANGUAGE, PROFILES
from puppet_repl.catalog.resource_types import NativeType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.profiles import Profile
    from puppet_repl.catalog.resource_types import TitleValues

# Types of Puppet itself, in whose resources the name need not be unique.
_REPEATABLE = frozenset({"exec", "tidy"})

_TYPES = {
    "exec": (
        "command",
        "returns",
        "path user group cwd logoutput refresh environment umask timeout tries try_sleep"
        " refreshonly creates unless onlyif provider",
    ),
    "file": (
        "path",
        "ensure content checksum_value target owner group mode type seluser selrole seltype"
        " selrange ctime mtime",
        "backup recurse recurselimit max_files replace force ignore links purge sourceselect"
        " show_diff staging_location validate_cmd validate_replacement provider checksum source"
        " source_permissions selinux_ignore_defaults",
    ),
    "filebucket": ("name", "", "server port path"),
    "group": (
        "name",
        "ensure gid members attributes",
        "auth_membership allowdupe ia_load_module attribute_membership system forcelocal provider",
    ),
    "notify": ("name", "message", "withpath"),
    "package": (
        "name provider command",
        "ensure package_settings flavor mark",
        "source instance status adminfile responsefile configfiles category platform root vendor"
        " description allowcdrom enable_only install_only install_options uninstall_options"
        " allow_virtual reinstall_on_refresh",
    ),
    "resources": ("name", "", "purge unless_system_user unless_uid"),
    "schedule": ("name", "", "range periodmatch period repeat weekday"),
    "service": (
        "name",
        "ensure enable logonaccount flags",
        "logonpassword binary hasstatus path pattern restart start status stop control hasrestart"
        " manifest timeout provider",
    ),
    "stage": ("name", "", ""),
    "tidy": ("path", "", "recurse max_files matches backup age size type rmdirs"),
    "user": (
        "name",
        "ensure home uid gid comment shell password password_min_age password_max_age"
        " password_warn_days groups expiry roles auths profiles keys project attributes salt"
        " iterations loginclass",
        "membership system allowdupe managehome role_membership auth_membership"
        " profile_membership key_membership ia_load_module attribute_membership forcelocal"
        " purge_ssh_keys provider",
    ),
    "whit": ("name", "", ""),
    "augeas": (
        "name",
        "returns",
        "context onlyif changes root load_path force type_check lens incl show_diff provider",
    ),
    "cron": (
        "name",
        "ensure command special minute hour weekday month monthday environment user target",
        "provider",
    ),
    "host": ("name", "ensure ip host_aliases comment target", "provider"),
    "mount": (
        "name",
        "ensure device blockdevice fstype options pass atboot dump target",
        "remounts provider",
    ),
    "scheduled_task": (
        "name",
        "ensure enabled command working_dir arguments user compatibility trigger",
        "password provider",
    ),
    "selboolean": ("name", "value", "persistent provider"),
    "selmodule": ("name", "ensure syncversion", "selmoduledir selmodulepath provider"),
    "ssh_authorized_key": (
        "name",
        "ensure type key user target options",
        "drop_privileges provider",
    ),
    "sshkey": ("name type", "ensure key host_aliases target", "provider"),
    "yumrepo": (
        "name",
        "ensure descr mirrorlist baseurl enabled gpgcheck payload_gpgcheck repo_gpgcheck gpgkey"
        " mirrorlist_expire include exclude gpgcakey includepkgs enablegroups module_hotfixes"
        " failovermethod keepalive retries http_caching timeout metadata_expire protect priority"
        " minrate throttle bandwidth cost proxy proxy_username proxy_password s3_enabled"
        " sslcacert sslverify sslclientcert sslclientkey metalink skip_if_unavailable assumeyes"
        " deltarpm_percentage deltarpm_metadata_percentage username password",
        "target provider",
    ),
    "zfs": (
        "name",
        "ensure aclinherit aclmode acltype atime canmount checksum compression copies dedup"
        " devices exec logbias mountpoint nbmand overlay primarycache quota readonly recordsize"
        " refquota refreservation relatime reservation secondarycache setuid shareiscsi sharenfs"
        " sharesmb snapdir sync version volsize vscan xattr zoned",
        "provider",
    ),
    "zone": (
        "name",
        "ensure ip iptype autoboot path pool shares dataset inherit",
        "id clone sysidcfg create_args install_args realhostname provider",
    ),
    "zpool": (
        "pool",
        "ensure disk mirror raidz spare log cache ashift autoexpand failmode raid_parity force",
        "provider",
    ),
}

NAMES = tuple(_TYPES)


# Types of the modules that Puppet's agent brings along. They give way to definitions of their name.
_OF_AGENT = frozenset(
    (
        *("augeas", "cron", "host", "mount", "scheduled_task", "selboolean", "selmodule"),
        *("ssh_authorized_key", "sshkey", "yumrepo", "zfs", "zone", "zpool"),
    )
)


def gives_way(native: NativeType) -> bool:
    """Tell whether a define of the same name is meant rather than this type.

    Puppet itself has not known these types since they moved into modules of their own.
    """
    return native.file is None and native.name in _OF_AGENT


def find(name: str, profile: Profile = PROFILES[DEFAULT_LANGUAGE]) -> NativeType | None:
    """Return a new object for the type called ``name`` (lower case), None where there is none."""
    facts = None if name in profile.without_types else _TYPES.get(name)
    if facts is None:
        return None
    namevars, properties, parameters = (tuple(words.split()) for words in facts)
    return NativeType(
        name,
        properties,
        namevars + parameters,
        namevars,
        name not in _REPEATABLE,
        parse_title=_TITLES.get(name),
    )


def _title_of_file(title: str) -> TitleValues:
    """Return the path: the title without slashes at its end; ``/`` itself stays."""
    stripped = title.rstrip("/")
    if stripped and not (stripped.endswith(":") and stripped != title):
        return {"path": stripped}
    if not stripped:
        return {"path": "/" if title else title}
    return {"path": stripped + "/"}


def _title_of_package(title: str) -> TitleValues:
    return {"name": title}


def _title_of_sshkey(title: str) -> TitleValues:
    name, separator, kind = title.partition("@")
    return {"name": name, "type": kind} if separator else {"name": title}


_TITLES = {"file": _title_of_file, "package": _title_of_package, "sshkey": _title_of_sshkey}
