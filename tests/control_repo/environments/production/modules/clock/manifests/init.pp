# Keeps the time.
class clock (
  Array[String] $servers,
  Boolean $panic,
  Integer $interval = 64,
  Hash $restrict = {},
  String $driftfile = '/var/lib/ntp/drift',
) {
  file { '/etc/ntp.conf':
    ensure  => file,
    content => $servers.map |$server| { "server ${server}\n" }.join,
  }
}
