# Copies directories to another place each night.
#
# @param target    Where the copies go.
# @param paths     What is copied.
# @param hour      When, on a clock of 24 hours.
# @param scheduler The service that starts it.
class backup (
  Backup::Path           $target,
  Array[Backup::Path, 1] $paths,
  Integer[0, 23]         $hour,
  String[1]              $scheduler,
) {
  $paths.each |$path| {
    if "${path}/" == "${target}/"[0, $path.length + 1] {
      fail("${target} is inside of ${path}: copies would be copied")
    }
  }

  $jobs = $paths.map |$path| { backup::job($path, $target, $hour) }

  package { 'rsync':
    ensure => installed,
  }

  file { '/etc/cron.d/backup':
    ensure  => file,
    mode    => '0600',
    content => "# Written by Puppet.\n${jobs.join("\n")}\n",
    require => Package['rsync'],
    notify  => Service[$scheduler],
  }

  service { $scheduler:
    ensure => running,
    enable => true,
  }
}
