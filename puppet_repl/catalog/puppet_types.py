"""The resource types of Puppet 8.11 itself, as data.

One text a type, as ``core_types`` reads it.
"""

from __future__ import annotations

PUPPET_TYPES = {
    "exec": """
command !: The command to run; by default the title.
returns *: The exit status, or statuses, that count as success; 0 by default.
path: The directories in which commands are looked for; without it they need absolute paths.
user: The user that the command runs as.
group: The group that the command runs as.
cwd: The directory in which the command runs.
logoutput only: Whether the output is logged: always, never, or only if the command fails.
  true: The output is always logged.
  false: The output is never logged.
  on_failure: The output is logged only if the command fails.
refresh: The command that is run instead when the resource is refreshed.
environment: Variables that are set for the command, each as NAME=value.
umask: The umask of the command.
timeout: The seconds that the command may take; 0 means no limit.
tries: How often the command is run before it counts as failed.
try_sleep: The seconds between two tries.
refreshonly true|false: If true the command runs only when something notifies the resource.
creates: A file; the command runs only while it does not exist.
unless: A command that has to fail for this one to run.
onlyif: A command that has to succeed for this one to run.
provider: What runs the command: directly (posix, windows) or through a shell.
  posix: The command is run directly: no pipes, no variables of a shell.
  shell: The command is run by /bin/sh.
  windows: The command is run directly, on Windows.
""",
    "file": """
path !: The absolute path of the file; by default the title.
ensure *: Whether there is a file, a directory or a link, or nothing.
  present|absent|file|directory|link|...
  file: A plain file exists; anything else is replaced.
  present: Something exists; otherwise a plain file is created.
  absent: Nothing exists; removing a directory needs force.
  directory: A directory exists; attributes such as recurse apply.
  link: A symbolic link exists; target names its destination.
content *: The whole content, as a string; for a file that is elsewhere there is source.
checksum_value *: The checksum that the content must have; source says where that content is.
target *: The destination of a link.
owner *: The user who owns the file: a name or a number.
group *: The group that owns the file: a name or a number.
mode *: The permissions as a string: octal '0644', or symbolic 'u=rw,go=r'.
type *: The type of the file; it is only read.
seluser *: The user of the SELinux context.
selrole *: The role of the SELinux context.
seltype *: The type of the SELinux context.
selrange *: The range of the SELinux context.
ctime *: The time of the last change of the inode; it is only read.
mtime *: The time of the last change of the content; it is only read.
backup: The place for the old content: false, a suffix such as .bak, or a filebucket.
recurse: Whether the content of a directory is managed, too; remote manages files of the source.
  true|false|remote
  true: The content of the directory is managed, too.
  false: Only the directory itself is managed.
  remote: Only the content of the source is managed.
recurselimit: How many levels of directories a recursion goes down.
max_files: The number of files from which on a recursion warns.
replace true|false|yes|no: Whether a file that is there already gets the content, or keeps its own.
force true|false|yes|no: Whether a directory may be removed or replaced.
ignore: Patterns of names that a recursion leaves out.
links follow|manage: Whether a link itself is managed, or the file that it leads to.
  manage: A link itself is managed.
  follow: The file is managed that the link leads to.
purge true|false|yes|no: Whether files below a recursive directory that nothing manages are removed.
sourceselect only: Whether only the first source that exists is taken, or all of them.
  first: The first source that exists is taken.
  all: Directories of all sources are put together.
show_diff: Whether the difference of a changed content is logged; false for secrets.
  true|false|yes|no
staging_location: The directory in which the new file is written before it takes its place.
validate_cmd: A command that checks the new content before it takes its place; % is its file.
validate_replacement: The text in validate_cmd that stands for the file; % by default.
provider: What manages the file.
checksum: How contents are compared: a hash such as sha256, times, or none.
  sha256|sha256lite|md5|md5lite|sha1|sha1lite|sha512|sha384|sha224|mtime|ctime|none
source: The origin of the content: a path, puppet:///modules/NAME/FILE, http://...
source_permissions use|use_when_creating|ignore: Whether owner, group and mode come from the source.
  ignore: Owner, group and mode do not come from the source.
  use: Owner, group and mode are always those of the source.
  use_when_creating: Owner, group and mode come from the source for new files.
selinux_ignore_defaults: Whether SELinux is not asked for the context that a path has by default.
  true|false|yes|no
""",
    "filebucket": """
name !: The name that the attribute backup of files refers to.
server: The server that keeps the files.
port: The port of the server.
path: The directory of a local bucket; false for that of a server.
""",
    "group": """
name !: The name of the group.
ensure * present|absent: Whether the group exists.
gid *: The number of the group.
members *: The users in the group.
attributes *: Attributes of the group on AIX, as name=value.
auth_membership true|false|yes|no: Whether members that are not given are removed.
allowdupe true|false|yes|no: Whether the number may be that of another group, too.
ia_load_module: The module that authenticates the group on AIX.
attribute_membership minimum|inclusive: Whether attributes that are not given are removed.
system true|false|yes|no: Whether the group is one of the system, with a low number.
forcelocal: Whether the local files are changed where a directory service has groups, too.
  true|false|yes|no
provider: What manages groups.
""",
    "notify": """
name !: A name for the message; by default the message.
message *: The text that the agent logs; by default the title.
withpath true|false: Whether the path of the resource is logged, too.
""",
    "package": """
name !: The name of the package, as its provider knows it.
provider !: The package manager: apt, dnf, gem, pip, ...
command !: The program that the provider runs, such as a certain gem.
ensure *: Whether the package is installed, and which version.
  present|absent|purged|disabled|installed|latest|...
  installed: Some version is installed; it is not upgraded.
  present: Some version is installed; it is not upgraded.
  absent: It is not installed.
  latest: The newest version that the provider knows is installed, at each run.
  purged: It is not installed, and its configuration files are gone.
  held: It is kept from upgrades; the attribute mark does this now.
  disabled: The module of dnf is disabled.
package_settings *: Settings of the package, for providers that have some.
flavor *: The flavor of the package, on OpenBSD and for modules of dnf.
mark * only: Whether the package is kept from upgrades.
  hold: The package is kept from upgrades.
  none: The package may be upgraded.
source: The package file, for providers without repositories.
instance: The name of the instance; it is only read.
status: The status of the package; it is only read.
adminfile: A file with defaults for the installation, on Solaris.
responsefile: A file with answers for the installation.
configfiles keep|replace: Whether changed configuration files are kept when the package is replaced.
category: The category of the package; it is only read.
platform: The platform of the package; it is only read.
root: The root directory of the package; it is only read.
vendor: The vendor of the package; it is only read.
description: The description of the package; it is only read.
allowcdrom true|false: Whether apt may install from a CD.
enable_only: Whether a module of dnf is only enabled, and nothing of it installed.
install_only: Whether installed versions stay when another one is installed, as for kernels.
install_options: Further options for the command that installs.
uninstall_options: Further options for the command that uninstalls.
allow_virtual true|false|yes|no: Whether the name may be one that packages only provide.
reinstall_on_refresh true|false: Whether the package is installed again when something notifies it.
""",
    "resources": """
name !: The resource type whose resources are managed.
purge true|false|yes|no: Whether resources of the type that are not in the catalog are removed.
unless_system_user: For users: up to which number they are never removed.
unless_uid: For users: numbers, and ranges of them, that are never removed.
""",
    "schedule": """
name !: The name that the metaparameter schedule refers to.
range: The times of the day, as '2 - 4' or '22:30 - 4:00'.
periodmatch number|distance: Whether periods count from the last run, or by the clock.
  distance: A period counts from the last time.
  number: A period is that of the clock or the calendar.
period hourly|daily|weekly|monthly|never: How often a resource is applied: hourly, daily, ...
  never: Never.
  hourly: Once an hour.
  daily: Once a day.
  weekly: Once a week.
  monthly: Once a month.
repeat: How often a resource is applied within a period.
weekday: The days of the week, by their names or numbers; 0 is Sunday.
""",
    "service": """
name !: The name of the service, as the system knows it.
ensure * stopped|running|false|true: Whether the service runs.
  running: The service runs; it is started if necessary.
  stopped: The service does not run; it is stopped if necessary.
enable * only: Whether the service starts when the system does.
  true: The service starts with the system.
  false: The service does not start with the system.
  manual: The service starts on request, on Windows.
  mask: Nothing can start it, under systemd.
  delayed: The service starts some time after the system, on Windows.
logonaccount *: The account that the service runs as, on Windows.
flags *: Flags for the start, for providers that have some.
logonpassword: The password of that account.
binary: The path of the daemon, for services without an init script.
hasstatus true|false: Whether the init script has a status; otherwise the process table is searched.
path: The directories in which init scripts are looked for.
pattern: The regular expression to find the process with, if there is no status command.
restart: The command that restarts the service.
start: The command that starts the service.
status: The command that tells by its exit status whether the service runs.
stop: The command that stops the service.
control: The variable that controls the service, on HP-UX.
hasrestart true|false: Whether the init script has a restart; otherwise it is stopped and started.
manifest: The manifest of the service, or the command that makes it, on Solaris.
timeout: The seconds to wait for the service, on Windows.
provider: What manages services: systemd, launchd, windows, ...
""",
    "stage": """
name !: The name that the metaparameter stage of classes refers to.
""",
    "tidy": """
path !: The file, or the directory in which files are removed.
recurse: Whether directories below are searched: true, false, or how deep.
max_files: The number of files from which on a recursion warns.
matches: Patterns of the names that are removed.
backup: The place for copies of removed files, as for a file.
age: The age from which on files are removed: '1w', '12h', ...
size: The size from which on files are removed: '100k', '1m', ...
type only: Which time of a file its age counts from.
  atime: The time of the last access.
  mtime: The time of the last change of the content.
  ctime: The time of the last change of the inode.
rmdirs true|false|yes|no: Whether directories are removed, too, once they are empty.
""",
    "user": """
name !: The login name.
ensure * only: Whether the account exists.
  present: It is there.
  absent: It is not there.
  role: It is there as a role, on Solaris.
home *: The home directory; managehome says whether it is made.
uid *: The number of the user.
gid *: The primary group: a name or a number.
comment *: The description of the user, usually the full name.
shell *: The login shell; it must exist.
password *: The hash of the password, as the system keeps it; best a Sensitive.
password_min_age *: The days before which a password may not be changed.
password_max_age *: The days after which a password has to be changed.
password_warn_days *: The days before its end from which on the user is warned.
groups *: The further groups of the user, without the primary one.
expiry *: The date at which the account ends, as YYYY-MM-DD, or absent.
roles *: The roles of the user, on Solaris.
auths *: The authorizations of the user, on Solaris.
profiles *: The profiles of the user, on Solaris.
keys *: Attributes of the user on Solaris, as name=value.
project *: The project of the user, on Solaris.
attributes *: Attributes of the user on AIX, as name=value.
salt *: The salt of the password, on macOS.
iterations *: The rounds of the hash of the password, on macOS.
loginclass *: The login class, on BSD.
membership minimum|inclusive: Whether groups that are not given are left.
system true|false|yes|no: Whether the user is one of the system, with a low number.
allowdupe true|false|yes|no: Whether the number may be that of another user, too.
managehome true|false|yes|no: Whether the home directory is made and removed with the account.
role_membership minimum|inclusive: Whether roles that are not given are removed.
auth_membership minimum|inclusive: Whether authorizations that are not given are removed.
profile_membership minimum|inclusive: Whether profiles that are not given are removed.
key_membership minimum|inclusive: Whether keys that are not given are removed.
ia_load_module: The module that authenticates the user on AIX.
attribute_membership minimum|inclusive: Whether attributes that are not given are removed.
forcelocal: Whether the local files are changed where a directory service has users, too.
  true|false|yes|no
purge_ssh_keys: Whether keys in authorized_keys that nothing manages are removed.
provider: What manages users.
""",
    "whit": """
name !: The name of a marker that Puppet itself makes.
""",
}
