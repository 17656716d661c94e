file { '/etc/motd': content => "Welcome\nAsk the operators.\n" }
