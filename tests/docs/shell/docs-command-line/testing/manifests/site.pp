package { 'haproxy': ensure => installed }
file { '/etc/motd': content => "Welcome\nAsk your team.\n" }
