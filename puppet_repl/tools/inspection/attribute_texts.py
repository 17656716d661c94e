"""One-line documentation of the attributes of resource types, as data.

A type is one text: a line for each attribute, its name and what it says. What a module's type says
of its attributes is in the type itself.
"""

from __future__ import annotations

_METAPARAMETERS = """
alias: Another name that relationships may use for the resource.
audit: Attributes whose changes are only reported, or `all`; nothing is changed for them.
before: Resources that are applied after this one.
loglevel: The level at which changes are logged: debug, info, notice, warning, err, ...
noop: If true the resource is only compared, and what would change is reported.
notify: Resources that are applied after this one, and refreshed if it has changed.
require: Resources that are applied before this one.
schedule: The Schedule resource whose times allow the resource to be applied.
stage: The run stage of a class; only classes that are declared like resources can have one.
subscribe: Resources that are applied before this one, and refresh it if they have changed.
tag: Further tags of the resource, by which runs and collectors choose.
"""

_TYPES = {
    "augeas": """
name: Any name; it is not a part of the change.
changes: The commands to run, such as `set path value` or `rm path`.
context: A path that goes before the relative paths in changes and onlyif.
force: Whether the commands run even if the tree looks as wanted.
incl: The file to load with the lens, instead of all that Augeas knows.
lens: The lens for the file of incl, for example Hosts.lns.
load_path: Directories in which lenses are looked for, too.
onlyif: A test (get, match or values) that must hold for the changes to be made.
provider: What runs the changes.
returns: The expected result; it is set by the type itself.
root: The directory that counts as the root of the file system.
show_diff: Whether the difference of changed files is logged.
type_check: Whether Augeas checks the types of lenses.
""",
    "cron": """
name: The name of the job, written as a comment above it.
command: The command to run.
ensure: Whether the job is in the table.
environment: Variables that are set above the job, each as NAME=value.
hour: The hours, 0 to 23.
minute: The minutes, 0 to 59.
month: The months, 1 to 12 or their English names.
monthday: The days of the month, 1 to 31.
provider: What manages the table.
special: A word in place of times, such as daily or reboot.
target: The user whose table has the job, where that is not the user who runs it.
user: The user who runs the command, and whose table has the job.
weekday: The days of the week, 0 to 7 or their English names; 0 and 7 are Sunday.
""",
    "exec": """
command: The command to run; by default the title.
creates: A file; the command runs only while it does not exist.
cwd: The directory in which the command runs.
environment: Variables that are set for the command, each as NAME=value.
group: The group that the command runs as.
logoutput: Whether the output is logged: always, never, or only if the command fails.
onlyif: A command that has to succeed for this one to run.
path: The directories in which commands are looked for; without it they need absolute paths.
provider: What runs the command: directly (posix, windows) or through a shell.
refresh: The command that is run instead when the resource is refreshed.
refreshonly: If true the command runs only when something notifies the resource.
returns: The exit status, or statuses, that count as success; 0 by default.
timeout: The seconds that the command may take; 0 means no limit.
tries: How often the command is run before it counts as failed.
try_sleep: The seconds between two tries.
umask: The umask of the command.
unless: A command that has to fail for this one to run.
user: The user that the command runs as.
""",
    "file": """
path: The absolute path of the file; by default the title.
backup: Where the old content is kept: false, a suffix such as .bak, or a filebucket.
checksum: How contents are compared: a hash such as sha256, times, or none.
checksum_value: The checksum that the content must have; source says where that content is.
content: The whole content, as a string; for a file that is elsewhere there is source.
ctime: The time of the last change of the inode; it is only read.
ensure: Whether there is a file, a directory or a link, or nothing.
force: Whether a directory may be removed or replaced.
group: The group that owns the file: a name or a number.
ignore: Patterns of names that a recursion leaves out.
links: Whether a link itself is managed, or the file that it leads to.
max_files: The number of files from which on a recursion warns.
mode: The permissions as a string: octal '0644', or symbolic 'u=rw,go=r'.
mtime: The time of the last change of the content; it is only read.
owner: The user who owns the file: a name or a number.
provider: What manages the file.
purge: Whether files below a recursive directory that nothing manages are removed.
recurse: Whether what is below a directory is managed as well; remote takes what the source has.
recurselimit: How many levels of directories a recursion goes down.
replace: Whether a file that is there already gets the content, or keeps its own.
selinux_ignore_defaults: Whether SELinux is not asked for the context that a path has by default.
selrange: The range of the SELinux context.
selrole: The role of the SELinux context.
seltype: The type of the SELinux context.
seluser: The user of the SELinux context.
show_diff: Whether the difference of a changed content is logged; false for secrets.
source: Where the content is copied from: a path, puppet:///modules/NAME/FILE, http://...
source_permissions: Whether owner, group and mode come from the source.
sourceselect: Whether only the first source that exists is taken, or all of them.
staging_location: The directory in which the new file is written before it takes its place.
target: What a link leads to.
type: The type of the file; it is only read.
validate_cmd: A command that checks the new content before it takes its place; % is its file.
validate_replacement: The text in validate_cmd that stands for the file; % by default.
""",
    "filebucket": """
name: The name that the attribute backup of files refers to.
path: The directory of a local bucket; false for that of a server.
port: The port of the server.
server: The server that keeps the files.
""",
    "group": """
name: The name of the group.
allowdupe: Whether the number may be that of another group, too.
attribute_membership: Whether attributes that are not given are removed.
attributes: Attributes of the group on AIX, as name=value.
auth_membership: Whether members that are not given are removed.
ensure: Whether the group exists.
forcelocal: Whether the local files are changed where a directory service has groups, too.
gid: The number of the group.
ia_load_module: The module that authenticates the group on AIX.
members: The users in the group.
provider: What manages groups.
system: Whether the group is one of the system, with a low number.
""",
    "host": """
name: The name of the host.
comment: A comment behind the entry.
ensure: Whether the entry is in the file.
host_aliases: Other names of the host.
ip: The address of the host, IPv4 or IPv6.
provider: What manages the file.
target: The file; by default that of the system.
""",
    "mount": """
name: The directory on which the file system is mounted.
atboot: Whether it is mounted when the system starts.
blockdevice: The device for checks, on Solaris.
device: What is mounted: a device, a label, a share.
dump: Whether the file system is dumped: 0, 1 or 2.
ensure: Whether there is an entry in the table, and whether it is mounted.
fstype: The type of the file system, such as ext4 or nfs.
options: The options of the mount, separated by commas.
pass: The order in which file systems are checked; 0 for never.
provider: What mounts.
remounts: Whether the system can remount; otherwise it is unmounted and mounted.
target: The file with the table; by default that of the system.
""",
    "notify": """
name: A name for the message; by default the message.
message: The text that the agent logs; by default the title.
withpath: Whether the path of the resource is logged, too.
""",
    "package": """
name: The name of the package, as its provider knows it.
adminfile: A file with defaults for the installation, on Solaris.
allow_virtual: Whether the name may be one that packages only provide.
allowcdrom: Whether apt may install from a CD.
category: The category of the package; it is only read.
command: The program that the provider runs, such as a certain gem.
configfiles: Whether changed configuration files are kept when the package is replaced.
description: The description of the package; it is only read.
enable_only: Whether a module of dnf is only enabled, and nothing of it installed.
ensure: Whether the package is installed, and which version.
flavor: The flavor of the package, on OpenBSD and for modules of dnf.
install_only: Whether installed versions stay when another one is installed, as for kernels.
install_options: Further options for the command that installs.
instance: The name of the instance; it is only read.
mark: Whether the package is kept from upgrades.
package_settings: Settings of the package, for providers that have some.
platform: The platform of the package; it is only read.
provider: The package manager: apt, dnf, gem, pip, ...
reinstall_on_refresh: Whether the package is installed again when something notifies it.
responsefile: A file with answers for the installation.
root: The root directory of the package; it is only read.
source: Where the package file is, for providers without repositories.
status: The status of the package; it is only read.
uninstall_options: Further options for the command that uninstalls.
vendor: The vendor of the package; it is only read.
""",
    "resources": """
name: The resource type whose resources are managed.
purge: Whether resources of the type that are not in the catalog are removed.
unless_system_user: For users: up to which number they are never removed.
unless_uid: For users: numbers, and ranges of them, that are never removed.
""",
    "schedule": """
name: The name that the metaparameter schedule refers to.
period: How often a resource is applied: hourly, daily, ...
periodmatch: Whether periods count from the last run, or by the clock.
range: The times of the day, as '2 - 4' or '22:30 - 4:00'.
repeat: How often a resource is applied within a period.
weekday: The days of the week, by their names or numbers; 0 is Sunday.
""",
    "scheduled_task": """
name: The name of the task.
arguments: The arguments of the command.
command: The full path of the program to run.
compatibility: The version of the interface of Windows that the task is for.
enabled: Whether the triggers count.
ensure: Whether the task exists.
password: The password of the user.
provider: What manages tasks.
trigger: When the task runs: a hash, or an array of hashes.
user: The user who runs the task.
working_dir: The directory in which the command runs.
""",
    "selboolean": """
name: The name of the SELinux boolean.
persistent: Whether the value lasts when the system is started again.
provider: What sets the boolean.
value: Whether the boolean is on.
""",
    "selmodule": """
name: The name of the SELinux module.
ensure: Whether the module is loaded.
provider: What loads modules.
selmoduledir: The directory with the module, if its file is called NAME.pp.
selmodulepath: The full path of the file of the module.
syncversion: Whether the version that is loaded has to be that of the file.
""",
    "service": """
name: The name of the service, as the system knows it.
binary: The path of the daemon, for services without an init script.
control: The variable that controls the service, on HP-UX.
enable: Whether the service starts when the system does.
ensure: Whether the service runs.
flags: Flags for the start, for providers that have some.
hasrestart: Whether the init script has a restart; otherwise it is stopped and started.
hasstatus: Whether the init script has a status; otherwise the process table is searched.
logonaccount: The account that the service runs as, on Windows.
logonpassword: The password of that account.
manifest: The manifest of the service, or the command that makes it, on Solaris.
path: The directories in which init scripts are looked for.
pattern: What is searched in the process table where there is no status.
provider: What manages services: systemd, launchd, windows, ...
restart: The command that restarts the service.
start: The command that starts the service.
status: The command that tells by its exit status whether the service runs.
stop: The command that stops the service.
timeout: The seconds to wait for the service, on Windows.
""",
    "ssh_authorized_key": """
name: The comment at the end of the key.
drop_privileges: Whether the file is written as the user rather than as root.
ensure: Whether the key is in the file.
key: The public key itself, without type and comment.
options: Options of the key, such as no-pty.
provider: What manages the file.
target: The file; by default that of the user.
type: The type of the key, such as ed25519 or rsa.
user: The user in whose file the key is.
""",
    "sshkey": """
name: The name of the host.
ensure: Whether the key is in the file.
host_aliases: Other names and addresses of the host.
key: The public key itself.
provider: What manages the file.
target: The file; by default that of the system.
type: The type of the key, such as ssh-ed25519 or rsa.
""",
    "stage": """
name: The name that the metaparameter stage of classes refers to.
""",
    "tidy": """
path: The file, or the directory in which files are removed.
age: The age from which on files are removed: '1w', '12h', ...
backup: Where files are kept before they are removed, as for a file.
matches: Patterns of the names that are removed.
max_files: The number of files from which on a recursion warns.
recurse: Whether directories below are searched: true, false, or how deep.
rmdirs: Whether directories are removed, too, once they are empty.
size: The size from which on files are removed: '100k', '1m', ...
type: Which time of a file its age counts from.
""",
    "user": """
name: The login name.
allowdupe: Whether the number may be that of another user, too.
attribute_membership: Whether attributes that are not given are removed.
attributes: Attributes of the user on AIX, as name=value.
auth_membership: Whether authorizations that are not given are removed.
auths: The authorizations of the user, on Solaris.
comment: The description of the user, usually the full name.
ensure: Whether the account exists.
expiry: The date at which the account ends, as YYYY-MM-DD, or absent.
forcelocal: Whether the local files are changed where a directory service has users, too.
gid: The primary group: a name or a number.
groups: The further groups of the user, without the primary one.
home: The home directory; managehome says whether it is made.
ia_load_module: The module that authenticates the user on AIX.
iterations: The rounds of the hash of the password, on macOS.
key_membership: Whether keys that are not given are removed.
keys: Attributes of the user on Solaris, as name=value.
loginclass: The login class, on BSD.
managehome: Whether the home directory is made and removed with the account.
membership: Whether groups that are not given are left.
password: The hash of the password, as the system keeps it; best a Sensitive.
password_max_age: The days after which a password has to be changed.
password_min_age: The days before which a password may not be changed.
password_warn_days: The days before its end from which on the user is warned.
profile_membership: Whether profiles that are not given are removed.
profiles: The profiles of the user, on Solaris.
project: The project of the user, on Solaris.
provider: What manages users.
purge_ssh_keys: Whether keys in authorized_keys that nothing manages are removed.
role_membership: Whether roles that are not given are removed.
roles: The roles of the user, on Solaris.
salt: The salt of the password, on macOS.
shell: The login shell; it must exist.
system: Whether the user is one of the system, with a low number.
uid: The number of the user.
""",
    "whit": """
name: The name of a marker that Puppet itself makes.
""",
    "yumrepo": """
name: The name of the repository, in brackets in its file.
assumeyes: Whether questions are answered with yes.
bandwidth: The bandwidth that a throttle in percent refers to.
baseurl: The address of the packages.
cost: What access costs compared with other repositories; 1000 by default.
deltarpm_metadata_percentage: The size of delta metadata from which on they are not used.
deltarpm_percentage: The size of delta packages from which on they are not used.
descr: The description of the repository.
enabled: Whether the repository is used.
enablegroups: Whether groups of packages are used.
ensure: Whether the repository is configured.
exclude: Packages that are never taken from here.
failovermethod: Whether mirrors are taken in order or at random.
gpgcakey: The key of the authority that signs keys.
gpgcheck: Whether the signatures of packages are checked.
gpgkey: The address of the key of the signatures.
http_caching: What caches on the way may keep.
include: Another file with configuration to read.
includepkgs: The only packages that are taken from here.
keepalive: Whether connections are used again.
metadata_expire: The seconds after which metadata are fetched again.
metalink: The address of a list of mirrors with checksums.
minrate: The speed below which a download ends.
mirrorlist: The address of a list of mirrors.
mirrorlist_expire: The seconds after which the list of mirrors is fetched again.
module_hotfixes: Whether packages of modules are taken from here in any case.
password: The password for the repository.
payload_gpgcheck: Whether the signature of the payload is checked.
priority: The priority, 1 to 99; a lower one wins.
protect: Whether its packages are kept from those of other repositories.
provider: What manages the file.
proxy: The address of a proxy, or _none_.
proxy_password: The password for the proxy.
proxy_username: The user for the proxy.
repo_gpgcheck: Whether the signature of the metadata is checked.
retries: How often a download is tried.
s3_enabled: Whether the repository is in a bucket of S3.
skip_if_unavailable: Whether a repository that does not answer is passed over.
sslcacert: The file with the certificates of authorities.
sslclientcert: The file with the client's certificate.
sslclientkey: The file with the client's key.
sslverify: Whether certificates are checked.
target: The file; by default NAME.repo.
throttle: The most bandwidth that a download may take.
timeout: The seconds to wait for an answer.
username: The user for the repository.
""",
    "zfs": """
name: The name of the file system, with that of its pool.
aclinherit: How entries of access lists are inherited.
aclmode: How access lists change with chmod.
acltype: Which kind of access lists there is.
atime: Whether the time of the last access is kept.
canmount: Whether the file system can be mounted.
checksum: The checksum of blocks.
compression: The compression of blocks.
copies: How many copies of each block are kept.
dedup: Whether equal blocks are kept once.
devices: Whether device nodes count.
ensure: Whether the file system exists.
exec: Whether programs may be run.
logbias: Whether the log is for latency or for throughput.
mountpoint: The directory on which it is mounted.
nbmand: Whether it is mounted with mandatory locks.
overlay: Whether it may be mounted on a directory that is not empty.
primarycache: What is kept in the primary cache.
provider: What manages file systems.
quota: The most space that it may take with all below it.
readonly: Whether it can be changed.
recordsize: The size of a block.
relatime: Whether the time of the last access is kept only if it is older than a change.
refquota: The most space that it may take by itself.
refreservation: The space that is reserved for it by itself.
reservation: The space that is reserved for it with all below it.
secondarycache: What is kept in the secondary cache.
setuid: Whether setuid bits count.
shareiscsi: Whether it is shared by iSCSI.
sharenfs: Whether, and how, it is shared by NFS.
sharesmb: Whether, and how, it is shared by SMB.
snapdir: Whether the directory .zfs is seen.
sync: Whether writes are synchronous.
version: The version of the file system.
volsize: The size of a volume.
vscan: Whether files are scanned for viruses.
xattr: Whether there are extended attributes.
zoned: Whether it is managed from a zone.
""",
    "zone": """
name: The name of the zone.
autoboot: Whether the zone starts with the system.
clone: The zone that it is made from.
create_args: Arguments for the creation of the zone.
dataset: The datasets of ZFS that the zone may use.
ensure: Whether the zone exists, is installed, or runs.
id: The number of the zone; it cannot be set.
inherit: The directories that come from the global zone.
install_args: Arguments for the installation of the zone.
ip: The addresses, as interface:address:router.
iptype: Whether the zone shares the network, or has its own.
path: The directory of the zone.
pool: The pool of resources of the zone.
provider: What manages zones.
realhostname: The host name of the zone.
shares: The shares of processor time.
sysidcfg: The text of the file sysidcfg.
""",
    "zpool": """
pool: The name of the pool.
ashift: The size of a sector, as a power of two.
autoexpand: Whether the pool grows with its devices.
cache: The devices of the cache.
disk: The disks.
ensure: Whether the pool exists.
failmode: What happens when the pool fails.
force: Whether devices in use are taken.
log: The devices of the log.
mirror: The mirrors, each as a string with its devices.
provider: What manages pools.
raid_parity: The parity of raidz: raidz1, raidz2 or raidz3.
raidz: The groups of raidz, each as a string with its devices.
spare: The spare devices.
""",
}


def _read(text: str) -> dict[str, str]:
    pairs = (line.partition(": ") for line in text.strip().split("\n"))
    return {name: said for name, _, said in pairs}


def metaparameter_texts() -> dict[str, str]:
    """Return what each metaparameter is for, by name."""
    return _read(_METAPARAMETERS)


def attribute_texts(type_name: str) -> dict[str, str]:
    """Return what each attribute of a core type is for, by name; nothing of other types."""
    return _read(_TYPES[type_name]) if type_name in _TYPES else {}
