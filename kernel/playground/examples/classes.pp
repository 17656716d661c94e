# Choose other facts above, run it again, and look at the graph.
class motd (
  String[1] $greeting = 'Welcome',
) {
  $path = $facts['kernel'] ? {
    'windows' => 'C:/ProgramData/motd.txt',
    default   => '/etc/motd',
  }

  file { $path:
    ensure  => file,
    content => "${greeting} to ${facts['os']['name']} ${facts['os']['release']['major']}\n",
  }
}

class ntp {
  $service = $facts['os']['family'] ? {
    'Debian' => 'ntpsec',
    'RedHat' => 'chronyd',
    default  => 'ntp',
  }

  service { $service:
    ensure => running,
  }
}

class { 'motd':
  greeting => 'Hello and welcome',
}
contain ntp
Class['motd'] -> Class['ntp']
