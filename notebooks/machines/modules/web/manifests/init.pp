# A web server.
class web {
  package { 'nginx':
    ensure => installed,
  }
  -> service { 'nginx':
    ensure => running,
  }
}
