"""The resource types of the modules that the agent of Puppet 8.11 brings along, as data.

One text a type, as ``core_types`` reads it.
"""

from __future__ import annotations

AGENT_TYPES = {
    "augeas": """
name !: Any name; it is not a part of the change.
returns *: The expected result; it is set by the type itself.
context: A path that goes before the relative paths in changes and onlyif.
onlyif: A test (get, match or values) that must hold for the changes to be made.
changes: The commands to run, such as `set path value` or `rm path`.
root: The directory that counts as the root of the file system.
load_path: Directories in which lenses are looked for, too.
force: Whether the commands run even if the tree looks as wanted.
type_check: Whether Augeas checks the types of lenses.
lens: The lens for the file of incl, for example Hosts.lns.
incl: The file to load with the lens, instead of all that Augeas knows.
show_diff: Whether the difference of changed files is logged.
provider: What runs the changes.
""",
    "cron": """
name !: The name of the job, written as a comment above it.
ensure * present|absent: Whether the job is in the table.
command *: The command to run.
special *: A word in place of times, such as daily or reboot.
  absent: The times count.
  reboot: At each start of the system.
  yearly: Once a year, on the first of January.
  monthly: On the first day of each month.
  weekly: Each Sunday at midnight.
  daily: Each day at midnight.
  hourly: At the beginning of each hour.
minute *: The minutes, 0 to 59.
hour *: The hours, 0 to 23.
weekday *: The days of the week, 0 to 7 or their English names; 0 and 7 are Sunday.
month *: The months, 1 to 12 or their English names.
monthday *: The days of the month, 1 to 31.
environment *: Variables that are set above the job, each as NAME=value.
user *: The user who runs the command, and whose table has the job.
target *: The user whose table has the job, where that is not the user who runs it.
provider: What manages the table.
""",
    "host": """
name !: The name of the host.
ensure * present|absent: Whether the entry is in the file.
ip *: The address of the host, IPv4 or IPv6.
host_aliases *: Other names of the host.
comment *: A comment after the entry.
target *: The file; by default that of the system.
provider: What manages the file.
""",
    "mount": """
name !: The directory on which the file system is mounted.
ensure *: Whether there is an entry in the table, and whether it is mounted.
  defined|present|unmounted|absent|mounted
  mounted: It is in the table, and mounted.
  unmounted: It is in the table, and not mounted.
  defined: It is in the table; whether it is mounted does not matter.
  present: It is in the table; whether it is mounted does not matter.
  absent: It is not in the table, and not mounted.
device *: The thing to mount: a device, a label, a share.
blockdevice *: The device for checks, on Solaris.
fstype *: The type of the file system, such as ext4 or nfs.
options *: The options of the mount, separated by commas.
pass *: The order in which file systems are checked; 0 for never.
atboot *: Whether it is mounted when the system starts.
dump *: Whether the file system is dumped: 0, 1 or 2.
target *: The file with the table; by default that of the system.
remounts: Whether the system can remount; otherwise it is unmounted and mounted.
provider: What mounts.
""",
    "scheduled_task": """
name !: The name of the task.
ensure *: Whether the task exists.
enabled *: Whether the triggers count.
command *: The full path of the program to run.
working_dir *: The directory in which the command runs.
arguments *: The arguments of the command.
user *: The user who runs the task.
compatibility *: The version of the interface of Windows that the task is for.
trigger *: When the task runs: a hash, or an array of hashes.
password: The password of the user.
provider: What manages tasks.
""",
    "selboolean": """
name !: The name of the SELinux boolean.
value * only: Whether the boolean is on.
  on: The boolean is on.
  off: The boolean is off.
persistent: Whether the value lasts when the system is started again.
provider: What sets the boolean.
""",
    "selmodule": """
name !: The name of the SELinux module.
ensure *: Whether the module is loaded.
syncversion *: Whether the version that is loaded has to be that of the file.
selmoduledir: The directory with the module, if its file is called NAME.pp.
selmodulepath: The full path of the file of the module.
provider: What loads modules.
""",
    "ssh_authorized_key": """
name !: The comment at the end of the key.
ensure * present|absent: Whether the key is in the file.
type *: The type of the key, such as ed25519 or rsa.
key *: The public key itself, without type and comment.
user *: The user in whose file the key is.
target *: The file; by default that of the user.
options *: Options of the key, such as no-pty.
drop_privileges: Whether the file is written as the user rather than as root.
provider: What manages the file.
""",
    "sshkey": """
name !: The name of the host.
type !: The type of the key, such as ssh-ed25519 or rsa.
ensure * present|absent: Whether the key is in the file.
key *: The public key itself.
host_aliases *: Other names and addresses of the host.
target *: The file; by default that of the system.
provider: What manages the file.
""",
    "yumrepo": """
name !: The name of the repository, in brackets in its file.
ensure * present|absent: Whether the repository is configured.
descr *: The description of the repository.
mirrorlist *: The address of a list of mirrors.
baseurl *: The address of the packages.
enabled *: Whether the repository is used.
gpgcheck *: Whether the signatures of packages are checked.
payload_gpgcheck *: Whether the signature of the payload is checked.
repo_gpgcheck *: Whether the signature of the metadata is checked.
gpgkey *: The address of the key of the signatures.
mirrorlist_expire *: The seconds after which the list of mirrors is fetched again.
include *: Another file with configuration to read.
exclude *: Packages that are never taken from here.
gpgcakey *: The key of the authority that signs keys.
includepkgs *: The only packages that are taken from here.
enablegroups *: Whether groups of packages are used.
module_hotfixes *: Whether packages of modules are taken from here in any case.
failovermethod *: Whether mirrors are taken in order or at random.
keepalive *: Whether connections are used again.
retries *: How often a download is tried.
http_caching *: What caches on the way may keep.
timeout *: The seconds to wait for an answer.
metadata_expire *: The seconds after which metadata are fetched again.
protect *: Whether its packages are kept from those of other repositories.
priority *: The priority, 1 to 99; a lower one takes precedence.
minrate *: The speed below which a download ends.
throttle *: The most bandwidth that a download may take.
bandwidth *: The bandwidth that a throttle in percent refers to.
cost *: What access costs compared with other repositories; 1000 by default.
proxy *: The address of a proxy, or _none_.
proxy_username *: The user for the proxy.
proxy_password *: The password for the proxy.
s3_enabled *: Whether the repository is in a bucket of S3.
sslcacert *: The file with the certificates of authorities.
sslverify *: Whether certificates are checked.
sslclientcert *: The file with the client's certificate.
sslclientkey *: The file with the client's key.
metalink *: The address of a list of mirrors with checksums.
skip_if_unavailable *: Whether a repository that does not answer is passed over.
assumeyes *: Whether questions are answered with yes.
deltarpm_percentage *: The size of delta packages from which on they are not used.
deltarpm_metadata_percentage *: The size of delta metadata from which on they are not used.
username *: The user for the repository.
password *: The password for the repository.
target: The file; by default NAME.repo.
provider: What manages the file.
""",
    "zfs": """
name !: The name of the file system, with that of its pool.
ensure *: Whether the file system exists.
aclinherit *: How entries of access lists are inherited.
aclmode *: How access lists change with chmod.
acltype *: The kind of access lists.
atime *: Whether the time of the last access is kept.
canmount *: Whether the file system can be mounted.
checksum *: The checksum of blocks.
compression *: The compression of blocks.
copies *: How many copies of each block are kept.
dedup *: Whether equal blocks are kept once.
devices *: Whether device nodes count.
exec *: Whether programs may be run.
logbias *: Whether the log is for latency or for throughput.
mountpoint *: The directory on which it is mounted.
nbmand *: Whether it is mounted with mandatory locks.
overlay *: Whether it may be mounted on a directory that is not empty.
primarycache *: The content of the primary cache.
quota *: The most space that it may take with all below it.
readonly *: Whether it can be changed.
recordsize *: The size of a block.
refquota *: The most space that it may take by itself.
refreservation *: The space that is reserved for it by itself.
relatime *: Whether the time of the last access is kept only if it is older than a change.
reservation *: The space that is reserved for it with all below it.
secondarycache *: The content of the secondary cache.
setuid *: Whether setuid bits count.
shareiscsi *: Whether it is shared by iSCSI.
sharenfs *: Whether, and how, it is shared by NFS.
sharesmb *: Whether, and how, it is shared by SMB.
snapdir *: Whether the directory .zfs is seen.
sync *: Whether writes are synchronous.
version *: The version of the file system.
volsize *: The size of a volume.
vscan *: Whether files are scanned for viruses.
xattr *: Whether there are extended attributes.
zoned *: Whether it is managed from a zone.
provider: What manages file systems.
""",
    "zone": """
name !: The name of the zone.
ensure *: Whether the zone exists, is installed, or runs.
  running: It runs.
  installed: The zone is installed, and does not run.
  configured: The zone is configured, and not installed.
  absent: It does not exist.
ip *: The addresses, as interface:address:router.
iptype *: Whether the zone shares the network, or has its own.
autoboot *: Whether the zone starts with the system.
path *: The directory of the zone.
pool *: The pool of resources of the zone.
shares *: The shares of processor time.
dataset *: The datasets of ZFS that the zone may use.
inherit *: The directories that come from the global zone.
id: The number of the zone; it cannot be set.
clone: The zone that it is made from.
sysidcfg: The text of the file sysidcfg.
create_args: Arguments for the creation of the zone.
install_args: Arguments for the installation of the zone.
realhostname: The host name of the zone.
provider: What manages zones.
""",
    "zpool": """
pool !: The name of the pool.
ensure *: Whether the pool exists.
disk *: The disks.
mirror *: The mirrors, each as a string with its devices.
raidz *: The groups of raidz, each as a string with its devices.
spare *: The spare devices.
log *: The devices of the log.
cache *: The devices of the cache.
ashift *: The size of a sector, as a power of two.
autoexpand *: Whether the pool grows with its devices.
failmode *: What happens when the pool fails.
raid_parity *: The parity of raidz: raidz1, raidz2 or raidz3.
force *: Whether devices in use are taken.
provider: What manages pools.
""",
}
