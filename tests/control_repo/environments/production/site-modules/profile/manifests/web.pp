# A web server with its virtual hosts.
class profile::web (
  Integer $port = 80,
  Hash[String, Hash] $hosts = {},
  Sensitive[String] $key = Sensitive(''),
) {
  $hosts.each |$name, $settings| {
    vhost { $name:
      * => $settings,
    }
  }
  file { '/etc/web.key':
    ensure  => file,
    content => $key,
  }
}
