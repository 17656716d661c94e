# A database server.
class profile::db (
  Integer $port,
  Sensitive[String] $password,
  Hash[String, Variant[Integer, String]] $settings = {},
) {
  file { '/etc/db.conf':
    ensure  => file,
    content => $settings.map |$name, $value| { "${name} = ${value}\n" }.join,
  }
  file { '/etc/db.password':
    ensure  => file,
    content => $password,
  }
}
