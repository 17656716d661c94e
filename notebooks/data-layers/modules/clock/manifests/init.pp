# Keeps the time.
#
# @param servers where the time comes from
# @param service the name of the service
class clock (
  Array[String[1]] $servers,
  String[1]        $service,
) {
  file { '/etc/ntp.conf':
    ensure  => file,
    content => $servers.map |$server| { "server ${server}\n" }.join,
  }
  service { $service:
    ensure    => running,
    subscribe => File['/etc/ntp.conf'],
  }
}
