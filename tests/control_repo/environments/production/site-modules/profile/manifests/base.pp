# Users, packages and the message of the day.
class profile::base (
  String $motd,
  Array[String] $packages = [],
  Hash[String, Hash] $users = {},
  Array[String] $admins = [],
) {
  include clock

  file { '/etc/motd':
    ensure  => file,
    content => "${motd}\n",
  }
  package { $packages:
    ensure => installed,
  }
  $users.each |$name, $settings| {
    user { $name:
      ensure => present,
      shell  => $settings['shell'],
    }
  }
}
