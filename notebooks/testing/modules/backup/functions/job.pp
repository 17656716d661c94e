# Returns the line of a crontab that copies a directory.
#
# @param path   What is copied.
# @param target Where the copy goes.
# @param hour   When, each day.
# @return The line, without its end.
#
# @example
#   backup::job('/etc', '/srv/backup', 2)
function backup::job(
  Backup::Path   $path,
  Backup::Path   $target,
  Integer[0, 23] $hour,
) >> String[1] {
  "0 ${hour} * * * root rsync -aR ${path} ${target}"
}
